/* SPDX-License-Identifier: MIT */
/* The maximisation step.  With one component a class there is nothing hidden: its best
 * parameters are the mean, the variance and the shares of the rows of that class, which the
 * tests work out from the rows. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "backend/backend_list.h"
#include "circuit/learn/m_step.h"
#include "support/test_call.h"

enum { n_rows = 400, C = 2 };

static const double no_least[ow_tiny_columns] = {0};

/* One component for each class. */
static ow_circuit *one_component(ow_context *ctx, ow_tiny_rows *rows, double variance)
{
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 0, C);
    spec.repetitions = 1;
    spec.inputs = 1;
    spec.variance = variance;
    ow_leaf leaves[ow_tiny_columns];
    memcpy(leaves, ow_tiny_leaves, sizeof leaves);
    if (variance > 0.0) leaves[4] = leaves[0]; /* point masses need learned variances */
    spec.leaves = leaves;
    return ow_tiny_circuit(ctx, &spec, rows);
}

/* One maximisation from the rows' sums. */
static void maximise(ow_circuit *circuit, const ow_tiny_rows *rows, const owi_prior *prior)
{
    owi_statistics_sum sums;
    assert_ok(owi_statistics_init(&sums, ow_test_call(circuit->ctx, NULL), circuit,
                                  owi_backend_find("ref"), 0.0));
    owi_statistics_reset(&sums);
    assert_ok(owi_statistics_add(&sums, rows->array.n_rows, rows->rows, rows->classes));
    owi_statistics_finish(&sums);
    owi_maximise(ow_test_call(circuit->ctx, NULL), circuit, sums.sum, sums.has_gaps, prior);
    owi_statistics_clear(&sums);
}

/* Figures of one column over the rows of class c in which it is there, and over `extra`
 * more rows like the average of the column over all rows.  `skip` says which values are
 * masses, and count for no mean. */
typedef struct {
    double n, mean, variance;
    double count[4]; /* of the values 0, 1, 2 and of any other */
    double n_all;    /* with the masses */
} column_figures;

static size_t value_number(float x)
{
    return x == 0.0f ? 0 : x == 1.0f ? 1 : x == 2.0f ? 2 : 3;
}

static column_figures figures_of(const ow_tiny_rows *rows, size_t j, int c, bool has_masses,
                                 double extra)
{
    column_figures figures = {0};
    double sum = 0.0, squares = 0.0;
    double n_there = 0.0;
    for (size_t i = 0; i < n_rows; i++)
        n_there += !isnan(rows->rows[i * ow_tiny_columns + j]);
    for (size_t i = 0; i < n_rows; i++) {
        const float x = rows->rows[i * ow_tiny_columns + j];
        if (isnan(x)) continue;
        const double weight = (rows->classes[i] == c) + extra / n_there;
        figures.count[value_number(x)] += weight;
        figures.n_all += weight;
        if (has_masses && value_number(x) < 2) continue;
        figures.n += weight;
        sum += weight * (double)x;
        squares += weight * (double)x * (double)x;
    }
    figures.mean = sum / figures.n;
    figures.variance = squares / figures.n - figures.mean * figures.mean;
    return figures;
}

/* The parameters of column j in the only component of class c. */
static const float *parameters(const ow_circuit *circuit, size_t j, size_t c)
{
    const owi_region_graph *regions = &circuit->regions;
    const float *leaf = circuit->leaf + c * (circuit->n_leaf / C);
    for (size_t s = regions->start[c]; regions->columns[s] != j; s++)
        leaf += circuit->feature_start[regions->columns[s] + 1] -
                circuit->feature_start[regions->columns[s]];
    return leaf;
}

static void check_shares(const float *log_share, size_t n, const double *count, double all)
{
    for (size_t i = 0; i < n; i++) {
        const double got = exp((double)log_share[i]), want = count[i] / all;
        assert_close(&got, &want, 1, 1e-5);
    }
}

static void check_number(const float *parameter, const column_figures *want,
                         bool has_variance)
{
    const double mean = parameter[0];
    assert_close(&mean, &want->mean, 1, 1e-5);
    if (!has_variance) return;
    const double variance = parameter[1];
    assert_close(&variance, &want->variance, 1, 1e-4);
}

static void check_column(const ow_circuit *circuit, size_t j, size_t c,
                         const ow_tiny_rows *rows, double extra)
{
    const ow_leaf *leaf = &circuit->leaves[j];
    const bool has_masses = leaf->kind == OW_LEAF_POINT_MASSES;
    const bool has_variance = circuit->spec.variance == 0.0;
    const float *got = parameters(circuit, j, c);
    const column_figures want = figures_of(rows, j, (int)c, has_masses, extra);
    if (leaf->kind == OW_LEAF_GAUSSIAN) {
        check_number(got, &want, has_variance);
    } else if (has_masses) {
        const double count[3] = {want.count[0], want.count[1], want.n};
        check_shares(got, 3, count, want.n_all);
        check_number(got + 3, &want, has_variance);
    } else {
        check_shares(got, leaf->n_levels > 0 ? leaf->n_levels : 2, want.count, want.n_all);
    }
}

static void one_component_gets_the_figures_of_its_class(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double missing[] = {0.0, 0.2};
    for (size_t gaps = 0; gaps < 2; gaps++)
        for (size_t fixed = 0; fixed < 2; fixed++) {
            ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, missing[gaps], 21);
            ow_circuit *circuit = one_component(ctx, &rows, fixed == 1 ? 0.5 : 0.0);
            const owi_prior prior = {.least_variance = no_least};
            maximise(circuit, &rows, &prior);
            for (size_t j = 0; j < ow_tiny_columns; j++)
                for (size_t c = 0; c < C; c++) check_column(circuit, j, c, &rows, 0.0);
            ow_circuit_free(circuit);
            ow_tiny_rows_free(&rows);
        }
}

static void prior_rows_count_like_rows_of_the_whole_table(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.0, 22);
    ow_circuit *circuit = one_component(ctx, &rows, 0.0);
    owi_prior prior = {.prior_rows = 50.0, .least_variance = no_least};
    assert_ok(owi_prior_prepare(&prior, circuit));
    maximise(circuit, &rows, &prior);
    for (size_t j = 0; j < ow_tiny_columns; j++)
        for (size_t c = 0; c < C; c++) check_column(circuit, j, c, &rows, 50.0);
    owi_prior_clear(&prior, ctx);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
}

/* Very many rows like another circuit's component leave nothing of one's own. */
static void a_strong_pull_leads_to_the_other_circuit(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.0, 23);
    ow_tiny_rows other = ow_tiny_rows_new(n_rows, 1, 0.0, 24);
    ow_circuit *circuit = one_component(ctx, &rows, 0.0);
    ow_circuit_spec spec = circuit->spec;
    spec.n_classes = 1;
    ow_circuit *towards = ow_tiny_circuit(ctx, &spec, &other);
    owi_prior prior = {.towards_rows = 1e9, .towards = towards, .least_variance = no_least};
    assert_ok(owi_prior_prepare(&prior, circuit));
    maximise(circuit, &rows, &prior);
    for (size_t i = 0; i < circuit->n_leaf; i++) {
        const double got = circuit->leaf[i], want = towards->leaf[i % towards->n_leaf];
        assert_close(&got, &want, 1, 1e-3);
    }
    owi_prior_clear(&prior, ctx);
    ow_circuit_free(circuit);
    ow_circuit_free(towards);
    ow_tiny_rows_free(&rows);
    ow_tiny_rows_free(&other);
}

static void no_variance_falls_below_the_least(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.0, 25);
    for (size_t i = 0; i < n_rows; i++) rows.rows[i * ow_tiny_columns] = 7.0f;
    ow_circuit *circuit = one_component(ctx, &rows, 0.0);
    double least[ow_tiny_columns] = {[0] = 0.01, [1] = 1e6};
    const owi_prior prior = {.least_variance = least};
    maximise(circuit, &rows, &prior);
    for (size_t c = 0; c < C; c++) {
        assert_true(parameters(circuit, 0, c)[0] == 7.0f);
        assert_true(parameters(circuit, 0, c)[1] == 0.01f);
        assert_true(parameters(circuit, 1, c)[1] == 1e6f);
    }
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
}

/* ---- Sums that are given ---- */

static void what_nothing_has_flowed_through_stays(void **state)
{
    ow_context *ctx = ow_test_context(state);
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.0, 26);
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, depth, C);
        ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
        const size_t size = (circuit->n_leaf + circuit->n_weights) * sizeof(float);
        float *before = malloc(size);
        double *sum = calloc(owi_sum_layout_of(circuit).n, sizeof *sum);
        assert_true(before != NULL && sum != NULL);
        memcpy(before, circuit->block, size);
        const owi_prior prior = {.least_variance = no_least};
        owi_maximise(ow_test_call(circuit->ctx, NULL), circuit, sum, true, &prior);
        assert_memory_equal(before, circuit->block, size);
        free(sum);
        free(before);
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
    }
}

/* One sum: its weights are the shares of their counts, each with half a row more. */
static void check_sum(size_t n, const double *count, const float *log_weight)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) total += count[i] + 0.5;
    for (size_t i = 0; i < n; i++) {
        const double got = exp((double)log_weight[i]), want = (count[i] + 0.5) / total;
        assert_close(&got, &want, 1, 1e-6);
    }
}

static void check_weights(ow_circuit *circuit)
{
    const owi_sum_layout at = owi_sum_layout_of(circuit);
    const owi_prior prior = {.pseudo_count = 0.5, .least_variance = no_least};
    size_t n_seen = 0;
    double *sum = calloc(at.n, sizeof *sum);
    assert_non_null(sum);
    for (size_t i = 0; i < circuit->n_weights; i++)
        sum[at.weight + i] = (double)(1 + i % 7);
    owi_maximise(ow_test_call(circuit->ctx, NULL), circuit, sum, false, &prior);
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++)
        for (size_t i = 0; i < owi_circuit_n_runs(circuit); i++) {
            const owi_weight_run run = owi_circuit_weight_run(circuit, copy, i);
            for (size_t k = 0; k < run.n_sums; k++) {
                const size_t first = run.first + k * run.block;
                check_sum(run.block, sum + at.weight + first, circuit->log_weight + first);
            }
            n_seen += run.n_sums * run.block;
        }
    assert_int_equal(n_seen, circuit->n_weights);
    free(sum);
}

static void weights_are_the_shares_of_their_counts(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.0, 27);
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (size_t shared = 0; shared < 2; shared++) {
            const ow_circuit_spec spec =
                ow_tiny_spec(shared == 1 ? OW_STRUCTURE_SHARED : OW_STRUCTURE_PER_CLASS,
                             depth, C);
            ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
            check_weights(circuit);
            ow_circuit_free(circuit);
        }
    ow_tiny_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(one_component_gets_the_figures_of_its_class),
        ow_test_on_heap(prior_rows_count_like_rows_of_the_whole_table),
        ow_test_on_heap(a_strong_pull_leads_to_the_other_circuit),
        ow_test_on_heap(no_variance_falls_below_the_least),
        ow_test_on_heap(what_nothing_has_flowed_through_stays),
        ow_test_on_heap(weights_are_the_shares_of_their_counts),
    };
    return cmocka_run_group_tests_name("circuit/m_step", tests, NULL, NULL);
}
