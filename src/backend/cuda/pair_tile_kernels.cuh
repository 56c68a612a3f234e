/* SPDX-License-Identifier: MIT */
/* pair_up and pair_down for regions of at most T components: the values of a row stay in
 * registers, and weights come through shared memory, from which all threads read the same one
 * at once.  What the guard needs is done by the functions of pair_kernels.cuh. */
#include "backend/cuda/device_code.cuh"

enum { pair_threads = 128, pair_up_tiles = pair_threads / 32, pair_down_tiles = pair_threads / L };

/* The weights of sums [first, first + n) of pair q, each (T, T) and 0 beyond K. */
__device__ static __forceinline__ void pair_load_weights(const owi_pair_args *a, const int T,
                                                         uint32_t q, uint32_t first,
                                                         uint32_t n, float *weights)
{
    enum { at_once = 8 }; /* under way: with few rows nothing else hides how long they take */
    const uint32_t K = a->n_components, size = (uint32_t)(T * T);
    for (uint32_t first_e = threadIdx.x; first_e < n * size; first_e += at_once * pair_threads) {
        float weight[at_once];
        OWI_UNROLL
        for (uint32_t l = 0; l < at_once; l++) {
            const uint32_t e = first_e + l * pair_threads;
            const uint32_t i = e % size / (uint32_t)T, j = e % (uint32_t)T;
            const float *sum =
                a->linear + q * a->weight_pair + (first + e / size) * a->weight_sum;
            weight[l] = e < n * size && i < K && j < K ? sum[i * K + j] : 0.0f;
        }
        OWI_UNROLL
        for (uint32_t l = 0; l < at_once; l++)
            if (first_e + l * pair_threads < n * size)
                weights[first_e + l * pair_threads] = weight[l];
    }
}

/* The values of one region in one row. */
__device__ static __forceinline__ void pair_load_values(const float *from, const int T,
                                                        uint32_t K, float *value)
{
    OWI_UNROLL
    for (int k = 0; k < T; k++) value[k] = (uint32_t)k < K ? from[(size_t)k * L] : 0.0f;
}

__device__ static inline uint32_t pair_sums_from(const owi_pair_args *a, uint32_t first)
{
    const uint32_t left = a->n_sums - first;
    return left < owi_pair_sums ? left : owi_pair_sums;
}

/* log_sum of one sum of one row, whose sum in linear values is known. */
__device__ static inline void pair_write_sum(const owi_pair_args *a, uint32_t q, uint32_t s,
                                             uint32_t n, double tops, float sum)
{
    double log_sum;
    if (sum >= OWI_LEAST_SUM) {
        log_sum = log((double)sum) + tops;
    } else {
        pair_row p = pair_row_of(a, q, n);
        pair_row_take_sum(a, &p, q, s);
        log_sum = pair_log_sum(&p);
    }
    a->log_sum[row_at(n, a->n_pairs * a->n_sums) + (size_t)(q * a->n_sums + s) * L] = log_sum;
}

/* A thread has two rows of a tile, half a tile apart, so that a weight serves two. */
__device__ static __forceinline__ void pair_up_tile(const owi_pair_args *a, const int T,
                                                    float *weights)
{
    const uint32_t tile = blockIdx.x * pair_up_tiles + threadIdx.x / 32;
    const uint32_t n = tile * L + threadIdx.x % 32, other = n + L / 2, q = blockIdx.y;
    const uint32_t first = blockIdx.z * owi_pair_sums, n_sums = pair_sums_from(a, first);
    float left[2][32], right[2][32];

    pair_load_weights(a, T, q, first, n_sums, weights);
    __syncthreads();
    if (n >= a->rows.n_rows) return;
    const pair_row p = pair_row_of(a, q, n), o = pair_row_of(a, q, other);
    pair_load_values(p.left, T, p.K, left[0]);
    pair_load_values(p.right, T, p.K, right[0]);
    pair_load_values(o.left, T, p.K, left[1]);
    pair_load_values(o.right, T, p.K, right[1]);
    for (uint32_t s = 0; s < n_sums; s++) {
        const float *weight = weights + s * (uint32_t)(T * T);
        float sum = 0.0f, other_sum = 0.0f;
        OWI_UNROLL
        for (int i = 0; i < T; i++) {
            float row = 0.0f, other_row = 0.0f;
            OWI_UNROLL
            for (int j = 0; j < T; j += 4) {
                const float4 w = load_4(weight + i * T + j);
                row += w.x * right[0][j] + w.y * right[0][j + 1] + w.z * right[0][j + 2] +
                       w.w * right[0][j + 3];
                other_row += w.x * right[1][j] + w.y * right[1][j + 1] +
                             w.z * right[1][j + 2] + w.w * right[1][j + 3];
            }
            sum += left[0][i] * row;
            other_sum += left[1][i] * other_row;
        }
        pair_write_sum(a, q, first + s, n, p.tops, sum);
        pair_write_sum(a, q, first + s, other, o.tops, other_sum);
    }
}

/* What flows through the sums of pair q that are under the guard, of one row: added to what
 * is there. */
__device__ static inline void pair_flow_guarded(const owi_pair_args *a, uint32_t q,
                                                uint32_t n)
{
    pair_row p = pair_row_of(a, q, n);
    float *left = a->flow_in + p.child, *right = left + (size_t)p.K * L;
    for (uint32_t s = 0; s < a->n_sums; s++) {
        const pair_flow f = pair_flow_of(a, q, s, n);
        if (!pair_is_guarded(&f, p.tops)) continue;
        if (a->guarded != NULL)
            a->guarded[(q * a->n_sums + s) * (a->rows.n_rows / L) + n / L] = 1;
        pair_row_take_sum(a, &p, q, s);
        flow_guarded(&p, &f, left, right);
    }
}

/* r = flow exp(tops - reference) of one sum; 0 where nothing flows or under the guard, which
 * is told. */
__device__ static inline float pair_factor(const owi_pair_args *a, uint32_t q, uint32_t s,
                                           uint32_t n, double tops, bool *guarded)
{
    const pair_flow f = pair_flow_of(a, q, s, n);
    float r = 0.0f;
    if (pair_is_guarded(&f, tops))
        *guarded = true;
    else if (pair_flows(&f))
        r = (float)((double)f.flow * exp(tops - f.reference));
    if (a->factor != NULL) a->factor[f.node] = r;
    return r;
}

__device__ static __forceinline__ void pair_down_tile(const owi_pair_args *a, const int T,
                                                      float *weights)
{
    const uint32_t n = blockIdx.x * pair_threads + threadIdx.x, q = blockIdx.y;
    const uint32_t tile = blockIdx.x * pair_down_tiles, copy = pair_copy(a, q);
    const uint32_t n_tiles = a->rows.n_rows / L;
    const bool inside = n < a->rows.n_rows;
    const pair_row p = pair_row_of(a, q, inside ? n : 0);
    float left[32], right[32], to_left[32], to_right[32];
    bool guarded = false;

    if (is_dead(a->live, tile, copy) &&
        (tile + 1 >= n_tiles || is_dead(a->live, tile + 1, copy)))
        return; /* the whole block */
    pair_load_values(p.left, T, p.K, left);
    pair_load_values(p.right, T, p.K, right);
    OWI_UNROLL
    for (int k = 0; k < T; k++) to_left[k] = to_right[k] = 0.0f;
    for (uint32_t first = 0; first < a->n_sums; first += owi_pair_sums) {
        const uint32_t n_sums = pair_sums_from(a, first);
        __syncthreads();
        pair_load_weights(a, T, q, first, n_sums, weights);
        __syncthreads();
        for (uint32_t s = 0; s < n_sums && inside; s++) {
            const float r = pair_factor(a, q, first + s, n, p.tops, &guarded);
            const float *weight = weights + s * (uint32_t)(T * T);
            OWI_UNROLL
            for (int i = 0; i < T; i++) {
                const float share = r * left[i];
                float row = 0.0f;
                OWI_UNROLL
                for (int j = 0; j < T; j += 4) {
                    const float4 w = load_4(weight + i * T + j);
                    row += w.x * right[j] + w.y * right[j + 1] + w.z * right[j + 2] +
                           w.w * right[j + 3];
                    to_right[j] += share * w.x;
                    to_right[j + 1] += share * w.y;
                    to_right[j + 2] += share * w.z;
                    to_right[j + 3] += share * w.w;
                }
                to_left[i] += r * row;
            }
        }
    }
    if (!inside || is_dead(a->live, n / L, copy)) return;
    float *to = a->flow_in + p.child;
    OWI_UNROLL
    for (int k = 0; k < T; k++) {
        if ((uint32_t)k >= p.K) continue;
        to[(size_t)k * L] = left[k] * to_left[k];
        to[(size_t)(p.K + (uint32_t)k) * L] = right[k] * to_right[k];
    }
    if (guarded) pair_flow_guarded(a, q, n);
}

/* Grid: tiles / 4, pairs, sums / 5; and tiles / 2, pairs. */
#define OWI_PAIR_TILES(T, blocks)                                                                  \
    __global__ void __launch_bounds__(pair_threads, blocks)                                \
        pair_up_##T(const __grid_constant__ owi_pair_args a)                               \
    {                                                                                      \
        __shared__ __align__(16) float weights[owi_pair_sums * T * T];                     \
        pair_up_tile(&a, T, weights);                                                      \
    }                                                                                      \
    __global__ void __launch_bounds__(pair_threads, blocks)                                \
        pair_down_##T(const __grid_constant__ owi_pair_args a)                             \
    {                                                                                      \
        __shared__ __align__(16) float weights[owi_pair_sums * T * T];                     \
        pair_down_tile(&a, T, weights);                                                    \
    }
OWI_PAIR_TILES(8, 4)
OWI_PAIR_TILES(16, 3)
OWI_PAIR_TILES(20, 3)
OWI_PAIR_TILES(32, 2)
