/* SPDX-License-Identifier: MIT */
#include "evaluating/given_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "options/decimal.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

/* A file on its way into the arrays. */
typedef struct {
    const char *path;
    ow_reader *reader;
    size_t n_queries, n_columns;
    bool has_numbers; /* a column "row" says which query a line answers */
    size_t n_lines;   /* so far                                         */
    double *values;   /* n_queries x n_columns                          */
    bool *answered;   /* n_queries                                      */
} filling;

static bool has_row_column(const ow_reader *reader, const ow_schema *schema)
{
    bool found = false;
    for (size_t j = 0; j < ow_reader_n_columns(reader); j++)
        found = found || strcmp(ow_reader_column_name(reader, j), "row") == 0;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        if (strcmp(ow_schema_column(schema, j)->name, "row") == 0) return false;
    return found;
}

/* The query that line i of the block answers; n_queries after a complaint. */
static size_t query_of(const filling *f, size_t i)
{
    double number = (double)f->n_lines + 1.0;
    if (f->has_numbers) {
        const char *text = ow_reader_id(f->reader, i);
        if (!decimal_read(text, &number) || number != floor(number)) number = 0.0;
        if (!(number >= 1.0 && number <= (double)f->n_queries))
            message(OW_LOG_ERROR,
                    "%s, line %zu: there is no row \"%s\"; the rows to explain are 1 to "
                    "%zu",
                    f->path, f->n_lines + 2, text, f->n_queries);
    } else if (number > (double)f->n_queries)
        message(OW_LOG_ERROR,
                "%s has more lines than the %zu rows to explain; a column \"row\" can say "
                "which row a line answers",
                f->path, f->n_queries);
    const bool is_there = number >= 1.0 && number <= (double)f->n_queries;
    return is_there ? (size_t)number - 1 : f->n_queries;
}

static int fill(const ow_call *how, filling *f)
{
    enum { block = 256 };
    double *values = memory_new(block * f->n_columns, sizeof *values);
    int code = EXIT_DONE;
    for (size_t n = 1; n > 0 && code == EXIT_DONE;) {
        const ow_status status = ow_reader_next(f->reader, block, how, values, NULL, &n);
        if (status != OW_OK) code = command_failed(status, false);
        for (size_t i = 0; code == EXIT_DONE && i < n; i++, f->n_lines++) {
            const size_t query = query_of(f, i);
            if (query == f->n_queries) {
                code = EXIT_DATA;
            } else if (!f->answered[query]) {
                memcpy(f->values + query * f->n_columns, values + i * f->n_columns,
                       f->n_columns * sizeof *values);
                f->answered[query] = true;
            }
        }
    }
    if (code == EXIT_DONE && !f->has_numbers && f->n_lines < f->n_queries) {
        message(OW_LOG_ERROR,
                "%s has %zu lines for %zu rows to explain; a column \"row\" can say which "
                "row a line answers",
                f->path, f->n_lines, f->n_queries);
        code = EXIT_DATA;
    }
    free(values);
    return code;
}

static int read_file(ow_context *ctx, const ow_call *how, const ow_read_options *read,
                     const ow_schema *schema, filling *f)
{
    ow_status status = ow_reader_open(ctx, f->path, read, how, &f->reader);
    if (status == OW_OK) {
        f->has_numbers = has_row_column(f->reader, schema);
        if (f->has_numbers) status = ow_reader_set_id(f->reader, "row");
    }
    if (status == OW_OK) status = ow_reader_bind(f->reader, schema, false);
    const int code = status == OW_OK ? fill(how, f) : command_failed(status, false);
    ow_reader_free(f->reader);
    return code;
}

int given_files_read(ow_context *ctx, const ow_call *how, const text_list *files,
                     const ow_read_options *read, const ow_schema *schema, size_t n_queries,
                     given_files *out)
{
    const size_t d = ow_schema_n_columns(schema);
    ow_read_options alone = *read; /* labels are those of the rows to explain */
    alone.labels = NULL;
    *out = (given_files){.answers = memory_new(files->n, sizeof *out->answers)};
    int code = EXIT_DONE;
    for (size_t k = 0; k < files->n && code == EXIT_DONE; k++) {
        const char *word = files->items[k], *sign = strchr(word, '=');
        filling f = {.path = sign != NULL ? sign + 1 : word,
                     .n_queries = n_queries,
                     .n_columns = d,
                     .values = memory_new(n_queries * d, sizeof *f.values),
                     .answered = memory_new(n_queries, sizeof *f.answered)};
        const size_t length = sign != NULL ? (size_t)(sign - word) : strlen(word);
        out->answers[out->n++] =
            (ow_given_answers){memory_copy(word, length), f.values, f.answered};
        code = read_file(ctx, how, &alone, schema, &f);
    }
    return code;
}

void given_files_clear(given_files *files)
{
    for (size_t k = 0; k < files->n; k++) {
        free((char *)files->answers[k].name);
        free((double *)files->answers[k].values);
        free((bool *)files->answers[k].answered);
    }
    free(files->answers);
}
