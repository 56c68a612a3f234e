/* SPDX-License-Identifier: MIT */
/* Whole experiments: several methods on the rows of a small table. */
#include "support/made_answers.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_methods = 2 };
static const ow_contestant methods[n_methods] = {{.method = "two-step", .preset = "paper"},
                                                 {.method = "nearest"}};

/* All rows of the table to class yes, known rows the same. */
static ow_explain_options asked_options;

static ow_experiment ask(const ow_test_trained *trained)
{
    asked_options = ow_test_explain_defaults();
    asked_options.target = 1;
    ow_experiment experiment = ow_test_experiment_defaults();
    experiment.model = trained->model;
    experiment.methods = methods;
    experiment.n_methods = n_methods;
    experiment.options = &asked_options;
    experiment.n_queries = experiment.n_known = ow_table_n_rows(trained->table);
    experiment.queries = experiment.known = ow_table_row(trained->table, 0);
    experiment.known_classes = ow_table_classes(trained->table);
    return experiment;
}

/* ---- What comes out ---- */

/* A mean by hand, over the rows that have the figure. */
static double mean_of(const ow_evaluation *evaluation, size_t seed, size_t method,
                      size_t metric)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < ow_evaluation_get_info(evaluation)->n_rows; i++) {
        const double figure =
            ow_evaluation_row(evaluation, seed, method, i).figures[metric];
        if (isnan(figure)) continue;
        sum += figure;
        n++;
    }
    return n > 0 ? sum / (double)n : NAN;
}

static void every_metric_has_a_figure_and_figures_are_means_over_the_rows(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    asked_options.n_answers = 2;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    assert_int_equal(info.n_rows, 48);
    assert_int_equal(info.n_judge_rows, 48);
    assert_int_equal(info.n_neighbour_rows, 48);
    assert_true(info.n_already_target >= 12 && info.n_already_target <= 36);
    for (size_t m = 0; m < n_methods; m++)
        for (size_t k = 0; ow_metric_get(k) != NULL; k++) {
            const ow_figure figure = ow_evaluation_figure(evaluation, m, k);
            const double mean = mean_of(evaluation, 0, m, k);
            if (k != OWI_DIVERSITY && isnan(figure.mean))
                fail_msg("method %zu has no %s", m, ow_metric_get(k)->name);
            if (ow_metric_get(k)->base != OW_BASE_METHOD)
                assert_close(&figure.mean, &mean, 1, 1e-12);
        }
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

static void
rows_already_of_the_class_have_no_figures_and_the_nearest_row_is_always_valid(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    const ow_experiment experiment = ask(&made.trained);
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    for (size_t i = 0; i < 48; i++) {
        const ow_row_result row = ow_evaluation_row(evaluation, 0, 1, i);
        assert_int_equal(row.target, 1);
        assert_int_equal(row.kind,
                         row.predicted == 1 ? OW_OUTCOME_ALREADY_TARGET : OW_OUTCOME_FOUND);
        assert_int_equal(row.valid, row.predicted == 0);
        for (size_t k = 0; row.predicted == 1 && k < OWI_N_METRICS; k++)
            assert_true(isnan(row.figures[k]));
        if (row.predicted == 1) continue;
        assert_true(row.figures[OWI_VALIDITY_TARGET] == 1.0);
        assert_true(row.figures[OWI_ONEHOT_BALANCE] == 0.0); /* a real row */
        assert_true(row.figures[OWI_YNN] >= 0.2);            /* itself      */
    }
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

static void real_rows_are_those_of_the_class_with_their_own_densities(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_predictor *predictor = NULL;
    int32_t classes[48];
    double log_density[48], percentile[48];
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = classes,
                                   .log_density = log_density,
                                   .percentile = percentile};
    double sum = 0.0, n_plausible = 0.0, n = 0.0;
    ow_made_answers_begin(ow_test_context(state), &made);
    const ow_experiment experiment = ask(&made.trained);
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    assert_ok(ow_predictor_new(made.trained.model, NULL, &predictor));
    assert_ok(ow_predictor_predict(predictor, 48, experiment.queries, &how, &wanted));
    for (size_t i = 0; i < 48; i++) {
        if (classes[i] != 1) continue;
        sum += log_density[i];
        n_plausible += percentile[i] >= 25.0;
        n += 1.0;
    }
    const double got[2] = {ow_evaluation_real_rows(evaluation, OWI_LOG_DENSITY).mean,
                           ow_evaluation_real_rows(evaluation, OWI_PLAUSIBLE_25).mean};
    assert_close(got, ((double[]){sum / n, n_plausible / n}), 2, 1e-9);
    assert_true(ow_evaluation_real_rows(evaluation, OWI_YNN).mean > 0.5);
    assert_true(ow_evaluation_real_rows(evaluation, OWI_JUDGE_PLAUSIBLE_25).mean > 0.5);
    assert_true(isnan(ow_evaluation_real_rows(evaluation, OWI_L0).mean));
    ow_predictor_free(predictor);
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

/* Redundancy asks the classifier once for each changed column; everything else is the same
 * without it. */
static void redundancy_alone_can_be_left_out(void **state)
{
    ow_made_answers made;
    ow_evaluation *all = NULL, *without = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    assert_ok(ow_experiment_run(&experiment, &how, &all));
    experiment.skip_redundancy = true;
    assert_ok(ow_experiment_run(&experiment, &how, &without));
    for (size_t m = 0; m < n_methods; m++)
        for (size_t k = 0; k < OWI_N_METRICS; k++) {
            const ow_figure before = ow_evaluation_figure(all, m, k);
            const ow_figure after = ow_evaluation_figure(without, m, k);
            if (k == OWI_REDUNDANCY)
                assert_true(!isnan(before.mean) && isnan(after.mean));
            else if (k < OWI_TIME_MEAN && !isnan(before.mean))
                assert_true(before.mean == after.mean);
        }
    ow_evaluation_free(all);
    ow_evaluation_free(without);
    ow_made_answers_end(&made);
}

static void methods_are_named_with_their_presets_and_all_their_parameters(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    const ow_setting tries = {"tries", "7"};
    ow_contestant two[2] = {methods[0], methods[1]};
    ow_experiment experiment = ask(&made.trained);
    two[1].settings = &tries;
    two[1].n_settings = 1;
    experiment.methods = two;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    assert_string_equal(ow_evaluation_standing(evaluation, 0)->name, "two-step:paper");
    const ow_standing nearest = *ow_evaluation_standing(evaluation, 1);
    assert_string_equal(nearest.name, "nearest");
    bool found = false;
    for (size_t k = 0; k < nearest.n_settings; k++)
        found = found || (strcmp(nearest.settings[k].name, "tries") == 0 &&
                          strcmp(nearest.settings[k].value, "7") == 0);
    assert_true(found);
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

static void without_known_rows_the_metrics_that_need_them_are_missing(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    experiment.n_methods = 1;
    experiment.n_known = 0;
    experiment.noise = 0.0;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    for (size_t k = 0; ow_metric_get(k) != NULL; k++)
        if (ow_metric_get(k)->needs_known_rows || k == OWI_STABILITY)
            assert_true(isnan(ow_evaluation_figure(evaluation, 0, k).mean));
    assert_int_equal(ow_evaluation_get_info(evaluation)->n_judge_rows, 0);
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

static void known_rows_without_a_label_are_left_out_where_others_have_one(void **state)
{
    ow_made_answers made;
    ow_evaluation *some = NULL, *fewer = NULL, *none = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    int32_t classes[48], no_classes[48];
    for (size_t i = 0; i < 48; i++) {
        classes[i] = i < 40 ? experiment.known_classes[i] : -1;
        no_classes[i] = -1;
    }
    experiment.known_classes = classes;
    assert_ok(ow_experiment_run(&experiment, &how, &some));
    experiment.n_known = 40;
    assert_ok(ow_experiment_run(&experiment, &how, &fewer));
    experiment.n_known = 48;
    experiment.known_classes = no_classes;
    assert_ok(ow_experiment_run(&experiment, &how, &none));
    assert_int_equal(ow_evaluation_get_info(some)->n_judge_rows, 40);
    assert_int_equal(ow_evaluation_get_info(none)->n_judge_rows, 48);
    for (size_t k = 0; ow_metric_get(k) != NULL; k++) {
        const ow_figure one = ow_evaluation_figure(some, 1, k),
                        other = ow_evaluation_figure(fewer, 1, k);
        if (!ow_metric_get(k)->is_time) assert_memory_equal(&one, &other, sizeof one);
    }
    ow_evaluation_free(some);
    ow_evaluation_free(fewer);
    ow_evaluation_free(none);
    ow_made_answers_end(&made);
}

/* ---- Seeds and threads ---- */

static void seeds_give_deviations_and_leave_the_contexts_seed_alone(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_made_answers_begin(ctx, &made);
    ow_experiment experiment = ask(&made.trained);
    experiment.n_seeds = 3;
    how.seed = 40;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    assert_int_equal(how.seed, 40);
    /* The judge depends on the seed, what a method without chance answers does not. */
    assert_true(ow_evaluation_figure(evaluation, 1, OWI_JUDGE_LOG_DENSITY).deviation > 0.0);
    assert_true(ow_evaluation_figure(evaluation, 1, OWI_L1).deviation == 0.0);
    assert_int_equal(ow_evaluation_standing(evaluation, 0)->n_seeds, 3);
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

static void any_number_of_threads_gives_the_same_figures_but_for_times(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const size_t threads[] = {1, 2, 5};
    ow_made_answers made;
    ow_evaluation *evaluations[3] = {NULL, NULL, NULL};
    ow_made_answers_begin(ctx, &made);
    const ow_experiment experiment = ask(&made.trained);
    for (size_t t = 0; t < 3; t++) {
        how.threads = threads[t];
        assert_ok(ow_experiment_run(&experiment, &how, &evaluations[t]));
        for (size_t m = 0; m < n_methods; m++)
            for (size_t k = 0; ow_metric_get(k) != NULL; k++) {
                const ow_figure one = ow_evaluation_figure(evaluations[0], m, k),
                                now = ow_evaluation_figure(evaluations[t], m, k);
                if (!ow_metric_get(k)->is_time) assert_memory_equal(&now, &one, sizeof one);
            }
    }
    for (size_t t = 0; t < 3; t++) ow_evaluation_free(evaluations[t]);
    ow_made_answers_end(&made);
}

/* ---- What cannot be ---- */

static void what_cannot_be_fails_with_a_sentence_before_anything_is_run(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_contestant wrong[1] = {{.method = "two-stop"}};
    ow_experiment experiment = ask(&made.trained);
    experiment.methods = wrong;
    experiment.n_methods = 1;
    assert_fails(ow_experiment_run(&experiment, &how, &evaluation), OW_ERR_ARGUMENT,
                 "two-step");
    wrong[0] = (ow_contestant){.method = "two-step", .preset = "papers"};
    assert_fails(ow_experiment_run(&experiment, &how, &evaluation), OW_ERR_ARGUMENT,
                 "papers");
    const ow_setting setting = {"class-stop", "1"};
    wrong[0] = (ow_contestant){.method = "two-step", .settings = &setting, .n_settings = 1};
    assert_fails(ow_experiment_run(&experiment, &how, &evaluation), OW_ERR_ARGUMENT,
                 "class-step");
    wrong[0] = (ow_contestant){.method = "face"};
    experiment.n_known = 0;
    assert_fails(ow_experiment_run(&experiment, &how, &evaluation), OW_ERR_ARGUMENT,
                 "face needs background rows");
    assert_null(evaluation);
    ow_made_answers_end(&made);
}

/* Every method there is, with and without its presets: what is new in the registry is
 * judged without being asked. */
static void every_method_and_preset_can_be_compared(void **state)
{
    static const char *const presets[] = {NULL, "paper", "reference"};
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    ow_contestant all[64];
    size_t n = 0;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    for (size_t i = 0; ow_method_get(i) != NULL; i++)
        for (size_t p = 0; p < 3; p++)
            all[n++] =
                (ow_contestant){.method = ow_method_get(i)->name, .preset = presets[p]};
    experiment.methods = all;
    experiment.n_methods = n;
    experiment.n_queries = 6;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    for (size_t m = 0; m < n; m++) {
        const ow_figure violations = ow_evaluation_figure(evaluation, m, OWI_VIOLATIONS);
        assert_true(isnan(violations.mean) || violations.mean == 0.0);
        assert_true(ow_evaluation_standing(evaluation, m)->n_seeds == 1);
    }
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

/* Stops the work at the report after so many. */
typedef struct {
    size_t n_left;
} stopper;

static bool stop_later(void *user, const ow_progress *progress)
{
    stopper *s = user;
    (void)progress;
    return s->n_left > 0 && s->n_left-- > 0;
}

static void cancelling_keeps_the_methods_that_are_complete(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_made_answers made;
    bool kept_some = false, kept_none = false;
    ow_made_answers_begin(ctx, &made);
    ow_experiment experiment = ask(&made.trained);
    for (size_t n = 0; n < 200; n++) {
        ow_evaluation *evaluation = NULL;
        stopper s = {.n_left = n};
        how.progress = stop_later;
        how.progress_user = &s;
        const ow_status status = ow_experiment_run(&experiment, &how, &evaluation);
        if (status == OW_OK) {
            ow_evaluation_free(evaluation);
            break;
        }
        assert_int_equal(status, OW_ERR_CANCELLED);
        kept_none = kept_none || evaluation == NULL;
        if (evaluation != NULL) {
            kept_some = true;
            assert_int_equal(ow_evaluation_standing(evaluation, 0)->n_seeds, 1);
            assert_int_equal(ow_evaluation_standing(evaluation, 1)->n_seeds, 0);
            assert_true(ow_evaluation_row(evaluation, 0, 0, 0).complete);
            assert_false(ow_evaluation_row(evaluation, 0, 1, 0).complete);
        }
        ow_evaluation_free(evaluation);
    }
    how.progress = NULL;
    how.progress_user = NULL;
    assert_true(kept_none && kept_some);
    ow_made_answers_end(&made);
}

/* ---- Memory ---- */

typedef struct {
    char *bytes; /* of a model file */
    size_t size;
    const double *queries;
} stored;

/* The model belongs to the failing heap too.  Neighbours and judge are swept on their
 * own. */
static ow_status load_and_run(ow_context *ctx, void *user)
{
    const stored *from = user;
    ow_model *model = NULL;
    ow_evaluation *evaluation = NULL;
    ow_experiment experiment = ow_test_experiment_defaults();
    ow_explain_options options = ow_test_explain_defaults();
    ow_status status = ow_model_parse(ctx, from->bytes, from->size, "made.ow", &model);
    experiment.model = model;
    experiment.backend = "ref";
    experiment.methods = methods;
    experiment.n_methods = 1;
    options.target = 1;
    experiment.options = &options;
    experiment.n_queries = 3;
    experiment.queries = from->queries;
    if (status == OW_OK) status = ow_experiment_run(&experiment, &how, &evaluation);
    ow_evaluation_free(evaluation);
    ow_model_free(model);
    return status;
}

static void failing_allocations_leave_nothing_behind(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    stored from = {.queries = ow_table_row(made.trained.table, 0)};
    assert_ok(ow_model_format(made.trained.model, &from.bytes, &from.size));
    ow_test_sweep(load_and_run, &from);
    ow_bytes_free(from.bytes);
    ow_made_answers_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(every_metric_has_a_figure_and_figures_are_means_over_the_rows),
        ow_test_on_heap(
            rows_already_of_the_class_have_no_figures_and_the_nearest_row_is_always_valid),
        ow_test_on_heap(real_rows_are_those_of_the_class_with_their_own_densities),
        ow_test_on_heap(redundancy_alone_can_be_left_out),
        ow_test_on_heap(methods_are_named_with_their_presets_and_all_their_parameters),
        ow_test_on_heap(without_known_rows_the_metrics_that_need_them_are_missing),
        ow_test_on_heap(known_rows_without_a_label_are_left_out_where_others_have_one),
        ow_test_on_heap(seeds_give_deviations_and_leave_the_contexts_seed_alone),
        ow_test_on_heap(any_number_of_threads_gives_the_same_figures_but_for_times),
        ow_test_on_heap(what_cannot_be_fails_with_a_sentence_before_anything_is_run),
        ow_test_on_heap(every_method_and_preset_can_be_compared),
        ow_test_on_heap(cancelling_keeps_the_methods_that_are_complete),
        ow_test_on_heap(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("evaluate/experiment", tests, NULL, NULL);
}
