/* SPDX-License-Identifier: MIT */
#include "explaining/answer_overview.h"

#include <math.h>
#include <stdlib.h>

#include "auditing/audit_tests.h"
#include "letters/letter_wording.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

enum { most_bars = 8, widest_name = 28 };

void answer_overview_begin(answer_overview *o, const ow_schema *schema)
{
    *o = (answer_overview){.schema = schema,
                           .target = OW_NO_CLASS,
                           .by_column = memory_new(ow_schema_n_columns(schema) + 1,
                                                   sizeof *o->by_column)};
}

/* Two missing values are the same. */
static bool differs(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : a != b;
}

void answer_overview_add(answer_overview *o, const double *query, const ow_outcome *outcome)
{
    o->target = o->n_rows == 0 || o->target == outcome->target ? outcome->target
                                                               : (int32_t)OW_NO_CLASS;
    o->n_rows++;
    o->n_already += outcome->kind == OW_OUTCOME_ALREADY_TARGET;
    if (outcome->kind != OW_OUTCOME_FOUND) return;
    const ow_counterfactual *answer = outcome->answers[0];
    const size_t n = answer->distance.l0;
    o->n_found++;
    o->n_changes += n;
    o->by_changes[n > overview_sizes ? overview_sizes - 1 : n > 0 ? n - 1 : 0]++;
    for (size_t j = 0; j < ow_schema_n_columns(o->schema); j++)
        o->by_column[j] += differs(query[j], answer->values[j]);
}

/* One bar with its name before and its number behind it. */
static char *add_bar(char *svg, size_t line, const char *name, size_t count, size_t of)
{
    char *clean = display_clean(name),
         *shorter = display_shorten(clean, widest_name, "...");
    char *escaped = letter_escape(shorter);
    const double share = of > 0 ? (double)count / (double)of : 0.0;
    const size_t y = 22 * line;
    svg = text_add(svg,
                   "<text x=\"0\" y=\"%zu\">%s</text>"
                   "<rect class=\"rest\" x=\"190\" y=\"%zu\" width=\"160\" height=\"14\"/>"
                   "<rect class=\"bar\" x=\"190\" y=\"%zu\" width=\"%.1f\" height=\"14\"/>"
                   "<text x=\"358\" y=\"%zu\">%zu (%.0f %%)</text>",
                   y + 15, escaped, y + 4, y + 4, 160.0 * share, y + 15, count,
                   100.0 * share);
    free(clean);
    free(shorter);
    free(escaped);
    return svg;
}

static void add_chart(ow_page *page, const char *caption, const char *words, char *bars,
                      size_t n)
{
    char *svg =
        text_add(NULL,
                 "<svg class=\"bars\" viewBox=\"0 0 450 %zu\" width=\"450\" role=\"img\" "
                 "aria-label=\"%s\">%s</svg>",
                 22 * n + 4, words, bars);
    ow_page_svg(page, caption, svg);
    free(svg);
    free(bars);
}

static void add_ways(const answer_overview *o, ow_page *page)
{
    static const char *const names[overview_sizes] = {"by one change", "by two changes",
                                                      "by three changes", "by more"};
    const size_t n = o->n_rows - o->n_already;
    char *bars = NULL;
    for (size_t k = 0; k < overview_sizes; k++)
        bars = add_bar(bars, k, names[k], o->by_changes[k], n);
    bars = add_bar(bars, overview_sizes, "no answer found", n - o->n_found, n);
    add_chart(page,
              "How many changes the smallest answer of a row takes: rows, and their share.",
              "Rows by the number of changes of their answer; the numbers stand beside the "
              "bars.",
              bars, overview_sizes + 1);
}

/* The columns that most answers change, the first one first. */
static void add_columns(const answer_overview *o, ow_page *page)
{
    const size_t C = ow_schema_n_columns(o->schema);
    bool *taken = memory_new(C + 1, sizeof *taken);
    char *bars = NULL;
    size_t n = 0;
    for (; n < most_bars; n++) {
        size_t best = C;
        for (size_t j = 0; j < C; j++)
            if (!taken[j] && o->by_column[j] > 0 &&
                (best == C || o->by_column[j] > o->by_column[best]))
                best = j;
        if (best == C) break;
        taken[best] = true;
        bars = add_bar(bars, n, ow_schema_column(o->schema, best)->name, o->by_column[best],
                       o->n_found);
    }
    if (n > 0)
        add_chart(page, "Which columns these answers change: answers, and their share.",
                  "Answers that change each column; the numbers stand beside the bars.",
                  bars, n);
    free(taken);
}

static void add_tiles(const answer_overview *o, ow_page *page)
{
    const size_t n = o->n_rows - o->n_already;
    double low, high;
    audit_wilson(o->n_found, n, &low, &high);
    char *of = text_add(NULL, "%s that the model ", n == 1 ? "row" : "rows");
    of = o->target >= 0 ? text_add(of, "does not decide \"%s\"",
                                   ow_schema_class_name(o->schema, (size_t)o->target))
                        : text_add(of, "decides otherwise than wanted");
    if (o->n_already > 0)
        of = text_add(of, "; %zu more need no change and are not shown", o->n_already);
    char *n_rows = text_add(NULL, "%zu", n), *found = text_add(NULL, "%zu", o->n_found),
         *one = text_add(NULL, "%zu", o->by_changes[0]),
         *mean = o->n_found > 0
                     ? text_add(NULL, "%.1f", (double)o->n_changes / (double)o->n_found)
                     : text_add(NULL, "-");
    char *way =
        text_add(NULL, "of them have a way: %.0f %% (95 %% interval %.0f to %.0f %%)",
                 100.0 * (double)o->n_found / (double)n, 100.0 * low, 100.0 * high);
    const ow_page_tile tiles[] = {{n_rows, of},
                                  {found, way},
                                  {one, "by a single change"},
                                  {mean, "changes that an answer takes in the mean"}};
    ow_page_tiles(page, tiles, sizeof tiles / sizeof *tiles);
    free(of);
    free(n_rows);
    free(found);
    free(one);
    free(mean);
    free(way);
}

void answer_overview_end(answer_overview *o, ow_page *page)
{
    const bool is_table = ow_schema_layout(o->schema).kind == OW_LAYOUT_TABLE;
    if (is_table && o->n_rows > o->n_already) {
        ow_page_begin_overview(page);
        add_tiles(o, page);
        add_ways(o, page);
        add_columns(o, page);
        ow_page_end_overview(page);
    }
    free(o->by_column);
}
