/* SPDX-License-Identifier: MIT */
/* How fast explaining is.
 *
 *     bench_explain [CREDIT.csv [adult.data]]
 *
 * Two-step on a model of MNIST's size (784 pixels, 5 classes, depth 1, 19 repetitions, 20
 * inputs; rows are made up), 256 rows at a time on one thread, over what its passes cost in
 * the engine alone: up and down towards the class, up and down the density, and up once
 * more to look at the result.  `method` is the method with that look, `whole call` also
 * finds out what the rows are, looks at answers before and after repair, and measures
 * densities, percentiles and distances.
 *
 * Then rows a second of methods on tables, default settings, on one thread; of guided how
 * many answers have the least number of changes for certain, their mean changes, and the
 * rate over its aim.  Models are of the structure that training chooses, and of random
 * halves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric/rng.h"
#include "explain/core/explainer_private.h"
#include "otherwise/otherwise.h"
#include "stopwatch.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum {
    n_runs = 9,
    side = 28,
    n_pixels = side * side,
    n_classes = 5,
    n_images = 2000,
    batch = 256
};

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_explain: %s\n", ow_error_message());
    exit(1);
}

static void *allocate(size_t n, size_t size)
{
    void *block = calloc(n, size);
    if (block != NULL) return block;
    fprintf(stderr, "bench_explain: out of memory\n");
    exit(1);
}

/* ---- Made-up images ---- */

/* A bright blob on a dark ground, its place the class's own up to a jitter. */
static void draw(size_t i, unsigned char *pixels)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, i);
    const double angle = 2.0 * 3.14159265 * (double)(i % n_classes) / n_classes;
    const double x0 = 14.0 + 6.0 * cos(angle) + 2.0 * owi_rng_normal(&rng);
    const double y0 = 14.0 + 6.0 * sin(angle) + 2.0 * owi_rng_normal(&rng);
    for (size_t j = 0; j < n_pixels; j++) {
        const double dx = (double)(j % side) - x0, dy = (double)(j / side) - y0;
        pixels[j] = (unsigned char)(255.0 * exp(-0.05 * (dx * dx + dy * dy)));
    }
}

static ow_model *learn_images(ow_context *ctx, ow_structure structure)
{
    static const char *const names[2] = {"bench_explain_images.npy",
                                         "bench_explain_labels.npy"};
    const size_t shape[3] = {n_images, side, side};
    unsigned char *pixels = allocate((size_t)n_images * n_pixels, 1);
    int32_t *labels = allocate(n_images, sizeof *labels);
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    for (size_t i = 0; i < n_images; i++) {
        draw(i, pixels + i * n_pixels);
        labels[i] = (int32_t)(i % n_classes);
    }
    check(ow_npy_write(ctx, names[0], OW_ELEMENT_UINT8, 3, shape, pixels));
    check(ow_npy_write(ctx, names[1], OW_ELEMENT_INT32, 1, shape, labels));
    check(ow_reader_open(ctx, names[0],
                         &(ow_read_options){.size = sizeof(ow_read_options),
                                            .labels = names[1]},
                         &how, &reader));
    check(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
        &how, &schema));
    options.structure = structure;
    options.passes = 2;
    options.repetitions = 19;
    options.inputs = 20;
    check(ow_model_train(reader, schema, &options, &how, &model));
    remove(names[0]);
    remove(names[1]);
    ow_schema_free(schema);
    ow_reader_free(reader);
    free(labels);
    free(pixels);
    return model;
}

/* ---- Two-step over its passes ---- */

typedef struct {
    const ow_model *model;
    ow_explainer *explainer;
    ow_evaluator *evaluator;
    double *values; /* batch x pixels                                         */
    float *rows, *moved, *gradient, *intermediate;
    double *towards, *log_class;
    owi_queries queries;
    owi_answer *answers;
} task;

static void step(const task *t, const float *from)
{
    for (size_t i = 0; i < (size_t)batch * n_pixels; i++)
        t->moved[i] = from[i] + t->gradient[i];
}

/* The passes alone. */
static void run_engine(void *user)
{
    const task *t = user;
    const ow_mix classes = {.class_factor = t->towards}, density = {.density_factor = 1.0};
    check(ow_evaluator_differentiate(t->evaluator, batch, t->rows, 1, &classes, &how, NULL,
                                     t->gradient));
    step(t, t->rows);
    check(ow_evaluator_differentiate(t->evaluator, batch, t->moved, 1, &density, &how, NULL,
                                     t->gradient));
    step(t, t->moved);
    check(ow_evaluator_evaluate(t->evaluator, batch, t->moved, &how, t->log_class));
}

/* The method as the driver calls it, and a look at its answers. */
static void run_method(void *user)
{
    const task *t = user;
    ow_explainer *explainer = t->explainer;
    check(explainer->impl->explain_block(&explainer->session.problem, explainer->settings,
                                         explainer->session.state, &t->queries,
                                         t->answers));
    check(
        ow_evaluator_evaluate(t->evaluator, batch, t->answers[0].soft, &how, t->log_class));
}

static void run_call(void *user)
{
    const task *t = user;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    ow_explanation *explanation = NULL;
    options.targets = t->queries.target;
    check(ow_explainer_explain(t->explainer, NULL, &options, batch, t->values, &how,
                               &explanation));
    ow_explanation_free(explanation);
}

static void report(const char *what, double seconds, double engine)
{
    printf("  %-24s %10.1f us a row %10.2f of the passes alone\n", what,
           1e6 * seconds / batch, seconds / engine);
}

static void bench_two_step(ow_context *ctx, ow_structure structure)
{
    ow_model *model = learn_images(ctx, structure);
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    int32_t *y = allocate(batch, sizeof *y), *target = allocate(batch, sizeof *target);
    uint64_t *number = allocate(batch, sizeof *number);
    double *log_proba = allocate((size_t)batch * n_classes, sizeof *log_proba);
    task t = {.model = model,
              .values = allocate((size_t)batch * n_pixels, sizeof(double)),
              .rows = allocate((size_t)batch * n_pixels, sizeof(float)),
              .moved = allocate((size_t)batch * n_pixels, sizeof(float)),
              .gradient = allocate((size_t)batch * n_pixels, sizeof(float)),
              .intermediate = allocate((size_t)batch * n_pixels, sizeof(float)),
              .towards = allocate((size_t)batch * n_classes, sizeof(double)),
              .log_class = allocate((size_t)batch * n_classes, sizeof(double)),
              .answers = allocate(batch, sizeof(owi_answer))};
    for (size_t i = 0; i < batch; i++) {
        unsigned char pixels[n_pixels];
        draw(i, pixels);
        for (size_t j = 0; j < n_pixels; j++) t.values[i * n_pixels + j] = pixels[j];
        y[i] = (int32_t)(i % n_classes);
        target[i] = (int32_t)((i + 1 + i / n_classes % (n_classes - 1)) % n_classes);
        t.towards[i * n_classes + (size_t)y[i]] = -1.0;
        t.towards[i * n_classes + (size_t)target[i]] = 1.0;
        t.answers[i] = (owi_answer){.soft = t.moved + i * n_pixels,
                                    .intermediate = t.intermediate + i * n_pixels};
    }
    ow_model_encode(model, batch, t.values, t.rows);
    t.queries = (owi_queries){.n_rows = batch,
                              .number = number,
                              .values = t.values,
                              .soft = t.rows,
                              .log_proba = log_proba,
                              .origin = y,
                              .target = target};
    check(ow_evaluator_new(ow_model_circuit(model), NULL, &t.evaluator));
    check(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                               .model = model},
                           "two-step", &t.explainer));
    owi_call running;
    check(owi_call_begin(&running, ctx, &how));
    t.explainer->call = &running;
    check(owi_session_ready(t.explainer, NULL, &options));

    printf("two-step, %s, %d rows\n",
           structure == OW_STRUCTURE_SHARED ? "shared" : "per-class", batch);
    const double engine = stopwatch_best(n_runs, run_engine, &t);
    report("passes alone", engine, engine);
    report("method", stopwatch_best(n_runs, run_method, &t), engine);
    report("whole call", stopwatch_best(n_runs, run_call, &t), engine);

    ow_explainer_free(t.explainer);
    ow_evaluator_free(t.evaluator);
    ow_model_free(model);
    void *const blocks[] = {t.values,  t.rows,         t.moved,   t.gradient,
                            y,         t.intermediate, t.towards, t.log_class,
                            t.answers, target,         number,    log_proba};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

/* ---- Tables ---- */

typedef struct {
    ow_explainer *explainer;
    const ow_constraints *rules;
    ow_explain_options options;
    const double *values;
    size_t n_rows, n_active, n_found, n_proved, n_changes;
} table_task;

static void explain_table(void *user)
{
    table_task *t = user;
    ow_explanation *explanation = NULL;
    check(ow_explainer_explain(t->explainer, t->rules, &t->options, t->n_rows, t->values,
                               &how, &explanation));
    t->n_active = t->n_found = t->n_proved = t->n_changes = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        t->n_active += outcome->kind != OW_OUTCOME_ALREADY_TARGET;
        t->n_found += outcome->kind == OW_OUTCOME_FOUND;
        if (outcome->kind != OW_OUTCOME_FOUND) continue;
        t->n_proved += outcome->answers[0]->least != OW_LEAST_BEST_FOUND;
        t->n_changes += outcome->answers[0]->distance.l0;
    }
    ow_explanation_free(explanation);
}

/* A table, the class that people want, and what they cannot change. */
typedef struct {
    const char *name, *target;
    const char *immutable[4]; /* NULL at the end                              */
    const char *only_up;      /* NULL: none                                   */
    const char *drop;         /* likewise                                     */
    ow_read_options read;
    const char *label;
    double aim; /* rows a second of guided's least answers */
} table;

/* One line of the report. */
static void bench_method(table_task *t, const ow_model *model, const table *what,
                         const char *method, ow_prefer prefer)
{
    t->options.prefer = prefer;
    check(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                               .model = model},
                           method, &t->explainer));
    const double seconds = stopwatch_best(3, explain_table, t);
    const double rate = (double)t->n_active / seconds;
    const bool is_guided = strcmp(method, "guided") == 0;
    printf("  %-8s %-9s %-8s %8.0f rows a second, %zu of %zu found", what->name, method,
           is_guided ? ow_prefer_name(prefer) : "", rate, t->n_found, t->n_active);
    if (is_guided)
        printf(", %zu proved, %.3f changes", t->n_proved,
               (double)t->n_changes / (double)(t->n_found > 0 ? t->n_found : 1));
    if (is_guided && prefer == OW_PREFER_LEAST)
        printf("; %.2f of the aim, %.0f", rate / what->aim, what->aim);
    printf("\n");
    ow_explainer_free(t->explainer);
}

static void bench_table(ow_context *ctx, const char *path, const table *what,
                        ow_region_choice regions)
{
    const size_t most_rows = 2000;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_table *rows = NULL;
    ow_constraints *rules = NULL;
    ow_train_options train;
    ow_train_options_init(&train, sizeof train);
    train.regions = regions;
    ow_infer_options infer = {.size = sizeof(ow_infer_options),
                              .label = what->label,
                              .drop = &what->drop,
                              .n_drop = what->drop != NULL ? 1 : 0};
    check(
        ow_reader_open(ctx, path, what->read.size > 0 ? &what->read : NULL, &how, &reader));
    check(ow_schema_infer(reader, &infer, &how, &schema));
    const double began = stopwatch_seconds();
    check(ow_model_train(reader, schema, &train, &how, &model));
    printf("  %-8s %s: trained in %.2f s\n", what->name,
           regions == OW_REGIONS_RANDOM ? "random halves" : "structure chosen",
           stopwatch_seconds() - began);
    check(ow_reader_bind(reader, schema, false));
    check(ow_table_read(reader, &how, &rows));
    check(ow_constraints_new(ctx, schema, &rules));
    for (size_t i = 0; what->immutable[i] != NULL; i++)
        check(ow_constraints_immutable(rules, what->immutable[i]));
    if (what->only_up != NULL)
        check(ow_constraints_monotone(rules, what->only_up, OW_MONOTONE_UP));

    table_task t = {.rules = rules,
                    .values = ow_table_row(rows, 0),
                    .n_rows = ow_table_n_rows(rows)};
    ow_explain_options_init(&t.options, sizeof t.options);
    if (t.n_rows > most_rows) t.n_rows = most_rows;
    check(ow_schema_find_class(schema, what->target, &t.options.target));
    bench_method(&t, model, what, "guided", OW_PREFER_LEAST);
    bench_method(&t, model, what, "guided", OW_PREFER_ROBUST);
    bench_method(&t, model, what, "two-step", OW_PREFER_LEAST);
    bench_method(&t, model, what, "nearest", OW_PREFER_LEAST);
    ow_constraints_free(rules);
    ow_table_free(rows);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

int main(int argc, char **argv)
{
    static const table credit = {.name = "Credit",
                                 .label = "risk",
                                 .target = "good",
                                 .aim = 2500.0,
                                 .immutable = {"age", "personal_status", "foreign_worker"}};
    static const table adult = {.name = "Adult",
                                .label = "x14",
                                .target = ">50K",
                                .aim = 800.0,
                                .immutable = {"x8", "x9", "x13"},
                                .only_up = "x0",
                                .drop = "x2",
                                .read = {.size = sizeof(ow_read_options),
                                         .no_header = true}};
    ow_context *ctx = NULL;
    check(ow_context_new(NULL, &ctx));
    how.threads = 1;
    bench_two_step(ctx, OW_STRUCTURE_SHARED);
    bench_two_step(ctx, OW_STRUCTURE_PER_CLASS);
    printf("tables\n");
    static const ow_region_choice structures[] = {OW_REGIONS_AUTO, OW_REGIONS_RANDOM};
    for (size_t i = 0; i < 2; i++)
        bench_table(ctx, argc > 1 ? argv[1] : "data/credit.csv", &credit, structures[i]);
    for (size_t i = 0; i < 2 && argc > 2; i++)
        bench_table(ctx, argv[2], &adult, structures[i]);
    ow_context_free(ctx);
    return 0;
}
