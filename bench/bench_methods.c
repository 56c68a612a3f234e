/* SPDX-License-Identifier: MIT */
/* What every method costs, on the same rows in one run:
 *
 *     bench_methods [-n QUERIES] [-b BACKGROUND] [-m METHOD] MODEL.ow ROWS
 *                   [MODEL.ow ROWS]...
 *
 * The first rows are the queries (64), the next ones the background (1000): known rows of
 * nearest and face, and what cem's autoencoder learns from.  For every method without a
 * preset, and in presets paper and reference: processor time for each row on one thread,
 * over that of two-step without one; what is prepared once, apart; the share of rows that
 * found an answer; passes for each row, up and down and up only.  -m: besides two-step this
 * method alone, which profile_methods.sh looks at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otherwise/otherwise.h"
#include "stopwatch.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_methods: %s\n", ow_error_message());
    exit(1);
}

typedef struct {
    ow_context *ctx;
    ow_model *model;
    ow_table *rows;
    size_t n_queries, n_background;
    double two_step; /* seconds for a row; 0 before it is known */
} setting;

typedef struct {
    double seconds, prepared; /* for a row; in all */
    double found, gradient, forward;
} cost;

static cost measure(const setting *s, const char *method, const char *preset)
{
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    cost c = {0};
    size_t n_asked = 0;
    options.explain_failure = false;
    check(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                               .model = s->model},
                           method, &explainer));
    if (preset != NULL) check(ow_explainer_preset(explainer, preset));
    check(ow_explainer_set_background(explainer, s->n_background,
                                      ow_table_row(s->rows, s->n_queries)));
    /* Once without rows for what is prepared; and once with all of them in hardly any time,
     * for what the first row of a kind asks for (which densities are usual). */
    double start = stopwatch_seconds();
    check(ow_explainer_explain(explainer, NULL, &options, 0, NULL, &how, &explanation));
    c.prepared = stopwatch_seconds() - start;
    ow_explanation_free(explanation);
    how.time_limit = 0.05;
    check(ow_explainer_explain(explainer, NULL, &options, s->n_queries,
                               ow_table_row(s->rows, 0), &how, &explanation));
    how.time_limit = 0.0;
    ow_explanation_free(explanation);

    start = stopwatch_seconds();
    check(ow_explainer_explain(explainer, NULL, &options, s->n_queries,
                               ow_table_row(s->rows, 0), &how, &explanation));
    c.seconds = (stopwatch_seconds() - start) / (double)s->n_queries;
    for (size_t i = 0; i < s->n_queries; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        n_asked += outcome->kind != OW_OUTCOME_ALREADY_TARGET;
        c.found += outcome->kind == OW_OUTCOME_FOUND;
        if (outcome->n_answers == 0) continue;
        c.gradient += (double)outcome->answers[0]->n_gradient;
        c.forward += (double)outcome->answers[0]->n_forward;
    }
    c.found /= (double)n_asked;
    c.gradient /= (double)n_asked;
    c.forward /= (double)n_asked;
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return c;
}

static void bench_method(setting *s, const char *method)
{
    static const char *const presets[] = {NULL, "paper", "reference"};
    for (size_t p = 0; p < sizeof presets / sizeof *presets; p++) {
        const cost c = measure(s, method, presets[p]);
        if (s->two_step == 0.0) s->two_step = c.seconds;
        printf("  %-9s %-10s %12.1f us %10.1f x %9.3f s %7.2f %9.1f %9.1f\n", method,
               presets[p] != NULL ? presets[p] : "", 1e6 * c.seconds,
               c.seconds / s->two_step, c.prepared, c.found, c.gradient, c.forward);
        fflush(stdout);
    }
}

static void bench_model(ow_context *ctx, const char *path, const char *rows,
                        size_t n_queries, size_t n_background, const char *only)
{
    setting s = {.ctx = ctx, .n_queries = n_queries};
    ow_reader *reader = NULL;
    check(ow_model_load(ctx, path, &how, &s.model));
    check(ow_reader_open(ctx, rows, NULL, &how, &reader));
    check(ow_reader_bind(reader, ow_model_schema(s.model), false));
    check(ow_table_read(reader, &how, &s.rows));
    ow_reader_free(reader);
    const size_t n = ow_table_n_rows(s.rows);
    if (n < n_queries + 2) {
        fprintf(stderr, "bench_methods: %s has %zu rows, expected more than %zu\n", rows, n,
                n_queries + 1);
        exit(1);
    }
    s.n_background = n - n_queries < n_background ? n - n_queries : n_background;
    printf("%s: %zu queries, %zu background rows\n", path, n_queries, s.n_background);
    printf("  %-20s %15s %12s %11s %7s %9s %9s\n", "method", "a row", "to two-step",
           "prepared", "found", "gradient", "forward");
    measure(&s, "two-step", NULL); /* to warm up */
    bench_method(&s, "two-step");
    for (size_t k = 0; ow_method_get(k) != NULL; k++)
        if (strcmp(ow_method_get(k)->name, "two-step") != 0 &&
            (only == NULL || strcmp(ow_method_get(k)->name, only) == 0))
            bench_method(&s, ow_method_get(k)->name);
    ow_table_free(s.rows);
    ow_model_free(s.model);
}

int main(int n_words, char **words)
{
    ow_context *ctx = NULL;
    const char *only = NULL;
    size_t n_queries = 64, n_background = 1000;
    int at = 1;
    for (; at + 1 < n_words && words[at][0] == '-'; at += 2) {
        const size_t number = strtoul(words[at + 1], NULL, 10);
        if (strcmp(words[at], "-n") == 0 && number > 0)
            n_queries = number;
        else if (strcmp(words[at], "-b") == 0 && number > 0)
            n_background = number;
        else if (strcmp(words[at], "-m") == 0)
            only = words[at + 1];
        else
            break;
    }
    if (at >= n_words || (n_words - at) % 2 != 0 || words[at][0] == '-') {
        fprintf(stderr,
                "usage: bench_methods [-n QUERIES] [-b BACKGROUND] [-m METHOD] MODEL.ow "
                "ROWS [MODEL.ow ROWS]...\n");
        return 2;
    }
    check(ow_context_new(NULL, &ctx));
    how.threads = 1;
    for (; at < n_words; at += 2)
        bench_model(ctx, words[at], words[at + 1], n_queries, n_background, only);
    ow_context_free(ctx);
    return 0;
}
