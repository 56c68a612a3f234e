/* SPDX-License-Identifier: MIT */
/* Products of single rows (one lane): vectors run along the matrix, which is read once and
 * as it lies.  Reading it is most of what they cost. */
#ifndef OWI_TILE_SINGLE_H
#define OWI_TILE_SINGLE_H

#include "backend/cpu/tile_vector.h"

/* --- Rows of a contiguous: sums[i] += dot(a[i], x), four rows at a time --- */

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
        add_quad(M, NULL, sum_four(sum), sums + i);
    }
}

/* x[k] = rows[index[k]].  On its own, since compilers make worse of it among many
 * variables. */
static OWI_NOINLINE void pick(size_t n, const float *rows, const uint32_t *index, float *x)
{
    for (size_t k = 0; k < n; k++) x[k] = rows[index[k]];
}

/* The scope is picked once for all rows of a, a piece at a time. */
static OWI_INLINE void multiply_rows(size_t m, size_t n, owi_matrix a, owi_rows_in b,
                                     float *out)
{
    float picked[1024];
    const size_t piece = sizeof picked / sizeof *picked;
    if (b.pick.index == NULL) {
        add_row_dots(m, n, a.entries, a.row_step, b.rows, out);
        return;
    }
    for (size_t k = 0; k < n; k += piece) {
        const size_t size = n - k < piece ? n - k : piece;
        pick(size, b.rows, b.pick.index + k, picked);
        add_row_dots(m, size, a.entries + k, a.row_step, picked, out);
    }
}

/* --- Columns of a contiguous: up to four vectors of them at a time --- */

/* Runs body(V, part, n_part, i, job) for blocks of columns from column i on that make up m
 * of them: V vectors and, if part is set, the first n_part floats of one more.  V and part
 * are constants in each call, which is inlined. */
static OWI_INLINE void for_columns(size_t m,
                                   void (*body)(size_t V, bool part, size_t n_part,
                                                size_t i, const void *job),
                                   const void *job)
{
    size_t i = 0;
    for (; i + 4 * width <= m; i += 4 * width) body(4, false, 0, i, job);
    const size_t V = (m - i) / width, n_part = (m - i) % width;
    if (V == 3)
        body(3, true, n_part, i, job);
    else if (V == 2)
        body(2, true, n_part, i, job);
    else if (V == 1)
        body(1, true, n_part, i, job);
    else if (n_part > 0)
        body(0, true, n_part, i, job);
}

/* Vector v of such a block at p. */
static OWI_INLINE vector load_of(size_t V, size_t v, size_t n_part, const float *p)
{
    return v < V ? load(p + v * width) : load_first(p + v * width, n_part);
}

typedef struct {
    size_t n_terms;
    owi_matrix a;
    owi_rows_in b;
    owi_rows_out out;
    const float *times;
} column_product;

/* sum[v] = sum_k a[k][...] b[k] for the columns of such a block. */
static OWI_INLINE void column_sums(size_t V, bool part, size_t n_part, size_t i,
                                   const column_product *p, vector sum[5])
{
    const float *a = p->a.entries + i;
    for (size_t v = 0; v < V + part; v++) sum[v] = (vector){0};
    for (size_t k = 0; k < p->n_terms; k++) {
        const float x = p->b.rows[row_at(p->b.pick.index, k)];
        const float *column =
            a + (p->a.columns != NULL ? p->a.columns[k] : k * p->a.column_step);
        for (size_t v = 0; v < V + part; v++) sum[v] += x * load_of(V, v, n_part, column);
    }
}

/* out[i] += those sums. */
static OWI_INLINE void add_columns(size_t V, bool part, size_t n_part, size_t i,
                                   const void *job)
{
    const column_product *p = job;
    vector sum[5];
    float sums[5 * width];
    column_sums(V, part, n_part, i, p, sum);
    if (p->out.pick.index == NULL && !part) {
        float *out = p->out.rows + i;
        for (size_t v = 0; v < V; v++)
            store(out + v * width, load(out + v * width) + sum[v]);
        return;
    }
    for (size_t v = 0; v < V + part; v++) store(sums + v * width, sum[v]);
    for (size_t r = 0; r < V * width + n_part; r++)
        p->out.rows[row_at(p->out.pick.index, i + r)] += sums[r];
}

/* out[0] += times[i] * those sums. */
static OWI_INLINE void add_up_columns(size_t V, bool part, size_t n_part, size_t i,
                                      const void *job)
{
    const column_product *p = job;
    vector sum[5], up[4] = {{0}};
    column_sums(V, part, n_part, i, p, sum);
    for (size_t v = 0; v < V + part; v++)
        up[0] += sum[v] * load_of(V, v, n_part, p->times + i);
    p->out.rows[0] += sum_four(up)[0];
}

static OWI_NOINLINE void multiply_single(size_t m, size_t n, owi_matrix a, owi_rows_in b,
                                         const float *bias, owi_rows_out out)
{
    if (bias != NULL)
        for (size_t i = 0; i < m; i++) out.rows[row_at(out.pick.index, i)] = bias[i];
    if (a.row_step == 1) {
        const column_product p = {n, a, b, out, NULL};
        for_columns(m, add_columns, &p);
    } else
        multiply_rows(m, n, a, b, out.rows);
}

/* out += right (W' left): along the rows of W as they lie. */
static OWI_INLINE void bilinear_single(size_t n_left, size_t n_right, const float *weight,
                                       const float *left, const float *right, float *out)
{
    const column_product p = {.n_terms = n_left,
                              .a = {weight, 1, n_right, NULL},
                              .b = {.rows = left},
                              .out = {.rows = out},
                              .times = right};
    for_columns(n_right, add_up_columns, &p);
}

/* --- Both ways through one block of weights --- */

/* Some columns: adds their part to flow_left, all of it to flow_right. */
static OWI_INLINE void flow_columns(size_t V, bool part, size_t n_part, size_t j,
                                    const void *user)
{
    const owi_pair_flow *f = user;
    vector right[5], column[5];
    for (size_t v = 0; v < V + part; v++) {
        right[v] = load_of(V, v, n_part, f->right + j);
        column[v] = (vector){0};
    }
    for (size_t i = 0; i < f->n_left; i += 4) {
        const size_t M = f->n_left - i < 4 ? f->n_left - i : 4;
        vector dot[4];
        for (size_t r = 0; r < 4; r++) {
            /* Rows that are not there are the last one again, with no flow. */
            const size_t at = r < M ? i + r : f->n_left - 1;
            const float scaled = r < M ? f->scaled[at] : 0.0f;
            dot[r] = (vector){0};
            for (size_t v = 0; v < V + part; v++) {
                const vector w = load_of(V, v, n_part, f->weight + at * f->n_right + j);
                dot[r] += w * right[v];
                column[v] += scaled * w;
            }
        }
        add_quad(M, f->scaled + i, sum_four(dot), f->flow_left + i);
    }
    if (f->flow_right == NULL) return;
    float sums[5 * width];
    for (size_t v = 0; v < V + part; v++) store(sums + v * width, right[v] * column[v]);
    for (size_t s = 0; s < V * width + n_part; s++) f->flow_right[j + s] += sums[s];
}

static OWI_INLINE void pair_flow_single(const owi_pair_flow *f)
{
    for (size_t i = 0; i < f->n_left; i++) f->scaled[i] = f->r[0] * f->left[i];
    for_columns(f->n_right, flow_columns, f);
}

/* c[i,j] += x[i] y[j]: every row adds its outer product. */
static OWI_NOINLINE void dots_single(size_t n_tiles, size_t m, size_t n, owi_rows_in x,
                                     owi_rows_in y, float *c)
{
    float picked[1024];
    const size_t piece = sizeof picked / sizeof *picked;
    for (size_t t = 0; t < n_tiles; t++)
        for (size_t j = 0; j < n; j += piece) {
            const size_t N = n - j < piece ? n - j : piece;
            for (size_t s = 0; s < N; s++)
                picked[s] = y.rows[t * y.step + row_at(y.pick.index, j + s)];
            for (size_t i = 0; i < m; i++) {
                const float factor = x.rows[t * x.step + row_at(x.pick.index, i)];
                for (size_t s = 0; s < N; s++) c[i * n + j + s] += factor * picked[s];
            }
        }
}

#endif
