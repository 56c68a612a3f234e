/* SPDX-License-Identifier: MIT */
/* An audit as a page: key figures, intervals of the groups as pictures with their tables,
 * and what serves many. */
#include <math.h>
#include <stdlib.h>

#include "auditing/audit_report.h"
#include "letters/letter_wording.h"
#include "output/page_output.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

enum {
    name_width = 200, /* pixels for the names of groups */
    plot_width = 280,
    line_height = 26, /* of a group; more where its name has several parts */
    part_height = 15,
    head_height = 44,
    widest_name = 30
};

/* ---- Pictures ---- */

/* The line of the share of all rows, marks of quarters, and the title. */
static char *add_plot_ground(char *svg, double bottom, const char *title,
                             const audit_share *whole)
{
    svg = text_add(svg, "<text class=\"title\" x=\"%d\" y=\"14\">%s</text>", name_width,
                   title);
    for (int i = 0; i <= 4; i++) {
        const double x = name_width + plot_width * i / 4.0;
        svg = text_add(svg, "<path class=\"grid\" d=\"M%.1f %d V%.1f\"/>", x,
                       head_height - 6, bottom);
        if (i % 2 == 0)
            svg = text_add(svg,
                           "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" "
                           "y=\"%d\">%d %%</text>",
                           x, head_height - 12, 25 * i);
    }
    if (whole->n > 0)
        svg = text_add(svg, "<path class=\"all\" d=\"M%.1f %d V%.1f\"/>",
                       name_width + plot_width * whole->share, head_height - 6, bottom);
    return svg;
}

static char *add_interval(char *svg, double y, const audit_share *s)
{
    if (s->n == 0) return svg;
    return text_add(svg,
                    "<path class=\"interval%s\" d=\"M%.1f %.1f H%.1f\"/>"
                    "<circle class=\"share%s\" r=\"5\" cx=\"%.1f\" cy=\"%.1f\"/>",
                    audit_differs(s->p) ? " differs" : "", name_width + plot_width * s->low,
                    y, name_width + plot_width * s->high,
                    audit_differs(s->p) ? " differs" : "",
                    name_width + plot_width * s->share, y);
}

/* The values that make the group, one below the other around y. */
static char *add_name(char *svg, const audit_report *r, const audit_group *group,
                      size_t n_parts, double y)
{
    y += 4.0 - 0.5 * part_height * (double)(n_parts - 1);
    for (size_t k = 0; k < r->table->n_by; k++) {
        if (group->name[k] == NULL) continue;
        char *clean = display_clean(group->name[k]),
             *shorter = display_shorten(clean, widest_name, "..."),
             *escaped = letter_escape(shorter);
        svg = text_add(svg, "<text x=\"0\" y=\"%.1f\">%s</text>", y, escaped);
        y += part_height;
        free(clean);
        free(shorter);
        free(escaped);
    }
    return svg;
}

/* The share of each group that `of` picks. */
static void add_picture(const audit_report *r, ow_page *page, size_t from, size_t to,
                        const char *title,
                        const audit_share *(*of)(const audit_figures *figures))
{
    const int width = name_width + plot_width + 24;
    size_t n_parts = 0;
    for (size_t k = 0; k < r->table->n_by; k++)
        n_parts += r->groups->groups[from].name[k] != NULL;
    const double height = line_height + (double)part_height * (double)(n_parts - 1),
                 bottom = head_height + height * (double)(to - from);
    char *svg = text_add(
        NULL,
        "<svg class=\"groups\" viewBox=\"0 0 %d %.0f\" width=\"%d\" role=\"img\" "
        "aria-label=\"Shares with 95 %% intervals; the table below has the numbers.\">",
        width, bottom + 8, width);
    svg = add_plot_ground(svg, bottom, title, of(&r->whole));
    for (size_t g = from; g < to; g++) {
        const double y = head_height + height * ((double)(g - from) + 0.5);
        svg = add_name(svg, r, &r->groups->groups[g], n_parts, y);
        svg = add_interval(svg, y, of(&r->of[g]));
    }
    svg = text_add(svg, "</svg>");
    ow_page_svg(page, NULL, svg);
    free(svg);
}

static const audit_share *refused_of(const audit_figures *figures)
{
    return &figures->refused;
}

static const audit_share *way_of(const audit_figures *figures)
{
    return &figures->way;
}

/* ---- Tables ---- */

/* Cells that are freed with the table. */
typedef struct {
    char **cells;
    size_t n;
} cell_list;

static void put(cell_list *list, char *text)
{
    list->cells[list->n++] = text;
}

static void give_table(ow_page *page, const char *caption, const ow_page_column *columns,
                       size_t n_columns, cell_list *list)
{
    ow_page_table(page,
                  &(ow_page_table_content){.size = sizeof(ow_page_table_content),
                                           .caption = caption,
                                           .n_columns = n_columns,
                                           .n_rows = list->n / n_columns,
                                           .columns = columns,
                                           .cells = (const char *const *)list->cells});
    for (size_t i = 0; i < list->n; i++) free(list->cells[i]);
    free(list->cells);
}

static char *share_text(const audit_share *s)
{
    if (s->n == 0) return text_add(NULL, "none");
    return text_add(NULL, "%zu of %zu, %.1f %% (%.0f to %.0f)", s->k, s->n,
                    100.0 * s->share, 100.0 * s->low, 100.0 * s->high);
}

/* What differs, in words: colour is not needed to see it. */
static char *difference_text(const audit_figures *f)
{
    char *text = NULL;
    if (audit_differs(f->refused.p)) text = text_add_item(text, ", ", "refused");
    if (audit_differs(f->way.p)) text = text_add_item(text, ", ", "a way");
    if (audit_differs(f->effort_p)) text = text_add_item(text, ", ", "effort");
    return text != NULL ? text : text_add(NULL, "no");
}

static void add_groups(const audit_report *r, ow_page *page, size_t from, size_t to)
{
    static const ow_page_column columns[] = {
        {"group", false},     {"refused (95 %)", false}, {"of these a way (95 %)", false},
        {"changes", true},    {"effort", true},          {"refused by a lock", true},
        {"differs in", false}};
    enum { n_columns = sizeof columns / sizeof *columns };
    cell_list list = {memory_new(n_columns * (to - from) + 1, sizeof *list.cells), 0};
    for (size_t g = from; g < to; g++) {
        const audit_figures *f = &r->of[g];
        put(&list, audit_name_group(r, &r->groups->groups[g]));
        put(&list, share_text(&f->refused));
        put(&list, share_text(&f->way));
        put(&list,
            isnan(f->changes) ? text_add(NULL, "-") : text_add(NULL, "%.2f", f->changes));
        put(&list,
            isnan(f->changes) ? text_add(NULL, "-") : text_add(NULL, "%.2f", f->effort));
        put(&list, text_add(NULL, "%zu", f->only_locked.k));
        put(&list, difference_text(f));
    }
    char *by = audit_name_columns(r, &r->groups->groups[from]);
    char *title = text_add(NULL, "By %s", by);
    ow_page_section(page, title);
    add_picture(r, page, from, to, "refused", refused_of);
    add_picture(r, page, from, to, "of these, with a way", way_of);
    ow_page_note(page,
                 "Dots: shares; lines: 95 % intervals; vertical line: all rows. Filled "
                 "and bold: differs from all other rows, by a test that allows for "
                 "all groups. Changes and effort are those of the mean answer; effort "
                 "adds each change as a share of its column's range, a level as 1.");
    give_table(page, NULL, columns, n_columns, &list);
    free(title);
    free(by);
}

static void add_changed(const audit_report *r, ow_page *page)
{
    static const ow_page_column columns[] = {{"column", false},
                                             {"answers", true},
                                             {"share", true}};
    const size_t C = r->table->n_columns;
    cell_list list = {memory_new(3 * C + 1, sizeof *list.cells), 0};
    for (size_t j = 0; j < C; j++) {
        const size_t n = r->answers->n_changed[j];
        if (n == 0) continue;
        put(&list, text_add(NULL, "%s", ow_schema_column(r->table->schema, j)->name));
        put(&list, text_add(NULL, "%zu", n));
        put(&list, text_add(NULL, "%.0f %%", 100.0 * (double)n / (double)r->whole.way.k));
    }
    if (list.n == 0) {
        free(list.cells);
        return;
    }
    ow_page_section(page, "Which columns answers change");
    give_table(page, NULL, columns, 3, &list);
}

static void add_locked(const audit_report *r, ow_page *page)
{
    static const ow_page_column columns[] = {{"locked column", false}, {"rows", true}};
    const size_t C = r->table->n_columns;
    cell_list list = {memory_new(2 * C + 1, sizeof *list.cells), 0};
    for (size_t j = 0; j < C; j++) {
        if (r->answers->n_locked[j] == 0) continue;
        put(&list, text_add(NULL, "%s", ow_schema_column(r->table->schema, j)->name));
        put(&list, text_add(NULL, "%zu", r->answers->n_locked[j]));
    }
    char *text = text_add(NULL,
                          "%zu of the refused rows would be decided %s if a single locked "
                          "column had another value, and nothing else were different. %zu "
                          "have no way because a locked column is in it.",
                          r->whole.only_locked.k, r->target, r->whole.in_way.k);
    ow_page_section(page, "Refused only because of a locked column");
    ow_page_text(page, text);
    free(text);
    if (list.n > 0)
        give_table(page, NULL, columns, 2, &list);
    else
        free(list.cells);
}

static void add_actions(const audit_report *r, ow_page *page)
{
    static const ow_page_column columns[] = {{"change", false},
                                             {"serves more", true},
                                             {"in all", true}};
    cell_list list = {memory_new(3 * r->n_actions + 1, sizeof *list.cells), 0};
    size_t served = 0;
    if (r->n_actions == 0) {
        free(list.cells);
        return;
    }
    for (size_t i = 0; i < r->n_actions; i++) {
        char *value = audit_value_text(r, &r->actions[i]);
        served += r->actions[i].n_served;
        put(&list, text_add(NULL, "%s becomes %s",
                            ow_schema_column(r->table->schema, r->actions[i].column)->name,
                            value));
        put(&list, text_add(NULL, "%zu", r->actions[i].n_served));
        put(&list, text_add(NULL, "%.0f %%", 100.0 * (double)served / (double)r->n_looked));
        free(value);
    }
    char *text = text_add(NULL,
                          "Each line is one change that alone is enough for the rows that "
                          "it serves; it is the one that serves most of the %zu refused "
                          "rows looked at that no line above serves. How typical the "
                          "changed rows are is not looked at here.",
                          r->n_looked);
    ow_page_section(page, "Few changes that serve many");
    ow_page_text(page, text);
    give_table(page, NULL, columns, 3, &list);
    free(text);
}

/* ---- The whole ---- */

/* How many changes of the list it takes for at least 80 % of the rows. */
static char *few_changes_text(const audit_report *r, char **words)
{
    size_t served = 0, n = 0;
    while (n < r->n_actions && 5 * served < 4 * r->n_looked)
        served += r->actions[n++].n_served;
    *words = text_add(NULL, "%s would serve %.0f %% of the refused rows",
                      n == 1 ? "change for all" : "changes for all",
                      r->n_looked > 0 ? 100.0 * (double)served / (double)r->n_looked : 0.0);
    return text_add(NULL, "%zu", n);
}

static void add_tiles(const audit_report *r, ow_page *page)
{
    const audit_figures *w = &r->whole;
    size_t n_differ = 0;
    for (size_t g = 0; g < r->groups->n; g++)
        n_differ += audit_differs(r->of[g].refused.p) || audit_differs(r->of[g].way.p) ||
                    audit_differs(r->of[g].effort_p);
    char *refused =
             text_add(NULL, "%.1f %%", w->refused.n > 0 ? 100.0 * w->refused.share : 0.0),
         *refused_words =
             text_add(NULL, "of %zu rows are refused (%.0f to %.0f %%)", w->refused.n,
                      100.0 * w->refused.low, 100.0 * w->refused.high),
         *way = w->way.n > 0 ? text_add(NULL, "%.1f %%", 100.0 * w->way.share)
                             : text_add(NULL, "-"),
         *way_words = text_add(NULL,
                               "of these have a way (%.0f to %.0f %%), by %.2f changes in "
                               "the mean",
                               100.0 * w->way.low, 100.0 * w->way.high,
                               isnan(w->changes) ? 0.0 : w->changes),
         *differ = text_add(NULL, "%zu of %zu", n_differ, r->groups->n), *few_words,
         *few = few_changes_text(r, &few_words);
    const ow_page_tile tiles[] = {{refused, refused_words},
                                  {way, way_words},
                                  {differ, "groups differ from all other rows"},
                                  {few, few_words}};
    ow_page_begin_overview(page);
    ow_page_tiles(page, tiles, sizeof tiles / sizeof *tiles);
    ow_page_end_overview(page);
    char *const texts[] = {refused, refused_words, way, way_words, differ, few, few_words};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
}

static void add_notes(const audit_report *r, ow_page *page)
{
    char *text = text_add(
        NULL,
        "Intervals: 95 %%, Wilson. Each group is compared with all other rows: Fisher's "
        "exact "
        "test for shares, a rank-sum test for efforts, %zu tests, adjusted by Holm, so "
        "that "
        "where no group differs there is a mark at most one time in twenty. A group may "
        "differ for reasons that the groups do not show; the test says that it does, not "
        "why.",
        r->n_tests);
    if (r->groups->n_hidden > 0)
        text =
            text_add(text, " Not shown: %zu group%s of fewer than %zu rows.",
                     r->groups->n_hidden, r->groups->n_hidden == 1 ? "" : "s", r->smallest);
    ow_page_note(page, text);
    free(text);
}

int audit_report_page(ow_context *ctx, const audit_report *r)
{
    ow_page *page = NULL;
    char *lead = text_add(NULL,
                          "Who is not decided \"%s\", who could be, and at what effort, "
                          "group by group.",
                          r->target);
    ow_status status = ow_page_new(ctx, "Audit", lead, &page);
    if (status == OW_OK) {
        add_tiles(r, page);
        asked_add(page, r->question);
        for (size_t from = 0, to; from < r->groups->n; from = to) {
            to = audit_next_columns(r, from);
            add_groups(r, page, from, to);
        }
        add_notes(r, page);
        add_locked(r, page);
        add_changed(r, page);
        add_actions(r, page);
    }
    free(lead);
    return page_output(status, page);
}
