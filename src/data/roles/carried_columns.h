/* SPDX-License-Identifier: MIT */
/* Columns of a table that are carried along without being part of the model. */
#ifndef OWI_CARRIED_COLUMNS_H
#define OWI_CARRIED_COLUMNS_H

#include "data/infer/column_stats.h"
#include "data/infer/infer_plan.h"

/* Sets columns aside that name rows or are free text (identifiers.h), and says so in one
 * line; none, if no column would be left. */
void owi_set_identifiers_aside(ow_context *ctx, const char *file, size_t n_columns,
                               const owi_column_stats *stats, owi_column_plan *plan);
/* Lists them in the schema. */
ow_status owi_add_carried_columns(ow_schema *schema, size_t n_columns,
                                  const owi_column_plan *plan);

#endif
