/* SPDX-License-Identifier: MIT */
/* The paper's experiment on MNIST: digits 1 3 4 7 8 of all 70,000 images, 70 % to learn
 * from, and from every digit of four pairs to the other and back over the whole test split.
 *
 *     bench_pairs FOLDER per-class|shared METHOD[:PRESET][,PARAMETER=VALUE]...[@N]...
 *
 * FOLDER holds the four IDX files.  The methods answer one after the other on one model;
 * with @N only the first N rows of each pair. Background, for those that want one, are the
 * first 5,000 training images.  Printed for each pair and over all: queries (test rows
 * labelled y that are not predicted t), share valid after and before repair, share of any
 * other class than the query's (the paper's rule for CEM), mean log S of the answer as the
 * method made it, after repair and of the valid ones, mean L2 to the query with pixels in
 * [0, 1], the share that a second circuit, of the other structure and another seed, gives
 * to the target too, gradient passes and processor time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otherwise/otherwise.h"
#include "stopwatch.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum {
    side = 28,
    n_pixels = side * side,
    n_digits = 5,
    n_pairs = 8,
    block = 1024,
    n_known = 5000
};
static const char *const digits[n_digits] = {"1", "3", "4", "7", "8"};
static const int pairs[n_pairs][2] = {{0, 2}, {2, 0}, {0, 3}, {3, 0},
                                      {1, 4}, {4, 1}, {3, 2}, {2, 3}};

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_pairs: %s\n", ow_error_message());
    exit(1);
}

static void *allocate(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (memory != NULL) return memory;
    fprintf(stderr, "bench_pairs: out of memory\n");
    exit(1);
}

/* ---- The images ---- */

typedef struct {
    size_t n;
    unsigned char *pixels; /* n x n_pixels */
    int32_t *labels;
    bool *is_test;
} images;

static ow_reader *open_images(ow_context *ctx, const char *path, const char *labels)
{
    ow_reader *reader = NULL;
    check(ow_reader_open(
        ctx, path, &(ow_read_options){.size = sizeof(ow_read_options), .labels = labels},
        &how, &reader));
    check(ow_reader_keep_classes(reader, "label", digits, n_digits));
    return reader;
}

/* Adds the digits of one of the two sets. */
static void add_images(ow_context *ctx, const char *folder, const char *set, images *all)
{
    char path[2][4096];
    ow_schema *schema = NULL;
    ow_table *table = NULL;
    snprintf(path[0], sizeof path[0], "%s/%s-images-idx3-ubyte.gz", folder, set);
    snprintf(path[1], sizeof path[1], "%s/%s-labels-idx1-ubyte.gz", folder, set);
    ow_reader *reader = open_images(ctx, path[0], path[1]);
    check(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
        &how, &schema));
    check(ow_reader_bind(reader, schema, false));
    check(ow_table_read(reader, &how, &table));
    for (size_t i = 0; i < ow_table_n_rows(table); i++, all->n++) {
        const double *row = ow_table_row(table, i);
        for (size_t j = 0; j < n_pixels; j++)
            all->pixels[all->n * n_pixels + j] = (unsigned char)row[j];
        all->labels[all->n] = ow_table_classes(table)[i];
    }
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

/* The two sets as one NPY file with its labels beside it, so that both circuits learn from
 * the same rows. */
static void write_images(ow_context *ctx, const images *all, char name[2][64])
{
    const size_t shape[3] = {all->n, side, side};
    int32_t *labels = allocate(all->n, sizeof *labels);
    for (size_t i = 0; i < all->n; i++) labels[i] = atoi(digits[all->labels[i]]);
    snprintf(name[0], 64, "bench_pairs_images.npy");
    snprintf(name[1], 64, "bench_pairs_labels.npy");
    check(ow_npy_write(ctx, name[0], OW_ELEMENT_UINT8, 3, shape, all->pixels));
    check(ow_npy_write(ctx, name[1], OW_ELEMENT_INT32, 1, shape, labels));
    free(labels);
}

static ow_model *learn(ow_context *ctx, char name[2][64], const images *all,
                       ow_structure structure, uint64_t seed)
{
    ow_reader *reader = open_images(ctx, name[0], name[1]);
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    options.leaves = OW_LEAVES_GAUSSIAN;
    options.structure = structure;
    options.is_test = all->is_test;
    options.n_is_test = all->n;
    how.seed = seed;
    check(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
        &how, &schema));
    check(ow_model_train(reader, schema, &options, &how, &model));
    const ow_train_report report = *ow_model_report(model);
    printf("%s circuit: accuracy %.4f, log S(x given y) %.2f on %zu test rows, %.0f s\n",
           structure == OW_STRUCTURE_SHARED ? "shared" : "per-class", report.test.accuracy,
           report.test.log_density_class, report.test.n_rows, report.seconds);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return model;
}

/* ---- What came of a pair ---- */

typedef struct {
    size_t n, n_already, n_given, n_valid, n_valid_before, n_any, n_agreed;
    double log_before, log_after, log_valid, l2, n_gradient, seconds;
} tally;

typedef struct {
    ow_model *model;
    ow_explainer *explainer;
    ow_evaluator *evaluator; /* of the circuit, for answers before repair */
    ow_predictor *second;
    size_t most; /* rows of a pair */
} task;

static double log_density_before(const task *t, const ow_counterfactual *answer)
{
    double log_class[n_digits], log_density;
    check(ow_evaluator_evaluate_soft(t->evaluator, 1, answer->soft, &how, log_class));
    ow_circuit_posterior(ow_model_circuit(t->model), 1, log_class, &log_density, NULL);
    return log_density;
}

static void count(const task *t, const ow_outcome *outcome, tally *sum)
{
    if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) {
        sum->n_already++;
        return;
    }
    sum->n++;
    if (outcome->n_answers == 0) return;
    const ow_counterfactual *answer = outcome->answers[0];
    int32_t second;
    const ow_predictions wanted = {.size = sizeof wanted, .classes = &second};
    sum->n_given++;
    check(ow_predictor_predict(t->second, 1, answer->values, &how, &wanted));
    sum->n_valid += answer->valid;
    sum->n_valid_before += answer->valid_before_repair;
    sum->n_any += answer->predicted != outcome->predicted;
    sum->n_agreed += second == outcome->target;
    sum->log_before += log_density_before(t, answer);
    sum->log_after += answer->log_density;
    if (answer->valid) sum->log_valid += answer->log_density;
    sum->l2 += answer->distance.l2;
    sum->n_gradient += (double)answer->n_gradient;
}

static void print_tally(const char *what, const tally *s)
{
    const double n = s->n > 0 ? (double)s->n : 1.0;
    const double given = s->n_given > 0 ? (double)s->n_given : NAN;
    printf("%-6s %7zu %7zu %8.4f %8.4f %8.4f %9.2f %9.2f %9.2f %7.2f %8.4f %8.2f %9.1f\n",
           what, s->n, s->n_already, (double)s->n_valid / n, (double)s->n_valid_before / n,
           (double)s->n_any / n, s->log_before / given, s->log_after / given,
           s->n_valid > 0 ? s->log_valid / (double)s->n_valid : NAN, s->l2 / given,
           (double)s->n_agreed / n, s->n_gradient / given, 1e6 * s->seconds / n);
}

static void add_tally(tally *sum, const tally *one)
{
    sum->n += one->n;
    sum->n_already += one->n_already;
    sum->n_given += one->n_given;
    sum->n_valid += one->n_valid;
    sum->n_valid_before += one->n_valid_before;
    sum->n_any += one->n_any;
    sum->n_agreed += one->n_agreed;
    sum->log_before += one->log_before;
    sum->log_after += one->log_after;
    sum->log_valid += one->log_valid;
    sum->l2 += one->l2;
    sum->n_gradient += one->n_gradient;
    sum->seconds += one->seconds;
}

static void take_image(const images *all, size_t i, double *values)
{
    for (size_t j = 0; j < n_pixels; j++) values[j] = all->pixels[i * n_pixels + j];
}

/* The first t->most test rows labelled y, on their way to target. */
static tally run_pair(const task *t, const images *all, int32_t y, int32_t target,
                      double *values)
{
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    tally sum = {0};
    options.target = target;
    options.explain_failure = false;
    for (size_t next = 0, left = t->most; next < all->n && left > 0;) {
        ow_explanation *explanation = NULL;
        size_t n = 0;
        for (; next < all->n && n < block && n < left; next++)
            if (all->is_test[next] && all->labels[next] == y)
                take_image(all, next, values + n++ * n_pixels);
        left -= n;
        const double start = stopwatch_seconds();
        check(ow_explainer_explain(t->explainer, NULL, &options, n, values, &how,
                                   &explanation));
        sum.seconds += stopwatch_seconds() - start;
        for (size_t i = 0; i < n; i++)
            count(t, ow_explanation_outcome(explanation, i), &sum);
        options.first_row += n;
        ow_explanation_free(explanation);
    }
    return sum;
}

static void run(const task *t, const images *all)
{
    double *values = allocate((size_t)block * n_pixels, sizeof *values);
    tally sum = {0};
    printf("%-6s %7s %7s %8s %8s %8s %9s %9s %9s %7s %8s %8s %9s\n", "pair", "queries",
           "already", "valid", "before", "any", "logS raw", "repaired", "of valid", "L2",
           "agrees", "passes", "us a row");
    for (size_t p = 0; p < n_pairs; p++) {
        char name[16];
        const tally one = run_pair(t, all, pairs[p][0], pairs[p][1], values);
        snprintf(name, sizeof name, "%s-%s", digits[pairs[p][0]], digits[pairs[p][1]]);
        print_tally(name, &one);
        fflush(stdout);
        add_tally(&sum, &one);
    }
    print_tally("all", &sum);
    free(values);
}

/* The first training images, for methods that look at known rows; the explainer borrows
 * them. */
static double *give_background(ow_explainer *explainer, const images *all)
{
    double *values = allocate((size_t)n_known * n_pixels, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < all->n && n < n_known; i++)
        if (!all->is_test[i]) take_image(all, i, values + n++ * n_pixels);
    check(ow_explainer_set_background(explainer, n, values));
    return values;
}

/* METHOD[:PRESET][,PARAMETER=VALUE]...[@N], taken apart where it stands. */
static void run_contestant(task *t, const images *all, char *text)
{
    printf("\n%s\n", text);
    char *at = strchr(text, '@');
    t->most = SIZE_MAX;
    if (at != NULL) {
        t->most = strtoul(at + 1, NULL, 10);
        *at = '\0';
    }
    char *part = strtok(text, ","), *preset = strchr(part, ':');
    if (preset != NULL) *preset++ = '\0';
    check(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                               .model = t->model},
                           part, &t->explainer));
    if (preset != NULL) check(ow_explainer_preset(t->explainer, preset));
    while ((part = strtok(NULL, ",")) != NULL) {
        char *value = strchr(part, '=');
        if (value != NULL) *value++ = '\0';
        check(ow_explainer_set(t->explainer, part, value != NULL ? value : ""));
    }
    double *known = give_background(t->explainer, all);
    run(t, all);
    printf("prepared in %.2f s\n", ow_explainer_preparation_seconds(t->explainer));
    ow_explainer_free(t->explainer);
    free(known);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: bench_pairs FOLDER per-class|shared METHOD...\n");
        return 2;
    }
    const bool shared = strcmp(argv[2], "shared") == 0;
    char name[2][64];
    ow_context *ctx = NULL;
    images all = {.pixels = allocate((size_t)70000 * n_pixels, 1),
                  .labels = allocate(70000, sizeof *all.labels),
                  .is_test = allocate(70000, sizeof *all.is_test)};
    task t = {0};
    check(ow_context_new(NULL, &ctx));
    add_images(ctx, argv[1], "train", &all);
    add_images(ctx, argv[1], "t10k", &all);
    check(ow_split_by_share(ctx, all.n, all.labels, 0.3,
                            &(ow_call){.size = sizeof(ow_call), .seed = 1}, all.is_test));
    write_images(ctx, &all, name);
    t.model =
        learn(ctx, name, &all, shared ? OW_STRUCTURE_SHARED : OW_STRUCTURE_PER_CLASS, 1);
    ow_model *other =
        learn(ctx, name, &all, shared ? OW_STRUCTURE_PER_CLASS : OW_STRUCTURE_SHARED, 2);
    remove(name[0]);
    remove(name[1]);
    check(ow_predictor_new(other, NULL, &t.second));
    check(ow_evaluator_new(ow_model_circuit(t.model), NULL, &t.evaluator));
    for (int i = 3; i < argc; i++) run_contestant(&t, &all, argv[i]);

    ow_evaluator_free(t.evaluator);
    ow_predictor_free(t.second);
    ow_model_free(other);
    ow_model_free(t.model);
    ow_context_free(ctx);
    free(all.pixels);
    free(all.labels);
    free(all.is_test);
    return 0;
}
