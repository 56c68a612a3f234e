/* SPDX-License-Identifier: MIT */
/* Sums over pairs of components: inner sums and roots.  A thread has one row of one pair of
 * regions; neighbouring threads have neighbouring lanes, so every access is one run of
 * memory, and all of them read the same weight at once.
 *
 * log_sum is kept in double for the way down: far in a tail a float's rounding of it would be
 * more than what the components differ in. */
#include "backend/cuda/device_code.cuh"

/* One row of sum s of pair q. */
typedef struct {
    const float *linear, *log;                    /* (K, n_right)                    */
    const float *left, *right;                    /* values, L apart                 */
    const float *left_log, *right_log;            /* log-values, L apart             */
    double tops;                                  /* of both                         */
    size_t child;                                 /* where the left one begins       */
    uint32_t K, n_right, step, right_step, single;
} pair_row;

__device__ static inline pair_row pair_row_of(const owi_pair_args *a, uint32_t q, uint32_t n)
{
    pair_row p;
    const uint32_t K = a->n_components, each = a->single ? 1 : 2;
    const uint32_t n_regions = a->n_pairs * each, left = q * each;
    const size_t top = row_at(n, n_regions) + (size_t)left * L;
    p.K = K;
    p.n_right = a->n_right;
    p.step = L;
    p.single = a->single;
    p.child = row_at(n, n_regions * K) + (size_t)left * K * L;
    p.left = a->value + p.child;
    p.left_log = a->log_value + p.child;
    p.right = p.left + (size_t)K * L;
    p.right_log = p.left_log + (size_t)K * L;
    p.right_step = L;
    p.tops = (double)a->top[top] + (a->single ? 0.0 : (double)a->top[top + L]);
    p.linear = p.log = NULL;
    return p;
}

__device__ static inline void pair_row_take_sum(const owi_pair_args *a, pair_row *p,
                                                uint32_t q, uint32_t s)
{
    const size_t at = q * a->weight_pair + s * a->weight_sum;
    p->linear = a->linear + at;
    p->log = a->log + at;
}

__device__ static inline float right_value(const pair_row *p, uint32_t j)
{
    return p->single ? 1.0f : p->right[(size_t)j * p->right_step];
}

/* log-weight + left + right of a pair. */
__device__ static inline double pair_term(const pair_row *p, uint32_t i, uint32_t j)
{
    const double right =
        p->single ? 0.0 : (double)p->right_log[(size_t)j * p->right_step];
    return (double)p->log[i * p->n_right + j] + (double)p->left_log[(size_t)i * p->step] +
           right;
}

__device__ static inline double pair_log_sum(const pair_row *p)
{
    double top = -INFINITY, total = 0.0;
    for (uint32_t i = 0; i < p->K; i++)
        for (uint32_t j = 0; j < p->n_right; j++) top = fmax(top, pair_term(p, i, j));
    if (top == -INFINITY) return -INFINITY;
    for (uint32_t i = 0; i < p->K; i++)
        for (uint32_t j = 0; j < p->n_right; j++) total += exp(pair_term(p, i, j) - top);
    return top + log(total);
}

/* sum_j W[i,j] right[j] */
__device__ static inline float sum_of_row(const pair_row *p, uint32_t i)
{
    float sum = 0.0f;
    for (uint32_t j = 0; j < p->n_right; j++)
        sum += p->linear[i * p->n_right + j] * right_value(p, j);
    return sum;
}

/* sum_i W[i,j] left[i] */
__device__ static inline float sum_of_column(const pair_row *p, uint32_t j)
{
    float sum = 0.0f;
    for (uint32_t i = 0; i < p->K; i++)
        sum += p->linear[i * p->n_right + j] * p->left[(size_t)i * p->step];
    return sum;
}

/* log_sum[q,s].  Grid: rows / 64, pairs, sums. */
__global__ void pair_up(const __grid_constant__ owi_pair_args a)
{
    const uint32_t n = thread_row(), q = blockIdx.y, s = blockIdx.z;
    const uint32_t n_nodes = a.n_pairs * a.n_sums;
    float sum = 0.0f;
    if (n >= a.rows.n_rows) return;
    pair_row p = pair_row_of(&a, q, n);
    pair_row_take_sum(&a, &p, q, s);
    for (uint32_t i = 0; i < p.K; i++) sum += p.left[(size_t)i * p.step] * sum_of_row(&p, i);
    a.log_sum[row_at(n, n_nodes) + (size_t)(q * a.n_sums + s) * L] =
        sum >= OWI_LEAST_SUM ? log((double)sum) + p.tops : pair_log_sum(&p);
}

/* log_root[c] = log of the sum of its partitions.  Grid: rows / 64, classes. */
__global__ void root_join(const __grid_constant__ owi_pair_args a)
{
    const uint32_t n = thread_row(), c = blockIdx.y, P = a.n_partitions;
    const bool shared = a.kind == owi_pairs_shared_roots;
    const uint32_t first = shared ? c : c * P, step = shared ? a.n_sums : 1;
    double top = -INFINITY, sum = 0.0;
    if (n >= a.rows.n_rows) return;
    const double *log_sum = a.log_sum + row_at(n, a.n_pairs * a.n_sums) + (size_t)first * L;
    for (uint32_t p = 0; p < P; p++) top = fmax(top, log_sum[(size_t)p * step * L]);
    for (uint32_t p = 0; p < P && top > -INFINITY; p++)
        sum += exp(log_sum[(size_t)p * step * L] - top);
    a.log_root[row_at(n, a.n_classes) + (size_t)c * L] =
        top > -INFINITY ? top + log(sum) : -INFINITY;
}

/* What flows into sum s of pair q of one row, and the logarithm it is a share of. */
typedef struct {
    float flow;
    double log_sum, reference;
    size_t node; /* its place in factor */
} pair_flow;

__device__ static inline pair_flow pair_flow_of(const owi_pair_args *a, uint32_t q,
                                                uint32_t s, uint32_t n)
{
    const uint32_t n_nodes = a->n_pairs * a->n_sums;
    pair_flow f;
    f.node = row_at(n, n_nodes) + (size_t)(q * a->n_sums + s) * L;
    f.log_sum = a->log_sum[f.node];
    if (a->kind == owi_pairs_inner) {
        f.flow = a->flow[f.node];
        f.reference = f.log_sum;
    } else {
        const uint32_t c = a->kind == owi_pairs_shared_roots ? s : q / a->n_partitions;
        const size_t root = row_at(n, a->n_classes) + (size_t)c * L;
        f.flow = a->flow[root];
        f.reference = a->log_root[root];
    }
    return f;
}

/* Which copy a pair belongs to. */
__device__ static inline uint32_t pair_copy(const owi_pair_args *a, uint32_t q)
{
    return a->live.n_copies > 1 ? q / (a->n_pairs / a->live.n_copies) : 0;
}

/* Whether anything flows through a sum, and whether the guard does it. */
__device__ static inline bool pair_flows(const pair_flow *f)
{
    return f->flow != 0.0f && f->log_sum != -INFINITY && f->reference != -INFINITY;
}
__device__ static inline bool pair_is_guarded(const pair_flow *f, double tops)
{
    return pair_flows(f) && f->log_sum - tops < OWI_LEAST_LOG_SUM;
}

/* The share of a pair, of a row under the guard. */
__device__ static inline float guarded_share(const pair_row *p, const pair_flow *f,
                                             uint32_t i, uint32_t j)
{
    return (float)((double)f->flow *
                   fmin(exp(pair_term(p, i, j) - f->reference), 1.0));
}

__device__ static inline void flow_guarded(const pair_row *p, const pair_flow *f,
                                           float *left, float *right)
{
    for (uint32_t i = 0; i < p->K; i++)
        for (uint32_t j = 0; j < p->n_right; j++) {
            const float share = guarded_share(p, f, i, j);
            left[(size_t)i * p->step] += share;
            if (!p->single) right[(size_t)j * p->step] += share;
        }
}

/* flow_left[i]  = sum_s r left[i] sum_j W[i,j] right[j],  r = flow exp(tops - reference)
 * flow_right[j] = sum_s r right[j] sum_i W[i,j] left[i].  Grid: rows / 64, pairs. */
__global__ void pair_down(const __grid_constant__ owi_pair_args a)
{
    const uint32_t n = thread_row(), q = blockIdx.y;
    if (n >= a.rows.n_rows) return;
    if (is_dead(a.live, blockIdx.x, pair_copy(&a, q))) return;
    pair_row p = pair_row_of(&a, q, n);
    float *left = a.flow_in + p.child, *right = left + (size_t)p.K * p.step;

    for (uint32_t i = 0; i < (p.single ? p.K : 2 * p.K); i++) left[(size_t)i * p.step] = 0.0f;
    for (uint32_t s = 0; s < a.n_sums; s++) {
        const pair_flow f = pair_flow_of(&a, q, s, n);
        if (a.factor != NULL) a.factor[f.node] = 0.0f;
        if (!pair_flows(&f)) continue;
        pair_row_take_sum(&a, &p, q, s);
        if (pair_is_guarded(&f, p.tops)) {
            /* Every thread that comes here writes the same. */
            if (a.guarded != NULL)
                a.guarded[(q * a.n_sums + s) * gridDim.x + blockIdx.x] = 1;
            flow_guarded(&p, &f, left, right);
            continue;
        }
        const float r = (float)((double)f.flow * exp(p.tops - f.reference));
        if (a.factor != NULL) a.factor[f.node] = r;
        for (uint32_t i = 0; i < p.K; i++)
            left[(size_t)i * p.step] += r * p.left[(size_t)i * p.step] * sum_of_row(&p, i);
        for (uint32_t j = 0; j < p.n_right && !p.single; j++)
            right[(size_t)j * p.step] += r * right_value(&p, j) * sum_of_column(&p, j);
    }
}

/* statistic[q,s,i,j] += the shares of the rows under the guard, in their order.
 * Grid: weights of a sum / 64, pairs, sums. */
__global__ void pair_guard(const __grid_constant__ owi_pair_args a)
{
    const uint32_t e = thread_row(), q = blockIdx.y, s = blockIdx.z;
    const uint32_t n_blocks = (a.rows.n_rows + owi_block_threads - 1) / owi_block_threads;
    const uint32_t *guarded = a.guarded + (size_t)(q * a.n_sums + s) * n_blocks;
    float sum = 0.0f;
    if (e >= a.n_components * a.n_right) return;
    for (uint32_t b = 0; b < n_blocks; b++) {
        if (!guarded[b]) continue;
        for (uint32_t n = b * owi_block_threads;
             n < (b + 1) * owi_block_threads && n < a.rows.n_rows; n++) {
            const pair_flow f = pair_flow_of(&a, q, s, n);
            pair_row p = pair_row_of(&a, q, n);
            if (!pair_is_guarded(&f, p.tops)) continue;
            pair_row_take_sum(&a, &p, q, s);
            sum += guarded_share(&p, &f, e / a.n_right, e % a.n_right);
        }
    }
    a.statistic[q * a.weight_pair + s * a.weight_sum + e] += sum;
}
