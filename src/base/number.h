/* SPDX-License-Identifier: MIT */
/* Numbers as text, the same in every locale. */
#ifndef OWI_NUMBER_H
#define OWI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* A decimal number (sign, digits, point, exponent; infinities and hexadecimal are none) that
 * fills the whole text, correctly rounded.  decimals, if not NULL, gets the digits behind the
 * point that matter: 2 for "1.50" and "15e-1"... counted as written, exponent applied, never
 * below 0; -1 where there are more than 15 significant digits in all.  False if the text is no
 * number or too large for a double. */
bool owi_parse_number(const char *text, size_t length, double *value, int *decimals);

/* The shortest text that reads back as the same double, "nan" and "inf" for what is none;
 * at most 32 bytes with the NUL.  Returns the length. */
enum { owi_number_size = 32 };
size_t owi_print_number(double value, char text[owi_number_size]);

/* With this many decimals, no exponent; decimals < 0: as above.  Any double fits in
 * owi_fixed_size bytes for decimals <= 17.  Minus zero is printed as zero. */
enum { owi_fixed_size = 352 };
size_t owi_print_fixed(double value, int decimals, char text[owi_fixed_size]);

/* value rounded to so many decimals: the double nearest to the decimal number; unchanged for
 * decimals < 0 or where a double has no such digits. */
double owi_round_decimals(double value, int decimals);

#endif
