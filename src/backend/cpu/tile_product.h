/* SPDX-License-Identifier: MIT */
/* The products of tile_ops.h, written once on vectors.  A file for one instruction set says before
 * it includes this
 *
 *     enum { width, block };   floats of a vector; rows of the result that are kept in registers
 *     typedef float vector OWI_VECTOR(width);
 *     load_first(p, n)         the first n < width floats at p, then zeros
 *     sum_four(v, out)         out[i] = sum of the floats of v[i], for four vectors
 *
 * A block of the result is `block` rows times `vectors` vectors of lanes, all in registers; every
 * term of the sum costs `vectors` loads, `block` broadcasts and block * vectors multiply-adds, and
 * the rows multiplied are passed over once for each block. */
#ifndef OWI_TILE_PRODUCT_H
#define OWI_TILE_PRODUCT_H

#include <string.h>

#include "backend/backend.h"
#include "backend/cpu/tile_ops.h"

enum { vectors = 4, span = vectors * width };

static OWI_INLINE vector load(const float *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

static OWI_INLINE void store(float *to, vector v)
{
    memcpy(to, &v, sizeof v);
}

/* The same float in every lane.  Subtracting 0 changes no float, not even -0. */
static OWI_INLINE vector splat(float x)
{
    return x - (vector){0};
}

static OWI_INLINE size_t row_at(const uint32_t *index, size_t k)
{
    return index != NULL ? index[k] : k;
}

/* What becomes of the sums[i] = sum_k a(i,k) b[k]. */
typedef enum {
    add_sums,  /* out[i]  = bias[i] + sums[i], or out[i] += sums[i] */
    add_times, /* out[i] += times[i] * sums[i]                      */
    add_up     /* out[0] += sum_i times[i] * sums[i]                */
} use;

typedef struct {
    size_t n_terms;
    owi_matrix a;
    owi_rows_in b;
    const float *bias, *times;
    owi_rows_out out;
} product;

/* --- Full tiles --- */

static OWI_INLINE void finish_block(use to, size_t M, size_t i, size_t lane,
                                    const product *p, vector sum[block][vectors])
{
    for (size_t r = 0; r < M; r++) {
        const size_t row = to == add_up ? 0 : row_at(p->out.index, i + r);
        float *out = p->out.rows + row * owi_tile_lanes + lane;
        const float *times =
            to != add_sums ? p->times + (i + r) * owi_tile_lanes + lane : NULL;
        for (size_t v = 0; v < vectors; v++) {
            float *at = out + v * width;
            if (to != add_sums)
                store(at, load(at) + load(times + v * width) * sum[r][v]);
            else
                store(at, sum[r][v] + (p->bias != NULL ? splat(p->bias[i + r]) : load(at)));
        }
    }
}

/* M <= block rows of the result from row i on, and span lanes. */
static OWI_INLINE void multiply_block(use to, size_t M, size_t i, size_t lane,
                                      const product *p)
{
    vector sum[block][vectors];
    for (size_t r = 0; r < M; r++)
        for (size_t v = 0; v < vectors; v++) sum[r][v] = (vector){0};

    const float *entry = p->a.entries + i * p->a.row_step;
    for (size_t k = 0; k < p->n_terms; k++, entry += p->a.column_step) {
        const float *row = p->b.rows + row_at(p->b.index, k) * owi_tile_lanes + lane;
        vector factor[block];
        for (size_t r = 0; r < M; r++) factor[r] = splat(entry[r * p->a.row_step]);
        for (size_t v = 0; v < vectors; v++) {
            const vector x = load(row + v * width);
            for (size_t r = 0; r < M; r++) sum[r][v] += factor[r] * x;
        }
    }
    finish_block(to, M, i, lane, p, sum);
}

/* Blocks as equal as can be, so that none is left with a single row. */
static OWI_INLINE void multiply_tile(use to, size_t m, const product *p)
{
    for (size_t lane = 0; lane < owi_tile_lanes; lane += span)
        for (size_t i = 0, n_blocks = (m + block - 1) / block; n_blocks > 0; n_blocks--) {
            const size_t M = (m - i + n_blocks - 1) / n_blocks;
            switch (M) {
            case 1:
                multiply_block(to, 1, i, lane, p);
                break;
            case 2:
                multiply_block(to, block < 2 ? block : 2, i, lane, p);
                break;
            case 3:
                multiply_block(to, block < 3 ? block : 3, i, lane, p);
                break;
            case 4:
                multiply_block(to, block < 4 ? block : 4, i, lane, p);
                break;
            default:
                multiply_block(to, block, i, lane, p);
                break;
            }
            i += M;
        }
}

/* M <= block rows of x against four rows of y, of which N count: 4 * M running sums over all
 * tiles, each a vector until the end. */
static OWI_INLINE void dots_block(size_t M, size_t N, size_t n_tiles, size_t i, size_t j,
                                  size_t n, owi_rows_in x, owi_rows_in y, float *c)
{
    const float *x_row[block], *y_row[4];
    vector sum[block][4];
    for (size_t r = 0; r < M; r++)
        x_row[r] = x.rows + row_at(x.index, i + r) * owi_tile_lanes;
    for (size_t s = 0; s < 4; s++)
        y_row[s] = y.rows + row_at(y.index, s < N ? j + s : j) * owi_tile_lanes;
    for (size_t r = 0; r < M; r++)
        for (size_t s = 0; s < 4; s++) sum[r][s] = (vector){0};

    for (size_t t = 0; t < n_tiles; t++)
        for (size_t lane = 0; lane < owi_tile_lanes; lane += width) {
            vector xs[block];
            for (size_t r = 0; r < M; r++) xs[r] = load(x_row[r] + t * x.step + lane);
            for (size_t s = 0; s < 4; s++) {
                const vector ys = load(y_row[s] + t * y.step + lane);
                for (size_t r = 0; r < M; r++) sum[r][s] += xs[r] * ys;
            }
        }
    for (size_t r = 0; r < M; r++) {
        float four[4], *row = c + (i + r) * n + j;
        sum_four(sum[r], four);
        if (N == 4)
            for (size_t s = 0; s < 4; s++) row[s] += four[s];
        else
            for (size_t s = 0; s < N; s++) row[s] += four[s];
    }
}

static void dots_tile(size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                      float *c)
{
    for (size_t j = 0; j < n; j += 4) {
        const size_t N = n - j < 4 ? n - j : 4;
        size_t i = 0;
        for (; i + block <= m; i += block) dots_block(block, N, n_tiles, i, j, n, x, y, c);
        for (; i < m; i++) dots_block(1, N, n_tiles, i, j, n, x, y, c);
    }
}

/* --- Single rows --- */

enum { piece = 1024 }; /* of a long scope */

/* sums[i] += dot(a[i], x) for contiguous rows of a, four at a time. */
static OWI_INLINE void add_row_dots(size_t m, size_t n, const float *a, size_t row_step,
                                    const float *x, float *sums)
{
    for (size_t i = 0; i < m; i += 4) {
        const size_t M = m - i < 4 ? m - i : 4;
        const float *row[4];
        vector sum[4];
        for (size_t r = 0; r < 4; r++) row[r] = a + (r < M ? i + r : i) * row_step;
        for (size_t r = 0; r < 4; r++) sum[r] = (vector){0};
        size_t k = 0;
        for (; k + width <= n; k += width) {
            const vector xs = load(x + k);
            for (size_t r = 0; r < 4; r++) sum[r] += load(row[r] + k) * xs;
        }
        if (k < n) {
            const vector xs = load_first(x + k, n - k);
            for (size_t r = 0; r < 4; r++) sum[r] += load_first(row[r] + k, n - k) * xs;
        }
        float four[4];
        sum_four(sum, four);
        for (size_t r = 0; r < M; r++) sums[i + r] += four[r];
    }
}

/* sums[i] += sum_k a[k][i] x[k] for contiguous columns of a, four at a time. */
static OWI_INLINE void add_column_sums(size_t m, size_t n, const float *a,
                                       size_t column_step, const float *x,
                                       float *restrict sums)
{
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        const float *row = a + k * column_step;
        const float x0 = x[k], x1 = x[k + 1], x2 = x[k + 2], x3 = x[k + 3];
        for (size_t i = 0; i < m; i++)
            sums[i] += (row[i] * x0 + row[column_step + i] * x1) +
                       (row[2 * column_step + i] * x2 + row[3 * column_step + i] * x3);
    }
    for (; k < n; k++)
        for (size_t i = 0; i < m; i++) sums[i] += a[k * column_step + i] * x[k];
}

static OWI_INLINE void finish_single(use to, size_t M, size_t i, const product *p,
                                     const float *sums)
{
    float *out = p->out.rows;
    if (to == add_sums && p->bias != NULL)
        for (size_t r = 0; r < M; r++)
            out[row_at(p->out.index, i + r)] = p->bias[i + r] + sums[r];
    if (to == add_sums && p->bias == NULL)
        for (size_t r = 0; r < M; r++) out[row_at(p->out.index, i + r)] += sums[r];
    if (to == add_times)
        for (size_t r = 0; r < M; r++)
            out[row_at(p->out.index, i + r)] += p->times[i + r] * sums[r];
    if (to == add_up)
        for (size_t r = 0; r < M; r++) out[0] += p->times[i + r] * sums[r];
}

static OWI_INLINE void multiply_single(use to, size_t m, const product *p)
{
    float picked[piece], sums[piece];
    for (size_t i = 0; i < m; i += piece) {
        const size_t M = m - i < piece ? m - i : piece;
        for (size_t r = 0; r < M; r++) sums[r] = 0.0f;
        for (size_t k = 0; k < p->n_terms; k += piece) {
            const size_t N = p->n_terms - k < piece ? p->n_terms - k : piece;
            const float *a = p->a.entries + i * p->a.row_step + k * p->a.column_step;
            const float *x = p->b.rows + k;
            if (p->b.index != NULL) {
                x = picked;
                for (size_t f = 0; f < N; f++) picked[f] = p->b.rows[p->b.index[k + f]];
            }
            if (p->a.column_step == 1)
                add_row_dots(M, N, a, p->a.row_step, x, sums);
            else
                add_column_sums(M, N, a, p->a.column_step, x, sums);
        }
        finish_single(to, M, i, p, sums);
    }
}

/* Every row adds its outer product. */
static void dots_single(size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                        float *c)
{
    float picked[piece];
    for (size_t t = 0; t < n_tiles; t++)
        for (size_t j = 0; j < n; j += piece) {
            const size_t N = n - j < piece ? n - j : piece;
            for (size_t s = 0; s < N; s++)
                picked[s] = y.rows[t * y.step + row_at(y.index, j + s)];
            for (size_t i = 0; i < m; i++) {
                const float factor = x.rows[t * x.step + row_at(x.index, i)];
                for (size_t s = 0; s < N; s++) c[i * n + j + s] += factor * picked[s];
            }
        }
}

/* --- The table's entries --- */

static void multiply(size_t L, size_t m, size_t n, owi_matrix a, owi_rows_in b,
                     const float *bias, owi_rows_out out)
{
    const product p = {n, a, b, bias, NULL, out};
    if (L == owi_tile_lanes)
        multiply_tile(add_sums, m, &p);
    else
        multiply_single(add_sums, m, &p);
}

static void multiply_times(size_t L, size_t m, size_t n, owi_matrix a, const float *b,
                           const float *times, float *out)
{
    const product p = {n, a, {b, NULL, 0}, NULL, times, {out, NULL}};
    if (L == owi_tile_lanes)
        multiply_tile(add_times, m, &p);
    else
        multiply_single(add_times, m, &p);
}

static void bilinear(size_t L, size_t n_left, size_t n_right, const float *weight,
                     const float *left, const float *right, float *out)
{
    const owi_matrix transposed = {weight, 1, n_right};
    const product p = {n_left, transposed, {left, NULL, 0}, NULL, right, {out, NULL}};
    if (L == owi_tile_lanes)
        multiply_tile(add_up, n_right, &p);
    else
        multiply_single(add_up, n_right, &p);
}

static void dots(size_t L, size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                 float *c)
{
    if (L == owi_tile_lanes)
        dots_tile(n_tiles, m, n, x, y, c);
    else
        dots_single(n_tiles, m, n, x, y, c);
}

#endif
