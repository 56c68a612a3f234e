/* SPDX-License-Identifier: MIT */
/* Explanations as the JSON of DiCE (dice_ml.counterfactual_explanations, version 2.0), so
 * that its tools can show them:
 *
 *     {"test_data": [[[...]], ...], "cfs_list": [[[...], ...], ...], ...}
 *
 * with the rows' values and their class behind them; the lists run in step.  The answers
 * come behind all queries, so they wait in a temporary file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explaining/explain_format.h"
#include "explaining/row_values.h"
#include "output/json_output.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

typedef struct {
    FILE *waiting; /* the list of answers; NULL: it could not be made */
} dice_state;

static void begin(explain_job *job)
{
    dice_state *state = memory_new(1, sizeof *state);
    state->waiting = tmpfile();
    job->state = state;
    output_print(stdout, "{\"test_data\": [");
}

/* The values and the class. */
static json_t *instance_json(const explain_job *job, const double *values,
                             int32_t class_index)
{
    json_t *array = row_values_array(job->schema, values);
    json_array_append_new(
        array, json_output_text(ow_schema_class_name(job->schema, (size_t)class_index)));
    return array;
}

static void print_row(explain_job *job, const ow_explained_row *row)
{
    const dice_state *state = job->state;
    const ow_outcome *outcome = row->outcome;
    const char *between = job->tally->n_rows == 1 ? "\n  " : ",\n  ";
    output_print(stdout, "%s", between);
    json_output_part(json_pack("[o]", instance_json(job, row->query, outcome->predicted)));
    if (state->waiting == NULL) return;
    json_t *answers = json_array();
    for (size_t k = 0; outcome->kind == OW_OUTCOME_FOUND && k < outcome->n_answers; k++)
        json_array_append_new(answers, instance_json(job, outcome->answers[k]->values,
                                                     outcome->answers[k]->predicted));
    char *text = json_output_dump(answers);
    fprintf(state->waiting, "%s%s", between, text);
    free(text);
}

/* The answers that have been waiting.  False if they did not all survive. */
static bool print_answers(FILE *waiting)
{
    char block[1 << 14];
    if (waiting == NULL || fflush(waiting) != 0 || ferror(waiting) != 0) return false;
    rewind(waiting);
    for (size_t n; (n = fread(block, 1, sizeof block, waiting)) > 0;)
        output_write(stdout, block, n);
    return ferror(waiting) == 0;
}

static json_t *names_json(const explain_job *job, const char *outcome_name)
{
    json_t *array = json_array();
    for (size_t j = 0; j < ow_schema_n_columns(job->schema); j++)
        json_array_append_new(array,
                              json_output_text(ow_schema_column(job->schema, j)->name));
    if (outcome_name != NULL) json_array_append_new(array, json_output_text(outcome_name));
    return array;
}

/* The fields behind the two lists, in DiCE's order. */
static void print_rest(const explain_job *job)
{
    const char *label = ow_schema_label(job->schema);
    const char *name = label != NULL ? label : "class";
    const int32_t target = job->source.options->target;
    output_print(stdout, "],\n \"local_importance\": null, \"summary_importance\": null,\n "
                         "\"data_interface\": ");
    json_output_part(
        json_pack("{s:o, s:n}", "outcome_name", json_output_text(name), "data_df"));
    output_print(stdout, ",\n \"feature_names\": ");
    json_output_part(names_json(job, NULL));
    output_print(stdout, ",\n \"feature_names_including_target\": ");
    json_output_part(names_json(job, name));
    output_print(stdout, ",\n \"model_type\": \"classifier\", \"desired_class\": ");
    json_output_part(
        target == OW_ANY_OTHER_CLASS
            ? json_null()
            : json_output_text(ow_schema_class_name(job->schema, (size_t)target)));
    output_print(stdout,
                 ", \"desired_range\": null, \"metadata\": {\"version\": \"2.0\"}}\n");
}

static int end(explain_job *job)
{
    dice_state *state = job->state;
    output_print(stdout, "],\n \"cfs_list\": [");
    errno = 0;
    const bool good = print_answers(state->waiting);
    if (good)
        print_rest(job);
    else
        message(OW_LOG_ERROR, "cannot keep the answers in a temporary file: %s",
                strerror(errno != 0 ? errno : EIO));
    if (state->waiting != NULL) fclose(state->waiting);
    free(state);
    return good ? EXIT_DONE : EXIT_RESOURCES;
}

const explain_format explain_format_dice = {
    .name = "dice", .begin = begin, .row = print_row, .end = end};
