/* SPDX-License-Identifier: MIT */
/* What the parts of reading and writing schema files share. */
#ifndef OWI_SCHEMA_FILE_H
#define OWI_SCHEMA_FILE_H

#include "base/text/json_read.h"
#include "otherwise/schema.h"

#define OWI_SCHEMA_VERSION "1.0"

/* All columns of a schema that has its layout and number of rows: from a list with one
 * object for each, or from the object "every_column". */
ow_status owi_schema_read_columns(const owi_json_fields *top, const json_t *list,
                                  ow_schema *schema);
ow_status owi_schema_read_every_column(const owi_json_fields *top, ow_schema *schema);

/* Links: which columns, before the schema is finished; their values, after. */
ow_status owi_schema_read_links(const owi_json_fields *top, ow_schema *schema);
ow_status owi_schema_read_linked_values(const owi_json_fields *top, ow_schema *schema);

#endif
