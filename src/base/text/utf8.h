/* SPDX-License-Identifier: MIT */
#ifndef OWI_UTF8_H
#define OWI_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the first character takes, 1 to 4; 0 if the text does not begin with one
 * in UTF-8 (overlong forms, surrogates and what lies beyond U+10FFFF are none), or is
 * empty. */
size_t owi_utf8_character(const char *text, size_t length);

/* Whether all of it is UTF-8. */
bool owi_is_utf8(const char *text, size_t length);

#endif
