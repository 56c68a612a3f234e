/* SPDX-License-Identifier: MIT */
/* Values of Arrow arrays that are read as texts. */
#ifndef OWI_ARROW_TEXT_H
#define OWI_ARROW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { owi_arrow_text_size = 96 }; /* the longest of them with its NUL */

/* A day since 1970-01-01 as 2024-02-29; years beyond 9999 have more digits, those before 0
 * a minus sign.  Returns the length. */
size_t owi_arrow_print_date(int64_t day, char text[owi_arrow_text_size]);

/* Units of 1 / per_second seconds since 1970-01-01T00:00:00 as 2024-02-29T12:30:00.250Z:
 * the fraction, where it is not 0, with as many digits as the unit has; the Z, where
 * zoned. */
size_t owi_arrow_print_time(int64_t units, int64_t per_second, bool zoned,
                            char text[owi_arrow_text_size]);

/* A whole number of 128 bits (two's complement, in halves) times 10^-scale. */
size_t owi_arrow_print_decimal(uint64_t high, uint64_t low, int scale,
                               char text[owi_arrow_text_size]);

/* The number that the 16 bits of a half float stand for. */
double owi_arrow_half(uint16_t bits);

#endif
