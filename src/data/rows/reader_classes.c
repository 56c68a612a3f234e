/* SPDX-License-Identifier: MIT */
/* Some of the classes only: rows of the others are passed over before anybody sees them. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/spelling.h"
#include "data/rows/reader_private.h"

/* So many of the classes that are passed over are remembered, to tell what a misspelt one
 * may have meant. */
enum { most_others = 1000 };

void owi_class_filter_free(ow_context *ctx, owi_class_filter *filter)
{
    if (filter == NULL) return;
    owi_string_map_free(filter->kept);
    owi_string_map_free(filter->others);
    owi_free(ctx, filter->is_met);
    owi_free(ctx, filter);
}

static ow_status new_filter(ow_context *ctx, size_t column, const char *const *classes,
                            size_t n_classes, owi_class_filter **out)
{
    owi_class_filter *filter = owi_alloc_zeroed(ctx, sizeof *filter);
    if (filter == NULL) return OW_ERR_MEMORY;
    filter->column = column;
    filter->is_met = owi_alloc_array(ctx, n_classes, sizeof *filter->is_met);
    ow_status status = filter->is_met != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = owi_string_map_new(ctx, &filter->kept);
    if (status == OW_OK) status = owi_string_map_new(ctx, &filter->others);
    for (size_t i = 0, index; i < n_classes && status == OW_OK; i++)
        status = owi_string_map_add(filter->kept, classes[i], strlen(classes[i]), &index);
    if (status == OW_OK)
        *out = filter;
    else
        owi_class_filter_free(ctx, filter);
    return status;
}

ow_status ow_reader_keep_classes(ow_reader *reader, const char *label,
                                 const char *const *classes, size_t n_classes)
{
    OWI_REQUIRE(reader != NULL && label != NULL && classes != NULL && n_classes > 0);
    size_t column = 0;
    while (column < reader->n_columns && strcmp(reader->names[column], label) != 0)
        column++;
    if (column == reader->n_columns)
        return owi_reader_no_column(reader, OW_ERR_ARGUMENT, label);
    owi_class_filter *filter;
    OWI_TRY(new_filter(reader->ctx, column, classes, n_classes, &filter));
    owi_class_filter_free(reader->ctx, reader->filter);
    reader->filter = filter;
    return OW_OK;
}

/* As everywhere, a full stop behind a class's name is left away (reader_next.c). */
static size_t find_kept(const owi_class_filter *filter, const char *text, size_t length)
{
    const size_t found = owi_string_map_find(filter->kept, text, length);
    if (found != SIZE_MAX || length < 2 || text[length - 1] != '.') return found;
    return owi_string_map_find(filter->kept, text, length - 1);
}

ow_status owi_reader_keeps(ow_reader *reader, bool *keeps)
{
    owi_class_filter *filter = reader->filter;
    const owi_cell *cell = &reader->cells[filter->column];
    char buffer[owi_number_size];
    size_t length, index;
    *keeps = false;
    if (owi_cell_is_missing(cell)) return OW_OK;
    const char *text = owi_cell_text(cell, buffer, &length);
    const size_t kept = find_kept(filter, text, length);
    *keeps = kept != SIZE_MAX;
    if (*keeps)
        filter->is_met[kept] = true;
    else if (owi_string_map_count(filter->others) < most_others)
        return owi_string_map_add(filter->others, text, length, &index);
    return OW_OK;
}

static const char *other_name(const void *user, size_t i)
{
    return owi_string_map_text(user, i, NULL);
}

ow_status owi_reader_check_classes(const ow_reader *reader)
{
    const owi_class_filter *filter = reader->filter;
    if (filter == NULL) return OW_OK;
    for (size_t i = 0; i < owi_string_map_count(filter->kept); i++)
        if (!filter->is_met[i])
            return owi_fail_unknown(OW_ERR_ARGUMENT, reader->rows.name, "class",
                                    owi_string_map_text(filter->kept, i, NULL),
                                    owi_string_map_count(filter->others), other_name,
                                    filter->others);
    return OW_OK;
}
