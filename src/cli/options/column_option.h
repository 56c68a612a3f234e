/* SPDX-License-Identifier: MIT */
/* Options that say something about one column: COLUMN=VALUE. */
#ifndef CLI_COLUMN_OPTION_H
#define CLI_COLUMN_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/schema.h"

/* Takes "column=value" apart: the column whose name the text begins with, and what stands
 * behind the "=".  Names may hold a "=" themselves, so every one is tried.  label: the
 * label may be named too, and is the schema's number of columns.  form says what is
 * expected: "COLUMN=LOW:HIGH".  False after a complaint that names the option and the
 * nearest spelling. */
bool column_option_split(const ow_schema *schema, const char *option, const char *form,
                         bool label, const char *text, size_t *column, const char **value);

#endif
