/* SPDX-License-Identifier: MIT */
#include "evaluating/evaluation_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluating/metric_index.h"
#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

/* Which number of a figure a table shows. */
typedef enum { SHOW_MEAN, SHOW_DEVIATION, SHOW_COMMON } shown;

/* Columns are the methods and, in the first table, real rows of the target class behind
 * them. */
static size_t count_columns(const ow_evaluation *evaluation, shown what)
{
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    return info.n_methods + (what == SHOW_MEAN && info.n_already_target > 0);
}

static bool is_real(const ow_evaluation *evaluation, size_t column)
{
    return column == ow_evaluation_get_info(evaluation)->n_methods;
}

static const char *column_title(const ow_evaluation *evaluation, size_t column)
{
    return is_real(evaluation, column) ? "real rows"
                                       : ow_evaluation_standing(evaluation, column)->name;
}

static double number_of(const ow_evaluation *evaluation, shown what, size_t column,
                        size_t metric)
{
    const ow_figure figure = is_real(evaluation, column)
                                 ? ow_evaluation_real_rows(evaluation, metric)
                                 : ow_evaluation_figure(evaluation, column, metric);
    return what == SHOW_MEAN        ? figure.mean
           : what == SHOW_DEVIATION ? figure.deviation
                                    : figure.common_mean;
}

static char *number_text(double number, int decimals)
{
    if (isnan(number)) return text_add(NULL, "-");
    if (isinf(number)) return text_add(NULL, number > 0.0 ? "inf" : "-inf");
    if (fabs(number) >= 1e6) return text_add(NULL, "%.3g", number);
    return text_add(NULL, "%.*f", decimals, number);
}

/* Both show the same text. */
static bool same_text(double a, double b, int decimals)
{
    char *one = number_text(a, decimals), *other = number_text(b, decimals);
    const bool same = strcmp(one, other) == 0;
    free(one);
    free(other);
    return same;
}

/* Rows that were answered together share their time: median and 95 % quantile are the mean
 * then, and get no line. */
static bool is_mean_again(const ow_evaluation *evaluation, size_t metric)
{
    const char *name = ow_metric_get(metric)->name;
    if (strcmp(name, "time_median") != 0 && strcmp(name, "time_p95") != 0) return false;
    const size_t mean = metric_index("time_mean");
    for (size_t m = 0; m < ow_evaluation_get_info(evaluation)->n_methods; m++)
        if (!same_text(number_of(evaluation, SHOW_MEAN, m, mean),
                       number_of(evaluation, SHOW_MEAN, m, metric), 6))
            return false;
    return true;
}

/* A metric that no method has a figure for gets no line; nor does one, over common queries,
 * that says nothing new: as for all queries, or 1 as it must be. */
static bool has_line(const ow_evaluation *evaluation, shown what, size_t metric)
{
    const int decimals = ow_metric_get(metric)->decimals;
    const bool share = ow_metric_get(metric)->base == OW_BASE_QUERIES;
    bool any = false, news = false, all_one = share;
    if (is_mean_again(evaluation, metric)) return false;
    for (size_t m = 0; m < ow_evaluation_get_info(evaluation)->n_methods; m++) {
        const double number = number_of(evaluation, what, m, metric);
        const double mean = number_of(evaluation, SHOW_MEAN, m, metric);
        any = any || !isnan(number);
        news = news || !same_text(number, mean, decimals);
        all_one = all_one && (number == 1.0 || isnan(number));
    }
    return any && (what != SHOW_COMMON || (news && !all_one));
}

/* The numbers of queries, above the metrics. */
static void add_counts(text_table *table, const ow_evaluation *evaluation, size_t first,
                       size_t n)
{
    for (int line = 0; line < 2; line++) {
        text_table_add(table, line == 0 ? "answered" : "valid");
        for (size_t c = first; c < first + n; c++) {
            if (is_real(evaluation, c)) {
                text_table_add(table, "");
                continue;
            }
            const ow_standing standing = *ow_evaluation_standing(evaluation, c);
            const double count = line == 0 ? standing.n_answered : standing.n_valid;
            text_table_take(table, number_text(count, count == floor(count) ? 0 : 1));
        }
    }
}

/* Whether one of the columns has a figure. */
static bool part_has(const ow_evaluation *evaluation, shown what, size_t metric,
                     size_t first, size_t n)
{
    size_t column = first;
    while (column < first + n && isnan(number_of(evaluation, what, column, metric)))
        column++;
    return column < first + n;
}

/* Figures before repair are of points that are no rows; nobody wins by them. */
static bool has_winner(const ow_metric *metric)
{
    const size_t length = strlen(metric->name);
    return length < 4 || strcmp(metric->name + length - 4, "_raw") != 0;
}

/* One table for columns first to first + n. */
static void print_part(FILE *file, const ow_evaluation *evaluation, shown what,
                       size_t first, size_t n)
{
    table_column *columns = memory_new(n + 1, sizeof *columns);
    columns[0] = (table_column){.title = ""};
    for (size_t m = 0; m < n; m++)
        columns[m + 1] =
            (table_column){.title = column_title(evaluation, first + m), .is_number = true};
    text_table *table = text_table_new(columns, n + 1);
    if (what == SHOW_MEAN && !is_real(evaluation, first))
        add_counts(table, evaluation, first, n);
    for (size_t i = 0; ow_metric_get(i) != NULL; i++) {
        const ow_metric *metric = ow_metric_get(i);
        if (!has_line(evaluation, what, i) || !part_has(evaluation, what, i, first, n))
            continue;
        text_table_take(table, text_add(NULL, "%s%s", metric->name,
                                        !has_winner(metric)                   ? ""
                                        : metric->direction == OW_BETTER_MORE ? " \u2191"
                                                                              : " \u2193"));
        for (size_t c = first; c < first + n; c++) {
            const double number = number_of(evaluation, what, c, i);
            if (is_real(evaluation, c) && isnan(number))
                text_table_add(table, "");
            else
                text_table_take(table, number_text(number, metric->decimals));
        }
    }
    text_table_print(file, table, terminal_width(file));
    text_table_free(table);
    free(columns);
}

/* What a column takes: its title, or its widest number. */
static size_t column_width(const ow_evaluation *evaluation, shown what, size_t column)
{
    size_t width = display_width(column_title(evaluation, column));
    for (size_t i = 0; ow_metric_get(i) != NULL; i++) {
        if (!has_line(evaluation, what, i)) continue;
        char *text =
            number_text(number_of(evaluation, what, column, i), ow_metric_get(i)->decimals);
        if (strlen(text) > width) width = strlen(text);
        free(text);
    }
    return width;
}

/* The names of the metrics, with their arrows. */
static size_t names_width(const ow_evaluation *evaluation, shown what)
{
    size_t width = 0;
    for (size_t i = 0; ow_metric_get(i) != NULL; i++) {
        const size_t needs = strlen(ow_metric_get(i)->name) + 2;
        if (has_line(evaluation, what, i) && needs > width) width = needs;
    }
    return width;
}

/* As many columns side by side as the terminal has room for. */
static void print_all(FILE *file, const ow_evaluation *evaluation, shown what)
{
    enum { gap = 2 };
    const size_t n = count_columns(evaluation, what);
    const size_t room = terminal_width(file);
    for (size_t first = 0; first < n;) {
        size_t width = names_width(evaluation, what), n_here = 0;
        while (first + n_here < n) {
            width += gap + column_width(evaluation, what, first + n_here);
            if (n_here > 0 && width > room) break;
            n_here++;
        }
        output_print(file, "\n");
        print_part(file, evaluation, what, first, n_here);
        first += n_here;
    }
}

static void print_head(FILE *file, const ow_evaluation *evaluation, const char *target)
{
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    const size_t n = info.n_rows - info.n_already_target;
    char *text = text_add(NULL, "%zu %s to %s", n, n == 1 ? "query" : "queries",
                          target != NULL ? target : "any other class");
    if (info.n_already_target > 0)
        text = text_add(text, " (%zu of the %zu rows are of that class already)",
                        info.n_already_target, info.n_rows);
    if (info.n_seeds > 1) text = text_add(text, ", means over %zu seeds", info.n_seeds);
    display_paragraph(file, text_add(text, "."));
}

/* What took its time once, and what the outside metrics look at. */
static void print_apart(FILE *file, const ow_evaluation *evaluation)
{
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    char *text =
        text_add(NULL,
                 "\u2191 more is better, \u2193 less. Shares are of all queries, a missing "
                 "answer being a failure; other figures are means over the "
                 "valid answers, times in milliseconds.");
    if (info.n_judge_rows > 0)
        text = text_add(text,
                        " The second circuit learned from %zu known rows in %.2f s; ynn "
                        "and lof look at %zu of them.",
                        info.n_judge_rows, info.judge_seconds, info.n_neighbour_rows);
    if (info.n_already_target > 0)
        text = text_add(text, " Real rows are those of the target class among ROWS.");
    if (info.training_seconds > 0.0)
        text = text_add(text, " Training took %.2f s.", info.training_seconds);
    output_print(file, "\n");
    display_paragraph(file, text);
}

/* Whether some method has solved a query that another has not. */
static bool methods_differ(const ow_evaluation *evaluation, double *n_common)
{
    bool differ = false;
    for (size_t m = 0; m < ow_evaluation_get_info(evaluation)->n_methods; m++) {
        const ow_standing standing = *ow_evaluation_standing(evaluation, m);
        if (standing.n_seeds == 0) continue;
        *n_common = standing.n_common;
        differ = differ || standing.n_valid > standing.n_common;
    }
    return differ;
}

void evaluation_table_print(FILE *file, const ow_evaluation *evaluation, const char *target)
{
    double n_common = 0.0;
    print_head(file, evaluation, target);
    print_all(file, evaluation, SHOW_MEAN);
    if (methods_differ(evaluation, &n_common)) {
        output_print(file, "\n");
        display_paragraph(
            file,
            n_common > 0.0
                ? text_add(NULL,
                           "Over the %.4g queries that every method solved:", n_common)
                : text_add(NULL, "No query was solved by every method: the distances above "
                                 "are of different rows and do not compare."));
        if (n_common > 0.0) print_all(file, evaluation, SHOW_COMMON);
    }
    if (ow_evaluation_get_info(evaluation)->n_seeds > 1) {
        output_print(file, "\n");
        display_paragraph(file, text_add(NULL, "Standard deviations over the seeds:"));
        print_all(file, evaluation, SHOW_DEVIATION);
    }
    print_apart(file, evaluation);
}
