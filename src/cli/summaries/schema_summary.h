/* SPDX-License-Identifier: MIT */
/* A schema as people read it. */
#ifndef CLI_SCHEMA_SUMMARY_H
#define CLI_SCHEMA_SUMMARY_H

#include <stdio.h>

#include "otherwise/schema.h"
#include "terminal/text_table.h"

/* Rows, classes and one line for each column; for images and maps, whose columns are all
 * alike, what they have in common.  name is that of the data. */
void schema_summary_print(FILE *file, const char *name, const ow_schema *schema);
/* The same without the lines for each column. */
void schema_summary_print_head(FILE *file, const char *name, const ow_schema *schema);

/* A cell with the values of a column: its range, or as many levels as fit and how many
 * there are. */
void schema_summary_add_values(text_table *table, const ow_schema *schema, size_t column);

#endif
