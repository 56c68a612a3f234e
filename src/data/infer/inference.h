/* SPDX-License-Identifier: MIT */
/* The inside of inference (schema_infer.c): what is known of the rows so far. */
#ifndef OWI_INFERENCE_H
#define OWI_INFERENCE_H

#include "data/infer/cell_sample.h"
#include "data/infer/column_stats.h"
#include "data/infer/infer_links.h"
#include "data/infer/infer_plan.h"
#include "data/infer/pixel_stats.h"
#include "data/shared/file_ranges.h"

typedef struct {
    ow_context *ctx;
    const owi_call *call;
    ow_reader *reader;
    const char *file;
    const ow_infer_options *options;
    bool is_picture; /* an image or a map */
    size_t n_columns;
    size_t n_rows;
    owi_column_plan *plan;
    owi_column_stats *stats; /* of each column; of pictures, the label's only */
    char **places;           /* where each column's first text stands, if it has one */
    owi_infer_links links;   /* tables only, and so are ids */
    int32_t *ids;
    owi_pixel_stats pixels; /* pictures only */
    bool samples;           /* some rows are kept to find relations in */
    owi_cell_sample sample;
    owi_file_ranges *ranges; /* that the rows come from; NULL: all of the reader */
} owi_inference;

/* A cell as inference sees it: a word that was said to be missing is nothing. */
const owi_cell *owi_infer_seen_cell(const owi_inference *in, const owi_cell *cell);
/* Whether a row is learned from. */
bool owi_infer_uses_row(const owi_inference *in, const owi_cell *cells);
/* Whether a column's cells are looked at one by one. */
bool owi_infer_looks_at(const owi_inference *in, size_t column);
/* The next row. */
ow_status owi_infer_add_row(owi_inference *in, const owi_cell *cells);

/* Reads all rows together with the other processes of the call's team.  *done is false
 * where they do not share the rows, or have given up; in is then to be begun anew
 * (infer_shared.c). */
ow_status owi_infer_read_shared(owi_inference *in, bool *done);

#endif
