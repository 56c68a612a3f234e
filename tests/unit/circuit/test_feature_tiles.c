/* SPDX-License-Identifier: MIT */
/* Rows to tiles of features: each feature of each row as its definition (circuit.h) has it,
 * in tiles and alone, hard and soft, with what is missing and what cannot be. */
#include "support/ow_test.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/leaf_features.h"

enum { most_rows = 3 * owi_tile_lanes, most_features = 32, most_columns = ow_tiny_columns };

/* A circuit over the tiny columns, all numbers with variance 0.25 where plain. */
static ow_circuit *new_circuit(ow_context *ctx, ow_tiny_rows *rows, bool plain)
{
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 2);
    ow_leaf leaves[ow_tiny_columns];
    for (size_t j = 0; j < ow_tiny_columns; j++)
        leaves[j] = plain ? (ow_leaf){.kind = OW_LEAF_GAUSSIAN,
                                      .group = (uint32_t)j,
                                      .log_cell = j == 5 ? -0.7 : 0.0}
                          : ow_tiny_leaves[j];
    spec.leaves = leaves;
    spec.variance = plain ? 0.25 : 0.0;
    return ow_tiny_circuit(ctx, &spec, rows);
}

typedef struct {
    owi_feature_tiles tiles;
    float features[most_rows * most_features];
    float gaps[most_rows * most_columns];
    double constant[most_rows];
} room;

static ow_status fill(const ow_circuit *circuit, owi_batch batch, size_t n, bool soft,
                      const float *rows, size_t first_row, room *r)
{
    assert_true(circuit->n_features <= most_features);
    memset(r, 0x55, sizeof *r); /* nothing is there by chance */
    r->tiles = (owi_feature_tiles){.soft = soft,
                                   .features = r->features,
                                   .gap_features = r->gaps,
                                   .row_constant = r->constant};
    return owi_fill_features(circuit, batch, n, rows, first_row, &r->tiles);
}

static owi_batch single_rows(size_t n)
{
    return (owi_batch){.n_tiles = n, .lanes = 1};
}

/* By definition: the features of a value, 0 where it is missing. */
static double want_feature(const ow_circuit *circuit, size_t f, float x)
{
    const owi_feature *feature = &circuit->features[f];
    const ow_leaf *leaf = &circuit->leaves[feature->column];
    const bool is_mass = owi_leaf_mass(leaf, x) < leaf->n_masses;
    const double z = (double)(x - circuit->shift[feature->column]);
    if (isnan(x)) return 0.0;
    switch (feature->kind) {
    case OWI_FEATURE_NUMBER:
        return z;
    case OWI_FEATURE_MEAN:
        return is_mass ? 0.0 : z;
    case OWI_FEATURE_VARIANCE:
        return is_mass ? 0.0 : z * z;
    case OWI_FEATURE_LEVEL:
        return x == (float)feature->index;
    case OWI_FEATURE_MASS:
        return x == leaf->masses[feature->index];
    case OWI_FEATURE_SLAB:
        return !is_mass;
    }
    return NAN;
}

/* Lane i of tile t against the row that it holds. */
static void check_lane(const ow_circuit *circuit, owi_batch batch, const room *r, size_t t,
                       size_t lane, const float *row)
{
    const size_t F = circuit->n_features, L = batch.lanes;
    double constant = 0.0;
    for (size_t f = 0; f < F; f++) {
        const double got = r->features[(t * F + f) * L + lane],
                     want = want_feature(circuit, f, row[circuit->features[f].column]);
        assert_close(&got, &want, 1, 1e-6);
    }
    for (size_t j = 0; j < ow_tiny_columns; j++)
        constant += owi_leaf_constant(circuit, j, row[j]);
    assert_close(&r->constant[t * L + lane], &constant, 1, 1e-6);
    if (!r->tiles.has_gaps) return;
    const size_t G = circuit->n_gap_features;
    for (size_t g = 0; g < G; g++)
        assert_true(r->gaps[(t * G + g) * L + lane] ==
                    (isnan(row[circuit->gap_column[g]]) ? 0.0f : 1.0f));
}

static bool misses_a_number(const ow_circuit *circuit, size_t n, const float *rows)
{
    for (size_t i = 0; i < n * ow_tiny_columns; i++)
        if (isnan(rows[i]) && circuit->leaves[i % ow_tiny_columns].kind == OW_LEAF_GAUSSIAN)
            return true;
    return false;
}

static void check_rows(const ow_circuit *circuit, owi_batch batch, size_t n,
                       const float *rows)
{
    static room r;
    assert_ok(fill(circuit, batch, n, false, rows, 0, &r));
    assert_int_equal(r.tiles.has_gaps, misses_a_number(circuit, n, rows));
    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t lane = 0; lane < batch.lanes; lane++) {
            const size_t row = t * batch.lanes + lane; /* spare lanes: the last one */
            check_lane(circuit, batch, &r, t, lane,
                       rows + (row < n ? row : n - 1) * ow_tiny_columns);
        }
}

static void features_are_what_they_are_defined_to_be(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const size_t counts[] = {
        1, 2, owi_tile_lanes - 1, owi_tile_lanes, owi_tile_lanes + 1, most_rows};
    for (size_t plain = 0; plain < 2; plain++)
        for (size_t gaps = 0; gaps < 2; gaps++) {
            ow_tiny_rows rows =
                ow_tiny_rows_new(most_rows, 2, 0.15 * (double)gaps, 31 + plain);
            ow_circuit *circuit = new_circuit(ctx, &rows, plain == 1);
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                check_rows(circuit, owi_tiles_of(counts[i]), counts[i], rows.rows);
                check_rows(circuit, single_rows(counts[i]), counts[i], rows.rows);
            }
            ow_circuit_free(circuit);
            ow_tiny_rows_free(&rows);
        }
}

/* ---- Soft rows ---- */

static void shares_of_levels_are_their_features(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static room r;
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 33);
    ow_circuit *circuit = new_circuit(ctx, &rows, false);
    const size_t width = owi_circuit_row_width(circuit, true), F = circuit->n_features;
    float soft[20 * most_features];
    assert_true(width <= most_features);
    for (size_t i = 0; i < 20; i++)
        for (size_t e = 0; e < width; e++)
            soft[i * width + e] = 0.01f * (float)(i + 1) + 0.1f * (float)e;
    soft[3 * width + circuit->soft_start[2]] = NAN;   /* a share that is missing */
    soft[4 * width + circuit->soft_start[2]] = 1e30f; /* and two beyond any use  */
    soft[5 * width + circuit->soft_start[2]] = -1e30f;
    const owi_batch ways[] = {owi_tiles_of(20), single_rows(20)};
    for (size_t w = 0; w < 2; w++) {
        const size_t L = ways[w].lanes;
        assert_ok(fill(circuit, ways[w], 20, true, soft, 0, &r));
        for (size_t i = 0; i < 20; i++)
            for (size_t level = 0; level < 3; level++) {
                const size_t f = circuit->feature_start[2] + level;
                const float got = r.features[(i / L * F + f) * L + i % L];
                const float given = soft[i * width + circuit->soft_start[2] + level];
                if (level > 0 || i < 3 || i > 5)
                    assert_true(got == given);
                else if (i == 3)
                    assert_true(got == 0.0f);
                else
                    assert_true(fabsf(got) == 1048576.0f && (got > 0) == (i == 4));
            }
    }
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
}

/* ---- What cannot be ---- */

static void what_cannot_be_is_named_by_row_and_column(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static room r;
    const struct {
        size_t column;
        float value;
        const char *sentence;
    } bad[] = {
        {0, INFINITY, "column 0: expected a number, got infinity"},
        {1, -INFINITY, "column 1: expected a number, got infinity"},
        {4, INFINITY, "column 4: expected a number, got infinity"},
        {2, 3.0f, "column 2: expected a level from 0 to 2, got 3"},
        {2, -1.0f, "column 2: expected a level from 0 to 2, got -1"},
        {2, 0.5f, "column 2: expected a level from 0 to 2, got 0.5"},
        {2, INFINITY, "column 2: expected a level from 0 to 2, got inf"},
    };
    const size_t places[] = {0, owi_tile_lanes - 1, owi_tile_lanes, most_rows - 1};
    ow_tiny_rows rows = ow_tiny_rows_new(most_rows, 2, 0.1, 34);
    ow_circuit *circuit = new_circuit(ctx, &rows, false);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            float *cell = rows.rows + places[p] * ow_tiny_columns + bad[b].column;
            const float before = *cell;
            char sentence[128];
            snprintf(sentence, sizeof sentence, "row %zu, %s", 1000 + places[p] + 1,
                     bad[b].sentence);
            *cell = bad[b].value;
            assert_fails(fill(circuit, owi_tiles_of(most_rows), most_rows, false, rows.rows,
                              1000, &r),
                         OW_ERR_NUMERIC, sentence);
            assert_fails(fill(circuit, single_rows(most_rows), most_rows, false, rows.rows,
                              1000, &r),
                         OW_ERR_NUMERIC, sentence);
            assert_fails(owi_check_rows(circuit, most_rows, rows.rows, 1000),
                         OW_ERR_NUMERIC, sentence);
            *cell = before;
        }
    assert_ok(owi_check_rows(circuit, most_rows, rows.rows, 0));
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
}

static void an_infinite_share_is_named_with_its_level(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static room r;
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 35);
    ow_circuit *circuit = new_circuit(ctx, &rows, false);
    const size_t width = owi_circuit_row_width(circuit, true);
    float soft[20 * most_features] = {0};
    soft[18 * width + circuit->soft_start[2] + 1] = -INFINITY;
    assert_fails(fill(circuit, owi_tiles_of(20), 20, true, soft, 0, &r), OW_ERR_NUMERIC,
                 "row 19, column 2: expected the share of level 1, got infinity");
    assert_fails(fill(circuit, single_rows(20), 20, true, soft, 0, &r), OW_ERR_NUMERIC,
                 "row 19, column 2: expected the share of level 1, got infinity");
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
}

/* The square of a number that is far away still fits a float, alone and in a tile. */
static void numbers_that_are_far_away_stay_finite(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static room r;
    for (size_t plain = 0; plain < 2; plain++) {
        ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 36);
        ow_circuit *circuit = new_circuit(ctx, &rows, plain == 1);
        rows.rows[0] = 3e38f;
        rows.rows[7 * ow_tiny_columns + 1] = -3e38f;
        const owi_batch ways[] = {owi_tiles_of(20), single_rows(20)};
        for (size_t w = 0; w < 2; w++) {
            assert_ok(fill(circuit, ways[w], 20, false, rows.rows, 0, &r));
            const size_t n = ways[w].n_tiles * ways[w].lanes * circuit->n_features;
            for (size_t i = 0; i < n; i++) assert_true(isfinite(r.features[i]));
            const double far = r.features[circuit->feature_start[0] * ways[w].lanes],
                         want = owi_leaf_number(circuit, 0, 3e38f);
            assert_true(far == want && far > 1e6);
        }
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(features_are_what_they_are_defined_to_be),
        ow_test_on_heap(shares_of_levels_are_their_features),
        ow_test_on_heap(what_cannot_be_is_named_by_row_and_column),
        ow_test_on_heap(an_infinite_share_is_named_with_its_level),
        ow_test_on_heap(numbers_that_are_far_away_stay_finite),
    };
    return cmocka_run_group_tests_name("circuit/feature_tiles", tests, NULL, NULL);
}
