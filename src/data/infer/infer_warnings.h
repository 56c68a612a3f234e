/* SPDX-License-Identifier: MIT */
/* What a person should hear about the columns before trusting a schema. */
#ifndef OWI_INFER_WARNINGS_H
#define OWI_INFER_WARNINGS_H

#include "data/infer/column_stats.h"

/* A column of a table, with the type it has been given; place is where its first text
 * stands. */
void owi_warn_about_column(const owi_column_stats *stats, const char *file,
                           ow_column_type type, const char *place);

/* Amounts in several units, also of a column that takes no part in the model. */
void owi_warn_of_units(const owi_column_stats *stats, const char *file);

/* Information: which columns are linked. */
void owi_tell_links(const ow_schema *schema, const char *file);

#endif
