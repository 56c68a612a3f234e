/* SPDX-License-Identifier: MIT */
/* Values of rows in JSON, as doc/explanation.schema.json has them: numbers, the names of
 * levels, dates as the file writes them, null for a missing value. */
#ifndef SERVE_JSON_VALUES_H
#define SERVE_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>

#include "otherwise/schema.h"

/* Text of whatever bytes; null for NULL.  What is not UTF-8 becomes "?". */
json_t *json_values_text(const char *text);
json_t *json_values_cell(const ow_schema *schema, size_t column, double value);
/* {"column": value, ...} of all columns. */
json_t *json_values_row(const ow_schema *schema, const double *values);

/* Puts the values that an object has into a row.  False with a sentence to be freed:
 * a column or level that there is not, or a value of the wrong kind. */
bool json_values_read(const ow_schema *schema, const json_t *object, double *values,
                      char **error);

#endif
