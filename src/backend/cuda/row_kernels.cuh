/* SPDX-License-Identifier: MIT */
/* Rows of a plain circuit to features and back, and what roots are asked and tell.  Rows are
 * row-major and features have lanes innermost: both sides of a transposition go through
 * shared memory, so that a warp reads and writes runs of memory. */
#include "backend/cuda/device_code.cuh"

enum {
    row_threads = 256,
    row_steps = L * owi_row_columns / row_threads, /* values of a thread in a block of columns */
    row_stride = owi_row_columns + 1               /* lanes of one column in different banks   */
};

/* The place of value i of a thread: columns innermost, as in rows, or lanes innermost, as in
 * features. */
__device__ static inline uint32_t row_column(uint32_t i)
{
    (void)i;
    return threadIdx.x % owi_row_columns;
}
__device__ static inline uint32_t row_lane(uint32_t i)
{
    return threadIdx.x / owi_row_columns + i * (row_threads / owi_row_columns);
}
__device__ static inline uint32_t feature_column(uint32_t i)
{
    return threadIdx.x / L + i * (row_threads / L);
}

/* Whether a difference is a number, and not too far out. */
__device__ static inline bool is_near(float z, float farthest)
{
    return fabsf(z) <= farthest;
}

/* Grid: tiles, columns / 32. */
__global__ void rows_in(const __grid_constant__ owi_rows_in_args a)
{
    __shared__ float block[L * row_stride];
    __shared__ double part[row_threads];
    const uint32_t lane = threadIdx.x % L, first = blockIdx.y * owi_row_columns;
    float *features = a.features + (size_t)blockIdx.x * a.n_columns * L + lane;
    double sum = 0.0;
    bool odd = false;

    for (uint32_t i = 0; i < row_steps; i++) {
        const uint32_t n = blockIdx.x * L + row_lane(i), j = first + row_column(i);
        const uint32_t row = n < a.n ? n : a.n - 1;
        block[row_lane(i) * row_stride + row_column(i)] =
            j < a.n_columns ? a.rows[(size_t)row * a.n_columns + j] : 0.0f;
    }
    __syncthreads();
    for (uint32_t i = 0; i < row_steps; i++) {
        const uint32_t j = first + feature_column(i);
        if (j >= a.n_columns) continue;
        const float z = block[lane * row_stride + feature_column(i)] - a.shift[j];
        odd = odd || !is_near(z, a.farthest);
        features[(size_t)j * L] = z;
        sum += (double)z * (double)z;
    }
    if (odd) *a.odd = 1; /* whoever writes, writes the same */
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x >= L) return;
    for (uint32_t i = 1; i < row_threads / L; i++) sum += part[i * L + lane];
    a.row_constant[((size_t)blockIdx.x * gridDim.y + blockIdx.y) * L + lane] =
        (blockIdx.y == 0 ? a.constant : 0.0) + a.factor * sum;
}

/* Of one number whose gradient is g. */
__device__ static inline void write_gradient(const owi_rows_out_args *a, size_t at,
                                             uint32_t j, float g)
{
    if (a->gradient != NULL) a->gradient[at] = g;
    if (a->to == NULL) return;
    const float from = a->from[at];
    const float moved = (float)((double)from + a->step * (double)g);
    const float x = a->moves == NULL || a->moves[j] != 0.0f ? moved : from;
    if (!(fabsf(x) < INFINITY)) *a->odd = 1;
    a->to[at] = x;
}

/* Grid: tiles, columns / 32. */
__global__ void rows_out(const __grid_constant__ owi_rows_out_args a)
{
    __shared__ float block[L * row_stride];
    const uint32_t lane = threadIdx.x % L, first = blockIdx.y * owi_row_columns;
    const size_t tile = (size_t)blockIdx.x * a.n_columns * L + lane;
    const float share = a.adjoint_sum[blockIdx.x * L + lane] * a.precision;

    for (uint32_t i = 0; i < row_steps; i++) {
        const uint32_t j = first + feature_column(i);
        if (j >= a.n_columns) continue;
        const size_t at = tile + (size_t)j * L;
        block[lane * row_stride + feature_column(i)] =
            a.d_features[at] - share * a.features[at];
    }
    __syncthreads();
    for (uint32_t i = 0; i < row_steps; i++) {
        const uint32_t n = blockIdx.x * L + row_lane(i), j = first + row_column(i);
        if (n < a.n && j < a.n_columns)
            write_gradient(&a, (size_t)n * a.n_columns + j, j,
                           block[row_lane(i) * row_stride + row_column(i)]);
    }
}

/* The classes of one row, by their posterior. */
typedef struct {
    const double *log_root; /* L apart */
    double best, best_prior, sum;
    bool possible;
} row_classes;

__device__ static inline row_classes row_classes_of(const owi_seed_args *a, uint32_t n)
{
    row_classes r;
    uint32_t best = 0;
    r.log_root = a->log_root + row_at(n, a->n_classes);
    for (uint32_t c = 1; c < a->n_classes; c++)
        if (r.log_root[c * L] + a->log_prior[c] > r.log_root[best * L] + a->log_prior[best])
            best = c;
    r.best = r.log_root[best * L];
    r.best_prior = a->log_prior[best];
    r.possible = r.best + r.best_prior > -INFINITY;
    r.sum = 0.0;
    /* Densities are compared before priors are added, which far out would vanish. */
    for (uint32_t c = 0; c < a->n_classes && r.possible; c++)
        r.sum += exp(r.log_root[c * L] - r.best + (a->log_prior[c] - r.best_prior));
    return r;
}

/* 0 where it is so small that it leaves nothing in a sum of floats: 2^-26. */
__device__ static inline double posterior_of(const owi_seed_args *a, const row_classes *r,
                                             uint32_t c)
{
    const double prior = a->log_prior[c];
    const double posterior =
        r->possible ? exp(r->log_root[c * L] - r->best + (prior - r->best_prior)) / r->sum
                    : exp(prior);
    return posterior >= 1.5e-8 ? posterior : 0.0;
}

__device__ static inline double seed_of(const owi_seed_args *a, const row_classes *r,
                                        uint32_t n, uint32_t c)
{
    double seed = 0.0;
    if (a->factor != NULL) seed += (double)a->factor[(size_t)n * a->n_classes + c];
    if (a->density != 0.0) seed += a->density * posterior_of(a, r, c);
    if (a->plus != NULL && a->plus[n] == (int32_t)c) seed += 1.0;
    if (a->minus != NULL && a->minus[n] == (int32_t)c) seed -= 1.0;
    return seed;
}

/* Grid: tiles. */
__global__ void seeds(const __grid_constant__ owi_seed_args a)
{
    const uint32_t n = thread_row(), C = a.n_classes, of_copy = C / a.n_copies;
    uint8_t *live = a.live != NULL ? a.live + (size_t)blockIdx.x * a.n_copies : NULL;
    float *adjoint = a.adjoint + row_at(n, C), sum = 0.0f;
    row_classes r;

    for (uint32_t i = threadIdx.x; i < a.n_copies && live != NULL; i += owi_block_threads)
        live[i] = 0;
    __syncthreads();
    if (n < a.n && a.density != 0.0) r = row_classes_of(&a, n);
    for (uint32_t c = 0; c < C; c++) {
        const float seed = n < a.n ? (float)seed_of(&a, &r, n, c) : 0.0f;
        adjoint[(size_t)c * L] = seed;
        sum += seed;
        if (live != NULL && seed != 0.0f) live[c / of_copy] = 1;
    }
    a.adjoint_sum[n] = sum;
}

/* Grid: rows * classes / 64. */
__global__ void class_logs(const __grid_constant__ owi_class_args a)
{
    const size_t e = (size_t)blockIdx.x * owi_block_threads + threadIdx.x;
    const uint32_t C = a.n_classes, n = (uint32_t)(e / C), c = (uint32_t)(e % C);
    if (n >= a.n) return;
    double constant = 0.0;
    for (uint32_t part = 0; part < a.n_parts; part++)
        constant += a.row_constant[row_at(n, a.n_parts) + (size_t)part * L];
    a.log_class[e] = a.log_root[row_at(n, C) + (size_t)c * L] + constant;
}
