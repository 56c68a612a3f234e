/* SPDX-License-Identifier: MIT */
/* What all pairs of changes of one row are made of, in one class.
 *
 * In every repetition column j is in one leaf region a.  With D_n(k, w) the derivative of
 * S(x with x_k := w given c) with respect to component n of a, whose value with x_j := v is
 * value_n p_n(v) / p_n(x_j),
 *
 *     S(x with x_j := v, x_k := w given c) = sum_n D_n(k, w) value_n p_n(v) / p_n(x_j)
 *
 * over all components n that hold column j.  The changed derivative is
 *
 *     k in another region b:   D_n(k, w) = sum_m H_ab[n,m] value_m p_m(w) / p_m(x_k)
 *     k in a itself:           D_n(k, w) = D_n p_n(w) / p_n(x_k)
 *
 * with H from row_tree.h.  So two products of matrices make everything: H with the values
 * of all single changes, of all columns at once, and for each column j its values with the
 * changed derivatives.  Both are leaf layers for the kernels: candidates (k, w) are the
 * lanes of tiles, leaf components the features.
 *
 * Scales.  Factors are taken relative to logarithms, so that no entry of a product exceeds
 * a small number, and terms that underflow are below `lost`:
 *
 *     first[j][v,n]   = value_n p_n(v) / p_n(x_j) exp(d_top[a] - z[j] - top_v)      <= 1
 *     second[n][k,w]  = D_n(k, w) exp(-d_top[a] - y[k] - top_w)                     <= e^10
 *     log S(pair)     = log sum_n first second + z[j] + y[k] + top_v + top_w
 *
 * A component that x_k speaks against so much that second would be larger is left out of
 * the product and added by itself (`apart`): its first is so small that floats lose the
 * two. */
#ifndef OWI_PAIR_TABLES_H
#define OWI_PAIR_TABLES_H

#include "circuit/query/query_changes.h"
#include "circuit/query/row_tree.h"

/* What does not depend on the row. */
typedef struct owi_pair_tables {
    double *weight;        /* for owi_row_tree                                          */
    float *across;         /* (copy, N, candidates): ow_changes.table the other way     */
    uint32_t *other_start; /* (regions + 1): the components of the other leaf regions of */
    uint32_t *other;       /* the same repetition                                       */
    uint32_t *held;        /* (copy, columns, N): the components that hold a column     */
    float *zeros;          /* bias: as many as candidates or leaf components            */
} owi_pair_tables;

ow_status owi_pair_tables_new(const ow_changes *changes, owi_pair_tables **out);
void owi_pair_tables_free(owi_pair_tables *tables, ow_context *ctx);

/* A component of column k that is added by itself. */
typedef struct {
    uint32_t column, n;
} owi_pair_apart;

/* What one class knows of a row. */
typedef struct {
    float *first;     /* (columns, N): value_n / p_n(x_j) exp(d_top[a] - z[j])            */
    double *z, *y;    /* (columns)                                                       */
    float *second;    /* (tiles, leaf components, lanes)                                 */
    double *log_x;    /* (columns, N)                                                    */
    double *log_flow; /* (leaf components): log D_n + log value_n                         */
    size_t n_apart;
    owi_pair_apart *apart; /* at most columns * N                                       */
} owi_pair_class;

/* One row, all classes; a worker's. */
typedef struct {
    const ow_changes *changes;
    const owi_pair_tables *tables;
    owi_row_tree tree;
    /* The candidates to pair, ascending: those of column j are lanes lane_start[j] ... of
     * them. */
    size_t n_lanes;
    uint32_t *candidate; /* (lanes)         */
    size_t *lane_start;  /* (columns + 1)   */
    owi_batch batch;
    owi_pair_class *classes; /* (C)                                                       */
    float *values;           /* (tiles, leaf components, lanes): of single changes        */
    float *h;                /* row_tree.h                                                */
    double *scale, *most_scale; /* (regions, 2^D), (regions)                        */
    double *own, *top_without;  /* (leaf components): log d; (repetitions)          */
    /* of pair_couple.h: (regions), (regions + 1), and scopes with their columns of h */
    bool *wanted, *has_values, *is_needed;
    uint32_t *scope_start, *scope;
    float *packed;
    float *parameters; /* (candidates of a column, N)                               */
    float *sums;       /* (C, tiles, candidates of a column, lanes)                 */
} owi_pair_row;

void owi_pair_row_carve(owi_pair_row *pairs, owi_carver *from);

/* candidate, lane_start and n_lanes are set: everything for one row.  False: some number
 * came so near to what a double can hold that nothing may be concluded. */
bool owi_pair_row_fill(owi_pair_row *pairs, const float *row);

/* The sums of all lanes from the tile of the first lane behind column j on: class c's, tile
 * t's (counted from that one) of the i-th selected candidate of the column begin at
 * sums[((c * tiles + t) * selected + i) * owi_tile_lanes]. */
void owi_pair_row_multiply(owi_pair_row *pairs, size_t j, size_t *first_tile);

#endif
