/* SPDX-License-Identifier: MIT */
/* How long it takes from asking a call to stop until it returns:
 *
 *     bench_cancel [ROWS.csv [LABEL [STRUCTURE [METHOD]]]]
 *
 * without a file $OTHERWISE_DATA/adult/adult.data, whose last column is the label.
 * STRUCTURE is that of `otherwise train`; METHOD leaves out training and the other
 * methods.  For training, preparing and explaining with
 * every method, and evaluating: a second thread asks at moments spread evenly over the
 * first seconds of the call; the longest and the mean time on the clock on the wall, and
 * the longest over the limit of 50 ms, for an idle machine.  Then the longest processor
 * time between two ticks of the same call on one thread, which others on the machine hardly
 * change; tests/unit/explain allows 20 ms. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "otherwise/otherwise.h"

static const double limit = 0.050;
enum { n_moments = 8, most_queries = 2000, most_known = 10000 };
static const double most_seconds = 2.0; /* of a call, in which it is stopped */

static ow_context *ctx;
static ow_cancel *cancel;
static ow_reader *reader;
static ow_schema *schema;
static ow_table *table;
static ow_model *model;
static ow_call how;
static size_t n_queries, n_known;

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_cancel: %s\n", ow_error_message());
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- What is stopped ---- */

static ow_status train(const void *user)
{
    ow_model *made = NULL;
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    options.decider = *(const ow_decider *)user;
    const ow_status status = ow_model_train(reader, schema, &options, &how, &made);
    ow_model_free(made);
    return status;
}

static ow_status explain(const void *user)
{
    const char *const *method = user; /* and its preset */
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    check(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                               .model = model},
                           method[0], &explainer));
    if (method[1] != NULL) check(ow_explainer_preset(explainer, method[1]));
    check(ow_explainer_set_background(explainer, n_known, ow_table_row(table, n_queries)));
    const ow_status status =
        ow_explainer_explain(explainer, NULL, &options, n_queries, ow_table_row(table, 0),
                             &how, &explanation);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return status;
}

static ow_status evaluate(const void *user)
{
    const char *const *method = user;
    const ow_contestant methods[] = {{.method = method[0]}};
    ow_evaluation *evaluation = NULL;
    ow_experiment experiment;
    ow_experiment_init(&experiment, sizeof experiment);
    experiment.model = model;
    experiment.methods = methods;
    experiment.n_methods = 1;
    experiment.n_queries = n_queries;
    experiment.queries = ow_table_row(table, 0);
    experiment.n_known = n_known;
    experiment.known = ow_table_row(table, n_queries);
    const ow_status status = ow_experiment_run(&experiment, &how, &evaluation);
    ow_evaluation_free(evaluation);
    return status;
}

/* ---- Stopping ---- */

typedef struct {
    double wait, asked; /* seconds; on the clock */
} request;

static void *ask(void *user)
{
    request *r = user;
    const struct timespec pause = {.tv_sec = (time_t)r->wait,
                                   .tv_nsec =
                                       (long)(1e9 * (r->wait - (double)(time_t)r->wait))};
    nanosleep(&pause, NULL);
    r->asked = now();
    ow_cancel_request(cancel);
    return NULL;
}

/* Seconds from asking to the end; negative: it had ended before. */
static double stop_after(double wait, ow_status (*body)(const void *), const void *user)
{
    pthread_t thread;
    request r = {.wait = wait};
    ow_cancel_reset(cancel);
    if (pthread_create(&thread, NULL, ask, &r) != 0) exit(1);
    const ow_status status = body(user);
    const double end = now();
    pthread_join(thread, NULL);
    if (status == OW_ERR_CANCELLED) return end - r.asked;
    check(status);
    return -1.0;
}

typedef struct {
    double last, longest; /* processor seconds */
} ticks;

static bool note_tick(void *user, const ow_progress *progress)
{
    ticks *t = user;
    const double seconds = processor_seconds();
    (void)progress;
    if (seconds - t->last > t->longest) t->longest = seconds - t->last;
    t->last = seconds;
    return true;
}

/* The longest gap between two ticks, on one thread. */
static double longest_gap(ow_status (*body)(const void *), const void *user)
{
    ticks t = {.last = processor_seconds()};
    const ow_call before = how;
    how.threads = 1;
    how.time_limit = most_seconds;
    how.progress = note_tick;
    how.progress_user = &t;
    ow_cancel_reset(cancel);
    (void)!body(user);
    (void)note_tick(&t, NULL);
    how = before;
    return t.longest;
}

static void measure(const char *what, const char *which, ow_status (*body)(const void *),
                    const void *user)
{
    double longest = 0.0, sum = 0.0, seconds = most_seconds;
    size_t n = 0;
    how.time_limit = most_seconds; /* how long it takes, if that is less */
    const double start = now();
    ow_cancel_reset(cancel);
    (void)!body(user);
    if (now() - start < seconds) seconds = now() - start;
    how.time_limit = 0.0;
    for (size_t i = 0; i < n_moments; i++) {
        const double took = stop_after(seconds * ((double)i + 0.5) / n_moments, body, user);
        if (took < 0.0) continue;
        longest = took > longest ? took : longest;
        sum += took;
        n++;
    }
    printf("  %-10s %-18s %4zu %9.1f ms %9.1f ms %8.2f %9.1f ms\n", what, which, n,
           1e3 * sum / (double)(n > 0 ? n : 1), 1e3 * longest, longest / limit,
           1e3 * longest_gap(body, user));
    fflush(stdout);
}

/* ---- The whole ---- */

static void open_rows(const char *path, const char *label, const char *regions)
{
    const ow_read_options read = {.size = sizeof read, .no_header = label == NULL};
    const ow_infer_options infer = {.size = sizeof infer,
                                    .label = label != NULL ? label : "x14"};
    check(ow_reader_open(ctx, path, &read, NULL, &reader));
    check(ow_schema_infer(reader, &infer, NULL, &schema));
    check(ow_reader_bind(reader, schema, false));
    check(ow_table_read(reader, NULL, &table));
    const size_t n = ow_table_n_rows(table);
    n_queries = n / 2 < most_queries ? n / 2 : most_queries;
    n_known = n - n_queries < most_known ? n - n_queries : most_known;
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    options.passes = 5;
    if (regions != NULL) check(ow_train_options_set(&options, "structure", regions));
    check(ow_model_train(reader, schema, &options, NULL, &model));
}

int main(int n_words, char **words)
{
    const char *data = getenv("OTHERWISE_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/adult/adult.data", data != NULL ? data : "data");
    check(ow_context_new(NULL, &ctx));
    check(ow_cancel_new(ctx, &cancel));
    open_rows(n_words > 1 ? words[1] : path, n_words > 2 ? words[2] : NULL,
              n_words > 3 ? words[3] : NULL);
    how = (ow_call){.size = sizeof how, .cancel = cancel};

    printf("from asking to the end, %d moments each\n", n_moments);
    printf("  %-29s %4s %12s %12s %8s %12s\n", "", "n", "mean", "longest", "/ 50 ms",
           "tick to tick");
    const ow_decider deciders[] = {OW_DECIDES_CIRCUIT, OW_DECIDES_MLP};
    const char *const only = n_words > 4 ? words[4] : NULL;
    if (only == NULL) {
        measure("train", "circuit", train, &deciders[0]);
        measure("train", "network", train, &deciders[1]);
    }
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        if (only != NULL && strcmp(only, ow_method_get(k)->name) != 0) continue;
        const char *const presets[] = {NULL, "paper", "reference"};
        for (size_t p = 0; p < 3; p++) {
            const char *const method[] = {ow_method_get(k)->name, presets[p]};
            char name[64];
            snprintf(name, sizeof name, "%s%s%s", method[0], p > 0 ? ":" : "",
                     p > 0 ? presets[p] : "");
            measure("explain", name, explain, method);
        }
    }
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        const char *const method[] = {ow_method_get(k)->name, NULL};
        if (only != NULL && strcmp(only, method[0]) != 0) continue;
        measure("evaluate", method[0], evaluate, method);
    }
    ow_model_free(model);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_cancel_free(cancel);
    ow_context_free(ctx);
    return 0;
}
