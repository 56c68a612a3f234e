/* SPDX-License-Identifier: MIT */
#include "summaries/schema_summary.h"

#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

enum {
    most_levels = 500, /* that are put into a cell: no line is long enough for more */
    most_classes = 20, /* that are listed                                  */
};

/* "5.6 %"; what is there but rounds to nothing is not called 0. */
static char *add_share(char *text, size_t part, size_t whole, const char *space)
{
    const double percent = whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
    if (part > 0 && percent < 0.05) return text_add(text, "<0.1%s%%", space);
    return text_add(text, "%.1f%s%%", percent, space);
}

static bool is_category(const ow_column *column)
{
    return column->type == OW_TYPE_CATEGORICAL || column->type == OW_TYPE_ORDINAL;
}

static bool is_constant(const ow_column *column)
{
    return is_category(column) ? column->n_levels <= 1 : column->low == column->high;
}

/* ---- Columns of a table ---- */

/* Patterns of dates begin with a letter, those of numbers with a digit or a unit. */
static const char *type_of(const ow_column *column)
{
    const bool is_date = column->format != NULL && strchr("ydm", column->format[0]) != NULL;
    return is_date ? "date" : ow_column_type_name(column->type);
}

/* A number with its column's digits; where all of them matter, people need only a few. */
static char *add_value(char *text, const ow_schema *schema, size_t column, double value)
{
    char printed[512];
    const ow_column *shown = ow_schema_column(schema, column);
    if (shown->decimals < 0 && shown->format == NULL)
        snprintf(printed, sizeof printed, "%.6g", value);
    else
        ow_schema_print_value(schema, column, value, printed, sizeof printed);
    return text_add(text, "%s", printed);
}

/* "19 to 75", or "low < middle < high" */
static char *values_of(const ow_schema *schema, size_t j)
{
    const ow_column *column = ow_schema_column(schema, j);
    char *text = text_add(NULL, "%s", "");
    if (!is_category(column)) {
        text = add_value(text, schema, j, column->low);
        if (is_constant(column)) return text;
        return add_value(text_add(text, " to "), schema, j, column->high);
    }
    const char *between = column->type == OW_TYPE_ORDINAL ? " < " : ", ";
    for (size_t i = 0; i < column->n_levels && i < most_levels; i++)
        text = text_add_item(text, i > 0 ? between : "", column->levels[i]);
    return text;
}

/* Where not all levels can be shown, their number: "business, education, ... (10)". */
void schema_summary_add_values(text_table *table, const ow_schema *schema, size_t j)
{
    const ow_column *column = ow_schema_column(schema, j);
    char *values = values_of(schema, j);
    char *ending = text_add(NULL, "...");
    if (is_category(column)) ending = text_add(ending, " (%zu)", column->n_levels);
    text_table_add_list(table, values, ending);
    free(ending);
    free(values);
}

/* The other columns that change together with column j; of many, the first and how many:
 * "linked with soil1, ... (39)". */
static char *add_links(char *text, const ow_schema *schema, size_t j)
{
    enum { most_named = 3 };
    const ow_linked linked = ow_schema_linked(schema, ow_schema_column(schema, j)->link);
    const char *before = "linked with "; /* these come last, so that commas will do */
    if (linked.n_columns == 0) return text;
    const size_t n_others = linked.n_columns - 1;
    size_t n_left = n_others <= most_named ? n_others : 1;
    for (size_t k = 0; n_left > 0; k++) {
        if (linked.columns[k] == j) continue;
        text =
            text_add_item(text, before, ow_schema_column(schema, linked.columns[k])->name);
        before = ", ";
        n_left--;
    }
    if (n_others > most_named) text = text_add(text, ", ... (%zu)", n_others);
    return text_add(text, ", ");
}

/* "immutable, linked with age" */
static char *notes_of(const ow_schema *schema, size_t j)
{
    const ow_column *column = ow_schema_column(schema, j);
    char *text = text_add(NULL, "%s", column->immutable ? "immutable, " : "");
    if (column->monotone == OW_MONOTONE_UP) text = text_add(text, "only upwards, ");
    if (column->monotone == OW_MONOTONE_DOWN) text = text_add(text, "only downwards, ");
    if (is_constant(column)) text = text_add(text, "never varies, ");
    text = add_links(text, schema, j);
    const size_t length = strlen(text);
    if (length > 0) text[length - 2] = '\0'; /* the last comma */
    return text;
}

static void print_columns(FILE *file, const ow_schema *schema)
{
    static const table_column columns[] = {{.title = "column", .least_width = 12},
                                           {.title = "type"},
                                           {.title = "values", .least_width = 16},
                                           {.title = "missing"},
                                           {.title = "scaling"},
                                           {.title = "notes", .least_width = 12}};
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        const ow_column *column = ow_schema_column(schema, j);
        text_table_add(table, column->name);
        text_table_add(table, type_of(column));
        schema_summary_add_values(table, schema, j);
        if (column->n_missing == 0)
            text_table_add(table, "");
        else
            text_table_take(table, add_share(NULL, column->n_missing,
                                             ow_schema_n_rows(schema), " "));
        text_table_add(table, is_category(column) ? "" : ow_scaling_name(column->scaling));
        text_table_take(table, notes_of(schema, j));
    }
    text_table_print(file, table, terminal_width(file));
    text_table_free(table);
}

/* ---- Images and maps ---- */

/* What the pixels, or the cells of a feature map, have in common. */
static char *layout_of(const ow_schema *schema)
{
    const ow_layout layout = ow_schema_layout(schema);
    const size_t n = ow_schema_n_columns(schema);
    size_t n_constant = 0, lowest = 0, highest = 0;
    for (size_t j = 0; j < n; j++) {
        const ow_column *column = ow_schema_column(schema, j);
        if (is_constant(column)) n_constant++;
        if (column->low < ow_schema_column(schema, lowest)->low) lowest = j;
        if (column->high > ow_schema_column(schema, highest)->high) highest = j;
    }
    char *text = text_add(NULL, "Each row is ");
    if (layout.kind == OW_LAYOUT_IMAGE)
        text = text_add(text, "an image of %zu x %zu pixels", layout.height, layout.width);
    else
        text = text_add(text, "a map of %zu x %zu cells with %zu channels", layout.height,
                        layout.width, layout.channels);
    text =
        text_add(text, ": %zu columns, %s to %s, with numbers from ", n,
                 ow_schema_column(schema, 0)->name, ow_schema_column(schema, n - 1)->name);
    text = add_value(text, schema, lowest, ow_schema_column(schema, lowest)->low);
    text = add_value(text_add(text, " to "), schema, highest,
                     ow_schema_column(schema, highest)->high);
    text = text_add(text, ", scaling %s.",
                    ow_scaling_name(ow_schema_column(schema, 0)->scaling));
    if (n_constant > 0) text = text_add(text, " %zu of them never vary.", n_constant);
    return text;
}

/* ---- The whole ---- */

/* "Classes: bad: 300 (30.0 %), good: 700 (70.0 %)"; without counts where there were no
 * rows. */
static char *classes_of(const ow_schema *schema)
{
    const size_t n = ow_schema_n_classes(schema), n_rows = ow_schema_n_rows(schema);
    size_t n_labelled = 0;
    char *text = text_add(NULL, "Classes: ");
    for (size_t c = 0; c < n; c++) {
        const size_t count = ow_schema_class_count(schema, c);
        n_labelled += count;
        if (c >= most_classes) continue;
        text = text_add(text, "%s%s", c > 0 ? ", " : "", ow_schema_class_name(schema, c));
        if (n_rows == 0) continue;
        text = text_add(text, ":" DISPLAY_NO_BREAK "%zu" DISPLAY_NO_BREAK "(", count);
        text = text_add(add_share(text, count, n_rows, DISPLAY_NO_BREAK), ")");
    }
    if (n > most_classes) text = text_add(text, " and %zu more", n - most_classes);
    if (n_labelled < n_rows)
        text = text_add(text_add_count(text_add(text, "; "), n_rows - n_labelled, "row"),
                        " without a class");
    return text;
}

/* Rows, columns and classes. */
static void print_counts(FILE *file, const char *name, const ow_schema *schema)
{
    const char *label = ow_schema_label(schema);
    const size_t n_rows = ow_schema_n_rows(schema);
    char *head = text_add(NULL, "%s: ", name);
    if (n_rows > 0) head = text_add(text_add_count(head, n_rows, "row"), ", ");
    head = text_add_count(head, ow_schema_n_columns(schema), "column");
    if (label != NULL) head = text_add(head, " and the label %s", label);
    display_paragraph(file, head);
    if (label != NULL) display_paragraph(file, classes_of(schema));
}

void schema_summary_print_head(FILE *file, const char *name, const ow_schema *schema)
{
    print_counts(file, name, schema);
    if (ow_schema_layout(schema).kind != OW_LAYOUT_TABLE)
        display_paragraph(file, layout_of(schema));
}

void schema_summary_print(FILE *file, const char *name, const ow_schema *schema)
{
    print_counts(file, name, schema);
    output_print(file, "\n");
    if (ow_schema_layout(schema).kind == OW_LAYOUT_TABLE)
        print_columns(file, schema);
    else
        display_paragraph(file, layout_of(schema));
}
