/* SPDX-License-Identifier: MIT */
/* CSV on standard output, as RFC 4180 has it but with plain line ends. */
#ifndef CLI_CSV_OUTPUT_H
#define CLI_CSV_OUTPUT_H

#include <stdbool.h>

/* One field, with a comma before all but the first of a line; in quotes where it holds a
 * comma, a quote or a line end, or a space at either end. */
void csv_output_field(const char *text, bool first);
void csv_output_end_line(void);

/* A title that the program adds to the columns of a file, with underscores behind it until
 * it is nobody else's: is_taken(of, title) says whether a column has it already. */
void csv_output_own_title(const char *name, bool first,
                          bool (*is_taken)(const void *of, const char *title),
                          const void *of);

#endif
