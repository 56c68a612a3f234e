/* SPDX-License-Identifier: MIT */
/* A block is a CSV document, the header and up to block_rows rows, and an empty line. */
#include "model/foreign/model_command.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "model/foreign/child_process.h"
#include "model/foreign/command_answer.h"

enum { block_rows = 8192 };

struct owi_command {
    ow_context *ctx;
    char *text;
    double seconds;
    pthread_mutex_t lock; /* of all below */
    owi_child child;
    char *csv;
    size_t n_csv, capacity;
    owi_command_answer answer;
};

/* ---- Rows as CSV ---- */

static ow_status put(owi_command *command, const char *text, size_t length)
{
    OWI_TRY(owi_grow(command->ctx, &command->csv, &command->capacity,
                     command->n_csv + length, 1));
    memcpy(command->csv + command->n_csv, text, length);
    command->n_csv += length;
    return OW_OK;
}

/* In quotes where it has signs of CSV. */
static ow_status put_text(owi_command *command, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') return put(command, text, strlen(text));
    OWI_TRY(put(command, "\"", 1));
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\"");
        OWI_TRY(put(command, at, length));
        at += length;
        if (*at == '\0') break;
        OWI_TRY(put(command, "\"\"", 2));
        at++;
    }
    return put(command, "\"", 1);
}

/* A number with all its digits, in the column's format if it has one, a level by its name;
 * nothing for a missing value. */
static ow_status put_value(owi_command *command, const ow_schema *schema, size_t j,
                           double value)
{
    const ow_column *column = ow_schema_column(schema, j);
    char text[owi_number_size > 256 ? owi_number_size : 256];
    if (isnan(value)) return OW_OK;
    if (column->n_levels > 0) return put_text(command, column->levels[(size_t)value]);
    if (column->format == NULL) return put(command, text, owi_print_number(value, text));
    (void)ow_schema_print_value(schema, j, value, text, sizeof text);
    return put_text(command, text);
}

static ow_status put_row(owi_command *command, const ow_schema *schema,
                         const double *values)
{
    const size_t n = ow_schema_n_columns(schema), start = command->n_csv;
    for (size_t j = 0; j < n; j++) {
        if (j > 0) OWI_TRY(put(command, ",", 1));
        if (values != NULL)
            OWI_TRY(put_value(command, schema, j, values[j]));
        else
            OWI_TRY(put_text(command, ow_schema_column(schema, j)->name));
    }
    /* An empty line ends the block: a missing value of the only column is "". */
    if (command->n_csv == start) OWI_TRY(put(command, "\"\"", 2));
    return put(command, "\n", 1);
}

static ow_status put_block(owi_command *command, const ow_schema *schema, size_t n,
                           const double *values)
{
    command->n_csv = 0;
    OWI_TRY(put_row(command, schema, NULL));
    for (size_t i = 0; i < n; i++)
        OWI_TRY(put_row(command, schema, values + i * ow_schema_n_columns(schema)));
    return put(command, "\n", 1);
}

/* ---- Asking ---- */

/* The sentence for what went wrong; the program is ended by the caller. */
static ow_status blame(owi_command *command, owi_child_event event)
{
    const owi_command_answer *answer = &command->answer;
    char quoted[owi_quote_size], how[owi_child_end_size];
    owi_quote_text(command->text, quoted);
    if (answer->is_wrong)
        return owi_fail(OW_ERR_NUMERIC, "the model's program %s: %s", quoted,
                        answer->wrong);
    if (event == OWI_CHILD_SILENT)
        return owi_fail(OW_ERR_IO,
                        "the model's program %s answered %zu of %zu rows and then nothing "
                        "for %g seconds; it has to print a line for each row when the "
                        "empty line has come, and flush its output",
                        quoted, answer->n_done, answer->n_rows, command->seconds);
    return owi_fail(OW_ERR_IO,
                    "the model's program %s %s after it had answered %zu of %zu rows",
                    quoted, owi_child_how_it_ended(&command->child, how), answer->n_done,
                    answer->n_rows);
}

static ow_status ask_block(const owi_call *call, owi_command *command,
                           const ow_schema *schema, size_t n, const double *values)
{
    owi_child_event event;
    command->answer.n_rows = n;
    command->answer.n_done = command->answer.n_line = 0;
    command->answer.is_wrong = false;
    OWI_TRY(put_block(command, schema, n, values));
    if (command->child.pid == 0)
        OWI_TRY(owi_child_start(&command->child, command->text));
    else if (owi_child_has_more(&command->child))
        return owi_fail(OW_ERR_NUMERIC,
                        "the model's program printed more lines than it had rows");
    OWI_TRY(owi_child_exchange(call, &command->child, command->csv, command->n_csv,
                               command->seconds, owi_command_answer_take, &command->answer,
                               &event));
    return event == OWI_CHILD_ANSWERED && !command->answer.is_wrong ? OW_OK
                                                                    : blame(command, event);
}

static ow_status ask(const owi_call *call, owi_command *command, const ow_schema *schema,
                     size_t n, const double *values, double *scores)
{
    for (size_t first = 0; first < n; first += block_rows) {
        command->answer.scores = scores + first * command->answer.n_scores;
        const ow_status status =
            ask_block(call, command, schema, owi_smaller(n - first, block_rows),
                      values + first * ow_schema_n_columns(schema));
        if (status != OW_OK) owi_child_end(&command->child, true);
        OWI_TRY(status);
    }
    return OW_OK;
}

ow_status owi_command_ask(const owi_call *call, owi_command *command,
                          const ow_schema *schema, size_t n, const double *values,
                          size_t n_scores, bool are_proba, double *scores)
{
    pthread_mutex_lock(&command->lock);
    command->answer.n_scores = n_scores;
    command->answer.are_proba = are_proba;
    const ow_status status = ask(call, command, schema, n, values, scores);
    pthread_mutex_unlock(&command->lock);
    return status;
}

ow_status owi_command_new(ow_context *ctx, const char *text, double seconds,
                          owi_command **out)
{
    *out = NULL;
    owi_command *command = owi_alloc_zeroed(ctx, sizeof *command);
    if (command == NULL) return OW_ERR_MEMORY;
    command->ctx = ctx;
    command->seconds = seconds;
    command->text = owi_copy_text(ctx, text, strlen(text));
    if (command->text == NULL || pthread_mutex_init(&command->lock, NULL) != 0) {
        owi_free(ctx, command->text);
        owi_free(ctx, command);
        return OW_ERR_MEMORY;
    }
    *out = command;
    return OW_OK;
}

void owi_command_free(owi_command *command)
{
    if (command == NULL) return;
    owi_child_end(&command->child, false);
    pthread_mutex_destroy(&command->lock);
    owi_free(command->ctx, command->csv);
    owi_free(command->ctx, command->text);
    owi_free(command->ctx, command);
}
