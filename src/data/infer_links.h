/* SPDX-License-Identifier: MIT */
/* The values that linked columns were seen to have together. */
#ifndef OWI_INFER_LINKS_H
#define OWI_INFER_LINKS_H

#include "data/column_stats.h"
#include "data/linked_columns.h"

/* Adds the combinations of every link to a schema that is whole.  stats and file_columns have one entry for each column of the
 * schema: what was seen in it, and its number in `links`. */
ow_status owi_add_linked_values(ow_schema *schema, const owi_links *links,
                                const owi_column_stats *const *stats,
                                const size_t *file_columns);

#endif
