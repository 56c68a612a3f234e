/* SPDX-License-Identifier: MIT */
/* What all JSON forms share: fields in one line of code, and the values of rows.  Numbers
 * have 15 significant digits, which every double has: 0.1 is not printed as
 * 0.10000000000000001.  NaN and infinities are null. */
#ifndef OWI_JSON_PARTS_H
#define OWI_JSON_PARTS_H

#include "base/text/json_write.h"
#include "otherwise/explain.h"

enum { owi_json_digits = 15, owi_json_float_digits = 9 };

/* "key": value */
void owi_put_text(owi_json *json, const char *key, const char *text); /* NULL: null */
void owi_put_number(owi_json *json, const char *key, double value);
void owi_put_count(owi_json *json, const char *key, size_t value);
void owi_put_bool(owi_json *json, const char *key, bool value);
void owi_put_null(owi_json *json, const char *key);
/* The seed of a call, 0 for NULL; above what JSON readers take for an integer, as text. */
void owi_put_seed(owi_json *json, const char *key, const ow_call *call);
/* "key": [low, high] */
void owi_put_range(owi_json *json, const char *key, double low, double high);

/* A cell of a column: a number, a level's name, null where it is missing. */
void owi_json_cell(owi_json *json, const ow_schema *schema, size_t column, double value);
/* "key": {"age": 30, ...}; and the same without a key. */
void owi_put_row(owi_json *json, const char *key, const ow_schema *schema,
                 const double *values);
void owi_json_row(owi_json *json, const ow_schema *schema, const double *values);
/* "key": the class's name */
void owi_put_class(owi_json *json, const char *key, const ow_schema *schema,
                   int32_t class_index);
/* "key": {"good": 0.7, ...}: a figure for each class. */
void owi_put_by_class(owi_json *json, const char *key, const ow_schema *schema,
                      const double *figures);
/* "key": ["a", "b"]: the levels of a column. */
void owi_put_levels(owi_json *json, const ow_column *column);

/* "key": what a call added to the schema's own constraints, and its wishes.  constraints
 * may be NULL. */
void owi_put_constraints(owi_json *json, const char *key, const ow_constraints *constraints,
                         const ow_explain_options *options);

#endif
