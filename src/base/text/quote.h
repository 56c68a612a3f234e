/* SPDX-License-Identifier: MIT */
/* A piece of somebody's file inside a sentence of ours. */
#ifndef OWI_QUOTE_H
#define OWI_QUOTE_H

#include <stddef.h>

/* The text between double quotes, fit for one line: line ends, tabs, other control
 * characters and bytes that are not UTF-8 as \n, \r, \t and \x1b, a quote as \", a
 * backslash as \\; what is longer than about 60 bytes is cut, with "..." behind the closing
 * quote.  Returns out. */
enum { owi_quote_size = 80 };
const char *owi_quote(const char *text, size_t length, char out[owi_quote_size]);
/* The same up to the text's NUL. */
const char *owi_quote_text(const char *text, char out[owi_quote_size]);

#endif
