/* SPDX-License-Identifier: MIT */
#include "models/row_names.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static bool has_column(const ow_reader *reader, const char *name)
{
    for (size_t j = 0; j < ow_reader_n_columns(reader); j++)
        if (strcmp(ow_reader_column_name(reader, j), name) == 0) return true;
    return false;
}

const char *row_names_column(const ow_schema *schema, const ow_reader *reader)
{
    const char *name = ow_schema_row_id(schema);
    return name != NULL && has_column(reader, name) ? name : NULL;
}

static int compare(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* The rows whose column has this text: all of them, since a name need not be unique. */
static int find_rows(ow_reader *reader, const ow_schema *schema, const char *text,
                     const ow_call *call, size_t **numbers, size_t *n)
{
    enum { block = 256 };
    const char *value = strchr(text, '=') + 1;
    char *column = text_add(NULL, "%.*s", (int)(value - text) - 1, text);
    double *values = memory_new(block * ow_schema_n_columns(schema), sizeof *values);
    const size_t n_before = *n;
    size_t n_rows = block, first = 0;
    const bool is_short = strcmp(column, "id") == 0 && !has_column(reader, "id");
    const char *known = is_short ? row_names_column(schema, reader) : NULL;
    ow_status status = ow_reader_set_id(reader, known != NULL ? known : column);
    while (status == OW_OK && n_rows > 0) {
        status = ow_reader_next(reader, block, call, values, NULL, &n_rows);
        for (size_t i = 0; i < n_rows && status == OW_OK; i++)
            if (strcmp(ow_reader_id(reader, i), value) == 0) {
                *numbers = memory_grow(*numbers, *n, sizeof **numbers);
                (*numbers)[(*n)++] = first + i + 1;
            }
        first += n_rows;
    }
    if (status == OW_OK) status = ow_reader_rewind(reader);
    free(values);
    free(column);
    if (status != OW_OK) return command_check_option("--row", status);
    if (*n > n_before) return EXIT_DONE;
    message(OW_LOG_ERROR, "--row %s: none of the %zu rows has it", text, first);
    return EXIT_USAGE;
}

int row_names_find(const text_list *texts, ow_reader *reader, const ow_schema *schema,
                   const ow_call *call, size_t **numbers, size_t *n)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < texts->n && code == EXIT_DONE; i++)
        if (strchr(texts->items[i], '=') != NULL)
            code = find_rows(reader, schema, texts->items[i], call, numbers, n);
    if (*n > 1) qsort(*numbers, *n, sizeof **numbers, compare);
    return code;
}
