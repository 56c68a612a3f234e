/* SPDX-License-Identifier: MIT */
/* An audit as text for people, as JSON and as CSV. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "auditing/audit_report.h"
#include "output/csv_output.h"
#include "output/json_output.h"
#include "output/output.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

/* "female, 25 to below 40": the values that a group has. */
char *audit_name_group(const audit_report *r, const audit_group *g)
{
    char *name = NULL;
    for (size_t k = 0; k < r->table->n_by; k++)
        if (g->name[k] != NULL)
            name = text_add(name, "%s%s", name != NULL ? ", " : "", g->name[k]);
    return name;
}

/* The columns that a group is made by. */
char *audit_name_columns(const audit_report *r, const audit_group *g)
{
    char *name = NULL;
    for (size_t k = 0; k < r->table->n_by; k++)
        if (g->name[k] != NULL)
            name = text_add(name, "%s%s", name != NULL ? " and " : "", r->table->by[k]);
    return name;
}

/* ---- For people ---- */

/* "23.3 % (21-26) *". */
static char *share_text(const audit_share *s)
{
    if (s->n == 0) return text_add(NULL, "-");
    return text_add(NULL, "%.1f %% (%.0f-%.0f)%s", 100.0 * s->share, 100.0 * s->low,
                    100.0 * s->high, audit_differs(s->p) ? " *" : "");
}

static char *changes_text(const audit_figures *f)
{
    if (isnan(f->changes)) return text_add(NULL, "-");
    return text_add(NULL, "%.2f%s", f->changes, audit_differs(f->effort_p) ? " *" : "");
}

static void print_groups(const audit_report *r, size_t from, size_t to)
{
    static const table_column columns[] = {
        {.title = "group"},   {.title = "rows", .is_number = true},
        {.title = "refused"}, {.title = "of these a way"},
        {.title = "changes"}, {.title = "locked", .is_number = true}};
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    char *by = audit_name_columns(r, &r->groups->groups[from]);
    for (size_t g = from; g < to; g++) {
        const audit_figures *f = &r->of[g];
        text_table_take(table, audit_name_group(r, &r->groups->groups[g]));
        text_table_take(table, text_add(NULL, "%zu", f->refused.n));
        text_table_take(table, share_text(&f->refused));
        text_table_take(table, share_text(&f->way));
        text_table_take(table, changes_text(f));
        text_table_take(table, text_add(NULL, "%zu", f->only_locked.k));
    }
    output_print(stdout, "\nBy %s\n", by);
    text_table_print(stdout, table, terminal_width(stdout));
    text_table_free(table);
    free(by);
}

/* Whether two groups are made by the same columns. */
static bool same_columns(const audit_report *r, size_t a, size_t b)
{
    for (size_t k = 0; k < r->table->n_by; k++)
        if ((r->groups->groups[a].name[k] == NULL) !=
            (r->groups->groups[b].name[k] == NULL))
            return false;
    return true;
}

size_t audit_next_columns(const audit_report *r, size_t from)
{
    size_t to = from;
    while (to < r->groups->n && same_columns(r, from, to)) to++;
    return to;
}

static void print_whole(const audit_report *r)
{
    const audit_figures *w = &r->whole;
    char *refused = share_text(&w->refused), *way = share_text(&w->way);
    output_print(stdout, "%s: of %zu rows %zu are not decided %s, %s.\n", r->file,
                 w->refused.n, w->refused.k, r->target, refused);
    if (w->refused.k > 0)
        output_print(stdout, "Of these %zu have a way, %s, by %.2f changes on average.\n",
                     w->way.k, way, w->way.k > 0 ? w->changes : 0.0);
    free(refused);
    free(way);
}

static void print_locked(const audit_report *r)
{
    const audit_figures *w = &r->whole;
    if (w->only_locked.k > 0) {
        output_print(stdout,
                     "\nRefused only because of a locked column, whose other value alone "
                     "would be enough: %zu\n",
                     w->only_locked.k);
        for (size_t j = 0; j < r->table->n_columns; j++)
            if (r->answers->n_locked[j] > 0)
                output_print(stdout, "  %s: %zu\n",
                             ow_schema_column(r->table->schema, j)->name,
                             r->answers->n_locked[j]);
    }
    if (w->in_way.k > 0)
        output_print(stdout, "Without a way, since a locked column is in it: %zu\n",
                     w->in_way.k);
}

static void print_changed(const audit_report *r)
{
    bool any = false;
    for (size_t j = 0; j < r->table->n_columns; j++) {
        const size_t n = r->answers->n_changed[j];
        if (20 * n < r->whole.way.k || n == 0) continue;
        output_print(stdout, "%s  %s: %zu (%.0f %%)\n",
                     any ? "" : "\nColumns that at least one in twenty answers change\n",
                     ow_schema_column(r->table->schema, j)->name, n,
                     100.0 * (double)n / (double)r->whole.way.k);
        any = true;
    }
}

char *audit_value_text(const audit_report *r, const audit_action *a)
{
    char text[256];
    ow_schema_print_value(r->table->schema, a->column, a->value, text, sizeof text);
    return text_add(NULL, "%s", text);
}

static void print_actions(const audit_report *r)
{
    size_t served = 0;
    if (r->n_actions == 0) return;
    output_print(stdout,
                 "\nFew changes that serve many of the %zu refused rows%s, each alone and "
                 "added up\n",
                 r->n_looked, r->n_looked < r->whole.refused.k ? " looked at" : "");
    for (size_t i = 0; i < r->n_actions; i++) {
        char *value = audit_value_text(r, &r->actions[i]);
        served += r->actions[i].n_served;
        output_print(stdout, "  %s becomes %s: %zu more, %.0f %% in all\n",
                     ow_schema_column(r->table->schema, r->actions[i].column)->name, value,
                     r->actions[i].n_served, 100.0 * (double)served / (double)r->n_looked);
        free(value);
    }
}

void audit_report_print(const audit_report *r)
{
    print_whole(r);
    for (size_t from = 0, to; from < r->groups->n; from = to) {
        to = audit_next_columns(r, from);
        print_groups(r, from, to);
    }
    output_print(stdout,
                 "\nIn brackets 95 %% intervals. * differs from all other rows (%zu tests, "
                 "5 %% for\nall of them together, Holm). locked: refused only because of a "
                 "locked column.\n",
                 r->n_tests);
    if (r->groups->n_hidden > 0)
        output_print(stdout, "Not shown: %zu group%s of fewer than %zu rows.\n",
                     r->groups->n_hidden, r->groups->n_hidden == 1 ? "" : "s", r->smallest);
    print_locked(r);
    print_changed(r);
    print_actions(r);
}

/* ---- For programs ---- */

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *share_json(const audit_share *s, bool tested)
{
    json_t *o = json_object();
    json_object_set_new(o, "count", json_integer((json_int_t)s->k));
    json_object_set_new(o, "of", json_integer((json_int_t)s->n));
    json_object_set_new(o, "share", number(s->share));
    json_object_set_new(o, "low", number(s->low));
    json_object_set_new(o, "high", number(s->high));
    if (tested) json_object_set_new(o, "p", number(s->p));
    return o;
}

static void put_figures(json_t *o, const audit_figures *f, bool tested)
{
    json_object_set_new(o, "refused", share_json(&f->refused, tested));
    json_object_set_new(o, "way", share_json(&f->way, tested));
    json_object_set_new(o, "only_locked", share_json(&f->only_locked, false));
    json_object_set_new(o, "locked_in_way", share_json(&f->in_way, false));
    json_object_set_new(o, "mean_changes", number(f->changes));
    json_object_set_new(o, "mean_effort", number(f->effort));
    if (tested) json_object_set_new(o, "effort_p", number(f->effort_p));
}

static json_t *columns_json(const audit_report *r, const size_t *counts)
{
    json_t *o = json_object();
    for (size_t j = 0; j < r->table->n_columns; j++)
        if (counts[j] > 0)
            json_object_set_new(o, ow_schema_column(r->table->schema, j)->name,
                                json_integer((json_int_t)counts[j]));
    return o;
}

static json_t *groups_json(const audit_report *r)
{
    json_t *list = json_array();
    for (size_t g = 0; g < r->groups->n; g++) {
        json_t *o = json_object(), *name = json_object();
        for (size_t k = 0; k < r->table->n_by; k++)
            if (r->groups->groups[g].name[k] != NULL)
                json_object_set_new(name, r->table->by[k],
                                    json_output_text(r->groups->groups[g].name[k]));
        json_object_set_new(o, "group", name);
        put_figures(o, &r->of[g], true);
        json_array_append_new(list, o);
    }
    return list;
}

void audit_report_json(const audit_report *r)
{
    json_t *document = json_object(), *whole = json_object(), *actions = json_array();
    put_figures(whole, &r->whole, false);
    for (size_t i = 0; i < r->n_actions; i++) {
        char *value = audit_value_text(r, &r->actions[i]);
        json_t *o = json_object();
        json_object_set_new(
            o, "column",
            json_output_text(
                ow_schema_column(r->table->schema, r->actions[i].column)->name));
        json_object_set_new(o, "value", json_output_text(value));
        json_object_set_new(o, "more", json_integer((json_int_t)r->actions[i].n_served));
        json_array_append_new(actions, o);
        free(value);
    }
    json_object_set_new(document, "target", json_output_text(r->target));
    json_object_set_new(document, "all", whole);
    json_object_set_new(document, "groups", groups_json(r));
    json_object_set_new(document, "tests", json_integer((json_int_t)r->n_tests));
    json_object_set_new(document, "hidden_groups",
                        json_integer((json_int_t)r->groups->n_hidden));
    json_object_set_new(document, "smallest", json_integer((json_int_t)r->smallest));
    json_object_set_new(document, "changed", columns_json(r, r->answers->n_changed));
    json_object_set_new(document, "only_locked", columns_json(r, r->answers->n_locked));
    json_object_set_new(document, "actions", actions);
    json_object_set_new(document, "actions_of", json_integer((json_int_t)r->n_looked));
    json_output_document(document);
}

static void csv_number(const char *format, double x)
{
    char text[64];
    if (isfinite(x))
        snprintf(text, sizeof text, strcmp(format, "count") == 0 ? "%.0f" : "%.6g", x);
    csv_output_field(isfinite(x) ? text : "", false);
}

static void csv_line(const audit_figures *f)
{
    csv_number("count", (double)f->refused.n);
    csv_number("count", (double)f->refused.k);
    csv_number("", f->refused.share);
    csv_number("", f->refused.low);
    csv_number("", f->refused.high);
    csv_number("", f->refused.p);
    csv_number("count", (double)f->way.k);
    csv_number("", f->way.share);
    csv_number("", f->way.low);
    csv_number("", f->way.high);
    csv_number("", f->way.p);
    csv_number("", f->changes);
    csv_number("", f->effort);
    csv_number("", f->effort_p);
    csv_number("count", (double)f->only_locked.k);
    csv_number("count", (double)f->in_way.k);
    csv_output_end_line();
}

void audit_report_csv(const audit_report *r)
{
    static const char *const titles[] = {"rows",         "refused",      "refused_share",
                                         "refused_low",  "refused_high", "refused_p",
                                         "way",          "way_share",    "way_low",
                                         "way_high",     "way_p",        "mean_changes",
                                         "mean_effort",  "effort_p",     "only_locked",
                                         "locked_in_way"};
    for (size_t k = 0; k < r->table->n_by; k++) csv_output_field(r->table->by[k], k == 0);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        csv_output_field(titles[i], r->table->n_by == 0 && i == 0);
    csv_output_end_line();
    for (size_t g = 0; g < r->groups->n; g++) {
        for (size_t k = 0; k < r->table->n_by; k++) {
            const char *name = r->groups->groups[g].name[k];
            csv_output_field(name != NULL ? name : "", k == 0);
        }
        csv_line(&r->of[g]);
    }
}
