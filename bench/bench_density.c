/* SPDX-License-Identifier: MIT */
/* Density of binary tables by circuits of trees and of halves, as the benchmarks for
 * density estimation do it: sizes and passes are chosen on validation rows, then the chosen
 * circuit learns from training and validation rows together and is measured on the test
 * rows.
 *
 *     bench_density TRAIN VALID TEST     files of 0 and 1 with commas, gzipped or not; TEST
 *                                        may be -: no look at it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "otherwise/otherwise.h"
#include "stopwatch.h"

typedef struct {
    size_t n, d;
    float *rows;
    int32_t *classes;
} table;

typedef struct {
    bool trees;
    size_t inputs, repetitions, depth;
} setting;

static const setting settings[] = {{true, 8, 1, 0},
                                   {true, 16, 1, 0},
                                   {true, 8, 3, 0},
                                   {true, 16, 3, 0},
                                   {false, 16, 16, 2}};
enum { n_settings = sizeof settings / sizeof *settings, each = 10, most_passes = 60 };

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_density: %s\n", ow_error_message());
    exit(1);
}

static void *room(void *block, size_t n, size_t size)
{
    block = realloc(block, n * size + 1);
    if (block != NULL) return block;
    fprintf(stderr, "bench_density: out of memory\n");
    exit(1);
}

/* Appends the rows of a file. */
static void read_table(const char *path, table *t)
{
    static char line[1 << 16];
    gzFile file = gzopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "bench_density: cannot open %s\n", path);
        exit(1);
    }
    while (gzgets(file, line, sizeof line) != NULL) {
        size_t n = 0;
        for (const char *c = line; *c != '\0'; c++) n += *c == '0' || *c == '1';
        if (n == 0) continue;
        t->d = n;
        if ((t->n & (t->n - 1)) == 0) {
            t->rows = room(t->rows, (2 * t->n + 1) * n, sizeof *t->rows);
            t->classes = room(t->classes, 2 * t->n + 1, sizeof *t->classes);
        }
        n = 0;
        for (const char *c = line; *c != '\0'; c++)
            if (*c == '0' || *c == '1') t->rows[t->n * t->d + n++] = (float)(*c - '0');
        t->classes[t->n++] = 0;
    }
    gzclose(file);
}

static ow_circuit *new_circuit(ow_context *ctx, const setting *s, size_t d,
                               const ow_row_source *source)
{
    ow_leaf *leaves = room(NULL, d, sizeof *leaves);
    uint32_t *parents = room(NULL, d * s->repetitions, sizeof *parents);
    ow_circuit *circuit = NULL;
    for (size_t j = 0; j < d; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_BERNOULLI, .group = j};
    ow_circuit_spec spec = {.size = sizeof spec,
                            .structure = OW_STRUCTURE_SHARED,
                            .depth = s->depth,
                            .repetitions = s->repetitions,
                            .sums = s->inputs,
                            .inputs = s->inputs,
                            .n_classes = 1,
                            .n_columns = d,
                            .leaves = leaves};
    if (s->trees) {
        check(ow_circuit_find_trees(ctx, &spec, source, NULL, parents));
        spec.parents = parents;
    }
    check(ow_circuit_new(ctx, &spec, &circuit));
    check(ow_circuit_start(circuit, source, NULL));
    free(parents);
    free(leaves);
    return circuit;
}

/* Learns for up to *n_passes and returns how good the rows to judge by are then.  To
 * choose: until these get no better; *n_passes gets after how many that was. */
static double learn(ow_context *ctx, const setting *s, table *from, table *by, bool choose,
                    size_t *n_passes)
{
    ow_row_array rows = {from->n, from->d, from->rows, from->classes, 0};
    ow_row_array judges = {by->n, by->d, by->rows, by->classes, 0};
    const ow_row_source source = ow_row_source_of_array(&rows);
    const ow_row_source judge = ow_row_source_of_array(&judges);
    ow_circuit *circuit = new_circuit(ctx, s, from->d, &source);
    ow_evaluator *evaluator = NULL;
    ow_learn_options options;
    double best = -1e300;
    size_t at = 0;
    ow_learn_options_init(&options, sizeof options);
    options.pseudo_count = 0.1;
    options.prior_rows = 0.1; /* of the average row, for each state */
    options.passes = choose ? each : *n_passes;
    check(ow_evaluator_new(circuit, NULL, &evaluator));
    while (at < *n_passes) {
        ow_score score;
        check(ow_circuit_learn(circuit, &options, &source, NULL, NULL, NULL));
        check(ow_circuit_score(evaluator, &judge, NULL, &score));
        if (score.log_density < best + 1e-3) break;
        best = score.log_density;
        at += options.passes;
    }
    *n_passes = at;
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return best;
}

int main(int argc, char **argv)
{
    ow_context *ctx = NULL;
    table train = {0}, valid = {0}, test = {0};
    size_t best = 0, passes = 0;
    double best_value = -1e300;
    if (argc != 4) {
        fprintf(stderr, "usage: bench_density TRAIN VALID TEST\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    check(ow_context_new(NULL, &ctx));
    read_table(argv[1], &train);
    read_table(argv[2], &valid);
    for (size_t i = 0; i < n_settings; i++) {
        const setting *s = &settings[i];
        size_t n = most_passes;
        const double from = stopwatch_seconds();
        const double value = learn(ctx, s, &train, &valid, true, &n);
        printf("%s, %zu of %zu states: valid %.3f after %zu passes, %.1f s\n",
               s->trees ? "trees" : "halves", s->repetitions, s->inputs, value, n,
               stopwatch_seconds() - from);
        if (!(value > best_value)) continue;
        best_value = value;
        best = i;
        passes = n;
    }
    if (strcmp(argv[3], "-") != 0) {
        read_table(argv[2], &train); /* behind its own rows */
        read_table(argv[3], &test);
        const double from = stopwatch_seconds();
        const double value = learn(ctx, &settings[best], &train, &test, false, &passes);
        printf("chosen: %s, %zu of %zu states: test %.3f, %.1f s\n",
               settings[best].trees ? "trees" : "halves", settings[best].repetitions,
               settings[best].inputs, value, stopwatch_seconds() - from);
    }
    free(train.rows), free(valid.rows), free(test.rows);
    free(train.classes), free(valid.classes), free(test.classes);
    ow_context_free(ctx);
    return 0;
}
