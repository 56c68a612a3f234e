/* SPDX-License-Identifier: MIT */
/* The files behind a reader, one of them at a time and any range of it: for processes that
 * share the reading. */
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "data/rows/reader_private.h"

ow_status owi_reader_keep_paths(ow_reader *reader, size_t n, const char *const *paths,
                                const ow_read_options *options)
{
    const char *labels = options->labels;
    reader->options = *options;
    reader->options.labels = NULL;
    if (labels != NULL) {
        reader->labels_path = owi_copy_text(reader->ctx, labels, strlen(labels));
        if (reader->labels_path == NULL) return OW_ERR_MEMORY;
        reader->options.labels = reader->labels_path;
    }
    reader->paths = owi_alloc_array(reader->ctx, n, sizeof *reader->paths);
    if (reader->paths == NULL) return OW_ERR_MEMORY;
    for (; reader->n_paths < n; reader->n_paths++) {
        const char *path = paths[reader->n_paths];
        char *copy = owi_copy_text(reader->ctx, path, strlen(path));
        if (copy == NULL) return OW_ERR_MEMORY;
        reader->paths[reader->n_paths] = copy;
    }
    return OW_OK;
}

void owi_reader_free_paths(ow_reader *reader)
{
    for (size_t i = 0; i < reader->n_paths; i++) owi_free(reader->ctx, reader->paths[i]);
    owi_free(reader->ctx, reader->paths);
    owi_free(reader->ctx, reader->labels_path);
}

size_t owi_reader_files(const ow_reader *reader, char *const **paths)
{
    *paths = reader->paths;
    const bool alone = reader->filter == NULL && reader->memory.n == 0 &&
                       reader->id == NULL && !reader->keeps_texts;
    return alone ? reader->n_paths : 0;
}

static bool can_be_cut(const owi_rows *rows)
{
    return rows->format->go_to != NULL && owi_byte_source_size(rows->source) > 0;
}

/* Whether a file has the columns of all, in the same order, and can be read from any row;
 * labels of a file of their own have to follow. */
static bool is_alike(const ow_reader *reader, const ow_reader *file)
{
    const ow_reader *labels = file->labels;
    if (!can_be_cut(&file->rows) || file->n_columns != reader->n_columns ||
        file->rows.decimal_comma != reader->rows.decimal_comma)
        return false;
    if (labels != NULL &&
        (!can_be_cut(&labels->rows) || labels->rows.format->byte_of == NULL ||
         file->rows.format->row_from == NULL))
        return false;
    for (size_t j = 0; j < reader->n_columns; j++)
        if (strcmp(file->names[j], reader->names[j]) != 0) return false;
    return true;
}

const ow_schema *owi_reader_schema(const ow_reader *reader)
{
    return reader->binding.schema;
}

uint64_t owi_reader_file_size(const char *path)
{
    struct stat state;
    if (strcmp(path, "-") == 0 || stat(path, &state) != 0) return 0;
    return S_ISREG(state.st_mode) && state.st_size > 0 ? (uint64_t)state.st_size : 0;
}

ow_status owi_reader_open_file(const ow_reader *reader, ow_context *ctx, const char *path,
                               ow_reader **out, uint64_t *first)
{
    owi_byte_source *source;
    *out = NULL;
    OWI_TRY(owi_byte_source_open(ctx, path, reader->call, &source));
    OWI_TRY(owi_reader_open_source(ctx, source, &reader->options, reader->call, out));
    for (size_t note = 0; note < OWI_N_NOTES; note++) (*out)->told[note] = true;
    ow_status status = OW_OK;
    if (!is_alike(reader, *out))
        status = owi_fail(OW_ERR_FORMAT, "%s cannot be read in ranges", path);
    if (status == OW_OK && reader->binding.schema != NULL)
        status = ow_reader_bind(*out, reader->binding.schema, reader->binding.strict);
    if (status == OW_OK) {
        *first = owi_reader_at(*out);
        return OW_OK;
    }
    ow_reader_free(*out);
    *out = NULL;
    return status;
}

uint64_t owi_reader_at(const ow_reader *reader)
{
    return reader->rows.format->at(&reader->rows);
}

ow_status owi_reader_go_to(ow_reader *reader, uint64_t at, bool is_row, uint64_t limit)
{
    const owi_rows *rows = &reader->rows;
    if (reader->labels != NULL) {
        owi_rows *labels = &reader->labels->rows;
        const size_t first = rows->format->row_from(rows, at);
        const size_t end = rows->format->row_from(rows, limit);
        OWI_TRY(labels->format->go_to(labels, labels->format->byte_of(labels, first), true,
                                      labels->format->byte_of(labels, end)));
    }
    return reader->rows.format->go_to(&reader->rows, at, is_row, limit);
}

/* Line ends are those of CSV: LF, CR, or both. */
ow_status owi_reader_number_lines(ow_reader *reader, uint64_t at)
{
    enum { block = 1 << 16 };
    if (reader->rows.format->add_lines == NULL) return OW_OK;
    owi_byte_source *source;
    size_t n_lines = 0;
    char last = '\0', *bytes = owi_alloc(reader->ctx, block);
    if (bytes == NULL) return OW_ERR_MEMORY;
    ow_status status =
        owi_byte_source_open(reader->ctx, owi_byte_source_name(reader->rows.source), NULL,
                             &source);
    for (size_t n = block; status == OW_OK && at > 0 && n > 0; at -= n) {
        status = owi_byte_source_read(source, bytes, owi_smaller(block, at), &n);
        for (size_t i = 0; status == OW_OK && i < n; i++) {
            n_lines += bytes[i] == '\r' || (bytes[i] == '\n' && last != '\r');
            last = bytes[i];
        }
        if (status == OW_OK) status = owi_call_tick(reader->call);
    }
    if (status == OW_OK) reader->rows.format->add_lines(&reader->rows, n_lines);
    owi_byte_source_free(source);
    owi_free(reader->ctx, bytes);
    return status;
}
