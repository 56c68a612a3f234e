/* SPDX-License-Identifier: MIT */
/* All pairs of changes at once give what evaluating every row with both changes gives. */
#include "support/changes_fixture.h"
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "backend/backend.h"
#include "base/numeric/rng.h"
#include "circuit/query/query_changes.h"
#include "circuit/structure/circuit.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_values = ow_n_change_values, most_classes = 3 };

static size_t column_of(size_t candidate)
{
    size_t j = 0;
    while (ow_change_start[j + 1] <= candidate) j++;
    return j;
}

/* ---- What is reported ---- */

/* (rows, candidates, candidates, classes), NaN where nothing was reported.  Threads write
 * to different rows. */
typedef struct {
    size_t n_rows, C;
    double *log_changed;
    size_t *n_lists; /* (rows) */
} reported;

static double *place(const reported *r, size_t row, size_t a, size_t b)
{
    return r->log_changed + ((row * n_values + a) * n_values + b) * r->C;
}

static bool collect(void *user, const ow_pair_list *pairs)
{
    reported *r = user;
    assert_true(pairs->row < r->n_rows && pairs->n_pairs > 0);
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        assert_true(column_of(pairs->second[i]) > column_of(pairs->first));
        assert_true(i == 0 || pairs->second[i] > pairs->second[i - 1]);
        double *to = place(r, pairs->row, pairs->first, pairs->second[i]);
        assert_true(isnan(to[0])); /* never twice */
        memcpy(to, pairs->log_changed + i * r->C, r->C * sizeof *to);
    }
    r->n_lists[pairs->row]++;
    return true;
}

static reported all_pairs(const ow_changes_fixture *f, size_t n_rows, const float *rows,
                          const ow_pair_filter *filter)
{
    reported r = {.n_rows = n_rows, .C = f->circuit->spec.n_classes};
    const size_t n = n_rows * n_values * n_values * r.C;
    r.log_changed = malloc(n * sizeof *r.log_changed);
    r.n_lists = calloc(n_rows, sizeof *r.n_lists);
    assert_true(r.log_changed != NULL && r.n_lists != NULL);
    for (size_t i = 0; i < n; i++) r.log_changed[i] = NAN;
    assert_ok(ow_changes_pairs(f->changes, n_rows, rows, filter, &how, collect, &r));
    return r;
}

static void free_reported(reported *r)
{
    free(r->log_changed);
    free(r->n_lists);
}

/* Every pair of every row by itself, in the plain backend. */
static void check_rows(const ow_changes_fixture *f, size_t n_rows, const float *rows,
                       double tolerance)
{
    const size_t d = f->circuit->spec.n_columns, C = f->circuit->spec.n_classes;
    const float guard = f->changes->least_pair_sum;
    for (int exact = 0; exact < 2; exact++) {
        f->changes->least_pair_sum = exact ? INFINITY : guard;
        reported r = all_pairs(f, n_rows, rows, NULL);
        for (size_t row = 0; row < n_rows; row++)
            for (size_t a = 0; a < n_values; a++)
                for (size_t b = 0; b < n_values; b++) {
                    const double *got = place(&r, row, a, b);
                    double want[most_classes];
                    float changed[ow_tiny_columns];
                    if (column_of(b) <= column_of(a)) {
                        assert_true(isnan(got[0]));
                        continue;
                    }
                    memcpy(changed, rows + row * d, d * sizeof *rows);
                    changed[column_of(a)] = ow_change_values[a];
                    changed[column_of(b)] = ow_change_values[b];
                    assert_ok(ow_evaluator_evaluate(f->oracle, 1, changed, &how, want));
                    assert_close(got, want, C, tolerance);
                }
        free_reported(&r);
    }
    f->changes->least_pair_sum = guard;
}

static void check_some(ow_changes_fixture *f, const float *rows)
{
    check_rows(f, 6, rows, 1e-5);
}

static void every_pair_is_what_evaluating_the_changed_row_gives(void **state)
{
    (void)state;
    ow_changes_every_circuit(check_some);
}

/* Locked columns are left out of what a row is made of; the pairs of the others stay what
 * they are. */
static void check_locked(ow_changes_fixture *f, const float *rows)
{
    enum { n_rows = 3 };
    static const unsigned open_columns[] = {0x56, 0x28, 0x10, 0x00}; /* bits */
    const size_t C = f->circuit->spec.n_classes;
    for (size_t i = 0; i < sizeof open_columns / sizeof *open_columns; i++) {
        bool allowed[n_rows * n_values];
        for (size_t k = 0; k < n_rows * n_values; k++)
            allowed[k] = (open_columns[i] >> column_of(k % n_values) & 1) != 0;
        const ow_pair_filter filter = {.size = sizeof filter,
                                       .least_margin = -INFINITY,
                                       .allowed = allowed};
        reported all = all_pairs(f, n_rows, rows, NULL);
        reported some = all_pairs(f, n_rows, rows, &filter);
        for (size_t row = 0; row < n_rows; row++)
            for (size_t a = 0; a < n_values; a++)
                for (size_t b = 0; b < n_values; b++) {
                    const double *want = place(&all, row, a, b);
                    const double *got = place(&some, row, a, b);
                    const bool is_there = allowed[a] && allowed[b] && want[0] > -INFINITY;
                    assert_int_equal(is_there, !isnan(got[0]));
                    if (is_there) assert_close(got, want, C, 1e-5);
                }
        free_reported(&all);
        free_reported(&some);
    }
}

static void locked_columns_change_nothing_about_the_others(void **state)
{
    (void)state;
    ow_changes_every_circuit(check_locked);
    ow_changes_sheets(check_locked);
}

static void numbers_that_follow_from_others_too(void **state)
{
    (void)state;
    ow_changes_sheets(check_some);
}

static void fixed_variances_too(void **state)
{
    (void)state;
    ow_changes_fixed_variances(check_some);
}

/* Rows that no component has seen the like of, and weights that are almost nothing: here
 * flows underflow, and linear sums too. */
static void tails_hold(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (int tiny_weights = 0; tiny_weights < 2; tiny_weights++) {
            ow_changes_fixture f = {0};
            assert_ok(ow_context_new(NULL, &f.ctx));
            ow_tiny_rows rows = ow_tiny_rows_new(24, 2, 0.0, 8);
            const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, 2);
            f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
            owi_rng rng;
            owi_rng_init(&rng, 1, 1);
            for (size_t i = 0; i < f.circuit->n_weights && tiny_weights; i++) {
                const size_t draw = owi_rng_below(&rng, 4);
                if (draw == 0) f.circuit->log_weight[i] = -INFINITY;
                if (draw > 1) f.circuit->log_weight[i] = -460.5f; /* 1e-200 */
            }
            owi_circuit_prepare(NULL, f.circuit);
            for (size_t i = 0; i < 24; i++) {
                float *row = rows.rows + i * ow_tiny_columns;
                row[0] = i % 3 == 0 ? 50.0f : i % 3 == 1 ? -3e3f : row[0];
                row[1] = i % 5 == 0 ? -70.0f : row[1];
                row[4] = i % 4 == 0 ? 1e4f : row[4];
                row[5] = i % 7 == 0 ? 55.0f : row[5];
            }
            ow_changes_set_up(&f, NULL);
            check_rows(&f, 12, rows.rows, 1e-5);
            ow_changes_tear_down(&f);
            ow_tiny_rows_free(&rows);
        }
}

/* Both values of a row are far out, and both are changed: log S(x) is -1e10, that of the
 * changed rows is not. */
static void leaving_two_tails_loses_nothing(void **state)
{
    (void)state;
    ow_changes_fixture f = {0};
    assert_ok(ow_context_new(NULL, &f.ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 8);
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, 2);
        f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
        ow_changes_set_up(&f, NULL);
        float row[ow_tiny_columns];
        memcpy(row, rows.rows, sizeof row);
        reported near = all_pairs(&f, 1, row, NULL);
        row[0] = 1e5f;
        row[1] = -1e5f;
        reported far = all_pairs(&f, 1, row, NULL);
        for (size_t a = ow_change_start[0]; a < ow_change_start[1]; a++)
            for (size_t b = ow_change_start[1]; b < ow_change_start[2]; b++)
                assert_close(place(&far, 0, a, b), place(&near, 0, a, b), 2, 1e-6);
        free_reported(&near);
        free_reported(&far);
        ow_changes_free(f.changes);
        ow_evaluator_free(f.oracle);
        ow_evaluator_free(f.evaluator);
        ow_circuit_free(f.circuit);
    }
    ow_context_free(f.ctx);
    ow_tiny_rows_free(&rows);
}

/* Deeper than the seven columns allow: twelve, with random parameters, straight from the
 * definition. */
enum { n_deep = 12, n_tried = 3 };

typedef struct {
    const ow_circuit *circuit;
    const float *row, *tried;
    size_t n;
} deep_check;

static bool check_deep(void *user, const ow_pair_list *pairs)
{
    deep_check *check = user;
    for (size_t i = 0; i < pairs->n_pairs; i++, check->n++) {
        if (check->n % 5 != 0) continue; /* the definition is slow */
        float changed[n_deep];
        memcpy(changed, check->row, sizeof changed);
        changed[pairs->first / n_tried] = check->tried[pairs->first];
        changed[pairs->second[i] / n_tried] = check->tried[pairs->second[i]];
        for (size_t c = 0; c < 2; c++) {
            const double want = ow_brute_log_class(check->circuit, c, changed);
            assert_close(&pairs->log_changed[i * 2 + c], &want, 1, 1e-6);
        }
    }
    return true;
}

static void deep_circuits_too(void **state)
{
    (void)state;
    static const float some[n_tried] = {0.0f, 1.0f, NAN};
    static const float row[n_deep] = {0.3f, NAN,   2.0f, 1.0f, 0.4f, 3.0f,
                                      1.0f, -9.0f, 0.2f, 1.0f, 0.0f, 1.0f};
    ow_leaf leaves[n_deep];
    size_t from[n_deep + 1];
    float tried[n_tried * n_deep];
    for (size_t j = 0; j < n_deep; j++) {
        leaves[j] = ow_tiny_leaves[j % ow_tiny_columns];
        leaves[j].group = j;
        from[j] = n_tried * j;
        memcpy(tried + n_tried * j, some, sizeof some);
    }
    from[n_deep] = n_tried * n_deep;
    for (size_t depth = 1; depth <= 3; depth++)
        for (int shared = 0; shared < 2; shared++) {
            ow_changes_fixture f = {0};
            assert_ok(ow_context_new(NULL, &f.ctx));
            ow_circuit_spec spec =
                ow_tiny_spec(shared ? OW_STRUCTURE_SHARED : OW_STRUCTURE_PER_CLASS, depth,
                             2);
            spec.leaves = leaves;
            spec.n_columns = n_deep;
            spec.sums = 3;
            spec.repetitions = 2;
            f.circuit = ow_random_circuit(f.ctx, &spec, 4 + depth);
            assert_int_equal(ow_circuit_get_spec(f.circuit)->depth, depth);
            assert_ok(ow_evaluator_new(f.circuit, NULL, &f.evaluator));
            assert_ok(
                ow_changes_new(f.evaluator, &(ow_candidates){from, tried}, &f.changes));
            deep_check check = {f.circuit, row, tried, 0};
            assert_ok(ow_changes_pairs(f.changes, 1, row, NULL, NULL, check_deep, &check));
            assert_int_equal(check.n, n_tried * n_tried * n_deep * (n_deep - 1) / 2);
            ow_changes_tear_down(&f);
        }
}

/* ---- Which pairs are reported ---- */

/* Those of all pairs that pass, and no others; margins and densities in the middle of what
 * there is, so that both fail and pass. */
static void a_filter_reports_what_passes_it(void **state)
{
    (void)state;
    enum { n_rows = 12 };
    for (int far = 0; far < 2; far++) {
        ow_changes_fixture f = {0};
        assert_ok(ow_context_new(NULL, &f.ctx));
        ow_tiny_rows rows = ow_tiny_rows_new(40, 3, 0.1, 21);
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 3);
        f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
        assert_ok(ow_circuit_set_prior(f.circuit, (const double[]){0.2, 0.5, 0.3}));
        ow_changes_set_up(&f, NULL);
        for (size_t i = 0; i < n_rows && far; i++) /* logarithms beyond what is compared */
            rows.rows[i * ow_tiny_columns + i % 2] = 300.0f;
        reported all = all_pairs(&f, n_rows, rows.rows, NULL);
        double least_log[n_rows];
        bool allowed[n_rows * n_values];
        for (size_t i = 0; i < n_rows; i++) least_log[i] = place(&all, i, 1, 6)[1] - 1.0;
        for (size_t i = 0; i < n_rows * n_values; i++) allowed[i] = i % 5 != 2;
        const ow_pair_filter filter = {.size = sizeof filter,
                                       .target = 1,
                                       .least_margin = 0.3,
                                       .least_log_class = least_log,
                                       .allowed = allowed};
        reported some = all_pairs(&f, n_rows, rows.rows, &filter);
        const double *log_prior = ow_circuit_log_prior(f.circuit);
        size_t n_passed = 0, n_failed = 0;
        for (size_t row = 0; row < n_rows; row++)
            for (size_t a = 0; a < n_values; a++)
                for (size_t b = 0; b < n_values; b++) {
                    const double *want = place(&all, row, a, b);
                    if (isnan(want[0])) continue;
                    const double others =
                        fmax(want[0] + log_prior[0], want[2] + log_prior[2]);
                    const double margin = want[1] + log_prior[1] - others;
                    const double *got = place(&some, row, a, b);
                    if (fabs(margin - 0.3) < 1e-4 || fabs(want[1] - least_log[row]) < 1e-4)
                        continue; /* rounding decides */
                    const bool passes = margin > 0.3 && want[1] > least_log[row] &&
                                        allowed[row * n_values + a] &&
                                        allowed[row * n_values + b];
                    assert_int_equal(passes, !isnan(got[0]));
                    if (passes) assert_close(got, want, 3, 1e-6);
                    n_passed += passes;
                    n_failed += !passes;
                }
        assert_true(n_passed > 20 && n_failed > 20);
        free_reported(&all);
        free_reported(&some);
        ow_changes_tear_down(&f);
        ow_tiny_rows_free(&rows);
    }
}

/* ---- The cheapest ---- */

typedef struct {
    double price, last[3];
    size_t n;
} cheapest;

static const double *prices;

static bool take_cheapest(void *user, const ow_pair_list *pairs)
{
    cheapest *best = (cheapest *)user + pairs->row;
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        const double *price = prices + pairs->row * n_values;
        const double sum = price[pairs->first] + price[pairs->second[i]];
        assert_true(best->n == 0 || sum < best->price); /* ever cheaper */
        best->price = sum;
        memcpy(best->last, pairs->log_changed + 3 * i, sizeof best->last);
        best->n++;
    }
    return true;
}

/* With prices the last pair that is reported is the cheapest of those that pass. */
static void with_prices_the_last_pair_is_the_cheapest(void **state)
{
    (void)state;
    enum { n_rows = 12 };
    ow_changes_fixture f = {0};
    assert_ok(ow_context_new(NULL, &f.ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(40, 3, 0.1, 21);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 3);
    f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
    ow_changes_set_up(&f, NULL);
    double price[n_rows * n_values];
    owi_rng rng;
    owi_rng_init(&rng, 2, 2);
    for (size_t i = 0; i < n_rows * n_values; i++) price[i] = owi_rng_uniform(&rng);
    prices = price;
    ow_pair_filter filter = {.size = sizeof filter, .target = 2, .least_margin = 0.5};
    reported all = all_pairs(&f, n_rows, rows.rows, &filter);
    cheapest best[n_rows] = {{0}};
    filter.price = price;
    assert_ok(
        ow_changes_pairs(f.changes, n_rows, rows.rows, &filter, &how, take_cheapest, best));
    size_t n_found = 0;
    for (size_t row = 0; row < n_rows; row++) {
        double least = INFINITY;
        for (size_t a = 0; a < n_values; a++)
            for (size_t b = 0; b < n_values; b++)
                if (!isnan(place(&all, row, a, b)[0]))
                    least =
                        fmin(least, price[row * n_values + a] + price[row * n_values + b]);
        assert_int_equal(best[row].n > 0, least < INFINITY);
        if (best[row].n == 0) continue;
        assert_true(best[row].price == least);
        assert_true(best[row].last[2] > -INFINITY);
        n_found++;
    }
    assert_true(n_found > 3);
    free_reported(&all);
    ow_changes_tear_down(&f);
    ow_tiny_rows_free(&rows);
}

static bool stop_after_three(void *user, const ow_pair_list *pairs)
{
    size_t *n = user;
    return ++n[pairs->row] < 3;
}

static void a_row_ends_where_the_caller_says(void **state)
{
    (void)state;
    ow_changes_fixture f = {0};
    assert_ok(ow_context_new(NULL, &f.ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 8);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
    f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
    ow_changes_set_up(&f, NULL);
    size_t n[5] = {0};
    assert_ok(ow_changes_pairs(f.changes, 5, rows.rows, NULL, NULL, stop_after_three, n));
    for (size_t i = 0; i < 5; i++) assert_int_equal(n[i], 3);
    ow_changes_tear_down(&f);
    ow_tiny_rows_free(&rows);
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { n_rows = 30 };
    reported got[3];
    for (size_t i = 0; i < 3; i++) {
        ow_changes_fixture f = {0};
        assert_ok(ow_context_new(NULL, &f.ctx));
        how.threads = (const size_t[]){1, 2, 5}[i];
        ow_tiny_rows rows = ow_tiny_rows_new(n_rows, 2, 0.1, 3);
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 2);
        f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
        ow_changes_set_up(&f, NULL);
        got[i] = all_pairs(&f, n_rows, rows.rows, NULL);
        ow_changes_tear_down(&f);
        ow_tiny_rows_free(&rows);
    }
    const size_t size = n_rows * n_values * n_values * 2 * sizeof(double);
    assert_memory_equal(got[1].log_changed, got[0].log_changed, size);
    assert_memory_equal(got[2].log_changed, got[0].log_changed, size);
    for (size_t i = 0; i < 3; i++) free_reported(&got[i]);
}

static void bad_rows_and_filters_are_named(void **state)
{
    (void)state;
    ow_changes_fixture f = {0};
    assert_ok(ow_context_new(NULL, &f.ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 8);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
    f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
    ow_changes_set_up(&f, NULL);
    size_t n[2] = {0};
    ow_pair_filter filter = {.size = sizeof filter, .target = 2};
    assert_fails(ow_changes_pairs(f.changes, 1, rows.rows, &filter, NULL, stop_after_three,
                                  n),
                 OW_ERR_ARGUMENT, "class 2, expected 0 to 1");
    filter.size = 0;
    assert_status(ow_changes_pairs(f.changes, 1, rows.rows, &filter, NULL, stop_after_three,
                                   n),
                  OW_ERR_ARGUMENT);
    assert_status(ow_changes_pairs(f.changes, 1, NULL, NULL, NULL, stop_after_three, n),
                  OW_ERR_ARGUMENT);
    assert_status(ow_changes_pairs(f.changes, 1, rows.rows, NULL, NULL, NULL, n),
                  OW_ERR_ARGUMENT);
    rows.rows[ow_tiny_columns + 3] = 7.0f;
    assert_fails(ow_changes_pairs(f.changes, 2, rows.rows, NULL, NULL, stop_after_three, n),
                 OW_ERR_NUMERIC, "row 2, column 3: expected a level from 0 to 1, got 7");
    assert_ok(ow_changes_pairs(f.changes, 0, NULL, NULL, NULL, stop_after_three, n));
    assert_int_equal(n[0] + n[1], 0);
    ow_changes_tear_down(&f);
    ow_tiny_rows_free(&rows);
}

static ow_status make_and_use(ow_context *ctx, void *user)
{
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 2);
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    ow_changes *changes = NULL;
    size_t n[1] = {0};
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_evaluator_new(circuit, NULL, &evaluator);
    if (status == OW_OK)
        status = ow_changes_new(evaluator, &ow_change_candidates, &changes);
    if (status == OW_OK)
        status = ow_changes_pairs(changes, 1, user, NULL, NULL, stop_after_three, n);
    ow_changes_free(changes);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    float row[ow_tiny_columns] = {0};
    ow_test_sweep(make_and_use, row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locked_columns_change_nothing_about_the_others),
        cmocka_unit_test(numbers_that_follow_from_others_too),
        cmocka_unit_test(every_pair_is_what_evaluating_the_changed_row_gives),
        cmocka_unit_test(fixed_variances_too),
        cmocka_unit_test(tails_hold),
        cmocka_unit_test(leaving_two_tails_loses_nothing),
        cmocka_unit_test(deep_circuits_too),
        cmocka_unit_test(a_filter_reports_what_passes_it),
        cmocka_unit_test(with_prices_the_last_pair_is_the_cheapest),
        cmocka_unit_test(a_row_ends_where_the_caller_says),
        cmocka_unit_test(the_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(bad_rows_and_filters_are_named),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/query_pairs", tests, NULL, NULL);
}
