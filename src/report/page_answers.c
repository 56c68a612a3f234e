/* SPDX-License-Identifier: MIT */
/* Cards: one for each row, with the changed features only. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otherwise/report.h"
#include "report/page.h"
#include "report/support.h"

enum { longest_value = 200 };

/* One row on its way to a card. */
typedef struct {
    ow_page *page;
    const ow_page_answer_content *what;
    const ow_schema *schema;
    const ow_outcome *outcome;
    const double *query;
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

/* How far a number has to go.  Within a hundredth of its way the value itself is just
 * enough. */
static void add_enough(const card *c, size_t j, const ow_counterfactual *answer)
{
    const double value = answer->values[j], least = 0.01 * fabs(value - c->query[j]);
    const double enough = answer->enough != NULL ? answer->enough[j] : NAN;
    owi_markup *body = &c->page->body;
    char text[longest_value];
    if (isnan(enough)) return;
    const double of_class = answer->enough_for_class[j];
    const bool is_for_class = isnan(of_class) || fabs(enough - of_class) < least;
    owi_markup_add(body, " <small>(");
    if (!is_for_class && !differs(of_class, c->query[j])) {
        owi_markup_add(body, "only to be typical)</small>");
        return;
    }
    const bool just = is_for_class && fabs(enough - value) <= least;
    ow_schema_print_value(c->schema, j, is_for_class ? enough : of_class, text,
                          sizeof text);
    owi_markup_text(body, just ? "just" : text, 60);
    owi_markup_add(body, just           ? " enough)</small>"
                         : is_for_class ? " is enough)</small>"
                                        : " is enough, but less typical)</small>");
}

static void add_new_value(const card *c, size_t j, const ow_counterfactual *answer)
{
    const double value = answer->values[j];
    owi_markup *body = &c->page->body;
    char text[longest_value];
    ow_schema_print_value(c->schema, j, value, text, sizeof text);
    owi_markup_add(body, "<td><span class=\"new\">");
    owi_markup_text(body, isnan(value) ? "not known" : text, 60);
    owi_markup_add(body, "</span>");
    add_enough(c, j, answer);
    owi_markup_add(body, "</td>");
}

static void add_changes(const card *c, const ow_counterfactual *answer)
{
    owi_markup *body = &c->page->body;
    owi_markup_add(body, "<table class=\"changes\"><thead><tr><th scope=\"col\">column</th>"
                         "<th scope=\"col\">is</th><th scope=\"col\">would be</th></tr>"
                         "</thead><tbody>\n");
    for (size_t j = 0; j < ow_schema_n_columns(c->schema); j++) {
        if (!differs(c->query[j], answer->values[j])) continue;
        owi_markup_add(body, "<tr>");
        owi_page_cell(c->page, "th scope=\"row\"", "",
                      ow_schema_column(c->schema, j)->name);
        add_value(c, j, c->query[j], "old");
        add_new_value(c, j, answer);
        owi_markup_add(body, "</tr>\n");
    }
    owi_markup_add(body, "</tbody></table>\n");
}

/* The answer as a path: what each row of it changes. */
static void add_steps(const card *c, const ow_counterfactual *answer)
{
    const size_t n = ow_schema_n_columns(c->schema);
    owi_markup *body = &c->page->body;
    if (answer->n_path < 3) return;
    owi_markup_add(body, "<p>Step by step%s:</p>\n<ol class=\"steps\">",
                   answer->path_dense ? "" : ", not all of them as typical as asked for");
    for (size_t k = 1; k < answer->n_path; k++) {
        const double *from = answer->path + (k - 1) * n, *to = answer->path + k * n;
        const char *between = "";
        owi_markup_add(body, "<li>");
        for (size_t j = 0; j < n; j++) {
            char text[longest_value];
            if (!differs(from[j], to[j])) continue;
            owi_markup_add(body, "%s", between);
            owi_markup_text(body, ow_schema_column(c->schema, j)->name, 60);
            owi_markup_add(body, ": ");
            ow_schema_print_value(c->schema, j, to[j], text, sizeof text);
            owi_markup_text(body, isnan(to[j]) ? "not known" : text, 60);
            between = "; ";
        }
        owi_markup_add(body, "</li>\n");
    }
    owi_markup_add(body, "</ol>\n");
}

/* An image's query, what lies between, the answer and the signed difference, side by
 * side. */
static void add_picture(const card *c, const ow_counterfactual *answer)
{
    const ow_strip strip = {c->query, answer->intermediate, answer->values};
    ow_context *ctx = c->page->ctx;
    ow_pixels picture = {0};
    char *png = NULL;
    size_t size = 0;
    ow_status status = ow_report_strips(c->what->model, 1, &strip, &picture);
    if (status == OW_OK) status = ow_png_format(ctx, &picture, &png, &size);
    if (status == OW_OK)
        ow_page_png(c->page, "query, what lies between, answer, difference",
                    "The query, the answer and their difference as images", png, size,
                    true);
    else
        owi_page_fail(c->page, status);
    ow_bytes_free(png);
    ow_pixels_clear(&picture);
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
    if (answer->not_robust && answer->valid)
        ow_page_note(c->page, "No robust answer was found: models of other samples of the "
                              "same rows may not agree with this one.");
    const size_t n = ow_model_most_changes(c->what->model);
    char words[96];
    snprintf(words, sizeof words, "%zu of %zu columns %s.", answer->distance.l0, n,
             answer->distance.l0 == 1 ? "changes" : "change");
    ow_page_note(c->page, words);
}

/* ---- Where there is no answer ---- */

static const char *words_for(const ow_outcome *outcome)
{
    switch (outcome->reason) {
    case OW_REASON_NOT_FLIPPED:
        return "No answer was found: what came nearest is still not of the class that was "
               "asked for.";
    case OW_REASON_DENSITY_UNREACHABLE:
        return outcome->impossible
                   ? "Nothing of that class is as typical as was asked for."
                   : "None was found of that class that is as typical as was asked for.";
    case OW_REASON_CONSTRAINTS_INFEASIBLE:
        return outcome->impossible ? "With what may not change there is no answer."
                                   : "With what may not change none was found.";
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
    ow_page_text(c->page, words_for(c->outcome));
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
    const bool is_table = ow_schema_layout(c->schema).kind == OW_LAYOUT_TABLE;
    owi_markup_add(body, is_table ? " if</p>\n" : " if it looked like this:</p>\n");
    if (is_table)
        add_changes(c, answer);
    else
        add_picture(c, answer);
    add_figures(c, answer);
    if (is_table) add_steps(c, answer);
}

/* The answer that is surer to be of the class, where it was asked for and found. */
static void add_surer(const card *c)
{
    const ow_outcome *surer = c->outcome->surer;
    owi_markup *body = &c->page->body;
    if (surer == NULL || surer->kind != OW_OUTCOME_FOUND ||
        ow_schema_layout(c->schema).kind != OW_LAYOUT_TABLE)
        return;
    owi_markup_add(body, "<details><summary>Surer: ");
    add_class(c, surer->answers[0]->predicted, surer->answers[0]->proba);
    owi_markup_add(body, " if</summary>\n");
    add_changes(c, surer->answers[0]);
    owi_markup_add(body, "</details>\n");
}

static void add_outcome(const card *c)
{
    const ow_outcome *outcome = c->outcome;
    if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) {
        ow_page_text(c->page, "That is what was asked for: nothing has to change.");
        return;
    }
    if (outcome->kind == OW_OUTCOME_NOT_FOUND) {
        add_failure(c);
        return;
    }
    for (size_t k = 0; k < outcome->n_answers; k++)
        if (outcome->answers[k]->valid) add_answer(c, outcome->answers[k], k == 0);
    if (outcome->reason == OW_REASON_DENSITY_UNREACHABLE)
        ow_page_note(c->page, "Rarer than was wished for: nothing more typical was found.");
    add_surer(c);
}

static void add_card(const card *c)
{
    owi_markup *body = &c->page->body;
    static const char *const classes[] = {[OW_OUTCOME_FOUND] = "found",
                                          [OW_OUTCOME_NOT_FOUND] = "failed",
                                          [OW_OUTCOME_ALREADY_TARGET] = "already"};
    owi_markup_add(body, "<article class=\"card %s\"><h3>", classes[c->outcome->kind]);
    if (c->what->name != NULL)
        owi_markup_text(body, c->what->name, 80);
    else
        owi_markup_add(body, "Row %llu", (unsigned long long)c->what->number);
    owi_markup_add(body, "</h3>\n<p class=\"verdict\">The model says ");
    add_class(c, c->outcome->predicted, c->outcome->proba);
    owi_markup_add(body, ".</p>\n");
    if (c->outcome->unlike_seen)
        ow_page_note(c->page, "This row is unlike those that the model has seen: take what "
                              "it says here as a guess.");
    add_outcome(c);
    owi_markup_add(body, "</article>\n");
}

/* ---- The list, in order ---- */

/* Where a card lies in the body, and what it is sorted by. */
typedef struct owi_card_place {
    size_t at, size, number; /* number: as it came                          */
    size_t n_changes;        /* SIZE_MAX: no answer                         */
    double distance;
} card_place;

static int compare_cards(const void *a, const void *b)
{
    const card_place *x = a, *y = b;
    if (x->n_changes != y->n_changes) return x->n_changes < y->n_changes ? -1 : 1;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool note_card(ow_page *page, size_t at, const ow_outcome *outcome)
{
    if (page->n_cards == page->cards_room) {
        const size_t room = page->cards_room > 0 ? 2 * page->cards_room : 64;
        card_place *larger = owi_report_alloc(page->ctx, room, sizeof *larger);
        if (larger == NULL) return false;
        if (page->n_cards > 0) memcpy(larger, page->cards, page->n_cards * sizeof *larger);
        ow_bytes_free(page->cards);
        page->cards = larger;
        page->cards_room = room;
    }
    const bool found = outcome->kind == OW_OUTCOME_FOUND;
    page->cards[page->n_cards] =
        (card_place){.at = at,
                     .size = page->body.size - at,
                     .number = page->n_cards,
                     .n_changes = found ? outcome->answers[0]->distance.l0 : SIZE_MAX,
                     .distance = found ? outcome->answers[0]->distance.gower : 0.0};
    page->n_cards++;
    return true;
}

static void put_cards_in_order(ow_page *page)
{
    const size_t first = page->cards_begin, size = page->body.size - first;
    if (!owi_page_is_sound(page) || page->n_cards < 2) return;
    char *sorted = owi_report_alloc(page->ctx, size, 1), *end = sorted;
    if (sorted == NULL) {
        owi_page_fail(page, OW_ERR_MEMORY);
        return;
    }
    qsort(page->cards, page->n_cards, sizeof *page->cards, compare_cards);
    for (size_t i = 0; i < page->n_cards; i++) {
        memcpy(end, page->body.text + page->cards[i].at, page->cards[i].size);
        end += page->cards[i].size;
    }
    memcpy(page->body.text + first, sorted, size);
    ow_bytes_free(sorted);
}

void ow_page_begin_answers(ow_page *page)
{
    const size_t list = ++page->n_card_lists;
    /* The script shows the tools, which need it, where there are many cards. */
    owi_markup_add(&page->body,
                   "<div class=\"tools\" data-filter=\"cards-%zu\" hidden>"
                   "<label>Find <input type=\"search\"></label> "
                   "<label>Show <select><option value=\"\">all rows</option>"
                   "<option value=\"found\">with an answer</option>"
                   "<option value=\"failed\">without</option></select></label> ",
                   list);
    owi_markup_add(&page->body,
                   "<output class=\"note\"></output> <span class=\"pager\">"
                   "<button type=\"button\">Previous</button> "
                   "<button type=\"button\">Next</button></span></div>\n"
                   "<div class=\"cards\" id=\"cards-%zu\">\n",
                   list);
    page->n_cards = 0;
    page->cards_begin = page->body.size;
}

void ow_page_end_answers(ow_page *page)
{
    put_cards_in_order(page);
    owi_markup_add(&page->body, "</div>\n");
}

void ow_page_answer(ow_page *page, const ow_page_answer_content *given)
{
    ow_page_answer_content own = {.size = sizeof(ow_page_answer_content)};
    if (!OWI_PAGE_TAKE(page, ow_page_answer_content, given, &own)) return;
    const ow_page_answer_content *what = &own;
    const card c = {page, what, ow_model_schema(what->model), what->outcome, what->query};
    const size_t at = page->body.size;
    add_card(&c);
    if (owi_page_is_sound(page) && !note_card(page, at, what->outcome))
        owi_page_fail(page, OW_ERR_MEMORY);
}
