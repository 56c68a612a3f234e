/* SPDX-License-Identifier: MIT */
/* Which columns of a table are linked, so that they change together, and the values that
 * they were seen to have together: columns that determine each other (linked_columns.h),
 * and categories spread over columns of 0 and 1 (indicator_columns.h). */
#ifndef OWI_INFER_LINKS_H
#define OWI_INFER_LINKS_H

#include "base/call.h"
#include "data/infer/column_stats.h"
#include "data/infer/indicator_columns.h"
#include "data/infer/linked_columns.h"

/* All zero can be cleared. */
typedef struct {
    ow_context *ctx;
    size_t n_columns;
    owi_links *pairs;
    owi_indicators *indicators;
    size_t *link;  /* (n_columns) after finish: 1, 2, ... in the order of columns, or 0 */
    size_t *group; /* (n_columns) after finish: not 0 where the link is a spread category */
} owi_infer_links;

/* names: n_columns, NULL for a column that is never linked. */
ow_status owi_infer_links_begin(owi_infer_links *links, ow_context *ctx, size_t n_columns,
                                const char *const *names);
void owi_infer_links_clear(owi_infer_links *links);

/* The next row: the numbers of its values, as linked_columns.h wants them, and its
 * cells. */
ow_status owi_infer_links_add_row(owi_infer_links *links, const int32_t *ids,
                                  const owi_cell *cells);

/* After the last row. */
ow_status owi_infer_links_finish(owi_infer_links *links, const owi_call *call,
                                 const owi_column_stats *stats);

/* Adds the combinations of every link to a schema that is whole.  file_columns has the
 * number of each of its columns. */
ow_status owi_infer_links_add_values(const owi_infer_links *links, const owi_call *call,
                                     ow_schema *schema, const owi_column_stats *stats,
                                     const size_t *file_columns);

#endif
