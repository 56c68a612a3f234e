/* SPDX-License-Identifier: MIT */
/* Explanations as sentences:
 *
 *     Row 17: the model says bad (p = 0.71). It would say good (p = 0.63) if
 *       duration  48  ->  24
 *     More typical than 43 % of the real "good" rows. 1 of 20 columns changes.
 *     For p = 0.7 or more, also: savings  below 100 -> 100 to 500. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explaining/explain_format.h"
#include "explaining/row_values.h"
#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"

enum { most_named = 10 };

typedef struct {
    bool is_table;  /* columns that can be named, not pixels */
    bool after_row; /* a row was printed                     */
    /* Rows that need no answer are counted at the end; the first of them, for the case that
     * it is the only row, and the numbers of as many as are worth naming. */
    char *only_line;
    bool only_unlike;
    size_t already[most_named], n_already;
    char **class_names; /* harmless                              */
} text_state;

static void begin(explain_job *job)
{
    text_state *state = memory_new(1, sizeof *state);
    const size_t C = ow_schema_n_classes(job->schema);
    state->is_table = ow_schema_layout(job->schema).kind == OW_LAYOUT_TABLE;
    state->class_names = memory_new(C, sizeof *state->class_names);
    for (size_t c = 0; c < C; c++)
        state->class_names[c] = display_clean(ow_schema_class_name(job->schema, c));
    job->state = state;
}

static const char *class_name(const explain_job *job, int32_t class_index)
{
    const text_state *state = job->state;
    return state->class_names[class_index];
}

/* "(p = " that no line break divides. */
#define P_IS "(p" DISPLAY_NO_BREAK "=" DISPLAY_NO_BREAK

/* ---- What changes ---- */

typedef struct {
    char *name, *from, *to;
    char *enough; /* "(2317 is enough)"; NULL: not known */
} change;

/* How far the number in column j has to go; NULL where that is not known.  Within a
 * hundredth of its way the value itself is just enough: "10903.20 (10903.25 is enough)"
 * helps nobody. */
static char *say_enough(const ow_schema *schema, size_t j, double from, double to,
                        const ow_counterfactual *answer)
{
    if (answer == NULL || answer->enough == NULL || isnan(answer->enough[j])) return NULL;
    const double least = 0.01 * fabs(to - from), enough = answer->enough[j];
    const double of_class = answer->enough_for_class[j];
    const bool is_for_class = isnan(of_class) || fabs(enough - of_class) < least;
    if (!is_for_class && !row_value_differs(of_class, from))
        return text_add(NULL, "(only to be typical)");
    if (is_for_class && (!row_value_differs(enough, to) || fabs(enough - to) < least))
        return text_add(NULL, "(just enough)");
    char *shown = row_value_shown(schema, j, is_for_class ? enough : of_class);
    char *said =
        text_add(NULL, "(%s is enough%s)", shown, is_for_class ? "" : ", but less typical");
    free(shown);
    return said;
}

/* The columns in which two rows differ, for a person to read.  answer: says how far numbers
 * have to go; or NULL. */
static change *list_changes(const ow_schema *schema, const double *from, const double *to,
                            const ow_counterfactual *answer, size_t *n)
{
    change *changes = NULL;
    *n = 0;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        if (!row_value_differs(from[j], to[j])) continue;
        changes = memory_grow(changes, *n, sizeof *changes);
        changes[(*n)++] =
            (change){display_clean(ow_schema_column(schema, j)->name),
                     row_value_shown(schema, j, from[j]), row_value_shown(schema, j, to[j]),
                     say_enough(schema, j, from[j], to[j], answer)};
    }
    return changes;
}

static void free_changes(change *changes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(changes[i].name);
        free(changes[i].from);
        free(changes[i].to);
        free(changes[i].enough);
    }
    free(changes);
}

static void widen(size_t *width, const char *text)
{
    const size_t wanted = display_width(text);
    if (wanted > *width) *width = wanted;
}

/* One below the other with the arrows in line; where a line would be too wide, what is
 * enough below it, or each value on a line of its own. */
static void print_changes(const change *changes, size_t n)
{
    enum { gap = 2 };
    const char *strong = terminal_colour(stdout, TERMINAL_GREEN);
    const char *plain = terminal_colour(stdout, TERMINAL_PLAIN);
    size_t name = 0, from = 0, to = 0;
    for (size_t i = 0; i < n; i++) {
        widen(&name, changes[i].name);
        widen(&from, changes[i].from);
        widen(&to, changes[i].to);
    }
    const size_t width = gap + name + gap + from + gap + 2 + gap + to;
    const bool stacked = width > terminal_width(stdout);
    for (size_t i = 0; i < n; i++) {
        const change *c = &changes[i];
        const char *space = c->enough != NULL ? "  " : "";
        const char *enough = c->enough != NULL ? c->enough : "";
        if (stacked) {
            output_print(stdout, "  %s\n      %s\n  ->  %s%s%s%s%s\n", c->name, c->from,
                         strong, c->to, plain, space, enough);
            continue;
        }
        output_print(stdout, "  %s", c->name);
        display_pad(stdout, name - display_width(c->name) + gap);
        output_print(stdout, "%s", c->from);
        display_pad(stdout, from - display_width(c->from) + gap);
        output_print(stdout, "->  %s%s%s", strong, c->to, plain);
        const bool fits = c->enough == NULL ||
                          width + gap + display_width(enough) <= terminal_width(stdout);
        if (c->enough != NULL && fits) display_pad(stdout, to - display_width(c->to));
        output_print(stdout, "%s%s\n", fits ? space : "\n      ", enough);
    }
}

/* "a  1 -> 2, b  x -> y" */
static char *join_changes(char *text, const change *changes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text = text_add(text, "%s%s" DISPLAY_NO_BREAK DISPLAY_NO_BREAK "%s -> %s",
                        i > 0 ? ", " : "", changes[i].name, changes[i].from, changes[i].to);
    return text;
}

/* ---- One answer ---- */

/* "More typical than 43 % of the real "good" rows." */
static char *add_typical(char *text, const explain_job *job, const ow_outcome *outcome,
                         const ow_counterfactual *answer)
{
    const char *target = class_name(job, outcome->target);
    const bool missed = outcome->reason == OW_REASON_DENSITY_UNREACHABLE && !answer->dense;
    const double percent = rint(answer->percentile);
    if (isnan(percent)) return text;
    if (missed) text = text_add(text, "Less typical than wished for: ");
    const char *more = missed ? "more" : "More", *less = missed ? "less" : "Less";
    if (percent <= 0.0)
        return text_add(text, "%s typical than any of the real \"%s\" rows. ", less,
                        target);
    if (percent >= 100.0)
        return text_add(text, "%s typical than all of the real \"%s\" rows. ", more,
                        target);
    return text_add(text,
                    "%s typical than %.0f" DISPLAY_NO_BREAK "%% of the real \"%s\" rows. ",
                    more, percent, target);
}

/* Linked columns are one change and one column, as in every other form. */
static char *add_distance(char *text, const explain_job *job,
                          const ow_counterfactual *answer)
{
    const text_state *state = job->state;
    const size_t n_changes = answer->distance.l0;
    text = text_add(text, "%zu of %zu %s change%s.", n_changes,
                    ow_model_most_changes(job->model),
                    state->is_table ? "columns" : "numbers", n_changes == 1 ? "s" : "");
    if (!state->is_table)
        text = text_add(text, " Distance from the row: %.3g (L2).", answer->distance.l2);
    return text;
}

/* "Step by step: 1. a  1 -> 2; 2. b  x -> y." */
static void print_steps(const explain_job *job, const ow_counterfactual *answer)
{
    const size_t n_columns = ow_schema_n_columns(job->schema);
    if (!job->source.options->steps || answer->n_path < 3) return;
    output_print(stdout, "Step by step%s:\n",
                 answer->path_dense ? "" : ", not all of them as typical as asked for");
    for (size_t k = 1; k < answer->n_path; k++) {
        size_t n;
        change *changes = list_changes(job->schema, answer->path + (k - 1) * n_columns,
                                       answer->path + k * n_columns, NULL, &n);
        char *text = text_add(NULL, "%zu. ", k);
        display_paragraph(stdout, join_changes(text, changes, n));
        free_changes(changes, n);
    }
}

/* The lines below "... if". */
static void print_answer(const explain_job *job, const ow_explained_row *row,
                         const ow_counterfactual *answer)
{
    const text_state *state = job->state;
    if (state->is_table) {
        size_t n;
        change *changes = list_changes(job->schema, row->query, answer->values, answer, &n);
        print_changes(changes, n);
        free_changes(changes, n);
    }
    char *text = add_typical(NULL, job, row->outcome, answer);
    if (answer->not_robust && answer->valid)
        text = text_add(text, "No robust answer was found: models of other samples of the "
                              "same rows may not agree. ");
    display_paragraph(stdout, add_distance(text, job, answer));
    print_steps(job, answer);
}

/* ---- More certainty ---- */

/* Whether the second answer keeps every change of the first, so that it only adds some. */
static bool only_adds(const ow_schema *schema, const double *query, const double *first,
                      const double *second)
{
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        if (row_value_differs(query[j], first[j]) && row_value_differs(first[j], second[j]))
            return false;
    return true;
}

static void print_surer(const explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *surer = row->outcome->surer;
    const double proba = job->source.options->surer_proba;
    const text_state *state = job->state;
    if (surer == NULL) return;
    if (surer->kind != OW_OUTCOME_FOUND) {
        output_print(stdout, "No answer was found with p = %g or more.\n", proba);
        return;
    }
    if (!state->is_table) {
        output_print(stdout, "For p = %g or more, it would have to look more different.\n",
                     proba);
        print_answer(job, row, surer->answers[0]);
        return;
    }
    const double *first = row->outcome->answers[0]->values,
                 *second = surer->answers[0]->values;
    const bool adds = only_adds(job->schema, row->query, first, second);
    size_t n;
    change *changes = list_changes(job->schema, adds ? first : row->query, second,
                                   adds ? NULL : surer->answers[0], &n);
    if (adds) {
        char *text = text_add(NULL, "For p = %g or more, also: ", proba);
        display_paragraph(stdout, text_add(join_changes(text, changes, n), "."));
    } else {
        output_print(stdout, "For p = %g or more, instead:\n", proba);
        print_changes(changes, n);
    }
    free_changes(changes, n);
}

/* ---- Rows ---- */

static void print_why_not(const explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    const char *target = class_name(job, outcome->target);
    char *text = NULL;
    switch (outcome->reason) {
    case OW_REASON_CONSTRAINTS_INFEASIBLE:
        /* What was not found may be there all the same. */
        text =
            text_add(text,
                     outcome->impossible ? "Nothing that is allowed would make it say %s."
                     : ow_explainer_method(job->source.explainer)->needs_background
                         ? "No way over known rows that is allowed leads to one that it "
                           "calls %s."
                         : "None was found that is allowed and would make it say %s.",
                     target);
        if (outcome->blocking == NULL)
            text = text_add(text, " Several of the constraints together are in the way.");
        break;
    case OW_REASON_DENSITY_UNREACHABLE:
        text =
            text_add(text,
                     outcome->impossible
                         ? "Nothing as typical as was asked for would make it say %s."
                         : "None was found that is as typical as was asked for and would "
                           "make it say %s.",
                     target);
        break;
    case OW_REASON_NO_PATH:
        text =
            text_add(text, "No way over known rows leads to one that it calls %s.", target);
        break;
    case OW_REASON_TIME_LIMIT:
        text = text_add(text, "There was no time left to look for an answer.");
        break;
    default:
        text =
            text_add(text,
                     outcome->impossible ? "Nothing would make it say %s."
                                         : "No change was found that would make it say %s.",
                     target);
    }
    if (outcome->blocking != NULL)
        text = text_add(text, " What is in the way: %s.", outcome->blocking);
    display_paragraph(stdout, text);
    const ow_counterfactual *best = outcome->n_answers > 0 ? outcome->answers[0] : NULL;
    if (best == NULL || best->distance.l0 == 0) return;
    text = text_add(NULL, "The best that was seen");
    if (best->predicted != outcome->predicted && best->predicted != outcome->target)
        text = text_add(text, " makes it say %s", class_name(job, best->predicted));
    display_paragraph(stdout, text_add(text, " (%s p = %.2f):", target,
                                       best->proba[outcome->target]));
    print_answer(job, row, best);
}

/* "Row 17 (Ann): the model says bad (p = 0.71)" */
static char *opening(const explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    char *text = text_add(NULL, "Row %zu", row->number);
    if (row->id != NULL && *row->id != '\0') text = text_add(text, " (%s)", row->id);
    return text_add(text, ": the model says %s " P_IS "%.2f)",
                    class_name(job, outcome->predicted),
                    outcome->proba[outcome->predicted]);
}

static void print_found(const explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    const text_state *state = job->state;
    const char *target = class_name(job, outcome->target);
    const char *if_what = state->is_table ? "if" : "if it looked different.";
    for (size_t k = 0; k < outcome->n_answers; k++) {
        const ow_counterfactual *answer = outcome->answers[k];
        const double p = answer->proba[outcome->target];
        char *text = k == 0 ? text_add(opening(job, row), ". It would say %s", target)
                            : text_add(NULL, "Or %s", target);
        display_paragraph(stdout, text_add(text, " " P_IS "%.2f) %s", p, if_what));
        print_answer(job, row, answer);
    }
    if (outcome->n_answers < job->source.options->n_answers)
        output_print(stdout, "No further answer was found.\n");
    print_surer(job, row);
}

/* A row that the model has seen nothing like. */
static void print_unlike(const explain_job *job, int32_t predicted)
{
    display_paragraph(
        stdout, text_add(NULL,
                         "This row is unlike those that the model has seen: less typical "
                         "than 99" DISPLAY_NO_BREAK "%% of the real \"%s\" rows. Take what "
                         "is said of it as a guess.",
                         class_name(job, predicted)));
}

static void print_row(explain_job *job, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    text_state *state = job->state;
    if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) {
        if (state->n_already < most_named) state->already[state->n_already] = row->number;
        state->n_already++;
        if (job->tally->n_rows == 1) {
            state->only_line = text_add(opening(job, row), " already.");
            state->only_unlike = outcome->unlike_seen;
        }
        return;
    }
    if (state->after_row) output_print(stdout, "\n");
    state->after_row = true;
    if (outcome->kind == OW_OUTCOME_FOUND) {
        print_found(job, row);
    } else {
        display_paragraph(stdout, text_add(opening(job, row), "."));
        print_why_not(job, row);
    }
    if (outcome->unlike_seen) print_unlike(job, outcome->predicted);
}

/* ", 38 are good already", or with the numbers of the rows where these are few. */
static char *add_already(char *text, const explain_job *job)
{
    const text_state *state = job->state;
    const size_t n = job->tally->n_already;
    const bool named = state->n_already == n && n <= most_named;
    if (n == 0) return text;
    text = text_add(text, ", %zu %s %s already", n, n == 1 ? "is" : "are",
                    class_name(job, job->source.options->target));
    for (size_t i = 0; i < n && named; i++)
        text = text_add(text, "%s%zu",
                        i > 0    ? ", "
                        : n == 1 ? " (row" DISPLAY_NO_BREAK
                                 : " (rows ",
                        state->already[i]);
    return named ? text_add(text, ")") : text;
}

static int end(explain_job *job)
{
    text_state *state = job->state;
    const ow_explain_summary *tally = job->tally;
    if (tally->n_rows > 1) {
        char *text = text_add_count(NULL, tally->n_rows, "row");
        text = text_add(text, ": %zu with an answer, %zu without", tally->n_found,
                        tally->n_not_found);
        if (state->after_row) output_print(stdout, "\n");
        display_paragraph(stdout, text_add(add_already(text, job), "."));
    } else if (state->only_line != NULL) {
        display_paragraph(stdout, memory_copy(state->only_line, strlen(state->only_line)));
        if (state->only_unlike) print_unlike(job, job->source.options->target);
    }
    free(state->only_line);
    for (size_t c = 0; c < ow_schema_n_classes(job->schema); c++)
        free(state->class_names[c]);
    free(state->class_names);
    free(state);
    return EXIT_DONE;
}

const explain_format explain_format_text = {
    .name = "text", .shows_surer = true, .begin = begin, .row = print_row, .end = end};
