/* SPDX-License-Identifier: MIT */
/* What the cpu kernels are made of: arithmetic on runs of lanes, once for each instruction
 * set and chosen at run time.  A "row" here is one run of `lanes` floats.
 *
 * The product is one that BLAS does not have: both the rows multiplied and the rows written
 * may be picked by a list of indices, so a region's scope is used where it lies.  It keeps
 * a few rows of the result in registers for all lanes and passes over the scope once. */
#ifndef OWI_TILE_OPS_H
#define OWI_TILE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A matrix (i, k) at i * row_step + k * column_step; one of the steps is 1.  Columns may be
 * picked, for single rows where row_step is 1: k then is at columns[k] instead of k *
 * column_step, unless that is NULL. */
typedef struct {
    const float *entries;
    size_t row_step, column_step;
    const size_t *columns;
} owi_matrix;

/* Rows picked from a buffer of n_all: row k is index[k], or k itself where index is NULL.
 * Ascending indices may also be given as bits, 32 to a word (backend.h), or bits is
 * NULL. */
typedef struct {
    const uint32_t *index;
    const uint32_t *bits;
    size_t n_all;
} owi_pick;
typedef struct {
    float *rows;
    owi_pick pick;
} owi_rows_out;
typedef struct {
    const float *rows;
    owi_pick pick;
    /* dots only: floats from one tile to the next; and, or NULL, bits of the rows of each
     * tile, n_words words for each, of which those without a bit are 0 in all lanes. */
    size_t step;
    const uint32_t *present;
    size_t n_words;
} owi_rows_in;

/* One block of pair weights on the way down; values and flows are rows of lanes. */
typedef struct {
    size_t n_left, n_right;
    const float *weight; /* (n_left, n_right) */
    const float *left, *right;
    const float *r; /* one row */
    /* (n_right, L): sum_i weight[i,j] left[i], of full tiles where it is known (bilinear);
     * or NULL */
    const float *kept;
    float *scaled, *flow_left, *flow_right;
} owi_pair_flow;

/* L is the number of lanes: owi_tile_lanes or 1. */
typedef struct {
    const char *name;

    /* out[i] = bias[i] + sum_k a(i,k) b[k] for i < m, k < n; bias NULL: added to out.  L
     * may be fewer of a tile's lanes, in whole groups; the others stay as they are. */
    void (*multiply)(size_t L, size_t m, size_t n, owi_matrix a, owi_rows_in b,
                     const float *bias, owi_rows_out out);

    /* out[i] = times[i] sum_k a(i,k) b[k], times NULL: without that factor; of rows one
     * after the other.  L as above. */
    void (*multiply_times)(size_t L, size_t m, size_t n, owi_matrix a, const float *b,
                           const float *times, float *out);

    /* out += sum_ij weight[i,j] left[i] right[j], lane by lane; weight is (n_left,
     * n_right).  kept (n_right, L), of full tiles and unless it is NULL, gets
     * sum_i weight[i,j] left[i]. */
    void (*bilinear)(size_t L, size_t n_left, size_t n_right, const float *weight,
                     const float *left, const float *right, float *out, float *kept);

    /* scaled[i] = r left[i];  flow_left[i] += scaled[i] sum_j weight[i,j] right[j];
     * flow_right[j] += right[j] sum_i weight[i,j] scaled[i], unless that is NULL; with
     * kept, right[j] r kept[j]. */
    void (*pair_flow)(size_t L, const owi_pair_flow *flow);

    /* c[i * n + j] += sum over tiles and lanes of x[i] y[j]; rows recur every x.step
     * floats. */
    void (*dots)(size_t L, size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                 float *c);

    /* For each of so many regions of n components, one after the other:
     * top = max_k log_value[k]; value[k] = exp(log_value[k] - top), 0 below exp(-87). */
    void (*normalize)(size_t L, size_t n_regions, size_t n, const float *log_value,
                      float *value, float *top);

    /* Of n floats each:  out = left + right - offset, in double before it is rounded;
     * out = a * exp(exponent) for exponents <= 88, 0 below -87 and for NaN;
     * out = log(in) for in > 1e-37, to 1e-7 whatever the exponent;
     * out = to + log(in), which is rounded to a float before, or to where in < least:
     * true if any is; to may be out;
     * out = a / b to two units in the last place, 0 where b < least: true if any such a is
     * not 0. */
    void (*exponents)(size_t n, const float *left, const float *right, const double *offset,
                      float *out);
    void (*times_exp)(size_t n, const float *a, const float *exponent, float *out);
    void (*log)(size_t n, const float *in, double *out);
    bool (*add_log)(size_t n, const float *in, float least, const float *to, float *out);
    bool (*divide)(size_t n, const float *a, const float *b, float least, float *out);
} owi_instruction_set;

extern const owi_instruction_set owi_cpu_plain;
#if defined(__x86_64__)
extern const owi_instruction_set owi_cpu_avx2, owi_cpu_avx512;
#endif

#endif
