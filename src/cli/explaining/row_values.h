/* SPDX-License-Identifier: MIT */
/* The values of a row as people and programs read them, and which of them have changed. */
#ifndef CLI_ROW_VALUES_H
#define CLI_ROW_VALUES_H

#include <stdbool.h>

#include "otherwise/schema.h"

/* The value as the schema prints it, however long; freed with free(). */
char *row_value_text(const ow_schema *schema, size_t column, double value);
/* The same made harmless for a terminal, and "(missing)" where there is none. */
char *row_value_shown(const ow_schema *schema, size_t column, double value);

/* Two missing values are the same. */
bool row_value_differs(double a, double b);

#endif
