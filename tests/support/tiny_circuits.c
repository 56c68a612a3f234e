/* SPDX-License-Identifier: MIT */
#include "support/tiny_circuits.h"

#include "base/numeric/rng.h"
#include "support/random_circuits.h"

static const float masses[] = {0.0f, 1.0f};

const ow_leaf ow_tiny_leaves[ow_tiny_columns] = {
    {.kind = OW_LEAF_GAUSSIAN, .group = 0},
    {.kind = OW_LEAF_GAUSSIAN, .group = 1},
    {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 2},
    {.kind = OW_LEAF_BERNOULLI, .group = 3},
    {.kind = OW_LEAF_POINT_MASSES, .n_masses = 2, .masses = masses, .group = 4},
    {.kind = OW_LEAF_GAUSSIAN, .log_cell = -0.7, .group = 5},
    {.kind = OW_LEAF_CATEGORICAL, .n_levels = 2, .group = 6},
};

const ow_leaf ow_tiny_tails[ow_tiny_columns] = {
    {.kind = OW_LEAF_GAUSSIAN, .group = 0, .low = -2.1, .high = 1.9},
    {.kind = OW_LEAF_GAUSSIAN, .group = 1},
    {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 2},
    {.kind = OW_LEAF_BERNOULLI, .group = 3},
    {.kind = OW_LEAF_POINT_MASSES,
     .n_masses = 2,
     .masses = masses,
     .group = 4,
     .low = 0.2,
     .high = 0.9},
    {.kind = OW_LEAF_GAUSSIAN, .log_cell = -0.7, .group = 5, .low = -0.5, .high = 0.4},
    {.kind = OW_LEAF_CATEGORICAL, .n_levels = 2, .group = 6},
};

const ow_leaf ow_tiny_followers[ow_tiny_columns] = {
    {.kind = OW_LEAF_GAUSSIAN, .group = 0},
    {.kind = OW_LEAF_FOLLOWS, .group = 1},
    {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 2},
    {.kind = OW_LEAF_BERNOULLI, .group = 3},
    {.kind = OW_LEAF_POINT_MASSES, .n_masses = 2, .masses = masses, .group = 4},
    {.kind = OW_LEAF_FOLLOWS, .log_cell = -0.7, .group = 5},
    {.kind = OW_LEAF_CATEGORICAL, .n_levels = 2, .group = 6},
};

static const double level_units[] = {0.5, -0.25, 0.125};
static const ow_sheet_term first_terms[] = {
    {.column = 1, .factor = 1.0, .centre = 0.5, .scale = 2.0},
    {.column = 0, .factor = 0.75, .centre = -0.25, .scale = 1.5},
    {.column = 2, .factor = -1.5, .levels = level_units},
};
static const ow_sheet_term second_terms[] = {
    {.column = 5, .factor = 1.0, .centre = 0.4, .scale = 0.5, .log1p = true, .least = 0.5},
    {.column = 1, .factor = 0.5, .centre = 0.5, .scale = 0.3, .log1p = true, .least = 0.25},
    {.column = 4, .factor = -0.2, .centre = 1.0, .scale = 2.0, .least = 1.5},
};
const ow_sheet ow_tiny_sheets[ow_n_tiny_sheets] = {
    {3, first_terms, 0.3, 0.6, 3.0},
    {3, second_terms, 0.1, 0.4, 8.0},
};

ow_circuit_spec ow_tiny_spec(ow_structure structure, size_t depth, size_t n_classes)
{
    const bool trees = depth == ow_tree_depth;
    return (ow_circuit_spec){.size = sizeof(ow_circuit_spec),
                             .structure = structure,
                             .depth = trees ? 0 : depth,
                             .parents = trees ? ow_tree_parents(ow_tiny_columns) : NULL,
                             .repetitions = 3,
                             .sums = 2,
                             .inputs = 4,
                             .n_classes = n_classes,
                             .n_columns = ow_tiny_columns,
                             .leaves = ow_tiny_leaves,
                             .seed = 5};
}

static void fill_row(owi_rng *rng, size_t y, float *row)
{
    const double shift = (double)y;
    const double side =
        owi_rng_uniform(rng) < 0.5 ? -2.0 : 2.0; /* two clouds in each class */
    row[0] = (float)(side + 0.5 * owi_rng_normal(rng) + 0.3 * shift);
    row[1] = (float)(0.7 * row[0] + 0.4 * owi_rng_normal(rng) - shift);
    row[2] = (float)owi_rng_categorical(rng, 3, (const double[]){1.0 + shift, 1.0, 0.5});
    row[3] = owi_rng_uniform(rng) < (side > 0 ? 0.8 : 0.3) ? 1.0f : 0.0f;
    const double u = owi_rng_uniform(rng);
    row[4] = u < 0.4 ? 0.0f : u < 0.6 ? 1.0f : (float)(3.0 + owi_rng_normal(rng));
    row[5] = (float)floor(4.0 * owi_rng_uniform(rng) + 2.0 * shift);
    row[6] = row[2] > 0.5f ? 1.0f : (float)owi_rng_below(rng, 2);
}

ow_tiny_rows ow_tiny_rows_new(size_t n_rows, size_t n_classes, double missing,
                              uint64_t seed)
{
    ow_tiny_rows made = {.rows = calloc(n_rows * ow_tiny_columns, sizeof(float)),
                         .classes = calloc(n_rows, sizeof(int32_t))};
    assert_true(made.rows != NULL && made.classes != NULL);
    for (size_t i = 0; i < n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, seed, i);
        made.classes[i] = (int32_t)owi_rng_below(&rng, n_classes);
        float *row = made.rows + i * ow_tiny_columns;
        fill_row(&rng, (size_t)made.classes[i], row);
        for (size_t j = 0; j < ow_tiny_columns; j++)
            if (owi_rng_uniform(&rng) < missing) row[j] = NAN;
    }
    made.array = (ow_row_array){.n_rows = n_rows,
                                .n_columns = ow_tiny_columns,
                                .rows = made.rows,
                                .classes = made.classes};
    return made;
}

void ow_tiny_rows_free(ow_tiny_rows *rows)
{
    free(rows->rows);
    free(rows->classes);
}

ow_circuit *ow_tiny_circuit(ow_context *ctx, const ow_circuit_spec *spec,
                            ow_tiny_rows *rows)
{
    ow_circuit *circuit = NULL;
    const ow_row_source source = ow_row_source_of_array(&rows->array);
    assert_ok(ow_circuit_new(ctx, spec, &circuit));
    assert_ok(ow_circuit_start(circuit, &source, ow_test_seed(3)));
    return circuit;
}
