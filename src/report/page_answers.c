/* SPDX-License-Identifier: MIT */
/* Cards: one for each row, with the changed features only. */
#include <math.h>
#include <stdio.h>

#include "report/page.h"

enum { longest_value = 200 };

/* One row on its way to a card. */
typedef struct {
    ow_page *page;
    const ow_page_answers_content *what;
    const ow_schema *schema;
    const ow_outcome *outcome;
    const double *query;
    size_t row;
} card;

static const char *class_name(const card *c, int32_t class_index)
{
    return ow_schema_class_name(c->schema, (size_t)class_index);
}

/* A class's name in bold and its probability. */
static void add_class(const card *c, int32_t class_index, const double *proba)
{
    owi_markup *body = &c->page->body;
    owi_markup_add(body, "<b>");
    owi_markup_text(body, class_name(c, class_index), 60);
    owi_markup_add(body, "</b> (p = ");
    owi_markup_number(body, proba[class_index], 2);
    owi_markup_add(body, ")");
}

/* ---- What changes ---- */

static bool differs(double from, double to)
{
    return from != to && !(isnan(from) && isnan(to));
}

static void add_value(const card *c, size_t column, double value, const char *class_)
{
    char text[longest_value];
    ow_schema_print_value(c->schema, column, value, text, sizeof text);
    owi_markup_add(&c->page->body, "<td><span class=\"%s\">", class_);
    owi_markup_text(&c->page->body, isnan(value) ? "not known" : text, 60);
    owi_markup_add(&c->page->body, "</span></td>");
}

static void add_changes(const card *c, const ow_counterfactual *answer)
{
    owi_markup *body = &c->page->body;
    owi_markup_add(body,
                   "<table class=\"changes\"><thead><tr><th scope=\"col\">feature</th>"
                   "<th scope=\"col\">is</th><th scope=\"col\">would be</th></tr>"
                   "</thead><tbody>\n");
    for (size_t j = 0; j < ow_schema_n_columns(c->schema); j++) {
        if (!differs(c->query[j], answer->values[j])) continue;
        owi_markup_add(body, "<tr>");
        owi_page_cell(c->page, "th scope=\"row\"", "",
                      ow_schema_column(c->schema, j)->name);
        add_value(c, j, c->query[j], "old");
        add_value(c, j, answer->values[j], "new");
        owi_markup_add(body, "</tr>\n");
    }
    owi_markup_add(body, "</tbody></table>\n");
}

/* ---- How probable, how typical ---- */

/* A track with the answer as a filled length and the query as a mark; both in percent. */
static void add_meter(const card *c, const char *left, const char *right, double was,
                      double now, bool filled)
{
    owi_markup *body = &c->page->body;
    owi_markup_add(body, "<div class=\"meter\"><div class=\"words\"><span>");
    owi_markup_text(body, left, 0);
    owi_markup_add(body, "</span><span>");
    owi_markup_text(body, right, 0);
    owi_markup_add(body, "</span></div><div class=\"track\" aria-hidden=\"true\">");
    owi_markup_add(body, filled ? "<div class=\"fill\" style=\"width:"
                                : "<div class=\"mark\" style=\"left:");
    owi_markup_number(body, now, 1);
    owi_markup_add(body, "%%\"></div>");
    if (isfinite(was)) {
        owi_markup_add(body, "<div class=\"mark was\" style=\"left:");
        owi_markup_number(body, was, 1);
        owi_markup_add(body, "%%\"></div>");
    }
    owi_markup_add(body, "</div></div>\n");
}

static void add_figures(const card *c, const ow_counterfactual *answer)
{
    char left[256], right[64];
    const int32_t t = c->outcome->target;
    snprintf(left, sizeof left, "probability of \"%.80s\"", class_name(c, t));
    snprintf(right, sizeof right, "%.0f %%, was %.0f %%", 100.0 * answer->proba[t],
             100.0 * c->outcome->proba[t]);
    add_meter(c, left, right, 100.0 * c->outcome->proba[t], 100.0 * answer->proba[t], true);
    if (isfinite(answer->percentile)) {
        snprintf(left, sizeof left, "more typical than %.0f %% of the real \"%.80s\" rows",
                 answer->percentile, class_name(c, t));
        add_meter(c, left, "", NAN, answer->percentile, false);
    }
    const size_t n = ow_schema_n_columns(c->schema);
    char words[96];
    snprintf(words, sizeof words, "%zu of %zu features %s.", answer->distance.l0, n,
             answer->distance.l0 == 1 ? "changes" : "change");
    ow_page_note(c->page, words);
}

/* ---- Where there is no answer ---- */

static const char *words_for(ow_reason reason)
{
    switch (reason) {
    case OW_REASON_NOT_FLIPPED:
        return "No answer was found: what came nearest is still not of the class that was "
               "asked for.";
    case OW_REASON_DENSITY_UNREACHABLE:
        return "Nothing of that class is as typical as was asked for.";
    case OW_REASON_CONSTRAINTS_INFEASIBLE:
        return "With what may not change there is no answer.";
    case OW_REASON_NO_PATH:
        return "No way leads to a known row of that class.";
    case OW_REASON_TIME_LIMIT:
        return "The time limit was reached first.";
    default:
        return "No answer was found.";
    }
}

static void add_failure(const card *c)
{
    ow_page_text(c->page, words_for(c->outcome->reason));
    if (c->outcome->blocking == NULL) return;
    owi_markup_add(&c->page->body, "<p>There would be one without: <b>");
    owi_markup_text(&c->page->body, c->outcome->blocking, 0);
    owi_markup_add(&c->page->body, "</b></p>\n");
}

/* ---- The card ---- */

static void add_answer(const card *c, const ow_counterfactual *answer, bool is_first)
{
    owi_markup *body = &c->page->body;
    if (is_first)
        owi_markup_add(body, "<p class=\"verdict\">The model would say ");
    else
        owi_markup_add(body, "<p class=\"verdict\">Or ");
    add_class(c, answer->predicted, answer->proba);
    owi_markup_add(body, " if</p>\n");
    add_changes(c, answer);
    add_figures(c, answer);
}

static void add_outcome(const card *c)
{
    const ow_outcome *outcome = c->outcome;
    if (outcome->kind == OW_ALREADY_TARGET) {
        ow_page_text(c->page, "That is what was asked for: nothing has to change.");
        return;
    }
    if (outcome->kind == OW_NOT_FOUND) {
        add_failure(c);
        return;
    }
    for (size_t k = 0; k < outcome->n_answers; k++)
        if (outcome->answers[k].valid) add_answer(c, &outcome->answers[k], k == 0);
    if (outcome->reason == OW_REASON_DENSITY_UNREACHABLE)
        ow_page_note(c->page, "Rarer than was wished for: nothing more typical was found.");
}

static void add_card(const card *c)
{
    owi_markup *body = &c->page->body;
    static const char *const classes[] = {
        [OW_FOUND] = "found", [OW_NOT_FOUND] = "failed", [OW_ALREADY_TARGET] = "already"};
    const uint64_t number =
        c->what->numbers != NULL ? c->what->numbers[c->row] : (uint64_t)c->row + 1;
    owi_markup_add(body, "<article class=\"card %s\"><h3>", classes[c->outcome->kind]);
    if (c->what->names != NULL)
        owi_markup_text(body, c->what->names[c->row], 80);
    else
        owi_markup_add(body, "Row %llu", (unsigned long long)number);
    owi_markup_add(body, "</h3>\n<p class=\"verdict\">The model says ");
    add_class(c, c->outcome->predicted, c->outcome->proba);
    owi_markup_add(body, ".</p>\n");
    add_outcome(c);
    owi_markup_add(body, "</article>\n");
}

/* Shown by the script, which they need. */
static void add_tools(ow_page *page, size_t list)
{
    owi_markup_add(&page->body,
                   "<div class=\"tools\" data-filter=\"cards-%zu\" hidden>"
                   "<label>Find <input type=\"search\"></label> "
                   "<label>Show <select><option value=\"\">all rows</option>"
                   "<option value=\"found\">with an answer</option>"
                   "<option value=\"failed\">without</option></select></label> "
                   "<output class=\"note\"></output></div>\n",
                   list);
}

void ow_page_answers(ow_page *page, const ow_page_answers_content *what)
{
    const ow_schema *schema = ow_model_schema(what->model);
    const size_t n_rows = ow_explanation_n_rows(what->explanation);
    const size_t n_columns = ow_schema_n_columns(schema);
    const size_t list = ++page->n_card_lists;

    if (n_rows > 6) add_tools(page, list);
    owi_markup_add(&page->body, "<div class=\"cards\" id=\"cards-%zu\">\n", list);
    for (size_t i = 0; i < n_rows && owi_page_is_sound(page); i++) {
        const card c = {page,
                        what,
                        schema,
                        ow_explanation_outcome(what->explanation, i),
                        what->values + i * n_columns,
                        i};
        add_card(&c);
    }
    owi_markup_add(&page->body, "</div>\n");
}
