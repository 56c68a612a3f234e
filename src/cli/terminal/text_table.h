/* SPDX-License-Identifier: MIT */
/* A table of text with aligned columns, fitted to the width of the terminal. */
#ifndef CLI_TEXT_TABLE_H
#define CLI_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
    const char *title;
    size_t least_width; /* may be cut down to this, with "..."; 0: never cut */
    bool is_number;     /* stands at the right */
} table_column;

typedef struct text_table text_table;

/* The columns are borrowed. */
text_table *text_table_new(const table_column *columns, size_t n_columns);
void text_table_free(text_table *table);

/* The next cell, from left to right and row by row; the text is copied and made
 * harmless. */
void text_table_add(text_table *table, const char *text);
/* The same for a text that was built for it, which is freed. */
void text_table_take(text_table *table, char *text);
/* The same with what stands behind the text where it has to be cut, instead of "...". */
void text_table_add_list(text_table *table, const char *text, const char *ending);

/* Whether its lines fit into width, perhaps with some cells cut down. */
bool text_table_fits(const text_table *table, size_t width);

/* Prints the titles and rows.  A column whose cells are all empty is left out.  Where the
 * lines are wider than width, the widest columns that may be cut give way; where that is
 * not enough, each row becomes a paragraph: its first cell, then the others below it. */
void text_table_print(FILE *file, const text_table *table, size_t width);

#endif
