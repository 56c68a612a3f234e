/* SPDX-License-Identifier: MIT */
#include "summaries/model_summary.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

enum {
    most_classes = 12,  /* more of them make no matrix that fits a page */
    most_mistakes = 10, /* listed instead                               */
};

/* ---- The circuit ---- */

/* 1,234,567 */
static char *add_large(char *text, size_t n)
{
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%zu", n);
    for (int i = 0; i < length; i++)
        text = text_add(text, "%s%c", i > 0 && (length - i) % 3 == 0 ? "," : "", digits[i]);
    return text;
}

static char *leaves_of(const ow_model *model)
{
    static const char *const meanings[] = {
        [OW_COLUMN_LEAF_CATEGORICAL] = "categorical",
        [OW_COLUMN_LEAF_FEW_VALUES] = "categorical over a few values",
        [OW_COLUMN_LEAF_BERNOULLI] = "Bernoulli",
        [OW_COLUMN_LEAF_GAUSSIAN] = "Gaussian",
        [OW_COLUMN_LEAF_POINT_MASSES] = "Gaussian with point masses",
        [OW_COLUMN_LEAF_ONE_HOT] = "one-hot with a Gaussian for each level",
        [OW_COLUMN_LEAF_FOLLOWS] = "following from others"};
    enum { n_kinds = sizeof meanings / sizeof *meanings };
    const double variance = ow_circuit_get_spec(ow_model_circuit(model))->variance;
    size_t n_of[n_kinds] = {0};
    for (size_t j = 0; j < ow_schema_n_columns(ow_model_schema(model)); j++)
        n_of[ow_model_column_leaf(model, j)]++;

    char *text = NULL;
    for (size_t kind = 0; kind < n_kinds; kind++)
        if (n_of[kind] > 0)
            text = text_add(text, "%s%zu %s", text == NULL ? "Leaves: " : ", ", n_of[kind],
                            meanings[kind]);
    if (n_of[OW_COLUMN_LEAF_GAUSSIAN] + n_of[OW_COLUMN_LEAF_POINT_MASSES] +
            n_of[OW_COLUMN_LEAF_ONE_HOT] ==
        0)
        return text_add(text, ".");
    return variance > 0.0 ? text_add(text, "; with variance %g.", variance)
                          : text_add(text, "; each with its own variance.");
}

void model_summary_circuit(FILE *file, const ow_model *model)
{
    const ow_circuit *circuit = ow_model_circuit(model);
    const ow_circuit_spec *spec = ow_circuit_get_spec(circuit);
    char *text = text_add(NULL, "Circuit: %s, ",
                          spec->structure == OW_STRUCTURE_SHARED
                              ? "one for all classes, with a root for each"
                              : "a sub-circuit for each class");
    if (spec->parents != NULL) {
        text = text_add_count(text, spec->repetitions, "tree");
        text = text_add_count(text_add(text, " of dependences between columns with "),
                              spec->inputs, "state");
    } else {
        text = text_add(text, "depth %zu", spec->depth);
        if (spec->depth > 0)
            text = text_add_count(text_add(text, ", "), spec->repetitions, "repetition");
        if (spec->depth > 1) text = text_add_count(text_add(text, ", "), spec->sums, "sum");
        text = text_add_count(text_add(text, ", "), spec->inputs, "input");
    }
    text = add_large(text_add(text, "; "), ow_circuit_n_leaf_parameters(circuit));
    text =
        add_large(text_add(text, " leaf parameters and "), ow_circuit_n_weights(circuit));
    display_paragraph(file, text_add(text, " weights."));
    display_paragraph(file, leaves_of(model));
}

static void print_network(FILE *file, const ow_model *model)
{
    const ow_train_report report = *ow_model_report(model);
    ow_network_size size;
    if (!ow_model_network(model, &size)) return;
    const ow_score *alone = &report.circuit_test;
    char *text = text_add(NULL, "Decisions: by a neural network");
    for (size_t l = 0; l < size.n_hidden; l++)
        text = text_add(text, "%s%zu",
                        l > 0                ? l + 1 < size.n_hidden ? ", " : " and "
                        : size.n_hidden == 1 ? " with a hidden layer of "
                                             : " with hidden layers of ",
                        size.hidden[l]);
    text =
        add_large(text_add(text, size.n_hidden > 0 ? " units; " : "; "), size.n_parameters);
    text = text_add(text, " parameters. Densities are the circuit's");
    if (alone->n_rows > 0)
        text = text_add(text,
                        ", which alone would be right for %.1f" DISPLAY_NO_BREAK
                        "%% of the rows held out",
                        100.0 * alone->accuracy);
    display_paragraph(file, text_add(text, "."));
}

static void print_foreign(FILE *file, const ow_model *model)
{
    const ow_train_report *report = ow_model_report(model);
    ow_foreign_info info;
    if (!ow_model_foreign(model, &info)) return;
    const bool is_program = info.sha256[0] == '\0';
    char *text =
        text_add(NULL,
                 is_program ? "Decisions: by the %s %s" : "Decisions: by the %s model %s",
                 info.package, info.path);
    if (info.n_trees > 0) text = text_add_count(text_add(text, ", "), info.n_trees, "tree");
    if (is_program)
        text = text_add(text, ", which has to be named again to be started "
                              "(--model-command)");
    else
        text = text_add(text,
                        info.embedded ? ", which is kept in this file"
                                      : ", which must stay where it is (SHA-256 %.12s...)",
                        info.sha256);
    text = text_add(text, ". Densities are the circuit's");
    if (report->agreement >= 0.0)
        text =
            text_add(text,
                     ", which would decide as the model does for %.1f" DISPLAY_NO_BREAK
                     "%% of the rows%s",
                     100.0 * report->agreement, report->test.n_rows > 0 ? " held out" : "");
    display_paragraph(file, text_add(text, "."));
}

/* "Cut-offs: a class is decided from this probability on: bad 0.2, good 0.8."; nothing
 * where the most probable class is decided. */
static void print_cutoffs(FILE *file, const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    const size_t n_classes = ow_schema_n_classes(schema);
    if (n_classes == 0 || isnan(ow_model_cutoff(model, 0))) return;
    char *text = text_add(NULL, "Cut-offs: a class is decided from this probability on: ");
    for (size_t c = 0; c < n_classes; c++)
        text = text_add(text, "%s%s %g", c > 0 ? ", " : "", ow_schema_class_name(schema, c),
                        ow_model_cutoff(model, c));
    if (n_classes > 2)
        text = text_add(text, "; of several, the one farthest above its cut-off, in "
                              "proportion");
    display_paragraph(file, text_add(text, "."));
}

void model_summary_decider(FILE *file, const ow_model *model)
{
    print_network(file, model);
    print_foreign(file, model);
    print_cutoffs(file, model);
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "?";
}

/* By which learner, in how many passes. */
static char *add_learning(char *text, const json_t *training)
{
    const double batch = number_of(training, "batch");
    const double towards = number_of(training, "towards_rows");
    const double ridge = number_of(training, "tilt_ridge");
    const double share = number_of(training, "discriminative");
    text = text_add(text, ", by %s in up to %.0f passes",
                    strcmp(text_of(training, "learner"), "em") == 0 ? "EM" : "Adam",
                    number_of(training, "passes"));
    if (batch > 0.0) text = text_add(text, " in batches of %.0f", batch);
    if (towards >= 0.0)
        text =
            text_add(text,
                     ", first of all classes together, each class then drawn back to that "
                     "by %.4g rows",
                     towards);
    if (ridge > 0.0)
        text = text_add(text, " and tilted to tell them apart (penalty %g)", ridge);
    if (share > 0.0) text = text_add(text, ", with a discriminative share of %g", share);
    return text_add(text, "; class prior %s", text_of(training, "class_prior"));
}

void model_summary_training(FILE *file, const ow_model *model, bool verbose)
{
    json_t *training = json_loads(ow_model_training(model), 0, NULL);
    if (json_object_size(training) == 0) {
        json_decref(training);
        display_paragraph(file,
                          text_add(NULL, "Learned: no, it was imported; it has seen no "
                                         "rows, and rows drawn from it stand for them."));
        return;
    }
    char *text = text_add_count(text_add(NULL, "Learned from "),
                                ow_model_report(model)->train.n_rows, "row");
    if (verbose) text = add_learning(text, training);
    text = text_add(text, "; seed %s", text_of(training, "seed"));
    if (json_is_true(json_object_get(training, "interrupted")))
        text = text_add(text, "; interrupted before the end");
    json_decref(training);
    display_paragraph(file, text_add(text, "."));
}

/* ---- Scores ---- */

static void add_score(text_table *table, const char *name, const ow_score *score)
{
    if (score->n_rows == 0) return;
    text_table_add(table, name);
    text_table_take(table, text_add(NULL, "%zu", score->n_rows));
    text_table_take(table, text_add(NULL, "%.1f %%", 100.0 * score->accuracy));
    text_table_take(table, text_add(NULL, "%.4f", score->log_loss));
    text_table_take(table, text_add(NULL, "%.3f", score->log_density));
}

void model_summary_scores(FILE *file, const ow_model *model)
{
    static const table_column columns[] = {{.title = "rows"},
                                           {.title = "number", .is_number = true},
                                           {.title = "accuracy", .is_number = true},
                                           {.title = "log-loss", .is_number = true},
                                           {.title = "mean log S(x)", .is_number = true}};
    const ow_train_report report = *ow_model_report(model);
    if (report.train.n_rows == 0) return;
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    add_score(table, "training", &report.train);
    add_score(table, "held out", &report.test);
    output_print(file, "\n");
    text_table_print(file, table, terminal_width(file));
    text_table_free(table);
}

static void print_bytes(FILE *file, size_t bytes, const char *where)
{
    if (bytes < 1000000)
        output_print(file, "%.1f kB %s", (double)bytes / 1e3, where);
    else
        output_print(file, "%.1f MB %s", (double)bytes / 1e6, where);
}

void model_summary_stored(FILE *file, const ow_model *model)
{
    const ow_train_report report = *ow_model_report(model);
    output_print(file, "Rows stored while it learned: ");
    print_bytes(file, report.stored_in_memory, "in memory");
    if (report.stored_in_files > 0) {
        output_print(file, ", ");
        print_bytes(file, report.stored_in_files, "in temporary files");
    }
    output_print(file, "\n");
}

/* ---- Confusion ---- */

static void print_matrix(FILE *file, const ow_schema *schema, const size_t *confusion)
{
    const size_t C = ow_schema_n_classes(schema);
    table_column *columns = memory_new(C + 1, sizeof *columns);
    columns[0] = (table_column){.title = "class", .least_width = 12};
    for (size_t c = 0; c < C; c++)
        columns[c + 1] = (table_column){.title = ow_schema_class_name(schema, c),
                                        .least_width = 4,
                                        .is_number = true};
    text_table *table = text_table_new(columns, C + 1);
    for (size_t y = 0; y < C; y++) {
        text_table_add(table, ow_schema_class_name(schema, y));
        for (size_t c = 0; c < C; c++)
            text_table_take(table, text_add(NULL, "%zu", confusion[y * C + c]));
    }
    text_table_print(file, table, terminal_width(file));
    text_table_free(table);
    free(columns);
}

typedef struct {
    size_t y, c, n;
} mistake;

static int compare_mistakes(const void *a, const void *b)
{
    const mistake *x = a, *y = b;
    if (x->n != y->n) return x->n < y->n ? 1 : -1;
    if (x->y != y->y) return x->y < y->y ? -1 : 1;
    return (x->c > y->c) - (x->c < y->c);
}

static void print_mistakes(FILE *file, const ow_schema *schema, const size_t *confusion)
{
    const size_t C = ow_schema_n_classes(schema);
    mistake *mistakes = memory_new(C * C, sizeof *mistakes);
    for (size_t i = 0; i < C * C; i++)
        mistakes[i] = (mistake){i / C, i % C, i / C == i % C ? 0 : confusion[i]};
    qsort(mistakes, C * C, sizeof *mistakes, compare_mistakes);
    char *text = text_add(NULL, "Most often mistaken: ");
    for (size_t i = 0; i < most_mistakes && mistakes[i].n > 0; i++)
        text = text_add(text, "%s%s for %s (%zu)", i > 0 ? ", " : "",
                        ow_schema_class_name(schema, mistakes[i].y),
                        ow_schema_class_name(schema, mistakes[i].c), mistakes[i].n);
    if (mistakes[0].n == 0) text = text_add(text, "none");
    display_paragraph(file, text_add(text, "."));
    free(mistakes);
}

void model_summary_confusion(FILE *file, const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    const ow_train_report report = *ow_model_report(model);
    if (report.unseen->n_rows == 0) return;
    output_print(file, "\n");
    if (ow_schema_n_classes(schema) > most_classes) {
        print_mistakes(file, schema, report.confusion);
        return;
    }
    display_paragraph(file, text_add(NULL, "What these rows are, line by line, and what "
                                           "they are taken for:"));
    print_matrix(file, schema, report.confusion);
}
