/* SPDX-License-Identifier: MIT */
/* Products of full tiles.  A block of the result is `block` rows times `most_vectors`
 * vectors of lanes, all in registers: every term of the sum costs a load for each vector,
 * `block` broadcasts and a multiply-add for each of the block, and the rows multiplied are
 * passed over once for each block.  That is enough arithmetic for each load to keep them
 * coming from the second-level cache. */
#ifndef OWI_TILE_FULL_H
#define OWI_TILE_FULL_H

#include "backend/cpu/tile_vector.h"

enum { most_vectors = 4 };

/* Runs body(M, i, job) for blocks of M <= block rows from row i on that make up m rows.  M
 * is a constant in each call, which is inlined.  What is left over shares the last rows: a
 * row alone would wait for each of its sums. */
static OWI_INLINE void
for_blocks(size_t m, void (*body)(size_t M, size_t i, const void *job), const void *job)
{
    size_t M;
    for (size_t i = 0; i < m; i += M) {
        const size_t left = m - i;
        M = left >= (size_t)2 * block ? block : left > block ? (left + 1) / 2 : left;
        if (M == block)
            body(block, i, job);
        else if (block > 4 && M == 4)
            body(4, i, job);
        else if (block > 3 && M == 3)
            body(3, i, job);
        else if (block > 2 && M == 2)
            body(2, i, job);
        else
            body(1, i, job);
    }
}

/* --- Products --- */

/* What becomes of the sums[i] = sum_k a(i,k) b[k]. */
typedef enum {
    add_sums,  /* out[i]  = bias[i] + sums[i]; without bias out[i] += sums[i] */
    add_times, /* out[i] += times[i] * sums[i]                                */
    set_times, /* out[i]  = times[i] * sums[i]; without times out[i] = sums[i] */
    add_up,    /* out[0] += sum_i times[i] * sums[i]                          */
    keep_up    /* the same, and kept[i] = sums[i]                             */
} product_use;

typedef struct {
    product_use use;
    size_t n_terms;
    owi_matrix a;
    owi_rows_in b;
    const float *bias, *times;
    float *kept;
    owi_rows_out out;
    size_t lane; /* the first one of a block */
} tile_product;

static OWI_INLINE void finish_block(size_t V, size_t M, size_t i, const tile_product *p,
                                    vector sum[block][most_vectors])
{
    for (size_t r = 0; r < M; r++) {
        const size_t row = p->use >= add_up ? 0 : row_at(p->out.pick.index, i + r);
        float *out = p->out.rows + row * owi_tile_lanes + p->lane;
        for (size_t v = 0; v < V; v++, out += width) {
            if (p->use == add_sums) {
                const vector to = p->bias != NULL ? splat(p->bias[i + r]) : load(out);
                store(out, to + sum[r][v]);
            } else if (p->use == set_times) {
                const size_t at = (i + r) * owi_tile_lanes + p->lane + v * width;
                store(out, p->times != NULL ? load(p->times + at) * sum[r][v] : sum[r][v]);
            } else {
                const size_t at = (i + r) * owi_tile_lanes + p->lane + v * width;
                if (p->use == keep_up) store(p->kept + at, sum[r][v]);
                store(out, fused(load(p->times + at), sum[r][v], load(out)));
            }
        }
    }
}

/* The terms of a sum; one of the steps is a constant 1 in each call. */
static OWI_INLINE void add_terms(size_t V, size_t M, const float *entries, size_t row_step,
                                 size_t column_step, const size_t *columns,
                                 const tile_product *p, vector sum[block][most_vectors])
{
    OWI_UNROLL_4
    for (size_t k = 0; k < p->n_terms; k++) {
        const float *entry = entries + (columns != NULL ? columns[k] : k * column_step);
        const float *row =
            p->b.rows + row_at(p->b.pick.index, k) * owi_tile_lanes + p->lane;
        vector factor[block];
        /* The rows of a block are neighbours, its terms far apart: parameters come from as
         * many places as there are terms. */
        if (row_step == 1) OWI_PREFETCH(entry + 64);
        for (size_t r = 0; r < M; r++) factor[r] = splat(entry[r * row_step]);
        for (size_t v = 0; v < V; v++) {
            const vector x = load(row + v * width);
            for (size_t r = 0; r < M; r++) sum[r][v] = fused(factor[r], x, sum[r][v]);
        }
    }
}

/* A block of V vectors. */
static OWI_INLINE void multiply_block(size_t V, size_t M, size_t i, const tile_product *p)
{
    const float *entries = p->a.entries + i * p->a.row_step;
    vector sum[block][most_vectors];
    for (size_t r = 0; r < M; r++)
        for (size_t v = 0; v < V; v++) sum[r][v] = (vector){0};
    if (p->a.columns != NULL)
        add_terms(V, M, entries, p->a.row_step, 1, p->a.columns, p, sum);
    else if (p->a.row_step == 1)
        add_terms(V, M, entries, 1, p->a.column_step, NULL, p, sum);
    else
        add_terms(V, M, entries, p->a.row_step, 1, NULL, p, sum);
    finish_block(V, M, i, p, sum);
}

static OWI_INLINE void multiply_1(size_t M, size_t i, const void *job)
{
    multiply_block(1, M, i, job);
}

static OWI_INLINE void multiply_2(size_t M, size_t i, const void *job)
{
    multiply_block(2, M, i, job);
}

static OWI_INLINE void multiply_3(size_t M, size_t i, const void *job)
{
    multiply_block(3, M, i, job);
}

static OWI_INLINE void multiply_4(size_t M, size_t i, const void *job)
{
    multiply_block(4, M, i, job);
}

/* Groups of lanes make up 1 vector or several: fewer than 4 of them are left over where
 * vectors are wide. */
static OWI_INLINE void multiply_lanes(size_t lanes, size_t m, tile_product p)
{
    const size_t n_vectors = lanes / width, n_left = n_vectors % most_vectors;
    const size_t of_group = (size_t)owi_lane_group / (size_t)width;
    for (p.lane = 0; p.lane < (n_vectors - n_left) * width; p.lane += most_vectors * width)
        for_blocks(m, multiply_4, &p);
    if (of_group == 1 && n_left == 3)
        for_blocks(m, multiply_3, &p);
    else if (of_group <= 2 && n_left == 2)
        for_blocks(m, multiply_2, &p);
    else if (of_group == 1 && n_left == 1)
        for_blocks(m, multiply_1, &p);
}

static OWI_INLINE void multiply_full(size_t lanes, size_t m, size_t n, owi_matrix a,
                                     owi_rows_in b, const float *bias, owi_rows_out out)
{
    const tile_product p = {add_sums, n, a, b, .bias = bias, .out = out};
    multiply_lanes(lanes, m, p);
}

static OWI_INLINE void multiply_times_full(size_t lanes, size_t m, size_t n, owi_matrix a,
                                           const float *b, const float *times, float *out)
{
    const tile_product p = {set_times,           n, a, {.rows = b}, .times = times,
                            .out = {.rows = out}};
    multiply_lanes(lanes, m, p);
}

/* out += right (W' left). */
static OWI_INLINE void bilinear_full(size_t n_left, size_t n_right, const float *weight,
                                     const float *left, const float *right, float *out,
                                     float *kept)
{
    tile_product p = {.n_terms = n_left,
                      .a = {weight, 1, n_right, NULL},
                      .b = {.rows = left},
                      .times = right,
                      .kept = kept,
                      .out = {.rows = out}};
    if (kept == NULL) {
        p.use = add_up;
        multiply_lanes(owi_tile_lanes, n_right, p);
    } else {
        p.use = keep_up;
        multiply_lanes(owi_tile_lanes, n_right, p);
    }
}

static OWI_INLINE void pair_flow_full(const owi_pair_flow *f)
{
    enum { L = owi_tile_lanes };
    for (size_t i = 0; i < f->n_left; i++)
        for (size_t lane = 0; lane < L; lane += width)
            store(f->scaled + i * L + lane,
                  load(f->left + i * L + lane) * load(f->r + lane));

    const tile_product to_left = {.use = add_times,
                                  .n_terms = f->n_right,
                                  .a = {f->weight, f->n_right, 1, NULL},
                                  .b = {.rows = f->right},
                                  .times = f->scaled,
                                  .out = {.rows = f->flow_left}};
    multiply_lanes(owi_tile_lanes, f->n_left, to_left);
    if (f->flow_right == NULL) return;
    if (f->kept != NULL) {
        for (size_t j = 0; j < f->n_right; j++)
            for (size_t lane = 0; lane < L; lane += width) {
                float *to = f->flow_right + j * L + lane;
                const vector from = load(f->kept + j * L + lane) * load(f->r + lane);
                store(to, fused(load(f->right + j * L + lane), from, load(to)));
            }
        return;
    }
    const tile_product to_right = {.use = add_times,
                                   .n_terms = f->n_left,
                                   .a = {f->weight, 1, f->n_right, NULL},
                                   .b = {.rows = f->scaled},
                                   .times = f->right,
                                   .out = {.rows = f->flow_right}};
    multiply_lanes(owi_tile_lanes, f->n_right, to_right);
}

/* --- Dots --- */

typedef struct {
    size_t n_tiles, j, n, N; /* four columns from j on, of which N are among the n */
    owi_rows_in x, y;
    float *c;
    const uint16_t *tiles; /* the n_tiles that count; NULL: the first n_tiles */
} tile_dots;

/* M rows of x against four of y: running sums over all tiles, each a vector until the
 * end. */
static OWI_INLINE void dots_block(size_t M, size_t i, const void *user)
{
    const tile_dots *job = user;
    const float *x_row[block], *y_row[4];
    vector sum[block][4];
    for (size_t r = 0; r < M; r++)
        x_row[r] = job->x.rows + row_at(job->x.pick.index, i + r) * owi_tile_lanes;
    for (size_t s = 0; s < 4; s++)
        y_row[s] =
            job->y.rows +
            row_at(job->y.pick.index, s < job->N ? job->j + s : job->j) * owi_tile_lanes;
    for (size_t r = 0; r < M; r++)
        for (size_t s = 0; s < 4; s++) sum[r][s] = (vector){0};

    for (size_t at = 0; at < job->n_tiles; at++) {
        const size_t t = job->tiles != NULL ? job->tiles[at] : at;
        for (size_t lane = 0; lane < owi_tile_lanes; lane += width) {
            vector xs[block];
            for (size_t r = 0; r < M; r++) xs[r] = load(x_row[r] + t * job->x.step + lane);
            for (size_t s = 0; s < 4; s++) {
                const vector ys = load(y_row[s] + t * job->y.step + lane);
                for (size_t r = 0; r < M; r++) sum[r][s] = fused(xs[r], ys, sum[r][s]);
            }
        }
    }
    quad four[block];
    for (size_t r = 0; r < M; r++) four[r] = sum_four(sum[r]);
    float *c = job->c + i * job->n + job->j;
    if (job->N == 4)
        for (size_t r = 0; r < M; r++) add_quad(4, NULL, four[r], c + r * job->n);
    else
        for (size_t r = 0; r < M; r++) add_quad(job->N, NULL, four[r], c + r * job->n);
}

enum { most_listed_tiles = 256 };

/* The tiles in which one of the N rows of y from j on is not 0. */
static size_t list_tiles(size_t n_tiles, size_t j, size_t N, const owi_rows_in *y,
                         uint16_t *tiles)
{
    size_t n = 0;
    for (size_t t = 0; t < n_tiles; t++) {
        const uint32_t *present = y->present + t * y->n_words;
        uint32_t any = 0;
        for (size_t s = 0; s < N; s++) {
            const size_t row = row_at(y->pick.index, j + s);
            any |= present[row / 32] >> row % 32 & 1u;
        }
        tiles[n] = (uint16_t)t;
        n += any;
    }
    return n;
}

/* What comes next of y: its rows lie apart from these, and their tiles far apart. */
static OWI_INLINE void fetch_rows(size_t n_tiles, size_t j, size_t n, const owi_rows_in *y)
{
    for (size_t s = j; s < j + 4 && s < n; s++) {
        const float *row = y->rows + row_at(y->pick.index, s) * owi_tile_lanes;
        for (size_t t = 0; t < n_tiles; t++, row += y->step)
            for (size_t lane = 0; lane < owi_tile_lanes; lane += owi_lane_group)
                OWI_PREFETCH(row + lane);
    }
}

static OWI_INLINE void dots_full(size_t n_tiles, size_t m, size_t n, owi_rows_in x,
                                 owi_rows_in y, float *c)
{
    uint16_t tiles[most_listed_tiles];
    const bool lists = y.present != NULL && n_tiles <= most_listed_tiles;
    for (size_t j = 0; j < n; j += 4) {
        tile_dots job = {n_tiles, j, n, n - j < 4 ? n - j : 4, x, y, c, NULL};
        if (lists) {
            job.n_tiles = list_tiles(n_tiles, j, job.N, &y, tiles);
            job.tiles = tiles;
            if (job.n_tiles == 0) continue;
        }
        fetch_rows(n_tiles, j + 4, n, &y);
        for_blocks(m, dots_block, &job);
    }
}

#endif
