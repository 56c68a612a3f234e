/* SPDX-License-Identifier: MIT */
/* Tables of the page, cell by cell. */
#include "reproduce/sheet.h"

#include <stdlib.h>

#include "terminal/memory.h"

static void add(sheet *s, char *cell, bool bold, ow_page_tone tone)
{
    s->cells = memory_grow(s->cells, s->n_cells, sizeof *s->cells);
    s->bold = memory_grow(s->bold, s->n_cells, sizeof *s->bold);
    s->tones = memory_grow(s->tones, s->n_cells, sizeof *s->tones);
    s->cells[s->n_cells] = cell;
    s->tones[s->n_cells] = tone;
    s->bold[s->n_cells++] = bold;
}

void sheet_add(sheet *s, char *cell)
{
    add(s, cell, false, OW_TONE_NONE);
}

void sheet_add_bold(sheet *s, char *cell, bool bold)
{
    add(s, cell, bold, OW_TONE_NONE);
}

void sheet_add_toned(sheet *s, char *cell, ow_page_tone tone)
{
    add(s, cell, false, tone);
}

void sheet_show(sheet *s, ow_page *page, const ow_page_column *columns, const char *caption)
{
    ow_page_table(page, &(ow_page_table_content){.size = sizeof(ow_page_table_content),
                                                 .caption = caption,
                                                 .n_columns = s->n_columns,
                                                 .n_rows = s->n_cells / s->n_columns,
                                                 .columns = columns,
                                                 .cells = (const char *const *)s->cells,
                                                 .bold = s->bold,
                                                 .tones = s->tones});
    for (size_t i = 0; i < s->n_cells; i++) free(s->cells[i]);
    free(s->cells);
    free(s->bold);
    free(s->tones);
    *s = (sheet){.n_columns = s->n_columns};
}
