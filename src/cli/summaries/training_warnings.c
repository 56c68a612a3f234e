/* SPDX-License-Identifier: MIT */
#include "summaries/training_warnings.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/message.h"

/* Rows that should be there for each column, and rows that are enough to tell shares. */
enum { rows_of_column = 5, least_unseen = 50 };
static const double nearly_all = 0.999;

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Whether two names are the same but for capitals and blanks. */
static bool are_alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ') a++;
        while (*b == ' ') b++;
        if (lower(*a) != lower(*b)) return false;
        if (*a == '\0') return true;
    }
}

static void warn_of_classes(const ow_schema *schema)
{
    const size_t n = ow_schema_n_classes(schema);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            const char *a = ow_schema_class_name(schema, k),
                       *b = ow_schema_class_name(schema, i);
            if (!are_alike(a, b)) continue;
            message(OW_LOG_WARN,
                    "the classes \"%s\" and \"%s\" differ by capitals or blanks only; "
                    "perhaps they should be one",
                    a, b);
            return;
        }
}

/* ---- A column that says the class ---- */

/* Rows to ask about: at most so many, the first of the file. */
enum { most_asked = 2000 };

/* How many of n rows the model judges right by column j alone; all others are missing. */
static size_t count_right(ow_predictor *predictor, size_t d, size_t j, size_t n,
                          const double *values, const int32_t *classes, const ow_call *how)
{
    double *alone = memory_new(n * d, sizeof *alone);
    int32_t *said = memory_new(n, sizeof *said);
    const ow_predictions wanted = {.size = sizeof wanted, .classes = said};
    size_t n_right = 0;
    for (size_t i = 0; i < n * d; i++) alone[i] = i % d == j ? values[i] : NAN;
    if (ow_predictor_predict(predictor, n, alone, how, &wanted) == OW_OK)
        for (size_t i = 0; i < n; i++) n_right += said[i] == classes[i];
    free(said);
    free(alone);
    return n_right;
}

/* The column by which alone the model judges nearly all rows right, and the best at that;
 * NULL if there is none, or the rows cannot be read again. */
static const char *find_telling_column(const ow_model *model, ow_reader *reader,
                                       const ow_call *how)
{
    const ow_schema *schema = ow_model_schema(model);
    const size_t d = ow_schema_n_columns(schema);
    double *values = memory_new(most_asked * d, sizeof *values);
    int32_t *classes = memory_new(most_asked, sizeof *classes);
    ow_predictor *predictor = NULL;
    const char *found = NULL;
    size_t n = 0, most = 0;
    if (ow_reader_rewind(reader) == OW_OK &&
        ow_reader_next(reader, most_asked, how, values, classes, &n) == OW_OK &&
        ow_predictor_new(model, NULL, &predictor) == OW_OK)
        for (size_t j = 0; j < d; j++) {
            const size_t n_right = count_right(predictor, d, j, n, values, classes, how);
            if (n_right <= most || (double)n_right < nearly_all * (double)n) continue;
            most = n_right;
            found = ow_schema_column(schema, j)->name;
        }
    ow_predictor_free(predictor);
    free(classes);
    free(values);
    return found;
}

static void warn_of_leak(const ow_model *model, ow_reader *reader, const ow_call *how)
{
    const bool is_table = ow_schema_layout(ow_model_schema(model)).kind == OW_LAYOUT_TABLE;
    const char *column = is_table ? find_telling_column(model, reader, how) : NULL;
    if (column != NULL)
        message(OW_LOG_WARN,
                "column \"%s\" alone says the class; if it is known only afterwards, or "
                "copies the class: --drop '%s'",
                column, column);
    else
        message(OW_LOG_WARN,
                "all rows that it has not learned from are judged right, which is too "
                "good; does a column say the class (--drop COLUMN), or is it known only "
                "afterwards?");
}

void training_warnings_print(const ow_model *model, ow_reader *reader, const ow_call *how)
{
    const ow_train_report *report = ow_model_report(model);
    const ow_schema *schema = ow_model_schema(model);
    const ow_quality *unseen = report->unseen;
    const size_t d = ow_schema_n_columns(schema);
    ow_foreign_info info;
    warn_of_classes(schema);
    if (ow_schema_layout(schema).kind == OW_LAYOUT_TABLE &&
        report->train.n_rows < rows_of_column * d)
        message(OW_LOG_WARN,
                "%zu training rows are few for %zu column%s; do not rely on the model",
                report->train.n_rows, d, d == 1 ? "" : "s");
    /* A model that came from elsewhere may have learned from the rows held out here. */
    if (unseen->n_rows < least_unseen || ow_model_foreign(model, &info)) return;
    if (unseen->accuracy <= unseen->majority)
        message(
            OW_LOG_WARN,
            "on rows that it has not learned from the model is right for %.1f %%, and "
            "always saying %s for %.1f %%: it has learned nothing that its answers could "
            "tell",
            100.0 * unseen->accuracy,
            ow_schema_class_name(schema, (size_t)unseen->majority_class),
            100.0 * unseen->majority);
    if (unseen->accuracy >= nearly_all && unseen->majority < nearly_all)
        warn_of_leak(model, reader, how);
}
