/* SPDX-License-Identifier: MIT */
#include "summaries/tune_report.h"

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

void tune_report_print(const ow_tune_trial *trials, size_t n, size_t best)
{
    static const table_column columns[] = {{.title = "repetitions", .is_number = true},
                                           {.title = "inputs", .is_number = true},
                                           {.title = "mean log S(x)", .is_number = true},
                                           {.title = "log-loss", .is_number = true},
                                           {.title = "accuracy", .is_number = true},
                                           {.title = "value", .is_number = true},
                                           {.title = "taken"}};
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        const ow_score *score = &trials[i].score;
        text_table_take(table, text_add(NULL, "%zu", trials[i].repetitions));
        text_table_take(table, text_add(NULL, "%zu", trials[i].inputs));
        text_table_take(table, text_add(NULL, "%.3f", score->log_density));
        text_table_take(table, text_add(NULL, "%.4f", score->log_loss));
        text_table_take(table, text_add(NULL, "%.1f %%", 100.0 * score->accuracy));
        text_table_take(table, text_add(NULL, "%.4f", trials[i].value));
        text_table_add(table, i == best ? "yes" : "");
    }
    output_print(stdout, "\n");
    display_paragraph(stdout,
                      text_add(NULL, "Sizes tried, on training rows held out in turn:"));
    text_table_print(stdout, table, terminal_width(stdout));
    text_table_free(table);
    output_print(stdout, "\n");
}
