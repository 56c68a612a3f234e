/* SPDX-License-Identifier: MIT */
/* Numbers as people type them. */
#ifndef CLI_DECIMAL_H
#define CLI_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* The number that the whole text is.  False for anything else: strtod() would also take
 * spaces, "inf", "nan" and hexadecimal. */
bool decimal_read(const char *text, double *number);
/* "LOW:HIGH", where an end that is left out keeps what is there; "LOW" alone is "LOW:". */
bool decimal_read_interval(const char *text, double *low, double *high);

#endif
