/* SPDX-License-Identifier: MIT */
/* Numbers as text, the same in every locale. */
#ifndef OWI_NUMBER_H
#define OWI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { owi_max_decimals = 17 };

/* A decimal number (sign, digits, point, exponent; infinities and hexadecimal are none)
 * that fills the whole text, correctly rounded.  decimals, if not NULL, gets the digits
 * behind the point, counted as written with the exponent applied: 2 for "1.50", 1 for
 * "15e-1", 0 for "1e5"; -1 where the number has more than 15 significant digits or 17
 * decimals.  False if the text is no number or too large for a double. */
bool owi_parse_number(const char *text, size_t length, double *value, int *decimals);

/* The shortest text that reads back as the same double, "nan" and "inf" for what is none;
 * at most 32 bytes with the NUL.  Returns the length. */
enum { owi_number_size = 32 };
size_t owi_print_number(double value, char text[owi_number_size]);

/* With this many decimals (at most 17), no exponent; decimals < 0: as above.  Minus zero is
 * printed as zero. */
enum { owi_fixed_size = 352 };
size_t owi_print_fixed(double value, int decimals, char text[owi_fixed_size]);

/* value rounded to so many decimals, halves to even: the double nearest to the decimal
 * number, which is what owi_print_fixed would print.  Unchanged for decimals < 0 or > 22,
 * and where a double has no such digits.  Minus zero becomes zero. */
double owi_round_decimals(double value, int decimals);

#endif
