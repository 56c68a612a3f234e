/* SPDX-License-Identifier: MIT */
/* First values from data: averages, components at rows of their class, weights that sum to
 * 1. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/circuit.h"

enum { d = ow_tiny_columns, n_rows = 500 };

typedef struct {
    ow_context *ctx;
    ow_tiny_rows rows;
    ow_circuit *circuit;
} fixture;

static void set_up(fixture *f, ow_structure structure, double missing)
{
    assert_ok(ow_context_new(NULL, &f->ctx));
    f->rows = ow_tiny_rows_new(n_rows, 3, missing, 2);
    const ow_circuit_spec spec = ow_tiny_spec(structure, 1, 3);
    f->circuit = ow_tiny_circuit(f->ctx, &spec, &f->rows);
}

static void tear_down(fixture *f)
{
    ow_circuit_free(f->circuit);
    ow_tiny_rows_free(&f->rows);
    ow_context_free(f->ctx);
}

/* Shares of levels and masses, and mean and variance of numbers that are no masses, of what
 * is there. */
static void averages_are_those_of_the_values_that_are_there(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, OW_STRUCTURE_SHARED, 0.2);
    for (size_t j = 0; j < d; j++) {
        const ow_leaf *leaf = &f.circuit->leaves[j];
        const double *average = f.circuit->average + f.circuit->feature_start[j];
        double n = 0.0, share[4] = {0}, sum = 0.0, square = 0.0;
        for (size_t i = 0; i < n_rows; i++) {
            const double x = (double)f.rows.rows[i * d + j];
            if (isnan(x)) continue;
            n += 1.0;
            size_t level = leaf->n_levels > 0 ? (size_t)x : 0;
            while (leaf->n_masses > 0 && level < leaf->n_masses &&
                   x != (double)leaf->masses[level])
                level++;
            share[level] += 1.0;
            if (leaf->n_levels > 0 || level < leaf->n_masses) continue;
            sum += x;
            square += x * x;
        }
        const size_t n_shares = leaf->n_masses > 0 ? leaf->n_masses + 1 : leaf->n_levels;
        for (size_t i = 0; i < n_shares; i++) {
            share[i] /= n;
            assert_close(&average[i], &share[i], 1, 1e-12);
        }
        if (leaf->n_levels > 0) continue;
        const double numbers = leaf->n_masses > 0 ? share[leaf->n_masses] : 1.0;
        const double mean = sum / (numbers * n);
        const double variance = square / (numbers * n) - mean * mean;
        const double shift = (double)f.circuit->shift[j];
        const double got[2] = {average[n_shares] + numbers * (shift - mean),
                               average[n_shares + 1] / numbers};
        const double want[2] = {0.0, variance};
        assert_close(&shift, &mean, 1, 1e-6);
        assert_close(got, want, 2, 1e-6);
    }
    double n_class[3] = {0};
    for (size_t i = 0; i < n_rows; i++) n_class[f.rows.classes[i]] += 1.0;
    assert_close(f.circuit->class_rows, n_class, 3, 0.0);
    tear_down(&f);
}

/* Means of plain numbers are values of that column, in rows of the sub-circuit's class. */
static void components_start_at_rows_of_their_class(void **state)
{
    (void)state;
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++) {
        fixture f;
        set_up(&f, (ow_structure)structure, 0.0);
        const size_t I = f.circuit->spec.inputs, R = f.circuit->regions.n_regions;
        size_t n_means = 0, n_different = 0;
        for (size_t r = 0; r < f.circuit->regions.n_copies * R; r++) {
            const size_t start = f.circuit->scope_start[r];
            const size_t width = f.circuit->scope_start[r + 1] - start;
            for (size_t i = 0; i < I * width; i++) {
                const owi_feature *feature =
                    &f.circuit->features[f.circuit->scope[start + i % width]];
                if (feature->kind != OWI_FEATURE_MEAN || feature->column > 1) continue;
                const float mean = f.circuit->leaf[I * start + i];
                bool found = false;
                for (size_t row = 0; row < n_rows; row++)
                    found |= f.rows.rows[row * d + feature->column] == mean &&
                             (structure == OW_STRUCTURE_SHARED ||
                              (size_t)f.rows.classes[row] == r / R);
                assert_true(found);
                n_means++;
                n_different += i < width || f.circuit->leaf[I * start + i - width] != mean;
            }
        }
        assert_true(n_means > 0 && n_different == n_means); /* no two alike */
        tear_down(&f);
    }
}

static void probabilities_and_weights_sum_to_one(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, OW_STRUCTURE_PER_CLASS, 0.3);
    const double one = 1.0;
    for (size_t first = 0, n; first < f.circuit->n_weights; first += n) {
        double sum = 0.0;
        n = owi_circuit_sum_size(f.circuit, first);
        for (size_t i = first; i < first + n; i++)
            sum += exp((double)f.circuit->log_weight[i]);
        assert_close(&sum, &one, 1, 1e-5);
    }
    /* A density that sums to 1 needs nothing else: all missing is certain. */
    ow_evaluator *evaluator = NULL;
    const float nothing[d] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    const double zeros[3] = {0};
    double log_class[3], sum[3] = {0};
    assert_ok(ow_evaluator_new(f.circuit, NULL, &evaluator));
    assert_ok(ow_evaluator_evaluate(evaluator, 1, nothing, NULL, log_class));
    assert_close(log_class, zeros, 3, 1e-5);
    for (size_t level = 0; level < 3; level++) {
        float row[d] = {NAN, NAN, (float)level, NAN, NAN, NAN, NAN};
        assert_ok(ow_evaluator_evaluate(evaluator, 1, row, NULL, log_class));
        for (size_t c = 0; c < 3; c++) sum[c] += exp(log_class[c]);
    }
    for (size_t c = 0; c < 3; c++) assert_close(&sum[c], &one, 1, 1e-5);
    ow_evaluator_free(evaluator);
    tear_down(&f);
}

static void the_same_seed_starts_alike_and_another_does_not(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, OW_STRUCTURE_PER_CLASS, 0.1);
    const size_t size = (f.circuit->n_leaf + f.circuit->n_weights) * sizeof(float);
    const ow_row_source source = ow_row_source_of_array(&f.rows.array);
    float *block = malloc(size);
    assert_non_null(block);
    assert_ok(ow_circuit_start(f.circuit, &source, ow_test_seed(3)));
    memcpy(block, f.circuit->block, size);
    assert_ok(ow_circuit_start(f.circuit, &source, ow_test_seed(4)));
    assert_memory_not_equal(f.circuit->block, block, size);
    assert_ok(ow_circuit_start(f.circuit, &source, ow_test_seed(3)));
    assert_memory_equal(f.circuit->block, block, size);
    free(block);
    tear_down(&f);
}

/* The mean that state k of a tree starts with, of a number without masses. */
static float mean_of(const ow_circuit *circuit, size_t tree, size_t k, uint32_t column)
{
    const owi_region_graph *regions = &circuit->regions;
    size_t r = tree * regions->n_parts;
    while (regions->columns[regions->start[r]] != column) r++;
    const size_t width = circuit->scope_start[r + 1] - circuit->scope_start[r];
    return circuit->leaf[circuit->spec.inputs * circuit->scope_start[r] + k * width];
}

static void states_of_a_tree_start_at_the_same_row(void **state)
{
    (void)state;
    fixture f = {.rows = ow_tiny_rows_new(n_rows, 3, 0.0, 2)};
    assert_ok(ow_context_new(NULL, &f.ctx));
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, ow_tree_depth, 3);
    f.circuit = ow_tiny_circuit(f.ctx, &spec, &f.rows);
    for (size_t tree = 0; tree < spec.repetitions; tree++)
        for (size_t k = 0; k < spec.inputs; k++) {
            const float *row = f.rows.rows;
            const float *end = row + n_rows * d;
            while (row < end && row[0] != mean_of(f.circuit, tree, k, 0)) row += d;
            assert_true(row < end);
            assert_true(row[1] == mean_of(f.circuit, tree, k, 1));
            assert_true(row[5] == mean_of(f.circuit, tree, k, 5));
            /* Other states have other rows, and so have other trees. */
            if (k > 0) assert_true(row[0] != mean_of(f.circuit, tree, k - 1, 0));
            if (tree > 0) assert_true(row[0] != mean_of(f.circuit, tree - 1, k, 0));
        }
    const owi_weight_run edges = owi_circuit_weight_run(f.circuit, 0, 1);
    for (size_t s = 0; s < edges.n_sums; s++) {
        const float *weight = f.circuit->log_weight + edges.first + s * edges.block;
        assert_true(exp((double)weight[s % edges.block]) >= 0.9);
    }
    tear_down(&f);
}

static void a_class_without_rows_is_refused(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, OW_STRUCTURE_SHARED, 0.0);
    const ow_row_source source = ow_row_source_of_array(&f.rows.array);
    for (size_t i = 0; i < n_rows; i++)
        if (f.rows.classes[i] == 1) f.rows.classes[i] = 2;
    assert_fails(ow_circuit_start(f.circuit, &source, ow_test_seed(1)), OW_ERR_ARGUMENT,
                 "class 1 has no training rows");
    f.rows.array.n_rows = 0;
    assert_fails(ow_circuit_start(f.circuit, &source, ow_test_seed(1)), OW_ERR_ARGUMENT,
                 "class 0 has no training rows");
    assert_status(ow_circuit_start(NULL, &source, ow_test_seed(1)), OW_ERR_ARGUMENT);
    assert_status(ow_circuit_start(f.circuit, NULL, ow_test_seed(1)), OW_ERR_ARGUMENT);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_those_of_the_values_that_are_there),
        cmocka_unit_test(components_start_at_rows_of_their_class),
        cmocka_unit_test(probabilities_and_weights_sum_to_one),
        cmocka_unit_test(the_same_seed_starts_alike_and_another_does_not),
        cmocka_unit_test(states_of_a_tree_start_at_the_same_row),
        cmocka_unit_test(a_class_without_rows_is_refused),
    };
    return cmocka_run_group_tests_name("circuit/learn_start", tests, NULL, NULL);
}
