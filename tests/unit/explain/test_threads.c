/* SPDX-License-Identifier: MIT */
/* Eight threads of the system on one model and one context: predicting, explaining with
 * every method, evaluating and training at the same time, each with a call of its own.
 * Every result is the same, byte by byte, as that of the same call alone. */
#include "support/ow_test.h"

#include <pthread.h>

#include "support/model_fixture.h"
#include "support/sanitizers.h"

/* Under ThreadSanitizer, which takes ten times as long, each thread does half of the jobs:
 * all of them still run beside each other, each on four threads. */
#if defined(OW_TEST_TSAN)
enum { n_threads = 8, n_asked = 4, jobs_left_out = 2 };
#else
enum { n_threads = 8, n_asked = 24, jobs_left_out = 1 };
#endif

static ow_test_heap heap;
static ow_test_model m;

/* What a call gave, as bytes. */
typedef struct {
    char *bytes;
    size_t size;
} result;

static void add(result *r, const void *bytes, size_t size)
{
    char *more = realloc(r->bytes, r->size + size + 1);
    if (more == NULL) abort();
    if (size > 0) memcpy(more + r->size, bytes, size);
    r->bytes = more;
    r->size += size;
}

static void add_status(result *r, ow_status status)
{
    add(r, &status, sizeof status);
    if (status != OW_OK) add(r, ow_error_message(), strlen(ow_error_message()));
}

/* ---- The calls ---- */

static ow_call call_with(uint64_t seed)
{
    return (ow_call){.size = sizeof(ow_call), .seed = seed, .threads = 3};
}

static result predict(size_t which)
{
    result r = {0};
    ow_predictor *predictor = NULL;
    const size_t n = m.n_rows;
    int32_t *classes = calloc(n, sizeof *classes);
    double *figures = calloc(4 * n, sizeof *figures);
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = classes,
                                   .log_density = figures,
                                   .percentile = figures + n,
                                   .proba = figures + 2 * n};
    const ow_call call = call_with(which);
    ow_status status = ow_predictor_new(m.model, NULL, &predictor);
    if (status == OW_OK)
        status = ow_predictor_predict(predictor, n, m.values, &call, &wanted);
    add_status(&r, status);
    add(&r, classes, n * sizeof *classes);
    add(&r, figures, 4 * n * sizeof *figures);
    ow_predictor_free(predictor);
    free(classes);
    free(figures);
    return r;
}

static void add_outcome(result *r, const ow_outcome *outcome)
{
    add(r, &outcome->kind, sizeof outcome->kind);
    add(r, &outcome->reason, sizeof outcome->reason);
    add(r, &outcome->n_answers, sizeof outcome->n_answers);
    for (size_t a = 0; a < outcome->n_answers; a++) {
        const ow_counterfactual *answer = outcome->answers[a];
        add(r, answer->values, m.n_columns * sizeof *answer->values);
        add(r, answer->proba, 2 * sizeof *answer->proba);
        add(r, &answer->log_density, sizeof answer->log_density);
        add(r, &answer->percentile, sizeof answer->percentile);
    }
    if (outcome->blocking != NULL) add(r, outcome->blocking, strlen(outcome->blocking));
}

static result explain(size_t method)
{
    result r = {0};
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    const ow_call call = call_with(10 + method);
    options.n_answers = 2;
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                             .model = m.model},
                         ow_method_get(method)->name, &explainer);
    if (status == OW_OK) status = ow_explainer_set_background(explainer, 200, m.values);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, n_asked, m.values, &call,
                                      &explanation);
    add_status(&r, status);
    for (size_t i = 0; i < n_asked && status == OW_OK; i++)
        add_outcome(&r, ow_explanation_outcome(explanation, i));
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return r;
}

static result evaluate(size_t which)
{
    static const ow_contestant methods[] = {{.method = "two-step"}, {.method = "nearest"}};
    result r = {0};
    ow_experiment experiment = ow_test_experiment_defaults();
    ow_evaluation *evaluation = NULL;
    const ow_call call = call_with(20 + which);
    experiment.model = m.model;
    experiment.methods = methods;
    experiment.n_methods = 2;
    experiment.n_queries = n_asked;
    experiment.queries = m.values;
    experiment.n_known = 200;
    experiment.known = m.values;
    experiment.n_seeds = 2;
    const ow_status status = ow_experiment_run(&experiment, &call, &evaluation);
    add_status(&r, status);
    for (size_t k = 0; status == OW_OK && ow_metric_get(k) != NULL; k++)
        for (size_t method = 0; method < 2 && !ow_metric_get(k)->is_time; method++) {
            const ow_figure figure = ow_evaluation_figure(evaluation, method, k);
            add(&r, &figure, sizeof figure);
        }
    ow_evaluation_free(evaluation);
    return r;
}

static result train(size_t which)
{
    static const char csv[] = "x,colour,y\n1,red,a\n2,blue,b\n3,red,a\n4,blue,b\n5,red,a\n"
                              "6,red,b\n7,blue,a\n8,red,b\n9,blue,a\n1,red,b\n2,blue,a\n";
    result r = {0};
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_options options = ow_test_train_defaults();
    const ow_call call = call_with(30 + which);
    char *bytes = NULL;
    size_t size = 0;
    options.passes = 3;
    options.decider = which % 2 == 0 ? OW_DECIDES_CIRCUIT : OW_DECIDES_MLP;
    ow_status status =
        ow_reader_open_memory(heap.ctx, csv, sizeof csv - 1, "rows.csv", NULL, &reader);
    if (status == OW_OK)
        status = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
            &call, &schema);
    if (status == OW_OK) status = ow_model_train(reader, schema, &options, &call, &model);
    if (status == OW_OK) status = ow_model_format(model, &bytes, &size);
    add_status(&r, status);
    if (status == OW_OK) add(&r, bytes, size);
    ow_bytes_free(bytes);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return r;
}

/* ---- All at once ---- */

typedef struct {
    const char *what;
    result (*run)(size_t which);
    size_t which;
    result alone;
} job;

enum { most_jobs = 32 };
static job jobs[most_jobs];
static size_t n_jobs;

static void list_jobs(void)
{
    for (size_t k = 0; ow_method_get(k) != NULL; k++)
        jobs[n_jobs++] = (job){ow_method_get(k)->name, explain, k, {0}};
    for (size_t k = 0; k < 2; k++) {
        jobs[n_jobs++] = (job){"predict", predict, k, {0}};
        jobs[n_jobs++] = (job){"evaluate", evaluate, k, {0}};
        jobs[n_jobs++] = (job){"train", train, k, {0}};
    }
}

/* Jobs of one thread, each beginning at another one; returns the first that differs. */
static void *work(void *user)
{
    const size_t first = *(const size_t *)user;
    const char *different = NULL;
    for (size_t i = 0; i < n_jobs / jobs_left_out && different == NULL; i++) {
        const job *j = &jobs[(first * 3 + i) % n_jobs];
        const result r = j->run(j->which);
        if (r.size != j->alone.size || memcmp(r.bytes, j->alone.bytes, r.size) != 0)
            different = j->what;
        free(r.bytes);
    }
    return (void *)different;
}

static void calls_of_many_threads_give_what_they_give_alone(void **state)
{
    (void)state;
    pthread_t threads[n_threads];
    size_t numbers[n_threads];
    for (size_t j = 0; j < n_jobs; j++) jobs[j].alone = jobs[j].run(jobs[j].which);
    for (size_t t = 0; t < n_threads; t++) {
        numbers[t] = t;
        assert_int_equal(pthread_create(&threads[t], NULL, work, &numbers[t]), 0);
    }
    for (size_t t = 0; t < n_threads; t++) {
        void *different = NULL;
        assert_int_equal(pthread_join(threads[t], &different), 0);
        if (different != NULL) fail_msg("%s differs", (const char *)different);
    }
    for (size_t j = 0; j < n_jobs; j++) {
        ow_status status;
        memcpy(&status, jobs[j].alone.bytes, sizeof status);
        assert_int_equal(status, OW_OK);
        free(jobs[j].alone.bytes);
    }
}

/* One thread's flag stops its own calls and nobody else's. */
static void *stop_and_go(void *user)
{
    ow_cancel *cancel = user;
    size_t n_wrong = 0;
    ow_evaluator *evaluator = NULL;
    const ow_circuit *circuit = ow_model_circuit(m.model);
    float *rows = calloc(m.n_rows, ow_circuit_get_spec(circuit)->n_columns * sizeof *rows);
    double *log_class = calloc(2 * m.n_rows, sizeof *log_class);
    const ow_call call = {.size = sizeof call, .cancel = cancel, .threads = 4};
    const ow_status want = ow_cancel_requested(cancel) ? OW_ERR_CANCELLED : OW_OK;
    ow_model_encode(m.model, m.n_rows, m.values, rows);
    if (ow_evaluator_new(circuit, NULL, &evaluator) != OW_OK) abort();
    for (size_t i = 0; i < 200; i++)
        n_wrong +=
            ow_evaluator_evaluate(evaluator, m.n_rows, rows, &call, log_class) != want;
    ow_evaluator_free(evaluator);
    free(log_class);
    free(rows);
    return n_wrong == 0 ? NULL : cancel;
}

static void a_flag_stops_its_own_calls_alone(void **state)
{
    (void)state;
    pthread_t threads[n_threads];
    ow_cancel *cancels[n_threads];
    for (size_t t = 0; t < n_threads; t++) {
        assert_ok(ow_cancel_new(heap.ctx, &cancels[t]));
        if (t % 2 == 0) ow_cancel_request(cancels[t]);
        assert_int_equal(pthread_create(&threads[t], NULL, stop_and_go, cancels[t]), 0);
    }
    for (size_t t = 0; t < n_threads; t++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[t], &wrong), 0);
        assert_null(wrong);
        ow_cancel_free(cancels[t]);
    }
}

static int set_up(void **state)
{
    (void)state;
    ow_test_heap_begin(&heap);
    m = ow_test_credit_model(heap.ctx, OW_LEAVES_AUTO);
    list_jobs();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ow_test_model_free(&m);
    ow_test_heap_end(&heap);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_many_threads_give_what_they_give_alone),
        cmocka_unit_test(a_flag_stops_its_own_calls_alone),
    };
    return cmocka_run_group_tests_name("explain/threads", tests, set_up, tear_down);
}
