/* SPDX-License-Identifier: MIT */
/* The paper's experiment on MNIST: digits 1 3 4 7 8 of all 70,000 images, 70 % to learn from, and from every digit of four pairs to the
 * other and back over the whole test split.
 *
 *     bench_pairs FOLDER [METHOD [STRUCTURE [PARAMETER=VALUE]...]]      two-step, per-class
 *
 * FOLDER holds the four IDX files.  Printed for each pair and over all: queries (test rows labelled y that are not predicted t), share
 * valid after and before repair, mean log S of the answer as the method made it and after repair, mean L2 to the query with pixels in
 * [0, 1], and the share that a second circuit, of the other structure and another seed, gives to the target too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otherwise/otherwise.h"
#include "stopwatch.h"

enum { side = 28, n_pixels = side * side, n_digits = 5, n_pairs = 8, block = 1024 };
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
    check(ow_reader_open(ctx, path, &(ow_read_options){.labels = labels}, &reader));
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
    check(ow_schema_infer(reader, &(ow_infer_options){.label = "label"}, &schema));
    check(ow_reader_bind(reader, schema, false));
    check(ow_table_read(reader, &table));
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

/* The two sets as one NPY file with its labels beside it, so that both circuits learn from the same rows. */
static void write_images(ow_context *ctx, const images *all, char name[2][64])
{
    const size_t shape[3] = {all->n, side, side};
    int32_t *labels = allocate(all->n, sizeof *labels);
    for (size_t i = 0; i < all->n; i++) labels[i] = atoi(digits[all->labels[i]]);
    snprintf(name[0], 64, "bench_pairs_images.npy");
    snprintf(name[1], 64, "bench_pairs_labels.npy");
    check(ow_npy_write(ctx, name[0], OW_NPY_UINT8, 3, shape, all->pixels));
    check(ow_npy_write(ctx, name[1], OW_NPY_INT32, 1, shape, labels));
    free(labels);
}

static ow_model *learn(ow_context *ctx, char name[2][64], const images *all,
                       ow_structure structure, uint64_t seed)
{
    ow_reader *reader = open_images(ctx, name[0], name[1]);
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_report report;
    ow_train_options options = ow_train_defaults();
    options.leaves = OW_LEAVES_GAUSSIAN;
    options.structure = structure;
    options.is_test = all->is_test;
    ow_context_set_seed(ctx, seed);
    check(ow_schema_infer(reader, &(ow_infer_options){.label = "label"}, &schema));
    check(ow_model_train(reader, schema, &options, &model, &report));
    printf("%s circuit: accuracy %.4f, log S(x given y) %.2f on %zu test rows, %.0f s\n",
           structure == OW_SHARED ? "shared" : "per-class", report.test.accuracy,
           report.test.log_density_class, report.test.n_rows, report.seconds);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return model;
}

/* ---- What came of a pair ---- */

typedef struct {
    size_t n, n_already, n_valid, n_valid_before, n_agreed;
    double log_before, log_after, log_valid, l2, n_gradient, seconds;
} tally;

typedef struct {
    ow_model *model;
    ow_explainer *explainer;
    ow_evaluator *evaluator; /* of the circuit, for answers before repair */
    ow_predictor *second;
} task;

static double log_density_before(const task *t, const ow_counterfactual *answer)
{
    double log_class[n_digits], log_density;
    check(ow_evaluate_soft(t->evaluator, 1, answer->encoded, log_class));
    ow_circuit_posterior(ow_model_circuit(t->model), 1, log_class, &log_density, NULL);
    return log_density;
}

static void count(const task *t, const ow_outcome *outcome, tally *sum)
{
    if (outcome->kind == OW_ALREADY_TARGET) {
        sum->n_already++;
        return;
    }
    sum->n++;
    if (outcome->n_answers == 0) return;
    const ow_counterfactual *answer = outcome->answers;
    ow_prediction second;
    check(ow_predict(t->second, 1, answer->values, &second, NULL, NULL));
    sum->n_valid += answer->valid;
    sum->n_valid_before += answer->valid_before_repair;
    sum->n_agreed += second.class_index == outcome->target;
    sum->log_before += log_density_before(t, answer);
    sum->log_after += answer->log_density;
    if (answer->valid) sum->log_valid += answer->log_density;
    sum->l2 += answer->distance.l2;
    sum->n_gradient += (double)answer->n_gradient;
}

static void print_tally(const char *what, const tally *s)
{
    const double n = s->n > 0 ? (double)s->n : 1.0;
    printf("%-6s %7zu %7zu %8.4f %8.4f %9.2f %9.2f %9.2f %7.2f %8.4f %8.2f %9.1f\n", what,
           s->n, s->n_already, (double)s->n_valid / n, (double)s->n_valid_before / n,
           s->log_before / n, s->log_after / n,
           s->n_valid > 0 ? s->log_valid / (double)s->n_valid : NAN, s->l2 / n,
           (double)s->n_agreed / n, s->n_gradient / n, 1e6 * s->seconds / n);
}

static void add_tally(tally *sum, const tally *one)
{
    sum->n += one->n;
    sum->n_already += one->n_already;
    sum->n_valid += one->n_valid;
    sum->n_valid_before += one->n_valid_before;
    sum->n_agreed += one->n_agreed;
    sum->log_before += one->log_before;
    sum->log_after += one->log_after;
    sum->log_valid += one->log_valid;
    sum->l2 += one->l2;
    sum->n_gradient += one->n_gradient;
    sum->seconds += one->seconds;
}

/* All test rows labelled y, on their way to t. */
static tally run_pair(const task *t, const images *all, int32_t y, int32_t target,
                      double *values)
{
    ow_explain_options options = ow_explain_defaults();
    tally sum = {0};
    options.target = target;
    options.explain_failure = false;
    for (size_t next = 0; next < all->n;) {
        ow_explanation *explanation = NULL;
        size_t n = 0;
        for (; next < all->n && n < block; next++) {
            if (!all->is_test[next] || all->labels[next] != y) continue;
            for (size_t j = 0; j < n_pixels; j++)
                values[n * n_pixels + j] = all->pixels[next * n_pixels + j];
            n++;
        }
        const double start = stopwatch_seconds();
        check(ow_explain(t->explainer, NULL, &options, n, values, &explanation));
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
    printf("%-6s %7s %7s %8s %8s %9s %9s %9s %7s %8s %8s %9s\n", "pair", "queries",
           "already", "valid", "before", "logS raw", "repaired", "of valid", "L2", "agrees",
           "passes", "us a row");
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

static void set_parameters(ow_explainer *explainer, char **arguments, int n)
{
    for (int i = 0; i < n; i++) {
        char *value = strchr(arguments[i], '=');
        if (value == NULL) {
            check(ow_explainer_preset(explainer, arguments[i]));
            continue;
        }
        *value++ = '\0';
        check(ow_explainer_set(explainer, arguments[i], value));
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".",
               *method = argc > 2 ? argv[2] : "two-step";
    const bool shared = argc > 3 && strcmp(argv[3], "shared") == 0;
    char name[2][64];
    ow_context *ctx = NULL;
    images all = {.pixels = allocate((size_t)70000 * n_pixels, 1),
                  .labels = allocate(70000, sizeof *all.labels),
                  .is_test = allocate(70000, sizeof *all.is_test)};
    task t = {0};
    check(ow_context_new(NULL, &ctx));
    add_images(ctx, folder, "train", &all);
    add_images(ctx, folder, "t10k", &all);
    check(ow_split_by_share(ctx, all.n, all.labels, 0.3, 1, all.is_test));
    write_images(ctx, &all, name);
    t.model = learn(ctx, name, &all, shared ? OW_SHARED : OW_PER_CLASS, 1);
    ow_model *other = learn(ctx, name, &all, shared ? OW_PER_CLASS : OW_SHARED, 2);
    remove(name[0]);
    remove(name[1]);
    check(ow_predictor_new(other, NULL, &t.second));
    check(ow_evaluator_new(ow_model_circuit(t.model), NULL, &t.evaluator));
    check(ow_explainer_new(&(ow_explain_model){.model = t.model}, method, &t.explainer));
    set_parameters(t.explainer, argv + 4, argc > 4 ? argc - 4 : 0);
    run(&t, &all);

    ow_explainer_free(t.explainer);
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
