/* SPDX-License-Identifier: MIT */
#include "model_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "display_text.h"
#include "memory.h"
#include "output.h"
#include "terminal.h"
#include "text_build.h"
#include "text_table.h"

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

const char *model_summary_leaf(const ow_model *model, size_t column)
{
    const bool category = ow_schema_column(ow_model_schema(model), column)->n_levels > 0;
    size_t first, width;
    ow_model_span(model, column, &first, &width);
    switch (ow_circuit_get_spec(ow_model_circuit(model))->leaves[first].kind) {
    case OW_LEAF_GAUSSIAN:
        return category ? "one-hot, Gaussian" : "Gaussian";
    case OW_LEAF_CATEGORICAL:
        return category ? "categorical" : "categorical, of its few values";
    case OW_LEAF_BERNOULLI:
        return "Bernoulli";
    case OW_LEAF_POINT_MASSES:
        return "Gaussian with point masses";
    }
    return "";
}

static char *leaves_of(const ow_model *model)
{
    const size_t n = ow_schema_n_columns(ow_model_schema(model));
    const double variance = ow_circuit_get_spec(ow_model_circuit(model))->variance;
    bool *told = memory_new(n, sizeof *told), gaussian = false;
    char *text = text_add(NULL, "Leaves: ");
    for (size_t j = 0, n_kinds = 0; j < n; j++) {
        const char *leaf = model_summary_leaf(model, j);
        size_t count = 0;
        for (size_t i = j; i < n && !told[j]; i++) {
            if (strcmp(model_summary_leaf(model, i), leaf) != 0) continue;
            count++;
            told[i] = i > j;
        }
        if (count == 0) continue;
        text = text_add(text, "%s%zu %s", n_kinds++ > 0 ? "; " : "", count, leaf);
        gaussian |= strstr(leaf, "Gaussian") != NULL;
    }
    free(told);
    if (!gaussian) return text_add(text, ".");
    return variance > 0.0 ? text_add(text, "; variance %g.", variance)
                          : text_add(text, "; variances learned.");
}

void model_summary_circuit(FILE *file, const ow_model *model)
{
    const ow_circuit *circuit = ow_model_circuit(model);
    const ow_circuit_spec *spec = ow_circuit_get_spec(circuit);
    char *text =
        text_add(NULL, "Circuit: %s, depth %zu",
                 spec->structure == OW_SHARED ? "one for all classes, with a root for each"
                                              : "a sub-circuit for each class",
                 spec->depth);
    if (spec->depth > 0)
        text = text_add_count(text_add(text, ", "), spec->repetitions, "repetition");
    if (spec->depth > 1) text = text_add_count(text_add(text, ", "), spec->sums, "sum");
    text = text_add_count(text_add(text, ", "), spec->inputs, "input");
    text = add_large(text_add(text, "; "), ow_circuit_n_leaf_parameters(circuit));
    text =
        add_large(text_add(text, " leaf parameters and "), ow_circuit_n_weights(circuit));
    display_paragraph(file, text_add(text, " weights."));
    display_paragraph(file, leaves_of(model));
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

double model_summary_majority(const ow_model *model, size_t *class_index)
{
    const ow_train_report report = ow_model_report(model);
    const size_t C = ow_schema_n_classes(ow_model_schema(model));
    size_t n_rows = 0, most = 0;
    *class_index = 0;
    for (size_t y = 0; y < C; y++) {
        size_t n = 0;
        for (size_t c = 0; c < C; c++) n += report.confusion[y * C + c];
        n_rows += n;
        if (n <= most) continue;
        most = n;
        *class_index = y;
    }
    return n_rows > 0 ? (double)most / (double)n_rows : NAN;
}

void model_summary_scores(FILE *file, const ow_model *model)
{
    static const table_column columns[] = {{.title = "rows"},
                                           {.title = "number", .is_number = true},
                                           {.title = "accuracy", .is_number = true},
                                           {.title = "log-loss", .is_number = true},
                                           {.title = "mean log S(x)", .is_number = true}};
    const ow_train_report report = ow_model_report(model);
    if (report.train.n_rows == 0) return;
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    add_score(table, "training", &report.train);
    add_score(table, "held out", &report.test);
    output_print(file, "\n");
    text_table_print(file, table, terminal_width(file));
    text_table_free(table);

    size_t majority;
    const double share = model_summary_majority(model, &majority);
    if (report.test.n_rows == 0)
        display_paragraph(file,
                          text_add(NULL, "No rows were held out, so nothing tells how "
                                         "well it does on others."));
    else
        display_paragraph(
            file, text_add(NULL,
                           "Always saying %s would be right for %.1f" DISPLAY_NO_BREAK
                           "%% of the rows held out.",
                           ow_schema_class_name(ow_model_schema(model), majority),
                           100.0 * share));
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
    const ow_train_report report = ow_model_report(model);
    if (report.test.n_rows == 0) return;
    output_print(file, "\n");
    if (ow_schema_n_classes(schema) > most_classes) {
        print_mistakes(file, schema, report.confusion);
        return;
    }
    display_paragraph(file, text_add(NULL, "What the rows held out are, line by line, and "
                                           "what they are taken for:"));
    print_matrix(file, schema, report.confusion);
}
