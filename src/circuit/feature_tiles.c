/* SPDX-License-Identifier: MIT */
/* Rows to tiles of features, and gradients back from features to inputs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "circuit/leaf_features.h"

static const double log_2_pi = 1.8378770664093454836;

/* Numbers farther from the shift than this are taken as this far: their squares must fit a float. */
static const float farthest = 1e15f;

/* ---- Values of one column ---- */

bool owi_leaf_takes(const ow_leaf *leaf, float x)
{
    if (isnan(x)) return true;
    if (!owi_leaf_has_levels(leaf)) return !isinf(x);
    return x >= 0.0f && x < (float)leaf->n_levels && x == floorf(x);
}

ow_status owi_leaf_refuse(const ow_leaf *leaf, const char *where, float x)
{
    if (!owi_leaf_has_levels(leaf))
        return owi_fail(OW_ERR_NUMERIC, "%s: expected a number, got infinity", where);
    return owi_fail(OW_ERR_NUMERIC, "%s: expected a level from 0 to %zu, got %g", where,
                    leaf->n_levels - 1, (double)x);
}

float owi_leaf_number(const ow_circuit *circuit, size_t column, float x)
{
    return fminf(fmaxf(x - circuit->shift[column], -farthest), farthest);
}

/* The part of it that does not depend on x, and the factor of (x - shift)^2. */
static void fixed_constants(const ow_circuit *circuit, size_t column, double *constant,
                            double *factor)
{
    const double v = circuit->spec.variance;
    *constant = circuit->leaves[column].log_cell - 0.5 * (log(v) + log_2_pi);
    *factor = -0.5 / v;
}

double owi_leaf_constant(const ow_circuit *circuit, size_t column, float x)
{
    double constant, factor;
    if (circuit->spec.variance == 0.0 || isnan(x) ||
        circuit->leaves[column].kind != OW_LEAF_GAUSSIAN)
        return 0.0;
    fixed_constants(circuit, column, &constant, &factor);
    const double z = owi_leaf_number(circuit, column, x);
    return constant + factor * z * z;
}

/* ---- Tiles ---- */

/* One tile's lanes of one column. */
typedef struct {
    const ow_circuit *circuit;
    uint32_t column;
    size_t lanes, n_there; /* lanes at or beyond n_there repeat the last row */
    const float *values;   /* of the tile's first row                       */
    float *features;       /* of the column's first feature                 */
    float *gap;            /* NULL unless the column is a plain Gaussian    */
    double *row_constant;
    bool has_gap;
} column_tile;

static float value_at(const column_tile *tile, size_t lane)
{
    const size_t row = lane < tile->n_there ? lane : tile->n_there - 1;
    return tile->values[row * tile->circuit->spec.n_columns];
}

/* x - shift, 0 where x is missing.  False if some x is infinite. */
static bool fill_numbers(column_tile *tile)
{
    const float shift = tile->circuit->shift[tile->column];
    float *z = tile->features, largest = 0.0f;

    for (size_t lane = 0; lane < tile->lanes; lane++) {
        const float x = value_at(tile, lane);
        const bool there = x == x;
        z[lane] = there ? x - shift : 0.0f;
        tile->gap[lane] = there ? 1.0f : 0.0f;
        tile->has_gap |= !there;
        largest = fmaxf(largest, fabsf(z[lane]));
    }
    if (largest <= farthest) return true;
    for (size_t lane = 0; lane < tile->lanes; lane++) {
        if (isinf(value_at(tile, lane))) return false;
        z[lane] = fminf(fmaxf(z[lane], -farthest), farthest);
    }
    return true;
}

static bool fill_gaussian(column_tile *tile)
{
    float *z = tile->features;

    if (!fill_numbers(tile)) return false;
    if (tile->circuit->spec.variance == 0.0) {
        float *square = z + tile->lanes;
        for (size_t lane = 0; lane < tile->lanes; lane++) square[lane] = z[lane] * z[lane];
        return true;
    }
    double constant, factor;
    fixed_constants(tile->circuit, tile->column, &constant, &factor);
    for (size_t lane = 0; lane < tile->lanes; lane++)
        tile->row_constant[lane] +=
            tile->gap[lane] * constant + factor * ((double)z[lane] * z[lane]);
    return true;
}

static bool fill_levels(column_tile *tile)
{
    const ow_leaf *leaf = &tile->circuit->leaves[tile->column];
    const size_t L = tile->lanes;

    memset(tile->features, 0, leaf->n_levels * L * sizeof *tile->features);
    for (size_t lane = 0; lane < L; lane++) {
        const float x = value_at(tile, lane);
        if (!owi_leaf_takes(leaf, x)) return false;
        if (isnan(x)) continue;
        tile->features[(size_t)x * L + lane] = 1.0f;
    }
    return true;
}

static bool fill_point_masses(column_tile *tile)
{
    const ow_leaf *leaf = &tile->circuit->leaves[tile->column];
    const size_t L = tile->lanes, M = leaf->n_masses;

    memset(tile->features, 0, (M + 3) * L * sizeof *tile->features);
    for (size_t lane = 0; lane < L; lane++) {
        const float x = value_at(tile, lane);
        if (isnan(x)) continue;
        if (isinf(x)) return false;
        const size_t mass = owi_leaf_mass(leaf, x);
        tile->features[mass * L + lane] = 1.0f; /* the slab where it is no mass */
        if (mass < M) continue;
        const float z = owi_leaf_number(tile->circuit, tile->column, x);
        tile->features[(M + 1) * L + lane] = z;
        tile->features[(M + 2) * L + lane] = z * z;
    }
    return true;
}

/* The sentence for the first value of the column that cannot be. */
static ow_status bad_value(const column_tile *tile, size_t first_row)
{
    const ow_leaf *leaf = &tile->circuit->leaves[tile->column];
    size_t lane = 0;
    while (lane + 1 < tile->n_there && owi_leaf_takes(leaf, value_at(tile, lane))) lane++;
    char where[64];
    snprintf(where, sizeof where, "row %zu, column %u", first_row + lane + 1, tile->column);
    return owi_leaf_refuse(leaf, where, value_at(tile, lane));
}

static bool fill_column(column_tile *tile)
{
    switch (tile->circuit->leaves[tile->column].kind) {
    case OW_LEAF_GAUSSIAN:
        return fill_gaussian(tile);
    case OW_LEAF_POINT_MASSES:
        return fill_point_masses(tile);
    default:
        return fill_levels(tile);
    }
}

ow_status owi_fill_features(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                            const float *rows, size_t first_row, owi_feature_tiles *tiles)
{
    const size_t d = circuit->spec.n_columns, L = batch.lanes;

    tiles->has_gaps = false;
    for (size_t t = 0; t < batch.n_tiles; t++) {
        float *features = tiles->features + t * circuit->n_features * L;
        float *gap = tiles->gap_features + t * circuit->n_gap_features * L;
        double *row_constant = tiles->row_constant + t * L;
        for (size_t lane = 0; lane < L; lane++) row_constant[lane] = 0.0;
        for (uint32_t j = 0; j < d; j++) {
            column_tile tile = {circuit,
                                j,
                                L,
                                n_rows - t * L < L ? n_rows - t * L : L,
                                rows + t * L * d + j,
                                features + circuit->feature_start[j] * L,
                                gap,
                                row_constant,
                                false};
            if (!fill_column(&tile)) return bad_value(&tile, first_row + t * L);
            tiles->has_gaps |= tile.has_gap;
            if (circuit->leaves[j].kind == OW_LEAF_GAUSSIAN) gap += L;
        }
    }
    return OW_OK;
}

/* d/dx of one column and row: for z and z^2 the chain rule; z^2 of a fixed variance is in the row's
 * constant, with derivative -z/v for each unit of seed.  A point mass or a level cannot move. */
static float column_gradient(const ow_circuit *circuit, uint32_t column, float x,
                             const float *d_features, size_t L, float seed_sum)
{
    const ow_leaf *leaf = &circuit->leaves[column];
    const float z = owi_leaf_number(circuit, column, x);

    if (isnan(x) || owi_leaf_has_levels(leaf)) return 0.0f;
    if (leaf->kind == OW_LEAF_POINT_MASSES) {
        if (owi_leaf_mass(leaf, x) < leaf->n_masses) return 0.0f;
        d_features += (leaf->n_masses + 1) * L;
    }
    if (circuit->spec.variance > 0.0)
        return d_features[0] - seed_sum * z / (float)circuit->spec.variance;
    return d_features[0] + 2.0f * z * d_features[L];
}

void owi_input_gradient(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                        const float *rows, const float *d_features, const float *seed_sum,
                        float *gradient)
{
    const size_t d = circuit->spec.n_columns, L = batch.lanes;

    for (size_t row = 0; row < n_rows; row++) {
        const size_t t = row / L, lane = row % L;
        for (uint32_t j = 0; j < d; j++) {
            const size_t feature = t * circuit->n_features + circuit->feature_start[j];
            gradient[row * d + j] =
                column_gradient(circuit, j, rows[row * d + j],
                                d_features + feature * L + lane, L, seed_sum[t * L + lane]);
        }
    }
}
