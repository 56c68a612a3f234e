/* SPDX-License-Identifier: MIT */
/* What is at the other end of a stream: a person's terminal, or a file or program. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A terminal that knows the usual escape sequences: one with a type that is not dumb. */
bool terminal_obeys(FILE *file);

/* Columns of a line: $COLUMNS if it is a number, else what the terminal says, else 80;
 * never below 20. */
size_t terminal_width(FILE *file);

#define TERMINAL_PLAIN  "\033[0m"
#define TERMINAL_BOLD   "\033[1m"
#define TERMINAL_DIM    "\033[2m"
#define TERMINAL_GREEN  "\033[32m"
#define TERMINAL_YELLOW "\033[33m"
#define TERMINAL_CYAN   "\033[36m"

/* The sequence itself where colours are wanted, "" elsewhere: where the terminal
 * does not obey, and with NO_COLOR set to anything (no-color.org). */
const char *terminal_colour(FILE *file, const char *sequence);

#endif
