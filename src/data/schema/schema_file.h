/* SPDX-License-Identifier: MIT */
/* What the parts of reading and writing schema files share. */
#ifndef OWI_SCHEMA_FILE_H
#define OWI_SCHEMA_FILE_H

#include "base/text/json_read.h"
#include "otherwise/schema.h"

/* Files are written in the first version that has what they say; relations and rules came
 * with 1.1. */
#define OWI_SCHEMA_VERSION     "1.1"
#define OWI_SCHEMA_VERSION_1_0 "1.0"

/* All columns of a schema that has its layout and number of rows: from a list with one
 * object for each, or from the object "every_column". */
ow_status owi_schema_read_columns(const owi_json_fields *top, const json_t *list,
                                  ow_schema *schema);
ow_status owi_schema_read_every_column(const owi_json_fields *top, ow_schema *schema);

/* Links: which columns, before the schema is finished; their values, after. */
ow_status owi_schema_read_links(const owi_json_fields *top, ow_schema *schema);
ow_status owi_schema_read_linked_values(const owi_json_fields *top, ow_schema *schema);

/* What columns follow, and conditions between them: "derived", "nearly" and "follows" of
 * columns, "rules"; after the schema is finished. */
ow_status owi_schema_read_relations(const owi_json_fields *top, const json_t *columns,
                                    ow_schema *schema);

/* A value of a linked or following column: a level by its name, a number, or null where
 * `may_lack` is set. */
ow_status owi_schema_read_value(const owi_json_fields *fields, const char *field,
                                const ow_schema *schema, size_t column, const json_t *item,
                                double *value);

#endif
