/* SPDX-License-Identifier: MIT */
#include "models/training_warnings.h"

#include <stdbool.h>
#include <string.h>

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

void training_warnings_print(const ow_model *model)
{
    const ow_train_report *report = ow_model_report(model);
    const ow_schema *schema = ow_model_schema(model);
    const ow_quality *unseen = report->unseen;
    const size_t d = ow_schema_n_columns(schema);
    warn_of_classes(schema);
    if (ow_schema_layout(schema).kind == OW_LAYOUT_TABLE &&
        report->train.n_rows < rows_of_column * d)
        message(OW_LOG_WARN,
                "%zu training rows are few for %zu column%s; do not rely on the model",
                report->train.n_rows, d, d == 1 ? "" : "s");
    if (unseen->n_rows < least_unseen) return;
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
        message(
            OW_LOG_WARN,
            "all rows that it has not learned from are judged right, which is too good; "
            "does a column say the class (--drop COLUMN), or is it known only "
            "afterwards?");
}
