/* SPDX-License-Identifier: MIT */
/* Rows to tiles of features.  Rows become lanes block by block; what follows works on
 * lanes, without branches where a number is just a number, so that compilers turn it into
 * vector code. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/numeric/transpose.h"
#include "circuit/structure/leaf_features.h"
#include "circuit/structure/sheets.h"

static const double log_2_pi = 1.8378770664093454836;

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

ow_status owi_check_rows(const ow_circuit *circuit, size_t n_rows, const float *rows,
                         size_t first_row)
{
    const size_t d = circuit->spec.n_columns;
    for (size_t i = 0; i < n_rows * d; i++) {
        const ow_leaf *leaf = &circuit->leaves[i % d];
        char where[64];
        if (owi_leaf_takes(leaf, rows[i])) continue;
        snprintf(where, sizeof where, "row %zu, column %zu", first_row + i / d + 1, i % d);
        return owi_leaf_refuse(leaf, where, rows[i]);
    }
    return OW_OK;
}

float owi_leaf_number(const ow_circuit *circuit, size_t column, float x)
{
    const float farthest = circuit->farthest[column];
    const ow_leaf *leaf = &circuit->leaves[column];
    if (owi_leaf_has_tails(leaf)) x = fminf(fmaxf(x, (float)leaf->low), (float)leaf->high);
    return fminf(fmaxf(x - circuit->shift[column], -farthest), farthest);
}

/* log of (1 + distance)^-2. */
static double log_tail(const ow_leaf *leaf, float x)
{
    return -2.0 * log1p(fabs(owi_leaf_beyond(leaf, x)));
}

double owi_leaf_fixed_constant(const ow_circuit *circuit, size_t column)
{
    if (circuit->spec.variance == 0.0 || circuit->leaves[column].kind != OW_LEAF_GAUSSIAN)
        return 0.0;
    return circuit->leaves[column].log_cell -
           0.5 * (log(circuit->spec.variance) + log_2_pi);
}

/* The factor of what columns add up to for a row: (x - shift)^2 where the variance is
 * fixed, else log-tails. */
static double sum_factor(const ow_circuit *circuit)
{
    return circuit->spec.variance > 0.0 ? -0.5 / circuit->spec.variance : 1.0;
}

double owi_leaf_constant(const ow_circuit *circuit, size_t column, float x)
{
    const ow_leaf *leaf = &circuit->leaves[column];
    if (isnan(x) || owi_leaf_has_levels(leaf)) return 0.0;
    if (circuit->spec.variance == 0.0)
        return owi_leaf_mass(leaf, x) < leaf->n_masses ? 0.0 : log_tail(leaf, x);
    const double z = owi_leaf_number(circuit, column, x);
    return owi_leaf_fixed_constant(circuit, column) + sum_factor(circuit) * z * z;
}

/* ---- Features of one column ---- */

/* One tile's lanes of one column. */
typedef struct {
    const ow_circuit *circuit;
    uint32_t column;
    size_t lanes;
    const float *values; /* (L)                                                        */
    float *features;     /* of the column's first feature                              */
    double *sums;        /* (L): squares of numbers with a fixed variance, or log-tails */
    bool has_gaps;       /* of the tile: set where a plain Gaussian's value is missing  */
} column_lanes;

static OWI_INLINE uint32_t magnitude_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x7fffffffu;
}

/* z[i] = x[i] - shift[i * step].  False if that leaves something to mend: an x that is
 * missing, infinite or too far away. The bits of floats compare as floats do, with infinity
 * and NaN above all others. */
static OWI_INLINE bool subtract(size_t n, const float *x, const float *shift, size_t step,
                                float farthest, float *restrict z)
{
    const uint32_t most = magnitude_bits(farthest);
    uint32_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        z[i] = x[i] - shift[i * step];
        beyond |= magnitude_bits(z[i]) > most;
    }
    return beyond == 0;
}

/* What is missing is 0.  False if some x is infinite. */
static bool mend_numbers(column_lanes *tile)
{
    const float farthest = tile->circuit->farthest[tile->column];
    float *z = tile->features;
    for (size_t lane = 0; lane < tile->lanes; lane++) {
        const float x = tile->values[lane];
        if (isinf(x)) return false;
        tile->has_gaps |= isnan(x);
        z[lane] = isnan(x) ? 0.0f : fminf(fmaxf(z[lane], -farthest), farthest);
    }
    return true;
}

/* Numbers in a tail count as where it begins. */
static void draw_in(column_lanes *tile)
{
    const ow_leaf *leaf = &tile->circuit->leaves[tile->column];
    for (size_t lane = 0; lane < tile->lanes; lane++) {
        const float x = tile->values[lane];
        if (owi_leaf_beyond(leaf, x) == 0.0) continue;
        tile->features[lane] = owi_leaf_number(tile->circuit, tile->column, x);
        tile->sums[lane] += log_tail(leaf, x);
    }
}

static OWI_INLINE bool fill_gaussian(column_lanes *tile)
{
    const size_t L = tile->lanes;
    float *z = tile->features, *square = z + L;

    if (!subtract(L, tile->values, tile->circuit->shift + tile->column, 0,
                  tile->circuit->farthest[tile->column], z) &&
        !mend_numbers(tile))
        return false;
    if (owi_leaf_has_tails(&tile->circuit->leaves[tile->column])) draw_in(tile);
    if (tile->circuit->spec.variance > 0.0)
        for (size_t lane = 0; lane < L; lane++) tile->sums[lane] += z[lane] * z[lane];
    else
        for (size_t lane = 0; lane < L; lane++) square[lane] = z[lane] * z[lane];
    return true;
}

static bool fill_levels(column_lanes *tile)
{
    const ow_leaf *leaf = &tile->circuit->leaves[tile->column];
    const size_t L = tile->lanes;

    memset(tile->features, 0, leaf->n_levels * L * sizeof *tile->features);
    for (size_t lane = 0; lane < L; lane++) {
        const float x = tile->values[lane];
        if (!owi_leaf_takes(leaf, x)) return false;
        if (isnan(x)) continue;
        tile->features[(size_t)x * L + lane] = 1.0f;
    }
    return true;
}

static bool fill_point_masses(column_lanes *tile)
{
    const ow_leaf *leaf = &tile->circuit->leaves[tile->column];
    const size_t L = tile->lanes, M = leaf->n_masses;

    memset(tile->features, 0, (M + 3) * L * sizeof *tile->features);
    for (size_t lane = 0; lane < L; lane++) {
        const float x = tile->values[lane];
        if (isnan(x)) continue;
        if (isinf(x)) return false;
        const size_t mass = owi_leaf_mass(leaf, x);
        tile->features[mass * L + lane] = 1.0f; /* the slab where it is no mass */
        if (mass < M) continue;
        const float z = owi_leaf_number(tile->circuit, tile->column, x);
        tile->features[(M + 1) * L + lane] = z;
        tile->features[(M + 2) * L + lane] = z * z;
        if (owi_leaf_has_tails(leaf)) tile->sums[lane] += log_tail(leaf, x);
    }
    return true;
}

/* Of one level's lanes in soft rows.  Shares beyond any use stay where no product with them
 * overflows, and what is missing is 0: most often there is neither, and all are as they
 * were. */
static OWI_INLINE bool fill_shares(size_t L, const float *shares, float *restrict feature)
{
    const float most = 1048576.0f;
    const uint32_t infinity = magnitude_bits(INFINITY), most_bits = magnitude_bits(most);
    uint32_t beyond = 0, infinite = 0;
    for (size_t lane = 0; lane < L; lane++) {
        feature[lane] = shares[lane];
        beyond |= magnitude_bits(shares[lane]) > most_bits;
    }
    for (size_t lane = 0; lane < L && beyond != 0; lane++) {
        const float x = shares[lane], above = x > -most ? x : -most;
        const float near = above < most ? above : most;
        infinite |= magnitude_bits(x) == infinity;
        feature[lane] = x == x ? near : 0.0f;
    }
    return infinite == 0;
}

/* A number without features; false if one is infinite. */
static bool is_finite(const column_lanes *tile)
{
    bool infinite = false;
    for (size_t lane = 0; lane < tile->lanes; lane++) infinite |= isinf(tile->values[lane]);
    return !infinite;
}

static OWI_INLINE bool fill_column(column_lanes *tile)
{
    switch (tile->circuit->leaves[tile->column].kind) {
    case OW_LEAF_GAUSSIAN:
        return fill_gaussian(tile);
    case OW_LEAF_POINT_MASSES:
        return fill_point_masses(tile);
    case OW_LEAF_FOLLOWS:
        return is_finite(tile);
    default:
        return fill_levels(tile);
    }
}

/* The sentence for the first value of the column that cannot be. */
static ow_status bad_value(const column_lanes *tile, size_t first_row)
{
    const ow_leaf *leaf = &tile->circuit->leaves[tile->column];
    size_t lane = 0;
    while (lane + 1 < tile->lanes && owi_leaf_takes(leaf, tile->values[lane])) lane++;
    char where[64];
    snprintf(where, sizeof where, "row %zu, column %u", first_row + lane + 1, tile->column);
    return owi_leaf_refuse(leaf, where, tile->values[lane]);
}

static ow_status bad_share(size_t lanes, const float *shares, size_t first_row,
                           uint32_t column, size_t level)
{
    size_t lane = 0;
    while (lane + 1 < lanes && !isinf(shares[lane])) lane++;
    return owi_fail(OW_ERR_NUMERIC,
                    "row %zu, column %u: expected the share of level %zu, got infinity",
                    first_row + lane + 1, column, level);
}

/* ---- Tiles ---- */

/* Entries that are turned into lanes at a time: 64 bytes of a row. */
enum { block_entries = 16 };

/* Columns [first, first + n) of one tile whose first row has this number; values is (n,
 * L). */
OWI_WIDE static ow_status fill_columns(const ow_circuit *circuit, size_t first, size_t n,
                                       size_t L, const float *values, size_t row,
                                       float *features, double *sums, bool *has_gaps)
{
    for (size_t j = first; j < first + n; j++) {
        column_lanes tile = {circuit,
                             (uint32_t)j,
                             L,
                             values + (j - first) * L,
                             features + circuit->feature_start[j] * L,
                             sums,
                             *has_gaps};
        if (!fill_column(&tile)) return bad_value(&tile, row);
        *has_gaps = tile.has_gaps;
    }
    return OW_OK;
}

/* The same of soft rows, with entries for columns. */
OWI_WIDE static ow_status fill_entries(const ow_circuit *circuit, size_t first, size_t n,
                                       size_t L, const float *values, size_t row,
                                       float *features, double *sums, bool *has_gaps)
{
    for (size_t e = first; e < first + n; e++, values += L) {
        const uint32_t j = circuit->soft_column[e];
        const size_t level = e - circuit->soft_start[j];
        if (!owi_leaf_has_levels(&circuit->leaves[j]))
            OWI_TRY(fill_columns(circuit, j, 1, L, values, row, features, sums, has_gaps));
        else if (!fill_shares(L, values,
                              features + (circuit->feature_start[j] + level) * L))
            return bad_share(L, values, row, j, level);
    }
    return OW_OK;
}

static double sum_of_squares(size_t n, const float *z)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++) sum[k] += z[i + k] * z[i + k];
    for (; i < n; i++) sum[0] += z[i] * z[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* A row alone is its own block of lanes; if it is all numbers with a fixed variance, they
 * are one run, all with the same farthest. */
static ow_status fill_single(const ow_circuit *circuit, bool soft, const float *row,
                             size_t number, float *features, double *sums, bool *has_gaps)
{
    const size_t d = circuit->spec.n_columns;

    if (soft)
        return fill_entries(circuit, 0, owi_circuit_row_width(circuit, true), 1, row,
                            number, features, sums, has_gaps);

    if (!owi_circuit_is_plain(circuit) ||
        !subtract(d, row, circuit->shift, 1, circuit->farthest[0], features))
        return fill_columns(circuit, 0, d, 1, row, number, features, sums, has_gaps);
    *sums = sum_of_squares(d, features);
    return OW_OK;
}

/* Spare lanes repeat the last row. */
static ow_status fill_tile(const ow_circuit *circuit, bool soft, size_t n_rows,
                           const float *rows, size_t number, float *features, double *sums,
                           bool *has_gaps)
{
    enum { L = owi_tile_lanes };
    const size_t width = owi_circuit_row_width(circuit, soft);
    float values[block_entries * L];

    for (size_t e = 0; e < width; e += block_entries) {
        const size_t n = owi_smaller(block_entries, width - e);
        /* The next block's lines: nothing foresees runs in 64 rows at a time. */
        for (size_t i = 0; i < n_rows && e + n < width; i++)
            OWI_PREFETCH(rows + i * width + e + n);
        owi_transpose(n_rows, n, rows + e, width, values, L);
        for (size_t i = 0; i < n; i++)
            for (size_t lane = n_rows; lane < L; lane++)
                values[i * L + lane] = values[i * L + n_rows - 1];
        OWI_TRY((soft ? fill_entries : fill_columns)(circuit, e, n, L, values, number,
                                                     features, sums, has_gaps));
    }
    return OW_OK;
}

/* Which plain Gaussian values of a tile are there; the constants of the others are taken
 * back. */
static void fill_gaps(const ow_circuit *circuit, bool soft, size_t L, size_t n_rows,
                      const float *rows, float *gap, double *row_constant)
{
    const size_t width = owi_circuit_row_width(circuit, soft);
    for (size_t g = 0; g < circuit->n_gap_features; g++) {
        const size_t j = circuit->gap_column[g];
        const double constant = owi_leaf_fixed_constant(circuit, j);
        for (size_t lane = 0; lane < L; lane++) {
            const float x = rows[owi_smaller(lane, n_rows - 1) * width +
                                 owi_circuit_entry(circuit, soft, j)];
            gap[g * L + lane] = isnan(x) ? 0.0f : 1.0f;
            if (isnan(x)) row_constant[lane] -= constant;
        }
    }
}

ow_status owi_fill_features(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                            const float *rows, size_t first_row, owi_feature_tiles *tiles)
{
    const size_t width = owi_circuit_row_width(circuit, tiles->soft), L = batch.lanes;
    const double factor = sum_factor(circuit);

    tiles->has_gaps = false;
    for (size_t t = 0; t < batch.n_tiles; t++) {
        const size_t n = owi_smaller(L, n_rows - t * L);
        const float *tile_rows = rows + t * L * width;
        float *features = tiles->features + t * circuit->n_features * L;
        double *row_constant = tiles->row_constant + t * L;
        for (size_t lane = 0; lane < L; lane++) row_constant[lane] = 0.0;
        if (L == 1)
            OWI_TRY(fill_single(circuit, tiles->soft, tile_rows, first_row + t, features,
                                row_constant, &tiles->has_gaps));
        else
            OWI_TRY(fill_tile(circuit, tiles->soft, n, tile_rows, first_row + t * L,
                              features, row_constant, &tiles->has_gaps));
        for (size_t lane = 0; lane < L; lane++)
            row_constant[lane] = circuit->row_constant + factor * row_constant[lane];
        for (size_t lane = 0; lane < n && circuit->spec.n_sheets > 0; lane++)
            row_constant[lane] +=
                owi_sheets_log(circuit, UINT64_MAX, tiles->soft, tile_rows + lane * width);
    }
    for (size_t t = 0; t < batch.n_tiles && tiles->has_gaps; t++)
        fill_gaps(circuit, tiles->soft, L, owi_smaller(L, n_rows - t * L),
                  rows + t * L * width,
                  tiles->gap_features + t * circuit->n_gap_features * L,
                  tiles->row_constant + t * L);
    return OW_OK;
}
