/* SPDX-License-Identifier: MIT */
/* Gradients back from tiles of features to rows of inputs. */
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory/sizes.h"
#include "base/numeric/transpose.h"
#include "circuit/structure/leaf_features.h"
#include "circuit/structure/sheets.h"

/* Entries that become rows again at a time: 64 bytes of a row. */
enum { block_entries = 16 };

typedef struct {
    const ow_circuit *circuit;
    bool soft;
    size_t lanes;
    const float *features, *d_features, *adjoint_sum; /* of one tile          */
    const float *there; /* its gap features; NULL: nothing is missing       */
} tile_gradient;

/* d/dx of n numbers with a fixed variance: z^2 is in the row's constant, with derivative
 * -z/v for each unit of adjoint. */
static OWI_INLINE void fixed_gradient(size_t n, double variance, const float *z,
                                      const float *d_z, const float *adjoint_sum,
                                      size_t step, float *restrict gradient)
{
    const float precision = (float)(1.0 / variance);
    for (size_t i = 0; i < n; i++)
        gradient[i] = d_z[i] - adjoint_sum[i * step] * precision * z[i];
}

/* d/dx of n numbers with features z and z^2. */
static OWI_INLINE void learned_gradient(size_t n, const float *z, const float *d_z,
                                        const float *d_square, float *restrict gradient)
{
    for (size_t i = 0; i < n; i++) gradient[i] = d_z[i] + 2.0f * z[i] * d_square[i];
}

/* 0 where the flag is. */
static OWI_INLINE void keep_where(size_t n, const float *flag, float *restrict gradient)
{
    for (size_t i = 0; i < n; i++) gradient[i] = flag[i] != 0.0f ? gradient[i] : 0.0f;
}

/* One column's lanes; g is the gap feature of a plain Gaussian.  What is missing, a level
 * and a point mass cannot move. */
static OWI_INLINE void column_gradient(const tile_gradient *tile, size_t column, size_t g,
                                       float *gradient)
{
    const ow_leaf *leaf = &tile->circuit->leaves[column];
    const size_t L = tile->lanes, at = tile->circuit->feature_start[column] * L;
    const float *z = tile->features + at, *d_z = tile->d_features + at;
    const double variance = tile->circuit->spec.variance;

    if (owi_leaf_has_levels(leaf) || leaf->kind == OW_LEAF_FOLLOWS) {
        for (size_t lane = 0; lane < L; lane++) gradient[lane] = 0.0f;
    } else if (leaf->kind == OW_LEAF_POINT_MASSES) {
        const float *slab = z + leaf->n_masses * L;
        d_z += (leaf->n_masses + 1) * L;
        learned_gradient(L, slab + L, d_z, d_z + L, gradient);
        keep_where(L, slab, gradient);
    } else {
        if (variance > 0.0)
            fixed_gradient(L, variance, z, d_z, tile->adjoint_sum, 1, gradient);
        else
            learned_gradient(L, z, d_z, d_z + L, gradient);
        if (tile->there != NULL) keep_where(L, tile->there + g * L, gradient);
    }
}

/* The share of a level is its feature. */
static void share_gradient(const tile_gradient *tile, size_t column, size_t level,
                           float *gradient)
{
    const size_t L = tile->lanes;
    memcpy(gradient, tile->d_features + (tile->circuit->feature_start[column] + level) * L,
           L * sizeof *gradient);
}

/* Entries [first, first + n) of a tile to gradient, (n, L); *g counts the plain Gaussians
 * passed. */
OWI_WIDE static void entries_gradient(const tile_gradient *tile, size_t first, size_t n,
                                      size_t *g, float *gradient)
{
    const ow_circuit *circuit = tile->circuit;
    for (size_t e = first; e < first + n; e++, gradient += tile->lanes) {
        const size_t j = tile->soft ? circuit->soft_column[e] : e;
        if (tile->soft && owi_leaf_has_levels(&circuit->leaves[j]))
            share_gradient(tile, j, e - circuit->soft_start[j], gradient);
        else
            column_gradient(tile, j, *g, gradient);
        *g += circuit->leaves[j].kind == OW_LEAF_GAUSSIAN;
    }
}

/* A share of 0 and one that is missing have the same feature: the latter does not move. */
OWI_WIDE static void stop_missing_shares(const ow_circuit *circuit, size_t n_rows,
                                         const float *rows, float *restrict gradient)
{
    const size_t width = owi_circuit_row_width(circuit, true);
    for (size_t i = 0; i < n_rows * width; i++)
        gradient[i] = isnan(rows[i]) ? 0.0f : gradient[i];
}

/* In a tail the components do not tell numbers apart; the row's constant falls by
 * 2 log(1 + distance). */
static void tail_gradients(const ow_circuit *circuit, bool soft, size_t n_rows,
                           const float *rows, const float *adjoint_sum, float *gradient)
{
    const size_t width = owi_circuit_row_width(circuit, soft);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        const ow_leaf *leaf = &circuit->leaves[j];
        if (!owi_leaf_has_tails(leaf)) continue;
        const size_t e = owi_circuit_entry(circuit, soft, j);
        for (size_t i = 0; i < n_rows; i++) {
            const float x = rows[i * width + e];
            const double beyond = owi_leaf_beyond(leaf, x);
            if (beyond == 0.0 || owi_leaf_mass(leaf, x) < leaf->n_masses) continue;
            gradient[i * width + e] =
                -adjoint_sum[i] * (float)(copysign(2.0, beyond) / (1.0 + fabs(beyond)));
        }
    }
}

static void rows_gradient(const tile_gradient *tile, size_t n_rows, float *gradient)
{
    const ow_circuit *circuit = tile->circuit;
    const size_t d = circuit->spec.n_columns, L = tile->lanes;
    const size_t width = owi_circuit_row_width(circuit, tile->soft);
    float block[block_entries * owi_tile_lanes];
    size_t g = 0;

    if (L == 1 && tile->there == NULL && owi_circuit_is_plain(circuit)) {
        fixed_gradient(d, circuit->spec.variance, tile->features, tile->d_features,
                       tile->adjoint_sum, 0, gradient);
        return;
    }
    for (size_t e = 0; e < width; e += block_entries) {
        const size_t n = owi_smaller(block_entries, width - e);
        /* As in fill_tile. */
        for (size_t i = 0; i < n_rows && e + n < width; i++)
            OWI_PREFETCH(gradient + i * width + e + n);
        entries_gradient(tile, e, n, &g, block);
        owi_transpose(n, n_rows, block, L, gradient + e, width);
    }
}

void owi_input_gradient(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                        const float *rows, const owi_feature_tiles *tiles,
                        const float *d_features, const float *adjoint_sum, float *gradient)
{
    const size_t width = owi_circuit_row_width(circuit, tiles->soft), L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++) {
        const size_t feature = t * circuit->n_features * L;
        const tile_gradient tile = {
            .circuit = circuit,
            .soft = tiles->soft,
            .lanes = L,
            .features = tiles->features + feature,
            .d_features = d_features + feature,
            .adjoint_sum = adjoint_sum + t * L,
            .there = tiles->has_gaps ? tiles->gap_features + t * circuit->n_gap_features * L
                                     : NULL,
        };
        rows_gradient(&tile, owi_smaller(L, n_rows - t * L), gradient + t * L * width);
    }
    if (circuit->has_tails)
        tail_gradients(circuit, tiles->soft, n_rows, rows, adjoint_sum, gradient);
    for (size_t i = 0; i < n_rows && circuit->spec.n_sheets > 0; i++)
        owi_sheets_add_gradient(circuit, tiles->soft, rows + i * width, adjoint_sum[i],
                                gradient + i * width);
    if (tiles->soft) stop_missing_shares(circuit, n_rows, rows, gradient);
}
