/* SPDX-License-Identifier: MIT */
#include "terminal/text_table.h"

#include <stdbool.h>
#include <stdlib.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"
#include "terminal/terminal.h"

enum { gap = 2 };

typedef struct {
    char *text, *ending;
} table_cell;

struct text_table {
    const table_column *columns;
    size_t n_columns;
    table_cell *cells; /* row by row */
    size_t n_cells;
};

text_table *text_table_new(const table_column *columns, size_t n_columns)
{
    text_table *table = memory_new(1, sizeof *table);
    table->columns = columns;
    table->n_columns = n_columns;
    return table;
}

void text_table_free(text_table *table)
{
    for (size_t i = 0; i < table->n_cells; i++) {
        free(table->cells[i].text);
        free(table->cells[i].ending);
    }
    free(table->cells);
    free(table);
}

void text_table_add(text_table *table, const char *text)
{
    text_table_add_list(table, text, "...");
}

void text_table_take(text_table *table, char *text)
{
    text_table_add(table, text);
    free(text);
}

void text_table_add_list(text_table *table, const char *text, const char *ending)
{
    table->cells = memory_grow(table->cells, table->n_cells, sizeof *table->cells);
    table->cells[table->n_cells++] =
        (table_cell){display_clean(text), display_clean(ending)};
}

/* What each column needs: 0 where no row has anything in it. */
static size_t *needed_widths(const text_table *table)
{
    size_t *widths = memory_new(table->n_columns, sizeof *widths);
    for (size_t i = 0; i < table->n_cells; i++) {
        const size_t width = display_width(table->cells[i].text);
        if (width > widths[i % table->n_columns]) widths[i % table->n_columns] = width;
    }
    for (size_t j = 0; j < table->n_columns; j++) {
        const size_t title = display_width(table->columns[j].title);
        if (widths[j] > 0 && widths[j] < title) widths[j] = title;
    }
    return widths;
}

static size_t line_width(const size_t *widths, size_t n)
{
    size_t sum = 0;
    for (size_t j = 0; j < n; j++)
        if (widths[j] > 0) sum += widths[j] + gap;
    return sum > 0 ? sum - gap : 0;
}

/* Takes a column from the widest that can give one, until the line fits.  False if it never
 * does. */
static bool shrink(const text_table *table, size_t *widths, size_t width)
{
    while (line_width(widths, table->n_columns) > width) {
        size_t widest = table->n_columns;
        for (size_t j = 0; j < table->n_columns; j++) {
            const size_t least = table->columns[j].least_width;
            if (least == 0 || widths[j] <= least) continue;
            if (widest == table->n_columns || widths[j] > widths[widest]) widest = j;
        }
        if (widest == table->n_columns) return false;
        widths[widest]--;
    }
    return true;
}

/* n_columns cells, the last one not padded; the line is left open. */
static void print_line(FILE *file, const text_table *table, const size_t *widths,
                       const table_cell *cells)
{
    size_t owed = 0; /* spaces due before the next text */
    for (size_t j = 0; j < table->n_columns; j++) {
        if (widths[j] == 0) continue;
        char *text = display_shorten(cells[j].text, widths[j], cells[j].ending);
        const size_t width = display_width(text);
        const size_t spare = widths[j] - width;
        const bool at_right = table->columns[j].is_number;
        if (width > 0) {
            display_pad(file, owed + (at_right ? spare : 0));
            output_print(file, "%s", text);
            owed = 0;
        }
        owed += (at_right && width > 0 ? 0 : spare) + gap;
        free(text);
    }
}

static void print_lines(FILE *file, const text_table *table, const size_t *widths)
{
    char dots[] = "...";
    table_cell *titles = memory_new(table->n_columns, sizeof *titles);
    for (size_t j = 0; j < table->n_columns; j++)
        titles[j] = (table_cell){(char *)table->columns[j].title, dots};
    output_print(file, "%s", terminal_colour(file, TERMINAL_BOLD));
    print_line(file, table, widths, titles);
    output_print(file, "%s\n", terminal_colour(file, TERMINAL_PLAIN));
    free(titles);
    for (size_t i = 0; i < table->n_cells; i += table->n_columns) {
        print_line(file, table, widths, &table->cells[i]);
        output_print(file, "\n");
    }
}

static void print_paragraphs(FILE *file, const text_table *table, size_t width)
{
    for (size_t i = 0; i < table->n_cells; i++) {
        const size_t column = i % table->n_columns;
        if (column == 0) {
            output_print(file, "%s%s%s\n", terminal_colour(file, TERMINAL_BOLD),
                         table->cells[i].text, terminal_colour(file, TERMINAL_PLAIN));
        } else if (*table->cells[i].text != '\0') {
            output_print(file, "  %s: ", table->columns[column].title);
            const size_t used = 4 + display_width(table->columns[column].title);
            char *text =
                display_shorten(table->cells[i].text, width > used ? width - used : 0,
                                table->cells[i].ending);
            output_print(file, "%s\n", text);
            free(text);
        }
    }
}

bool text_table_fits(const text_table *table, size_t width)
{
    size_t *widths = needed_widths(table);
    const bool fits = shrink(table, widths, width);
    free(widths);
    return fits;
}

void text_table_print(FILE *file, const text_table *table, size_t width)
{
    size_t *widths = needed_widths(table);
    if (shrink(table, widths, width))
        print_lines(file, table, widths);
    else
        print_paragraphs(file, table, width);
    free(widths);
}
