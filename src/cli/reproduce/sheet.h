/* SPDX-License-Identifier: MIT */
/* A table of the page that is filled cell by cell, line after line. */
#ifndef CLI_SHEET_H
#define CLI_SHEET_H

#include "otherwise/page.h"

typedef struct {
    size_t n_columns, n_cells;
    char **cells;
    bool *bold;
    ow_page_tone *tones;
} sheet;

/* The next cell, which it takes over; NULL: empty. */
void sheet_add(sheet *s, char *cell);
void sheet_add_bold(sheet *s, char *cell, bool bold);
void sheet_add_toned(sheet *s, char *cell, ow_page_tone tone);

/* Adds the table to the page and frees its cells. */
void sheet_show(sheet *s, ow_page *page, const ow_page_column *columns,
                const char *caption);

#endif
