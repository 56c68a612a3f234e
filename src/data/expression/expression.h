/* SPDX-License-Identifier: MIT */
/* Arithmetic over the columns of a schema: `1200 * monthly_payment / income`.
 * doc/expressions.md specifies the language.
 *
 * A text is compiled once into a short program for a stack, in one block of memory, and
 * evaluated on rows in the schema's form. */
#ifndef OWI_EXPRESSION_H
#define OWI_EXPRESSION_H

#include "otherwise/schema.h"

typedef struct owi_expression owi_expression;

/* Fails with OW_ERR_ARGUMENT; the sentence has the text, the position of what is wrong,
 * counted in characters from 1, and what was expected there.  Columns must be numbers.
 * Freed with owi_free. */
ow_status owi_expression_parse(ow_context *ctx, const ow_schema *schema, const char *text,
                               owi_expression **out);
/* NULL: no memory. */
owi_expression *owi_expression_copy(ow_context *ctx, const owi_expression *expression);

/* The value for a row; NaN where a column is missing or the result is not finite. */
double owi_expression_value(const owi_expression *expression, const double *row);

/* The columns that occur in it, ascending, each once. */
size_t owi_expression_columns(const owi_expression *expression, const size_t **columns);

/* Divides `name = expression` at its first "=" outside of quotes: the column's index, and
 * where the expression begins. */
ow_status owi_expression_split(ow_context *ctx, const ow_schema *schema, const char *text,
                               size_t *column, const char **expression);

/* Finds the column whose name is written in `length` bytes of text, quoted or not.  Fails
 * with OW_ERR_ARGUMENT and the nearest spelling. */
ow_status owi_find_written_column(ow_context *ctx, const ow_schema *schema,
                                  const char *text, size_t length, size_t *column);

/* A column's name as expressions write it: bare, or quoted where that is needed.  NULL: no
 * memory. */
char *owi_write_column_name(ow_context *ctx, const char *name);

/* How long the quoted text at `text` is, quotes included; 0: the closing quote is
 * missing. */
size_t owi_quoted_length(const char *text);
/* Copies `length` bytes, without quotes where there are some.  NULL: no memory. */
char *owi_unquote(ow_context *ctx, const char *text, size_t length);

#endif
