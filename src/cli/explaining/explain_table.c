/* SPDX-License-Identifier: MIT */
/* Explanations as tables: line 0 is the query, then its answers, in which a cell that is as
 * in the query is "-" and a changed one "old -> new".  Where that is too wide, the same
 * with lines and columns exchanged. */
#include <stdint.h>
#include <stdlib.h>

#include "explaining/explain_format.h"
#include "explaining/row_values.h"
#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

/* The table of one row: a line for the query and for each answer, and a column for each
 * feature, the class and its probability. */
typedef struct {
    size_t n_lines, n_columns;
    char **cells; /* n_lines x n_columns */
} cell_grid;

static char **cell_at(const cell_grid *grid, size_t line, size_t column)
{
    return &grid->cells[line * grid->n_columns + column];
}

static void put_class(const explain_job *job, const cell_grid *grid, size_t line,
                      int32_t class_index, const double *proba)
{
    const size_t d = ow_schema_n_columns(job->schema);
    *cell_at(grid, line, d) =
        text_add(NULL, "%s", ow_schema_class_name(job->schema, (size_t)class_index));
    *cell_at(grid, line, d + 1) = text_add(NULL, "%.2f", proba[class_index]);
}

static char *change_text(const ow_schema *schema, size_t column, double from, double to)
{
    if (!row_value_differs(from, to)) return text_add(NULL, "-");
    char *old = row_value_shown(schema, column, from);
    char *new = row_value_shown(schema, column, to);
    char *text = text_add(NULL, "%s -> %s", old, new);
    free(old);
    free(new);
    return text;
}

static cell_grid grid_of(const explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    const size_t d = ow_schema_n_columns(job->schema);
    cell_grid grid = {.n_lines = 1 + outcome->n_answers, .n_columns = d + 2};
    grid.cells = memory_new(grid.n_lines * grid.n_columns, sizeof *grid.cells);
    for (size_t j = 0; j < d; j++)
        *cell_at(&grid, 0, j) = row_value_shown(job->schema, j, row->query[j]);
    put_class(job, &grid, 0, outcome->predicted, outcome->proba);
    for (size_t k = 0; k < outcome->n_answers; k++) {
        const ow_counterfactual *answer = outcome->answers[k];
        for (size_t j = 0; j < d; j++)
            *cell_at(&grid, k + 1, j) =
                change_text(job->schema, j, row->query[j], answer->values[j]);
        put_class(job, &grid, k + 1, answer->predicted, answer->proba);
    }
    return grid;
}

/* ---- Lines across, or where they are too wide, down ---- */

static const char *title_of(const explain_job *job, size_t column)
{
    const size_t d = ow_schema_n_columns(job->schema);
    const char *label = ow_schema_label(job->schema);
    if (column < d) return ow_schema_column(job->schema, column)->name;
    return column > d ? "p" : label != NULL ? label : "class";
}

/* The grid with a title before each of its lines; turned: with its columns as lines.  False
 * if it does not fit and need not. */
static bool print_grid(const explain_job *job, const cell_grid *grid, bool turned)
{
    const size_t n_lines = turned ? grid->n_columns : grid->n_lines;
    const size_t n_across = turned ? grid->n_lines : grid->n_columns;
    char **titles = memory_new(n_across, sizeof *titles);
    table_column *columns = memory_new(n_across + 1, sizeof *columns);
    columns[0].title = turned ? "" : "#";
    for (size_t j = 0; j < n_across; j++) {
        titles[j] = turned ? text_add(NULL, "%zu", j) : display_clean(title_of(job, j));
        columns[j + 1].title = titles[j];
    }
    text_table *table = text_table_new(columns, n_across + 1);
    for (size_t i = 0; i < n_lines; i++) {
        if (turned)
            text_table_add(table, title_of(job, i));
        else
            text_table_take(table, text_add(NULL, "%zu", i));
        for (size_t j = 0; j < n_across; j++)
            text_table_add(table, *cell_at(grid, turned ? j : i, turned ? i : j));
    }
    /* Nothing of a change is cut: turned, the lines are as wide as they have to be. */
    const size_t width = turned ? SIZE_MAX : terminal_width(stdout);
    const bool fits = text_table_fits(table, width);
    if (fits) text_table_print(stdout, table, width);
    text_table_free(table);
    for (size_t j = 0; j < n_across; j++) free(titles[j]);
    free(titles);
    free(columns);
    return fits;
}

static void begin(explain_job *job)
{
    (void)job;
}

static void print_row(explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    if (job->tally->n_rows > 1) output_print(stdout, "\n");
    char *title = text_add(NULL, "Row %zu", row->number);
    if (row->id != NULL && *row->id != '\0') title = text_add(title, " (%s)", row->id);
    title = text_add(title, ", target %s: %s",
                     ow_schema_class_name(job->schema, (size_t)outcome->target),
                     ow_outcome_kind_name(outcome->kind));
    if (outcome->reason != OW_REASON_NONE)
        title = text_add(title, ", %s", ow_reason_name(outcome->reason));
    if (outcome->blocking != NULL) title = text_add(title, " (%s)", outcome->blocking);
    display_paragraph(stdout, title);

    cell_grid grid = grid_of(job, row);
    if (!print_grid(job, &grid, false)) print_grid(job, &grid, true);
    for (size_t i = 0; i < grid.n_lines * grid.n_columns; i++) free(grid.cells[i]);
    free(grid.cells);
}

static int end(explain_job *job)
{
    (void)job;
    return EXIT_DONE;
}

const explain_format explain_format_table = {
    .name = "table", .begin = begin, .row = print_row, .end = end};
