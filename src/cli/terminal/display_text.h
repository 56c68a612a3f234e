/* SPDX-License-Identifier: MIT */
/* Text as a terminal shows it: how many columns it takes, and made harmless.  Names and
 * levels come out of files, so they may hold anything: escape sequences, bytes that are not
 * UTF-8. */
#ifndef CLI_DISPLAY_TEXT_H
#define CLI_DISPLAY_TEXT_H

#include <stddef.h>
#include <stdio.h>

#define DISPLAY_NO_BREAK "\xC2\xA0"

/* Once, before the others: learns the widths of characters.  Touches nothing else of the
 * locale: numbers keep their point. */
void display_start(void);

/* A copy that is UTF-8 and moves no cursor: control characters are written as \n, \t or
 * \x1b, bytes that are not UTF-8 as U+FFFD.  Freed with free(). */
char *display_clean(const char *text);

/* Columns that a clean text takes: 0 for combining marks, 2 for wide characters. */
size_t display_width(const char *text);

/* The text if it fits into so many columns, otherwise as much of it as fits with the ending
 * ("...") behind it; a list is cut between its items if that costs no more than half of
 * it.  Freed with free(). */
char *display_shorten(const char *text, size_t width, const char *ending);

/* Prints the words of a text on lines of at most width columns.  The first line begins
 * where the cursor is, at column indent; later ones are indented as far.  "\n" in the text
 * begins a new line, and one that begins with a space is kept as it is.  A no-break space
 * is printed as a space at which no line is broken. */
void display_wrap(FILE *file, const char *text, size_t indent, size_t width);

/* A paragraph as wide as the terminal, made harmless; frees the text. */
void display_paragraph(FILE *file, char *text);

/* So many spaces. */
void display_pad(FILE *file, size_t n);

#endif
