/* SPDX-License-Identifier: MIT */
#include "summaries/quality_summary.h"

#include <math.h>
#include <stdlib.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

/* The log-loss of giving every row the classes' shares of these rows. */
static double loss_of_shares(const ow_model *model)
{
    const size_t C = ow_schema_n_classes(ow_model_schema(model));
    const ow_train_report *report = ow_model_report(model);
    const double n_rows = (double)report->unseen->n_rows;
    double loss = 0.0;
    for (size_t y = 0; y < C; y++) {
        double n = 0.0;
        for (size_t c = 0; c < C; c++) n += (double)report->confusion[y * C + c];
        if (n > 0.0) loss -= n / n_rows * log(n / n_rows);
    }
    return loss;
}

static void add_figure(text_table *table, const char *name, char *value, char *without)
{
    text_table_add(table, name);
    text_table_take(table, value);
    text_table_take(table, without);
}

static void print_table(FILE *file, const ow_model *model)
{
    static const table_column columns[] = {{.title = "figure"},
                                           {.title = "model", .is_number = true},
                                           {.title = "without it", .is_number = true}};
    const ow_train_report *report = ow_model_report(model);
    const ow_quality *unseen = report->unseen;
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    add_figure(table, "accuracy", text_add(NULL, "%.1f %%", 100.0 * unseen->accuracy),
               text_add(NULL, "%.1f %%", 100.0 * unseen->majority));
    if (!isnan(unseen->auc)) {
        add_figure(table, "AUC", text_add(NULL, "%.3f", unseen->auc),
                   text_add(NULL, "0.500"));
        add_figure(table, "Gini", text_add(NULL, "%.3f", 2.0 * unseen->auc - 1.0),
                   text_add(NULL, "0.000"));
    }
    add_figure(table, "log-loss", text_add(NULL, "%.3f", unseen->log_loss),
               text_add(NULL, "%.3f", loss_of_shares(model)));
    add_figure(table, "calibration error",
               text_add(NULL, "%.1f %%", 100.0 * ow_calibration_error(report->calibration)),
               text_add(NULL, "%s", ""));
    text_table_print(file, table, terminal_width(file));
    text_table_free(table);
}

/* What the two columns of the table are. */
static void print_notes(FILE *file, const ow_model *model)
{
    const ow_quality *unseen = ow_model_report(model)->unseen;
    display_paragraph(
        file,
        text_add(
            NULL,
            "Accuracy lies between %.1f and %.1f" DISPLAY_NO_BREAK
            "%% with 95" DISPLAY_NO_BREAK
            "%% confidence. Without the model: always saying %s, with the shares of the "
            "classes as probabilities.",
            100.0 * unseen->accuracy_low, 100.0 * unseen->accuracy_high,
            ow_schema_class_name(ow_model_schema(model), (size_t)unseen->majority_class)));
}

void quality_summary_print(FILE *file, const ow_model *model)
{
    const ow_train_report *report = ow_model_report(model);
    const ow_quality *unseen = report->unseen;
    ow_foreign_info info;
    if (report->train.n_rows == 0) return;
    output_print(file, "\n");
    if (unseen->n_rows == 0) {
        display_paragraph(file,
                          text_add(NULL, "No rows were held out, so nothing tells how "
                                         "well it does on others."));
        return;
    }
    char *text = text_add_count(text_add(NULL, "On "), unseen->n_rows, "row");
    text = text_add(text, ow_model_foreign(model, &info)
                              ? " that the circuit had not learned from ("
                              : " that it had not learned from (");
    if (unseen->n_folds > 0)
        text = text_add(text, "cross-validation in %zu parts%s):", unseen->n_folds,
                        report->test.n_rows > 0 ? ", and the rows held out" : "");
    else
        text = text_add(text, "held out):");
    display_paragraph(file, text);
    print_table(file, model);
    print_notes(file, model);
}
