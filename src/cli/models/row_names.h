/* SPDX-License-Identifier: MIT */
/* Rows by name: --row customer_id=C000441. */
#ifndef CLI_ROW_NAMES_H
#define CLI_ROW_NAMES_H

#include "options/args.h"
#include "otherwise/otherwise.h"

/* The column that names the rows of a file, by the model's schema; NULL if it has none, or
 * the file does not have it. */
const char *row_names_column(const ow_schema *schema, const ow_reader *reader);

/* Adds the numbers of the rows that the texts "COLUMN=VALUE" name to numbers, which are
 * sorted; goes over the rows of a bound reader for that, and back.  COLUMN may be "id" for
 * row_names_column, where the file has no column "id".  An exit code, after a complaint
 * about a name that no row has. */
int row_names_find(const text_list *texts, ow_reader *reader, const ow_schema *schema,
                   const ow_call *call, size_t **numbers, size_t *n);

#endif
