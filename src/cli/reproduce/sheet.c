/* SPDX-License-Identifier: MIT */
/* Tables of the page, cell by cell. */
#include "reproduce/sheet.h"

#include <stdlib.h>

#include "memory.h"

void sheet_add_bold(sheet *s, char *cell, bool bold)
{
    s->cells = memory_grow(s->cells, s->n_cells, sizeof *s->cells);
    s->bold = memory_grow(s->bold, s->n_cells, sizeof *s->bold);
    s->cells[s->n_cells] = cell;
    s->bold[s->n_cells++] = bold;
}

void sheet_add(sheet *s, char *cell)
{
    sheet_add_bold(s, cell, false);
}

void sheet_show(sheet *s, ow_page *page, const ow_page_column *columns, const char *caption)
{
    ow_page_table(page, &(ow_page_table_content){.caption = caption,
                                                 .n_columns = s->n_columns,
                                                 .n_rows = s->n_cells / s->n_columns,
                                                 .columns = columns,
                                                 .cells = (const char *const *)s->cells,
                                                 .bold = s->bold});
    for (size_t i = 0; i < s->n_cells; i++) free(s->cells[i]);
    free(s->cells);
    free(s->bold);
    *s = (sheet){.n_columns = s->n_columns};
}
