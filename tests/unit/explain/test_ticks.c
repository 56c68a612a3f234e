/* SPDX-License-Identifier: MIT */
/* Every long loop ticks: at most 20 ms of the processor's time pass between two ticks while
 * a table of the size of Adult is read, learned, explained and evaluated.  On one thread,
 * where all the work of a call is that of the thread that is measured. */
#include "support/tick_listener.h"

#include "base/numeric/rng.h"

enum { n_rows = 32561, n_queries = 300 };

static ow_test_heap heap;
static const char *path;
static ow_reader *reader;
static ow_schema *schema;
static ow_table *table;
static ow_model *model;

/* ---- A table like Adult ---- */

/* Numbers with many values, with few, and mostly 0; categories with as many levels as
 * Adult's; `level` and `years` determine each other. */
static void write_row(FILE *file, owi_rng *rng)
{
    static const int n_levels[] = {9, 7, 15, 6, 5, 2, 42};
    const double wealth = owi_rng_normal(rng);
    const int level = (int)fmin(15.0, fmax(0.0, 8.0 + 3.0 * wealth + owi_rng_normal(rng)));
    fprintf(file, "%d,%d,e%d,%d", 17 + (int)owi_rng_below(rng, 74),
            12285 + (int)owi_rng_below(rng, 400000), level, level + 1);
    for (size_t k = 0; k < sizeof n_levels / sizeof *n_levels; k++) {
        const double share = owi_rng_uniform(rng);
        fprintf(file, ",l%d", (int)((wealth > 0.0 ? share : share * share) * n_levels[k]));
    }
    fprintf(file, ",%d,%d,%d,%s\n",
            owi_rng_below(rng, 12) == 0 ? (int)owi_rng_below(rng, 120) * 833 : 0,
            owi_rng_below(rng, 20) == 0 ? (int)owi_rng_below(rng, 90) * 48 : 0,
            1 + (int)owi_rng_below(rng, 99),
            wealth + 0.5 * owi_rng_normal(rng) > 0.7 ? "more" : "less");
}

static void write_table(void)
{
    path = ow_test_path("people.csv", 0);
    FILE *file = fopen(path, "w");
    owi_rng rng;
    assert_non_null(file);
    owi_rng_init(&rng, 3, 1);
    fputs("age,weight,level,years,work,state,trade,relation,race,sex,country,gain,loss,"
          "hours,income\n",
          file);
    for (size_t i = 0; i < n_rows; i++) write_row(file, &rng);
    assert_int_equal(fclose(file), 0);
}

/* ---- Measuring ---- */

static void assert_ticks(const char *what, ow_test_work work, const void *user)
{
    ow_test_assert_ticks(what, 1, work, user);
}

/* ---- Reading and learning ---- */

static ow_status read_rows(const void *user, const ow_call *call)
{
    const ow_infer_options infer = {.size = sizeof infer, .label = "income"};
    (void)user;
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    table = NULL;
    schema = NULL;
    reader = NULL;
    ow_status status = ow_reader_open(heap.ctx, path, NULL, call, &reader);
    if (status == OW_OK) status = ow_schema_infer(reader, &infer, call, &schema);
    if (status == OW_OK) status = ow_reader_bind(reader, schema, false);
    if (status == OW_OK) status = ow_table_read(reader, call, &table);
    return status;
}

static ow_status train(const void *options, const ow_call *call)
{
    ow_model_free(model);
    return ow_model_train(reader, schema, options, call, &model);
}

static ow_status predict(const void *user, const ow_call *call)
{
    static int32_t classes[n_rows];
    static double percentile[n_rows];
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = classes,
                                   .percentile = percentile};
    ow_predictor *predictor = NULL;
    (void)user;
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    const ow_status status =
        ow_predictor_predict(predictor, n_rows, ow_table_row(table, 0), call, &wanted);
    ow_predictor_free(predictor);
    return status;
}

static void reading_and_learning(void **state)
{
    (void)state;
    ow_train_options options = ow_test_train_defaults();
    options.passes = 1;
    options.towards_rows = 50.0;
    options.repetitions = 4;
    options.decider = OW_DECIDES_MLP;
    options.hidden = (ow_sizes){1, {4}};
    assert_ticks("reading", read_rows, NULL);
    assert_ticks("training a network", train, &options);
    options.decider = OW_DECIDES_CIRCUIT;
    options.hidden.n = 0;
    assert_ticks("training", train, &options);
    assert_ticks("predicting", predict, NULL);
}

/* ---- Explaining and evaluating ---- */

typedef struct {
    const char *method, *preset;
} question;

/* More than are explained at the same time; cem takes tens of milliseconds for a row. */
static size_t queries_of(const question *q)
{
    if (strcmp(q->method, "cem") == 0) return 8;
    return q->preset == NULL ? n_queries : 64;
}

static ow_status explain(const void *user, const ow_call *call)
{
    const question *q = user;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = 2;
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = model},
                               q->method, &explainer));
    if (q->preset != NULL) assert_ok(ow_explainer_preset(explainer, q->preset));
    assert_ok(ow_explainer_set_background(explainer, n_rows - n_queries,
                                          ow_table_row(table, n_queries)));
    const ow_status status =
        ow_explainer_explain(explainer, NULL, &options, queries_of(q),
                             ow_table_row(table, 0), call, &explanation);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return status;
}

static void explaining(void **state)
{
    static const char *const presets[] = {NULL, "paper", "reference"};
    (void)state;
    for (size_t k = 0; ow_method_get(k) != NULL; k++)
        for (size_t p = 0; p < 3; p++) {
            const question q = {ow_method_get(k)->name, presets[p]};
            assert_ticks(q.method, explain, &q);
        }
}

static ow_status evaluate(const void *user, const ow_call *call)
{
    const question *q = user;
    const ow_contestant methods[] = {{.method = q->method}};
    ow_evaluation *evaluation = NULL;
    ow_experiment experiment = ow_test_experiment_defaults();
    experiment.model = model;
    experiment.methods = methods;
    experiment.n_methods = 1;
    experiment.n_queries = queries_of(q);
    experiment.queries = ow_table_row(table, 0);
    experiment.n_known = n_rows - n_queries;
    experiment.known = ow_table_row(table, n_queries);
    const ow_status status = ow_experiment_run(&experiment, call, &evaluation);
    ow_evaluation_free(evaluation);
    return status;
}

static void evaluating(void **state)
{
    (void)state;
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        const question q = {ow_method_get(k)->name, NULL};
        assert_ticks(q.method, evaluate, &q);
    }
}

static int set_up(void **state)
{
    (void)state;
    ow_test_heap_begin(&heap);
    write_table();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ow_model_free(model);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_test_heap_end(&heap);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_and_learning),
        cmocka_unit_test(explaining),
        cmocka_unit_test(evaluating),
    };
    return cmocka_run_group_tests_name("explain/ticks", tests, set_up, tear_down);
}
