/* SPDX-License-Identifier: MIT */
/* Numbers that follow from numbers: densities against the formula, integrals, gradients
 * against differences, samples and completions on the sheet, and what is no sheet. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/sheets.h"

enum { d = ow_tiny_columns, C = 2, n_rows = 24, n_all = 600 };

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    ow_tiny_rows rows;
} fixture;

static void init(fixture *f, size_t depth, double missing)
{
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, C);
    spec.leaves = ow_tiny_followers;
    spec.n_sheets = ow_n_tiny_sheets;
    spec.sheets = ow_tiny_sheets;
    *f = (fixture){.rows = ow_tiny_rows_new(n_all, C, missing, 6)};
    assert_ok(ow_context_new(NULL, &f->ctx));
    f->circuit = ow_tiny_circuit(f->ctx, &spec, &f->rows);
    assert_ok(ow_evaluator_new(f->circuit, NULL, &f->evaluator));
}

static void clear(fixture *f)
{
    ow_evaluator_free(f->evaluator);
    ow_circuit_free(f->circuit);
    ow_context_free(f->ctx);
    ow_tiny_rows_free(&f->rows);
}

/* log of Student's density. */
static double log_student(double z, double freedom)
{
    return lgamma((freedom + 1) / 2) - lgamma(freedom / 2) -
           log(freedom * 3.14159265358979) / 2 -
           (freedom + 1) / 2 * log(1 + z * z / freedom);
}

/* log y of the units of the second sheet, continued below least. */
static double log_unit(double y, double least)
{
    return y >= least ? log(y) : log(least) + (y - least) / least;
}

static double warp(double w)
{
    return w > 0 ? exp(w) - 1 : w;
}

/* The two sheets of ow_tiny_sheets, written out. */
static double by_hand(const float *row)
{
    static const double level[] = {0.5, -0.25, 0.125};
    double sum = 0.0;
    if (!isnan(row[1]) && !isnan(row[0]) && !isnan(row[2])) {
        const double r = 0.5 + 2.0 * row[1] - 0.3 - 0.75 * (1.5 * row[0] - 0.25) +
                         1.5 * level[(size_t)row[2]];
        sum += log_student(r / 0.6, 3) - log(0.6) + log(2.0);
    }
    if (!isnan(row[5]) && !isnan(row[1]) && !isnan(row[4])) {
        const double w = 0.4 + 0.5 * row[5], y = warp(w);
        const double r = log_unit(y, 0.5) - 0.1 -
                         0.5 * log_unit(warp(0.5 + 0.3 * row[1]), 0.25) +
                         0.2 * log_unit(1.0 + 2.0 * row[4], 1.5);
        const double slope = 0.5 * (w > 0 ? exp(w) : 1.0) / fmax(y, 0.5);
        sum += log_student(r / 0.4, 8) - log(0.4) + log(slope) - 0.7;
    }
    return sum;
}

/* log S is that of the row without the numbers that follow, and the sheets' own. */
static void densities_are_products_with_the_sheets(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        fixture f;
        double got[n_rows * C], without[n_rows * C];
        float cut[n_rows * d];
        init(&f, depth, 0.15);
        memcpy(cut, f.rows.rows, sizeof cut);
        for (size_t i = 0; i < n_rows; i++) cut[i * d + 1] = cut[i * d + 5] = NAN;
        assert_ok(ow_evaluator_evaluate(f.evaluator, n_rows, f.rows.rows, NULL, got));
        assert_ok(ow_evaluator_evaluate(f.evaluator, n_rows, cut, NULL, without));
        for (size_t i = 0; i < n_rows * C; i++)
            without[i] += by_hand(f.rows.rows + i / C * d);
        assert_close(got, without, n_rows * C, 1e-5);
        clear(&f);
    }
}

/* Over the number that follows, everything else given, also where logarithms end. */
static void densities_integrate_to_one(void **state)
{
    (void)state;
    static const size_t columns[] = {1, 5};
    fixture f;
    init(&f, ow_tree_depth, 0.0);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 4; i++) {
            const uint64_t own = (uint64_t)1 << k;
            double sum = 0.0;
            for (double t = -9.0; t < 9.0; t += 0.002) { /* x = sinh t */
                float row[d];
                memcpy(row, f.rows.rows + i * d, sizeof row);
                row[columns[k]] = (float)sinh(t);
                sum += 0.002 * cosh(t) *
                       exp(owi_sheets_log(f.circuit, own, false, row) -
                           f.circuit->leaves[columns[k]].log_cell);
            }
            assert_true(fabs(sum - 1.0) < 2e-3);
        }
    clear(&f);
}

/* Central differences of log S, in rows and in soft rows. */
static void gradients_are_those_of_differences(void **state)
{
    (void)state;
    fixture f;
    init(&f, ow_tree_depth, 0.1);
    const size_t width = ow_circuit_soft_width(f.circuit);
    float soft[n_rows * 16], gradient[n_rows * 16];
    assert_true(width <= 16);
    ow_circuit_soften(f.circuit, n_rows, f.rows.rows, soft);
    const ow_mix mix = {NULL, 1.0};
    assert_ok(ow_evaluator_differentiate_soft(f.evaluator, n_rows, soft, 1, &mix, NULL,
                                              NULL, gradient));
    for (size_t e = 0; e < width; e++)
        for (size_t i = 0; i < n_rows; i++) {
            double log_class[2][C], log_density[2];
            const float step = 1e-3f, x = soft[i * width + e];
            if (isnan(x)) {
                assert_true(gradient[i * width + e] == 0.0f);
                continue;
            }
            /* At a point mass the density jumps. */
            if (f.circuit->soft_column[e] == 4 && (x == 0.0f || x == 1.0f)) continue;
            for (int s = 0; s < 2; s++) {
                soft[i * width + e] = s ? x + step : x - step;
                assert_ok(ow_evaluator_evaluate_soft(f.evaluator, 1, soft + i * width, NULL,
                                                     log_class[s]));
                ow_circuit_posterior(f.circuit, 1, log_class[s], &log_density[s], NULL);
            }
            soft[i * width + e] = x;
            const double want = (log_density[1] - log_density[0]) / (2.0 * (double)step);
            assert_true(fabs(want - (double)gradient[i * width + e]) <
                        1e-2 * (1.0 + fabs(want)));
        }
    clear(&f);
}

/* One number with a leaf, and four that follow from it: fewer features than entries of a
 * soft row. */
static void most_columns_may_follow(void **state)
{
    (void)state;
    enum { width = 5 };
    ow_leaf leaves[width] = {{.kind = OW_LEAF_GAUSSIAN}};
    ow_sheet_term terms[width][2];
    ow_sheet sheets[width];
    float soft[width], gradient[width];
    for (size_t j = 1; j < width; j++) {
        leaves[j] = (ow_leaf){.kind = OW_LEAF_FOLLOWS, .group = j};
        terms[j][0] = (ow_sheet_term){.column = j, .factor = 1.0, .scale = 1.0};
        terms[j][1] = (ow_sheet_term){.column = 0, .factor = (double)j, .scale = 1.0};
        sheets[j] =
            (ow_sheet){.n_terms = 2, .terms = terms[j], .spread = 0.5, .freedom = 4};
    }
    const ow_circuit_spec spec = {.size = sizeof spec,
                                  .structure = OW_STRUCTURE_SHARED,
                                  .repetitions = 1,
                                  .inputs = 1,
                                  .n_classes = 1,
                                  .n_columns = width,
                                  .leaves = leaves,
                                  .n_sheets = width - 1,
                                  .sheets = sheets + 1};
    static const float row[width] = {0.5f, 0.75f, 0.25f, 1.5f, 2.5f};
    ow_context *ctx = NULL;
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    assert_ok(ow_circuit_new(ctx, &spec, &circuit));
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    double got, want = -0.5 * log(2.0 * 3.14159265358979) - 0.125;
    double slope = -0.5;
    for (size_t j = 1; j < width; j++) {
        const double r = 2.0 * (double)(row[j] - (float)j * row[0]);
        want += log_student(r, 4) + log(2.0);
        slope += 5.0 * r / (4.0 + r * r) * 2.0 * (double)j;
    }
    assert_ok(ow_evaluator_evaluate(evaluator, 1, row, NULL, &got));
    assert_close(&got, &want, 1, 1e-5);
    assert_int_equal(ow_circuit_soft_width(circuit), width);
    ow_circuit_soften(circuit, 1, row, soft);
    const ow_mix mix = {NULL, 1.0};
    assert_ok(
        ow_evaluator_differentiate_soft(evaluator, 1, soft, 1, &mix, NULL, NULL, gradient));
    assert_true(fabs((double)gradient[0] - slope) < 1e-4);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static double deviation(const float *row)
{
    static const double level[] = {0.5, -0.25, 0.125};
    return (0.5 + 2.0 * row[1] - 0.3 - 0.75 * (1.5 * row[0] - 0.25) +
            1.5 * level[(size_t)row[2]]) /
           0.6;
}

/* Of Student's t with 3 degrees of freedom 50 % lie within 0.7649, 95 % within 3.182. */
static void samples_lie_on_the_sheet(void **state)
{
    (void)state;
    fixture f;
    init(&f, ow_tree_depth, 0.0);
    float *drawn = malloc(n_all * d * sizeof *drawn);
    assert_non_null(drawn);
    for (int given = 0; given < 2; given++) {
        double within[2] = {0};
        for (size_t i = 0; i < n_all * d; i++) drawn[i] = NAN;
        for (size_t i = 0; i < n_all && given; i++) drawn[i * d + 1] = 0.3f;
        assert_ok(ow_evaluator_sample(f.evaluator, n_all, NULL, drawn, NULL));
        for (size_t i = 0; i < n_all; i++) {
            const double z = fabs(deviation(drawn + i * d));
            within[0] += z < 0.7649;
            within[1] += z < 3.182;
            assert_true(!given || drawn[i * d + 1] == 0.3f);
        }
        assert_true(within[0] > 0.44 * n_all && within[0] < 0.56 * n_all);
        assert_true(within[1] > 0.92 * n_all && within[1] < 0.98 * n_all);
    }
    free(drawn);
    clear(&f);
}

static void completions_lie_on_the_sheet(void **state)
{
    (void)state;
    fixture f;
    init(&f, ow_tree_depth, 0.0);
    float rows[n_rows * d];
    bool exact[n_rows];
    memcpy(rows, f.rows.rows, sizeof rows);
    for (size_t i = 0; i < n_rows; i++) rows[i * d + i % 2] = NAN; /* 0 or 1 */
    assert_ok(ow_evaluator_complete(f.evaluator, n_rows, NULL, rows, NULL, exact));
    for (size_t i = 0; i < n_rows; i++) {
        assert_true(fabs(deviation(rows + i * d)) < 1e-4);
        assert_true(rows[i * d + (i + 1) % 2] == f.rows.rows[i * d + (i + 1) % 2]);
        assert_false(exact[i]);
    }
    clear(&f);
}

static void learning_climbs(void **state)
{
    (void)state;
    fixture f;
    init(&f, ow_tree_depth, 0.1);
    const ow_row_source source = ow_row_source_of_array(&f.rows.array);
    double before = -INFINITY;
    for (size_t pass = 0; pass < 6; pass++) {
        double log_class[n_all * C], sum = 0.0;
        ow_learn_options options = ow_test_learn_defaults();
        options.passes = 1;
        assert_ok(ow_circuit_learn(f.circuit, &options, &source, NULL, NULL, NULL));
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_evaluator_new(f.circuit, NULL, &evaluator));
        assert_ok(ow_evaluator_evaluate(evaluator, n_all, f.rows.rows, NULL, log_class));
        for (size_t i = 0; i < n_all; i++)
            sum += log_class[i * C + (size_t)f.rows.classes[i]];
        assert_true(sum > before - 0.5);
        before = sum;
        ow_evaluator_free(evaluator);
    }
    clear(&f);
}

static void what_is_no_sheet_is_refused(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_circuit *circuit = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 0, C);
    ow_sheet sheets[2];
    ow_sheet_term terms[3];
    spec.leaves = ow_tiny_followers;
    spec.sheets = sheets;
    assert_fails(ow_circuit_new(ctx, &spec, &circuit), OW_ERR_ARGUMENT,
                 "2 columns follow from others by 0 sheets");
    spec.n_sheets = 2;
    memcpy(sheets, ow_tiny_sheets, sizeof sheets);
    sheets[0] = ow_tiny_sheets[1];
    sheets[1] = ow_tiny_sheets[0];
    assert_fails(ow_circuit_new(ctx, &spec, &circuit), OW_ERR_ARGUMENT, "later one");
    memcpy(sheets, ow_tiny_sheets, sizeof sheets);
    sheets[0].spread = 0.0;
    assert_fails(ow_circuit_new(ctx, &spec, &circuit), OW_ERR_NUMERIC, "spread 0");
    memcpy(sheets, ow_tiny_sheets, sizeof sheets);
    memcpy(terms, ow_tiny_sheets[0].terms, sizeof terms);
    sheets[0].terms = terms;
    terms[1].scale = -1.0;
    assert_fails(ow_circuit_new(ctx, &spec, &circuit), OW_ERR_NUMERIC, "units of column 0");
    terms[1] = ow_tiny_sheets[0].terms[1];
    terms[2].levels = NULL;
    assert_fails(ow_circuit_new(ctx, &spec, &circuit), OW_ERR_ARGUMENT, "column 2");
    terms[2] = ow_tiny_sheets[0].terms[2];
    terms[0].column = 0;
    assert_fails(ow_circuit_new(ctx, &spec, &circuit), OW_ERR_ARGUMENT, "leaf of its own");
    memcpy(sheets, ow_tiny_sheets, sizeof sheets);
    assert_ok(ow_circuit_new(ctx, &spec, &circuit));
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static ow_status make(ow_context *ctx, void *user)
{
    ow_circuit *circuit = NULL;
    const ow_status status = ow_circuit_new(ctx, user, &circuit);
    ow_circuit_free(circuit);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, ow_tree_depth, C);
    spec.leaves = ow_tiny_followers;
    spec.n_sheets = ow_n_tiny_sheets;
    spec.sheets = ow_tiny_sheets;
    ow_test_sweep(make, &spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_are_products_with_the_sheets),
        cmocka_unit_test(densities_integrate_to_one),
        cmocka_unit_test(gradients_are_those_of_differences),
        cmocka_unit_test(most_columns_may_follow),
        cmocka_unit_test(samples_lie_on_the_sheet),
        cmocka_unit_test(completions_lie_on_the_sheet),
        cmocka_unit_test(learning_climbs),
        cmocka_unit_test(what_is_no_sheet_is_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
