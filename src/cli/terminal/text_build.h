/* SPDX-License-Identifier: MIT */
/* Texts put together piece by piece, as long as they come. */
#ifndef CLI_TEXT_BUILD_H
#define CLI_TEXT_BUILD_H

#include <stdarg.h>
#include <stddef.h>

#include "terminal/format_check.h"

/* The text with more behind it, formatted as by printf.  Takes the text over (NULL: an
 * empty one) and returns a new one, to be freed with free():
 *
 *     char *list = NULL;
 *     for (...) list = text_add(list, "%s, ", name); */
char *text_add(char *text, const char *format, ...) CLI_PRINTF(2, 3);
char *text_add_arguments(char *text, const char *format, va_list arguments)
    CLI_PRINTF(2, 0);

/* Adds "1 row" or "5 rows". */
char *text_add_count(char *text, size_t n, const char *noun);
/* Adds a name of a list whose items are divided by ", " or " < "; in quotes if it holds a
 * comma or a < itself. */
char *text_add_item(char *text, const char *between, const char *name);
char *text_add_arguments(char *text, const char *format, va_list arguments)
    CLI_PRINTF(2, 0);

#endif
