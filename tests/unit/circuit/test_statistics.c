/* SPDX-License-Identifier: MIT */
/* Sums over rows.  Every row flows through the leaves of a column once, shared out over
 * regions and components: so what all of them have got of a feature is the plain sum of
 * that feature over the rows, which the tests work out from the rows alone. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "backend/backend_list.h"
#include "circuit/learn/statistics.h"
#include "support/test_call.h"

enum { n_rows = 700, n_classes = 3, C = n_classes };

static owi_statistics_sum new_sums(const ow_circuit *circuit, double share)
{
    owi_statistics_sum sums;
    assert_ok(owi_statistics_init(&sums, ow_test_call(circuit->ctx, NULL), circuit,
                                  owi_backend_find("ref"), share));
    owi_statistics_reset(&sums);
    return sums;
}

/* Adds the rows in batches of this many. */
static void add_in_batches(owi_statistics_sum *sums, const ow_tiny_rows *rows, size_t batch)
{
    for (size_t first = 0; first < n_rows; first += batch) {
        const size_t n = n_rows - first < batch ? n_rows - first : batch;
        assert_ok(owi_statistics_add(sums, n, rows->rows + first * ow_tiny_columns,
                                     rows->classes + first));
    }
    owi_statistics_finish(sums);
}

/* Value of feature f in a row; NaN where the column is missing. */
static double feature_of(const ow_circuit *circuit, size_t f, const float *row)
{
    const owi_feature *feature = &circuit->features[f];
    const ow_leaf *leaf = &circuit->leaves[feature->column];
    const float x = row[feature->column];
    const double z = (double)x - circuit->shift[feature->column];
    bool is_mass = false;
    if (isnan(x)) return NAN;
    for (size_t i = 0; i < leaf->n_masses; i++) is_mass |= x == leaf->masses[i];
    switch (feature->kind) {
    case OWI_FEATURE_NUMBER:
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

/* What the leaves have got of each feature of column j, over all regions and
 * components. */
static void leaf_totals(const owi_statistics_sum *sums, size_t j, double *total)
{
    const ow_circuit *circuit = sums->circuit;
    const owi_region_graph *regions = &circuit->regions;
    const size_t n = circuit->feature_start[j + 1] - circuit->feature_start[j];
    const double *leaf = sums->sum + sums->layout.leaf;
    memset(total, 0, n * sizeof *total);
    for (size_t r = 0; r < regions->n_copies * regions->n_regions; r++)
        for (size_t k = 0; k < circuit->spec.inputs; k++)
            for (size_t s = regions->start[r]; s < regions->start[r + 1]; s++) {
                const uint32_t column = regions->columns[s];
                const size_t width =
                    circuit->feature_start[column + 1] - circuit->feature_start[column];
                for (size_t i = 0; i < n && column == j; i++) total[i] += leaf[i];
                leaf += width;
            }
}

static void check_leaves(const owi_statistics_sum *sums, const ow_tiny_rows *rows)
{
    const ow_circuit *circuit = sums->circuit;
    for (size_t j = 0; j < ow_tiny_columns; j++) {
        const size_t first = circuit->feature_start[j];
        const size_t n = circuit->feature_start[j + 1] - first;
        double got[8], want[8] = {0.0};
        assert_true(n <= 8);
        leaf_totals(sums, j, got);
        for (size_t i = 0; i < n_rows; i++)
            for (size_t f = 0; f < n; f++) {
                const double value =
                    feature_of(circuit, first + f, rows->rows + i * ow_tiny_columns);
                if (!isnan(value)) want[f] += value;
            }
        assert_close(got, want, n, 1e-4);
    }
}

/* The flow through all leaf components is the rows, once for each leaf region of a
 * repetition's partition; through the roots of a class, the rows of that class. */
static void check_flows(const owi_statistics_sum *sums)
{
    const ow_circuit *circuit = sums->circuit;
    const owi_sum_layout *at = &sums->layout;
    const size_t n_leaf_regions = circuit->regions.n_regions / circuit->spec.repetitions;
    const size_t n =
        circuit->regions.n_copies * circuit->regions.n_regions * circuit->spec.inputs;
    double flow = 0.0, weights = 0.0;
    for (size_t i = 0; i < n; i++) {
        flow += sums->sum[at->whole + i];
        if (sums->has_gaps) flow += sums->sum[at->gappy + i];
    }
    const double want = (double)(n_rows * n_leaf_regions);
    assert_close(&flow, &want, 1, 1e-4);
    /* Each row flows through every sum of a partition: one root, and with depth 2 the two
     * regions below it, or the edges of a tree. */
    for (size_t i = 0; i < circuit->n_weights; i++) weights += sums->sum[at->weight + i];
    const double n_sums = owi_circuit_is_tree(circuit) ? (double)n_leaf_regions
                          : circuit->spec.depth == 2   ? 3.0
                                                       : 1.0;
    const double want_weights = (double)n_rows * n_sums;
    assert_close(&weights, &want_weights, 1, 1e-4);
}

static void check_figures(const owi_statistics_sum *sums, const ow_tiny_rows *rows)
{
    ow_evaluator *evaluator = NULL;
    double *log_class = calloc(n_rows * C, sizeof *log_class);
    double want_rows[C] = {0.0}, want_log[C] = {0.0};
    assert_non_null(log_class);
    assert_ok(ow_evaluator_new(sums->circuit, "ref", &evaluator));
    assert_ok(ow_evaluator_evaluate(evaluator, n_rows, rows->rows, NULL, log_class));
    for (size_t i = 0; i < n_rows; i++) {
        want_rows[rows->classes[i]] += 1.0;
        want_log[rows->classes[i]] += log_class[i * C + (size_t)rows->classes[i]];
    }
    assert_close(sums->class_rows, want_rows, C, 0.0);
    assert_close(sums->class_log, want_log, C, 1e-6);
    ow_evaluator_free(evaluator);
    free(log_class);
}

static const struct {
    ow_structure structure;
    size_t depth;
    double missing;
} shapes[] = {
    {OW_STRUCTURE_SHARED, 0, 0.0},
    {OW_STRUCTURE_SHARED, 1, 0.0},
    {OW_STRUCTURE_SHARED, 2, 0.2},
    {OW_STRUCTURE_PER_CLASS, 0, 0.2},
    {OW_STRUCTURE_PER_CLASS, 1, 0.1},
    {OW_STRUCTURE_PER_CLASS, 2, 0.0},
    {OW_STRUCTURE_SHARED, ow_tree_depth, 0.2},
    {OW_STRUCTURE_PER_CLASS, ow_tree_depth, 0.0},
};
enum { n_shapes = sizeof shapes / sizeof *shapes };

static void sums_of_features_are_those_of_the_rows(void **state)
{
    ow_context *ctx = ow_test_context(state);
    for (size_t i = 0; i < n_shapes; i++) {
        ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, shapes[i].missing, 3);
        const ow_circuit_spec spec = ow_tiny_spec(shapes[i].structure, shapes[i].depth, C);
        ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
        owi_statistics_sum sums = new_sums(circuit, 0.0);
        add_in_batches(&sums, &rows, n_rows);
        check_leaves(&sums, &rows);
        check_flows(&sums);
        check_figures(&sums, &rows);
        assert_int_equal(sums.has_gaps, shapes[i].missing > 0.0);
        owi_statistics_clear(&sums);
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
    }
}

static void batches_of_any_size_give_the_same_sums(void **state)
{
    ow_context *ctx = ow_test_context(state);
    for (size_t i = 0; i < n_shapes; i++) {
        ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, shapes[i].missing, 4);
        const ow_circuit_spec spec = ow_tiny_spec(shapes[i].structure, shapes[i].depth, C);
        ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
        owi_statistics_sum whole = new_sums(circuit, 0.0), parts = new_sums(circuit, 0.0);
        add_in_batches(&whole, &rows, n_rows);
        for (size_t batch = 1; batch < 100; batch = 3 * batch + 4) {
            owi_statistics_reset(&parts); /* what was there before is forgotten */
            add_in_batches(&parts, &rows, batch);
            assert_int_equal(parts.has_gaps, whole.has_gaps);
            assert_close(parts.class_rows, whole.class_rows, C, 0.0);
            assert_close(parts.class_log, whole.class_log, C, 1e-7);
            /* Which batch a row without gaps comes in decides between whole and gappy. */
            assert_close(parts.sum, whole.sum, whole.layout.whole, 1e-4);
            check_flows(&parts);
        }
        owi_statistics_clear(&parts);
        owi_statistics_clear(&whole);
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
    }
}

static void classes_that_no_row_has_have_sums_of_nothing(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.1, 5);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, C);
    ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
    owi_statistics_sum sums = new_sums(circuit, 0.0);
    add_in_batches(&sums, &rows, n_rows);
    /* A second round, in which all rows are of class 1: of the others nothing is left. */
    for (size_t i = 0; i < n_rows; i++) rows.classes[i] = 1;
    owi_statistics_reset(&sums);
    add_in_batches(&sums, &rows, n_rows);
    const size_t each = circuit->n_leaf / C;
    for (size_t i = 0; i < circuit->n_leaf; i++)
        if (i / each != 1) assert_true(sums.sum[sums.layout.leaf + i] == 0.0);
    const double want[C] = {0.0, n_rows, 0.0};
    assert_close(sums.class_rows, want, C, 0.0);
    check_leaves(&sums, &rows);
    owi_statistics_clear(&sums);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
}

/* Rows are seeded with [c = y] - share P(c given x), and that is what flows through the
 * roots of class c. */
static void the_discriminative_share_is_taken_from_every_class(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double share = 0.75;
    for (size_t s = 0; s < 2; s++) {
        ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.0, 6);
        const ow_circuit_spec spec =
            ow_tiny_spec(s == 0 ? OW_STRUCTURE_SHARED : OW_STRUCTURE_PER_CLASS, 1, C);
        ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
        owi_statistics_sum sums = new_sums(circuit, share);
        add_in_batches(&sums, &rows, 256);

        ow_evaluator *evaluator = NULL;
        double log_class[C], posterior[C], want[C] = {0.0}, got[C] = {0.0};
        double want_log[C] = {0.0};
        assert_ok(ow_evaluator_new(circuit, "ref", &evaluator));
        for (size_t i = 0; i < n_rows; i++) {
            const size_t y = (size_t)rows.classes[i];
            assert_ok(ow_evaluator_evaluate(evaluator, 1, rows.rows + i * ow_tiny_columns,
                                            NULL, log_class));
            ow_circuit_posterior(circuit, 1, log_class, NULL, posterior);
            for (size_t c = 0; c < C; c++) want[c] += (c == y) - share * posterior[c];
            want_log[y] += log(posterior[y]);
        }
        const size_t block = circuit->n_weights / C; /* depth 1: weights are the roots' */
        for (size_t i = 0; i < circuit->n_weights; i++)
            got[i / block] += sums.sum[sums.layout.weight + i];
        assert_close(got, want, C, 1e-3);
        assert_close(sums.class_log_posterior, want_log, C, 1e-6);
        ow_evaluator_free(evaluator);
        owi_statistics_clear(&sums);
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
    }
}

static ow_status init_and_add(ow_context *ctx, void *user)
{
    const ow_tiny_rows *rows = user;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, C);
    ow_circuit *circuit = NULL;
    owi_statistics_sum sums;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status != OW_OK) return status;
    status = owi_statistics_init(&sums, ow_test_call(circuit->ctx, NULL), circuit,
                                 owi_backend_find("ref"), 0.0);
    if (status == OW_OK) {
        owi_statistics_reset(&sums);
        status = owi_statistics_add(&sums, 10, rows->rows, rows->classes);
        owi_statistics_clear(&sums);
    }
    ow_circuit_free(circuit);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_tiny_rows rows = ow_tiny_rows_new(10, C, 0.1, 8);
    ow_test_sweep(init_and_add, &rows);
    ow_tiny_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(sums_of_features_are_those_of_the_rows),
        ow_test_on_heap(batches_of_any_size_give_the_same_sums),
        ow_test_on_heap(classes_that_no_row_has_have_sums_of_nothing),
        ow_test_on_heap(the_discriminative_share_is_taken_from_every_class),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/statistics", tests, NULL, NULL);
}
