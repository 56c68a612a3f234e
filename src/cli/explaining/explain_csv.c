/* SPDX-License-Identifier: MIT */
/* Explanations as CSV: a line for each counterfactual, in the columns of the rows, with the
 * number of its row before them and the class that it has behind them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explaining/explain_format.h"
#include "explaining/row_values.h"
#include "output/csv_output.h"
#include "terminal/exit_codes.h"
#include "terminal/text_build.h"

static bool is_column(const void *of, const char *name)
{
    const explain_job *job = of;
    const char *label = ow_schema_label(job->schema);
    if (label != NULL && strcmp(label, name) == 0) return true;
    for (size_t j = 0; j < ow_schema_n_columns(job->schema); j++)
        if (strcmp(ow_schema_column(job->schema, j)->name, name) == 0) return true;
    return false;
}

static void print_title(const explain_job *job, const char *name, bool first)
{
    csv_output_own_title(name, first, is_column, job);
}

/* Whether carried column k of the schema is printed: if the file has it, and the id, which
 * is printed before it, is another. */
static bool is_carried(const explain_job *job, size_t k)
{
    const char *name = ow_schema_carried(job->schema, k);
    const ow_reader *reader = job->source.reader;
    if (job->source.id_column != NULL && strcmp(job->source.id_column, name) == 0)
        return false;
    for (size_t j = 0; j < ow_reader_n_columns(reader); j++)
        if (strcmp(ow_reader_column_name(reader, j), name) == 0) return true;
    return false;
}

static void begin(explain_job *job)
{
    const char *label = ow_schema_label(job->schema);
    print_title(job, "row", true);
    print_title(job, "answer", false);
    if (job->source.id_column != NULL) print_title(job, job->source.id_column, false);
    for (size_t k = 0; k < ow_schema_n_carried(job->schema); k++)
        if (is_carried(job, k)) print_title(job, ow_schema_carried(job->schema, k), false);
    for (size_t j = 0; j < ow_schema_n_columns(job->schema); j++)
        csv_output_field(ow_schema_column(job->schema, j)->name, false);
    csv_output_field(label != NULL ? label : "class", false);
    print_title(job, "probability", false);
    print_title(job, "density_percentile", false);
    csv_output_end_line();
}

/* Nothing for NaN. */
static void print_number(double value)
{
    char *text = text_add(NULL, "%.6g", value);
    csv_output_field(isnan(value) ? "" : text, false);
    free(text);
}

static void print_row(explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    for (size_t k = 0; outcome->kind == OW_OUTCOME_FOUND && k < outcome->n_answers; k++) {
        const ow_counterfactual *answer = outcome->answers[k];
        char *number = text_add(NULL, "%zu", row->number);
        char *place = text_add(NULL, "%zu", k + 1);
        csv_output_field(number, true);
        csv_output_field(place, false);
        if (job->source.id_column != NULL) csv_output_field(row->id, false);
        for (size_t j = 0; j < ow_schema_n_carried(job->schema); j++)
            if (is_carried(job, j)) csv_output_field(row->carried[j], false);
        for (size_t j = 0; j < ow_schema_n_columns(job->schema); j++) {
            char *value = row_value_text(job->schema, j, answer->values[j]);
            csv_output_field(value, false);
            free(value);
        }
        csv_output_field(ow_schema_class_name(job->schema, (size_t)answer->predicted),
                         false);
        print_number(answer->proba[outcome->target]);
        print_number(answer->percentile);
        csv_output_end_line();
        free(number);
        free(place);
    }
}

static int end(explain_job *job)
{
    (void)job;
    return EXIT_DONE;
}

const explain_format explain_format_csv = {
    .name = "csv", .shows_carried = true, .begin = begin, .row = print_row, .end = end};
