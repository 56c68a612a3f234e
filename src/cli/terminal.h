/* SPDX-License-Identifier: MIT */
/* What is at the other end of a stream: a person's terminal, or a file or program. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool terminal_is(FILE *file);

/* Columns of a line: $COLUMNS if it is a number, else what the terminal says, else 80; never
 * below 20. */
size_t terminal_width(FILE *file);

#define TERMINAL_PLAIN  "\033[0m"
#define TERMINAL_BOLD   "\033[1m"
#define TERMINAL_DIM    "\033[2m"
#define TERMINAL_GREEN  "\033[32m"
#define TERMINAL_YELLOW "\033[33m"
#define TERMINAL_CYAN   "\033[36m"

/* The sequence itself where colours are wanted, "" elsewhere: on anything but a terminal, with
 * NO_COLOR set to anything (no-color.org), on a terminal of type dumb. */
const char *terminal_colour(FILE *file, const char *sequence);

#endif
