/* SPDX-License-Identifier: MIT */
/* The columns of a model's table: what they are, what values they have, what may change. */
#include <string.h>

#include <stdio.h>

#include "report/page.h"

enum { most_columns = 300, most_levels = 12, number_size = 64 };

/* With the column's own digits; where all of them matter, a few are enough. */
static void add_number(ow_page *page, const ow_schema *schema, size_t j, double value)
{
    char text[number_size];
    if (ow_schema_column(schema, j)->decimals < 0)
        snprintf(text, sizeof text, "%.6g", value);
    else
        ow_schema_print_value(schema, j, value, text, sizeof text);
    owi_markup_text(&page->body, text, 0);
}

/* "19 to 75", or "own, rent, for free". */
static void add_values(ow_page *page, const ow_schema *schema, size_t j)
{
    const ow_column *column = ow_schema_column(schema, j);
    owi_markup *body = &page->body;
    owi_markup_add(body, "<td>");
    if (column->n_levels == 0) {
        add_number(page, schema, j, column->low);
        if (column->high > column->low) {
            owi_markup_add(body, " to ");
            add_number(page, schema, j, column->high);
        }
    }
    for (size_t i = 0; i < column->n_levels && i < most_levels; i++) {
        const char *between = column->type == OW_TYPE_ORDINAL ? " &lt; " : ", ";
        if (i > 0) owi_markup_add(body, "%s", between);
        owi_markup_text(body, column->levels[i], 40);
    }
    if (column->n_levels > most_levels)
        owi_markup_add(body, ", ... (%zu levels)", column->n_levels);
    owi_markup_add(body, "</td>");
}

static const char *freedom_of(const ow_column *column)
{
    if (column->immutable) return "no";
    if (column->monotone == OW_MONOTONE_UP) return "upwards";
    return column->monotone == OW_MONOTONE_DOWN ? "downwards" : "yes";
}

static void add_column(ow_page *page, const ow_schema *schema, size_t j)
{
    const ow_column *column = ow_schema_column(schema, j);
    const size_t n_rows = ow_schema_n_rows(schema);
    char missing[number_size] = "";
    if (column->n_missing > 0 && n_rows > 0)
        snprintf(missing, sizeof missing, "%.1f %%",
                 100.0 * (double)column->n_missing / (double)n_rows);
    owi_markup_add(&page->body, "<tr>");
    owi_page_cell(page, "th scope=\"row\"", "", column->name);
    const bool is_date = column->format != NULL && strchr("ydm", column->format[0]) != NULL;
    owi_page_cell(page, "td", "", is_date ? "date" : ow_column_type_name(column->type));
    add_values(page, schema, j);
    owi_page_cell(page, "td", " class=\"number\"", missing);
    owi_page_cell(page, "td", "", freedom_of(column));
    owi_markup_add(&page->body, "</tr>\n");
}

void owi_page_schema(ow_page *page, const ow_schema *schema)
{
    const size_t n = ow_schema_n_columns(schema);
    if (ow_schema_layout(schema).kind != OW_LAYOUT_TABLE) return;
    ow_page_begin_details(page, "Columns");
    owi_markup_add(&page->body,
                   "<div class=\"scroll\" "
                   "tabindex=\"0\" role=\"group\" aria-label=\"columns\"><table><thead><tr>"
                   "<th scope=\"col\">column</th><th scope=\"col\">type</th><th "
                   "scope=\"col\">values</th><th scope=\"col\" class=\"number\">missing"
                   "</th><th scope=\"col\">may change, by the schema</th></tr></thead>"
                   "<tbody>\n");
    for (size_t j = 0; j < n && j < most_columns; j++) add_column(page, schema, j);
    owi_markup_add(&page->body, "</tbody></table></div>\n");
    if (n > most_columns)
        owi_markup_add(&page->body,
                       "<p class=\"note\">These are the first %d of %zu.</p>\n",
                       (int)most_columns, n);
    ow_page_end_details(page);
}
