/* SPDX-License-Identifier: MIT */
/* The two halves of ow_reader: rows of cells (reader.c), and what they mean under a schema
 * (reader_bind.c, reader_next.c). */
#ifndef OWI_READER_PRIVATE_H
#define OWI_READER_PRIVATE_H

#include "base/text/string_map.h"
#include "data/rows/reader.h"

/* Where a schema's columns are found in a row of cells. */
typedef struct {
    const ow_schema *schema; /* borrowed; NULL: the reader is not bound        */
    bool strict;
    size_t *cell; /* of each schema column: its place in the row      */
    bool *warned; /* of each schema column: a level was unseen        */
    size_t label; /* the label's place; SIZE_MAX: there is none       */
    bool class_warned, full_stop_noted;
} owi_binding;

/* Which classes are kept (reader_classes.c). */
typedef struct {
    size_t column; /* the label's place in the row                     */
    owi_string_map *kept, *others;
    bool *is_met; /* of each kept one: a row had it                   */
} owi_class_filter;
void owi_class_filter_free(ow_context *ctx, owi_class_filter *filter);
/* Whether the row last read is of one of them. */
ow_status owi_reader_keeps(ow_reader *reader, bool *keeps);

struct ow_reader {
    ow_context *ctx;
    owi_rows rows;
    ow_reader *labels; /* one column more, from a file of its own; or NULL */
    size_t n_columns;  /* that one included                                */
    const char **names;
    char *made_names; /* x0, x1, ... where the file has none              */
    owi_cell *cells;  /* of the row last given                            */
    size_t n_read;    /* rows since the start, those passed over included */
    bool at_start;
    bool told[OWI_N_NOTES];
    owi_binding binding;
    owi_class_filter *filter; /* NULL: all rows are given */
    owi_id_column *id;        /* NULL: no column was named                         */
};

/* Frees what a binding holds and unbinds. */
void owi_binding_clear(ow_context *ctx, owi_binding *binding);

#endif
