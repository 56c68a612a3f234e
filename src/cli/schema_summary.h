/* SPDX-License-Identifier: MIT */
/* A schema as people read it. */
#ifndef CLI_SCHEMA_SUMMARY_H
#define CLI_SCHEMA_SUMMARY_H

#include <stdio.h>

#include "otherwise/schema.h"

/* Rows, classes and one line for each column; for images and maps, whose columns are all alike, what
 * they have in common.  name is that of the data. */
void schema_summary_print(FILE *file, const char *name, const ow_schema *schema);

#endif
