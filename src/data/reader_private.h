/* SPDX-License-Identifier: MIT */
/* The two halves of ow_reader: rows of cells (reader.c), and what they mean under a schema
 * (reader_bind.c, reader_next.c). */
#ifndef OWI_READER_PRIVATE_H
#define OWI_READER_PRIVATE_H

#include "data/reader.h"

/* Where a schema's columns are found in a row of cells. */
typedef struct {
    const ow_schema *schema; /* borrowed; NULL: the reader is not bound        */
    bool strict;
    size_t *cell; /* of each schema column: its place in the row      */
    bool *warned; /* of each schema column: a level was unseen        */
    size_t label; /* the label's place; SIZE_MAX: there is none       */
    bool class_warned, full_stop_noted;
} owi_binding;

struct ow_reader {
    ow_context *ctx;
    owi_rows rows;
    ow_reader *labels; /* one column more, from a file of its own; or NULL */
    size_t n_columns;  /* that one included                                */
    const char **names;
    char *made_names; /* x0, x1, ... where the file has none              */
    owi_cell *cells;  /* of the row last given                            */
    size_t n_given;   /* rows since the start                             */
    bool at_start;
    bool told[OWI_N_NOTES];
    owi_binding binding;
    owi_id_column *id; /* NULL: no column was named                         */
};

/* Frees what a binding holds and unbinds. */
void owi_binding_clear(ow_context *ctx, owi_binding *binding);

#endif
