/* SPDX-License-Identifier: MIT */
/* The label of a schema, from the column that holds it. */
#ifndef OWI_INFER_LABEL_H
#define OWI_INFER_LABEL_H

#include "data/infer/infer_levels.h"

/* Fails with OW_ERR_SCHEMA if the label is missing in every row. */
ow_status owi_require_label(const owi_column_stats *stats, const char *file);

/* Sets the label and adds its classes in the order asked for, with what people should hear
 * about them; fewer than two fail with OW_ERR_SCHEMA.  *classes lists them, in the order of
 * the schema, for their counts; the caller frees it with owi_free, also after a failure. */
ow_status owi_add_label(ow_schema *schema, const owi_column_stats *stats, const char *file,
                        ow_level_order order, owi_level **classes);

#endif
