/* SPDX-License-Identifier: MIT */
/* Methods side by side: a table of all metrics, and bars for the few that people look at
 * first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/page.h"
#include "report/support.h"

/* ---- The table ---- */

/* Rows that were answered together share their time: median and 95 % quantile are the mean
 * then. */
static bool is_mean_again(const ow_evaluation *evaluation, size_t n_methods, size_t metric)
{
    size_t mean;
    const char *name = ow_metric_get(metric)->name;
    if (strcmp(name, "time_median") != 0 && strcmp(name, "time_p95") != 0) return false;
    if (ow_metric_find("time_mean", &mean) != OW_OK) return false;
    for (size_t m = 0; m < n_methods; m++) {
        const double a = ow_evaluation_figure(evaluation, m, mean).mean;
        const double b = ow_evaluation_figure(evaluation, m, metric).mean;
        if (fabs(a - b) > 1e-9 * fabs(a)) return false;
    }
    return true;
}

/* Figures before repair are of points that are no rows; nobody wins by them. */
static bool has_winner(const ow_metric *metric)
{
    const size_t length = strlen(metric->name);
    return length < 4 || strcmp(metric->name + length - 4, "_raw") != 0;
}

static bool is_worth_a_line(const ow_evaluation *evaluation, size_t n_methods,
                            size_t metric, bool times)
{
    if (ow_metric_get(metric)->is_time && !times) return false;
    if (is_mean_again(evaluation, n_methods, metric)) return false;
    for (size_t m = 0; m < n_methods; m++)
        if (!isnan(ow_evaluation_figure(evaluation, m, metric).mean)) return true;
    return false;
}

/* The best figure of a line; NaN where nobody is better than another. */
static double best_of(const ow_evaluation *evaluation, size_t n_methods, size_t metric)
{
    const double sign = (double)ow_metric_get(metric)->direction;
    double best = NAN, worst = NAN;
    for (size_t m = 0; m < n_methods; m++) {
        const double figure = ow_evaluation_figure(evaluation, m, metric).mean;
        if (isnan(figure)) continue;
        if (isnan(best) || sign * figure > sign * best) best = figure;
        if (isnan(worst) || sign * figure < sign * worst) worst = figure;
    }
    return best == worst ? NAN : best;
}

static void add_figure(ow_page *page, ow_figure figure, int decimals, bool is_best)
{
    owi_markup *body = &page->body;
    owi_markup_add(body, is_best ? "<td class=\"number best\">" : "<td class=\"number\">");
    if (!isnan(figure.mean)) owi_markup_number(body, figure.mean, decimals);
    if (!isnan(figure.deviation)) {
        owi_markup_add(body, " &plusmn; ");
        owi_markup_number(body, figure.deviation, decimals);
    }
    owi_markup_add(body, "</td>");
}

static void add_line(ow_page *page, const ow_evaluation *evaluation, size_t n_methods,
                     size_t index)
{
    owi_markup *body = &page->body;
    const ow_metric *metric = ow_metric_get(index);
    const double best = has_winner(metric) ? best_of(evaluation, n_methods, index) : NAN;
    owi_markup_add(body, "<tr><th scope=\"row\"><details class=\"what\"><summary>");
    owi_markup_text(body, metric->name, 0);
    owi_markup_add(body, "%s</summary>",
                   !has_winner(metric)                   ? ""
                   : metric->direction == OW_BETTER_MORE ? " &uarr;"
                                                         : " &darr;");
    owi_markup_text(body, metric->summary, 0);
    owi_markup_add(body, "</details></th>");
    for (size_t m = 0; m < n_methods; m++) {
        const ow_figure figure = ow_evaluation_figure(evaluation, m, index);
        add_figure(page, figure, metric->decimals, figure.mean == best);
    }
    owi_markup_add(body, "</tr>\n");
}

static void add_table(ow_page *page, const ow_evaluation *evaluation, size_t n_methods,
                      bool times)
{
    owi_markup *body = &page->body;
    owi_markup_add(body,
                   "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"all "
                   "figures\"><table><thead><tr><th scope=\"col\">metric</th>");
    for (size_t m = 0; m < n_methods; m++)
        owi_page_cell(page, "th scope=\"col\" class=\"number\"", "",
                      ow_evaluation_standing(evaluation, m)->name);
    owi_markup_add(body, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; ow_metric_get(i) != NULL; i++)
        if (is_worth_a_line(evaluation, n_methods, i, times))
            add_line(page, evaluation, n_methods, i);
    owi_markup_add(body, "</tbody></table></div>\n");
}

/* ---- Bars ---- */

/* What people look at first, with the words for it. */
static const struct {
    const char *metric, *words, *meaning;
} shown_first[] = {
    {"validity_target", "Answers that are valid",
     "The share of rows with an answer of which the model indeed says what was wanted."},
    {"l0", "Columns that change", "How many columns an answer changes, in the mean."},
    {"gower", "Distance from the row",
     "How far answers are from their rows: 0 is the same row, 1 is every column changed "
     "over "
     "its whole range."},
    {"density_percentile", "How typical, in percent",
     "The share of real rows of the wanted class that are less typical than the answer."},
    {"judge_plausible@25", "Plausible to a second model",
     "The share of rows with an answer that a second model, learned from other rows, finds "
     "more typical than a quarter of the real rows."},
    {"collapse", "Answers differ as rows do",
     "Distance between answers over distance between rows: 0 is one answer for all, 1 is "
     "answers as different as the rows."},
};

/* " (0.96 to 1.00)": 95 % of the figure's mean over rows, where rows have values of their
 * own; of the first seed.  Shares are figures of 0 and 1. */
static void add_interval(ow_page *page, const ow_evaluation *evaluation, size_t method,
                         size_t index)
{
    const ow_metric *metric = ow_metric_get(index);
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    double n = 0.0, sum = 0.0, squares = 0.0;
    if (metric->base == OW_BASE_METHOD) return;
    const double z = 1.96;
    for (size_t i = 0; i < info.n_rows; i++) {
        const ow_row_result row = ow_evaluation_row(evaluation, 0, method, i);
        const double value = row.complete ? row.figures[index] : NAN;
        if (isnan(value)) continue;
        n++, sum += value, squares += value * value;
    }
    if (n < 2.0) return;
    double mean = sum / n,
           room = z * sqrt(fmax(0.0, squares / n - mean * mean) / (n - 1.0));
    if (metric->base == OW_BASE_QUERIES) { /* a share: Wilson's interval */
        room =
            z / (1.0 + z * z / n) * sqrt(mean * (1.0 - mean) / n + z * z / (4.0 * n * n));
        mean = (mean + z * z / (2.0 * n)) / (1.0 + z * z / n);
    }
    owi_markup_add(&page->body, " <small>(");
    owi_markup_number(&page->body, mean - room, metric->decimals);
    owi_markup_add(&page->body, " to ");
    owi_markup_number(&page->body, mean + room, metric->decimals);
    owi_markup_add(&page->body, ")</small>");
}

static void add_bars(ow_page *page, const ow_evaluation *evaluation, size_t n_methods,
                     size_t index, const char *words, const char *meaning)
{
    owi_markup *body = &page->body;
    const ow_metric *metric = ow_metric_get(index);
    double most = 0.0;
    for (size_t m = 0; m < n_methods; m++)
        most = fmax(most, fabs(ow_evaluation_figure(evaluation, m, index).mean));
    owi_markup_add(body, "<div class=\"card\"><h3>");
    owi_markup_text(body, words, 0);
    owi_markup_add(body, "</h3>\n<p class=\"note\">");
    owi_markup_text(body, meaning, 0);
    owi_markup_add(body, metric->direction == OW_BETTER_MORE ? " More is better.</p>\n"
                                                             : " Less is better.</p>\n");
    for (size_t m = 0; m < n_methods; m++) {
        const double figure = ow_evaluation_figure(evaluation, m, index).mean;
        owi_markup_add(body, "<div class=\"meter\"><div class=\"words\"><span>");
        owi_markup_text(body, ow_evaluation_standing(evaluation, m)->name, 0);
        owi_markup_add(body, "</span><span>");
        owi_markup_number(body, figure, metric->decimals);
        add_interval(page, evaluation, m, index);
        owi_markup_add(body, "</span></div><div class=\"track\" aria-hidden=\"true\">"
                             "<div class=\"fill\" style=\"width:");
        owi_markup_number(body,
                          most > 0.0 && !isnan(figure) ? 100.0 * fabs(figure) / most : 0.0,
                          1);
        owi_markup_add(body, "%%\"></div></div></div>\n");
    }
    owi_markup_add(body, "</div>\n");
}

/* "guided: the fewest and smallest changes ...", a line for each method that has one. */
static void add_methods(ow_page *page, const ow_evaluation *evaluation, size_t n_methods)
{
    owi_markup *body = &page->body;
    owi_markup_add(body, "<ul class=\"note\">\n");
    for (size_t m = 0; m < n_methods; m++) {
        const char *name = ow_evaluation_standing(evaluation, m)->name;
        char plain[64]; /* without a preset */
        const ow_method *method;
        snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, ":"), name);
        if (ow_method_find(plain, &method) != OW_OK) continue;
        owi_markup_add(body, "<li>");
        owi_markup_text(body, name, 0);
        owi_markup_add(body, ": ");
        owi_markup_text(body, method->summary, 0);
        owi_markup_add(body, "</li>\n");
    }
    owi_markup_add(body, "</ul>\n");
}

void ow_page_evaluation(ow_page *page, const ow_evaluation *evaluation, bool times)
{
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    owi_markup *body = &page->body;
    add_methods(page, evaluation, info.n_methods);
    owi_markup_add(body, "<div class=\"cards\">\n");
    for (size_t i = 0; i < sizeof shown_first / sizeof *shown_first; i++) {
        size_t metric;
        if (ow_metric_find(shown_first[i].metric, &metric) != OW_OK ||
            !is_worth_a_line(evaluation, info.n_methods, metric, times))
            continue;
        add_bars(page, evaluation, info.n_methods, metric, shown_first[i].words,
                 shown_first[i].meaning);
    }
    owi_markup_add(body, "</div>\n<details><summary>All figures</summary>\n");
    add_table(page, evaluation, info.n_methods, times);
    owi_markup_add(
        body,
        "</details>\n<p class=\"note\">%zu rows, of which %zu were of the target "
        "class already; %zu seed%s. In brackets: 95 %% intervals over rows. Open a name in "
        "the "
        "table for what it means; arrows say which way is better. Shares count every "
        "row, an answer that is missing as a failure; distances and densities are "
        "means over the valid answers.</p>\n",
        info.n_rows, info.n_already_target, info.n_seeds, info.n_seeds == 1 ? "" : "s");
}
