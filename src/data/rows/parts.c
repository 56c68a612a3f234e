/* SPDX-License-Identifier: MIT */
/* Several files as one table: a format of reader.h that opens one file after the other and
 * gives its rows.  All have the columns of the first, in the same order; messages name the
 * file and the line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "base/text/quote.h"
#include "data/rows/reader_private.h"

typedef struct {
    size_t n, at; /* files; the one that is open */
    char **paths;
    ow_read_options options;
    owi_rows part; /* rows of that file; no format: none is open */
} parts;

static void close_part(parts *p)
{
    if (p->part.ctx != NULL) owi_rows_clear(&p->part);
    p->part = (owi_rows){0};
}

static ow_status open_part(ow_context *ctx, parts *p, size_t at, const owi_call *call)
{
    owi_byte_source *source;
    close_part(p);
    p->at = at;
    OWI_TRY(owi_byte_source_open(ctx, p->paths[at], call, &source));
    p->part =
        (owi_rows){.ctx = ctx, .source = source, .name = owi_byte_source_name(source)};
    OWI_TRY(owi_find_format(source, &p->part.format));
    return p->part.format->open(&p->part, &p->options);
}

/* What a later file has to agree upon with the first. */
static ow_status check_part(const owi_rows *rows, const parts *p)
{
    const owi_rows *part = &p->part;
    char quoted[2][owi_quote_size];
    if (part->n_columns != rows->n_columns)
        return owi_fail(OW_ERR_FORMAT, "%s: %zu columns, but %s has %zu", part->name,
                        part->n_columns, p->paths[0], rows->n_columns);
    for (size_t j = 0;
         rows->column_names != NULL && part->column_names != NULL && j < rows->n_columns;
         j++)
        if (strcmp(part->column_names[j], rows->column_names[j]) != 0)
            return owi_fail(OW_ERR_FORMAT, "%s: column %zu is named %s, but %s in %s",
                            part->name, j + 1,
                            owi_quote_text(part->column_names[j], quoted[0]),
                            owi_quote_text(rows->column_names[j], quoted[1]), p->paths[0]);
    if (part->decimal_comma == rows->decimal_comma &&
        part->layout.kind == rows->layout.kind && part->has_bytes == rows->has_bytes)
        return OW_OK;
    return owi_fail(OW_ERR_FORMAT, "%s is not written as %s is", part->name, p->paths[0]);
}

static ow_status copy_names(owi_rows *rows, const owi_rows *part)
{
    if (part->column_names == NULL) return OW_OK;
    rows->column_names = owi_alloc_array(rows->ctx, rows->n_columns, sizeof(char *));
    if (rows->column_names == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < rows->n_columns; j++) {
        const char *name = part->column_names[j];
        rows->column_names[j] = owi_copy_text(rows->ctx, name, strlen(name));
        if (rows->column_names[j] == NULL) return OW_ERR_MEMORY;
    }
    return OW_OK;
}

/* ---- The format ---- */

static ow_status next(owi_rows *rows, owi_cell *cells, bool *at_end)
{
    parts *p = rows->state;
    for (;;) {
        OWI_TRY(p->part.format->next(&p->part, cells, at_end));
        if (!*at_end || p->at + 1 == p->n) return OW_OK;
        OWI_TRY(open_part(rows->ctx, p, p->at + 1, NULL));
        OWI_TRY(check_part(rows, p));
    }
}

static ow_status restart(owi_rows *rows)
{
    parts *p = rows->state;
    OWI_TRY(open_part(rows->ctx, p, 0, NULL));
    return check_part(rows, p);
}

static void close(owi_rows *rows)
{
    parts *p = rows->state;
    close_part(p);
    for (size_t i = 0; i < p->n && p->paths != NULL; i++) owi_free(rows->ctx, p->paths[i]);
    owi_free(rows->ctx, p->paths);
    owi_free(rows->ctx, p);
}

static double share(const owi_rows *rows)
{
    const parts *p = rows->state;
    const owi_rows *part = &p->part;
    const double own = part->format != NULL && part->format->share != NULL
                           ? part->format->share(part)
                           : 0.0;
    return ((double)p->at + (isnan(own) ? 0.0 : own)) / (double)p->n;
}

static void place(const owi_rows *rows, char *text, size_t size)
{
    const parts *p = rows->state;
    if (p->part.format != NULL)
        p->part.format->place(&p->part, text, size);
    else
        snprintf(text, size, "%s", rows->name);
}

static const owi_format format = {.name = "parts",
                                  .next = next,
                                  .restart = restart,
                                  .close = close,
                                  .share = share,
                                  .place = place};

/* ---- Opening ---- */

static ow_status fill(owi_rows *rows, size_t n, const char *const *paths, const char *name,
                      const owi_call *call)
{
    parts *p = rows->state;
    rows->own_name = owi_copy_text(rows->ctx, name, strlen(name));
    p->paths = owi_alloc_array(rows->ctx, n, sizeof *p->paths);
    if (rows->own_name == NULL || p->paths == NULL) return OW_ERR_MEMORY;
    rows->name = rows->own_name;
    for (size_t i = 0; i < n; i++) {
        p->paths[i] = owi_copy_text(rows->ctx, paths[i], strlen(paths[i]));
        if (p->paths[i] == NULL) return OW_ERR_MEMORY;
    }
    OWI_TRY(open_part(rows->ctx, p, 0, call));
    owi_byte_source_set_call(p->part.source, NULL);
    rows->n_columns = p->part.n_columns;
    rows->layout = p->part.layout;
    rows->has_bytes = p->part.has_bytes;
    rows->decimal_comma = p->part.decimal_comma;
    return copy_names(rows, &p->part);
}

ow_status ow_reader_open_parts(ow_context *ctx, size_t n_paths, const char *const *paths,
                               const char *name, const ow_read_options *options,
                               const ow_call *call, ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && n_paths > 0 && paths != NULL && name != NULL && out != NULL);
    *out = NULL;
    ow_read_options own = {.size = sizeof own};
    owi_call running;
    OWI_TRY(OWI_OPTIONS_TAKE(ow_read_options, options, &own));
    if (own.labels != NULL)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%s: labels in a file of their own belong to one file of rows, not "
                        "to %zu",
                        name, n_paths);
    OWI_TRY(owi_call_begin(&running, ctx, call));
    parts *p = owi_alloc_zeroed(ctx, sizeof *p);
    if (p == NULL) return OW_ERR_MEMORY;
    p->n = n_paths;
    p->options = own;
    owi_rows rows = {.ctx = ctx, .format = &format, .state = p};
    const ow_status status = fill(&rows, n_paths, paths, name, &running);
    if (status != OW_OK) {
        owi_rows_clear(&rows);
        return status;
    }
    OWI_TRY(owi_reader_open_rows(ctx, &rows, &own, NULL, out));
    const ow_status kept = owi_reader_keep_paths(*out, n_paths, paths, &own);
    if (kept == OW_OK) return OW_OK;
    ow_reader_free(*out);
    *out = NULL;
    return kept;
}
