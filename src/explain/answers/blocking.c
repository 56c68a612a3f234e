/* SPDX-License-Identifier: MIT */
/* Which constraint stands in the way.  Rows without an answer are explained again without
 * one constraint at a time; the first without which there is an answer is named, as people
 * named it.  Where no single one is to blame, all are left out together: then the
 * constraints as a whole are.
 *
 * What is left out, in this order: immutable columns, ranges, allowed values, directions,
 * conditions between columns, relations of columns that follow others, the number of
 * changes, `vary`, the probability, the density. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/workspace.h"
#include "base/text/number.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"

typedef enum {
    OWI_WITHOUT_IMMUTABLE,
    OWI_WITHOUT_RANGE,
    OWI_WITHOUT_ALLOWED,
    OWI_WITHOUT_MONOTONE,
    OWI_WITHOUT_CONDITION,
    OWI_WITHOUT_RELATION,
    OWI_WITHOUT_MOST_CHANGES,
    OWI_WITHOUT_VARY,
    OWI_WITHOUT_PROBABILITY,
    OWI_WITHOUT_DENSITY,
    OWI_WITHOUT_ANY /* constraint at all */
} relaxation_kind;

typedef struct {
    relaxation_kind kind;
    size_t number; /* of the column, for the first four, or of the condition or relation */
} relaxation;

static bool is_of_column(relaxation_kind kind)
{
    return kind <= OWI_WITHOUT_MONOTONE;
}

/* How many there may be of this kind. */
static size_t count(const owi_session *session, relaxation_kind kind)
{
    if (is_of_column(kind)) return session->problem.n_columns;
    if (kind == OWI_WITHOUT_CONDITION) return session->constraints->n_conditions;
    if (kind == OWI_WITHOUT_RELATION) return session->constraints->n_dependencies;
    return 1;
}

/* Whether there is such a thing to leave out. */
static bool applies(const owi_session *session, relaxation r)
{
    const ow_constraints *constraints = session->constraints;
    const owi_column_rule *rule = &constraints->rules[is_of_column(r.kind) ? r.number : 0];
    const ow_explain_options *options = &session->options;
    switch (r.kind) {
    case OWI_WITHOUT_IMMUTABLE:
        return rule->immutable;
    case OWI_WITHOUT_VARY:
        return constraints->only_named;
    case OWI_WITHOUT_RANGE:
        return rule->has_range || rule->has_reach;
    case OWI_WITHOUT_ALLOWED:
        return rule->n_allowed > 0 || rule->n_moves > 0;
    case OWI_WITHOUT_MONOTONE:
        return rule->monotone != OW_MONOTONE_NONE;
    case OWI_WITHOUT_CONDITION:
    case OWI_WITHOUT_RELATION:
        return true;
    case OWI_WITHOUT_MOST_CHANGES:
        return constraints->most_changes > 0;
    case OWI_WITHOUT_PROBABILITY:
        return options->least_proba > 0.0 || options->most_proba < 1.0;
    case OWI_WITHOUT_DENSITY:
        return options->density_required;
    case OWI_WITHOUT_ANY:
        return true;
    }
    return false;
}

static void relax_rule(relaxation_kind kind, owi_column_rule *rule)
{
    if (kind == OWI_WITHOUT_IMMUTABLE || kind == OWI_WITHOUT_ANY) rule->immutable = false;
    if (kind == OWI_WITHOUT_RANGE || kind == OWI_WITHOUT_ANY)
        rule->has_range = rule->has_reach = false;
    if (kind == OWI_WITHOUT_ALLOWED || kind == OWI_WITHOUT_ANY)
        rule->n_allowed = rule->n_moves = 0;
    if (kind == OWI_WITHOUT_MONOTONE || kind == OWI_WITHOUT_ANY)
        rule->monotone = OW_MONOTONE_NONE;
}

static void relax(relaxation r, ow_constraints *constraints, ow_explain_options *options)
{
    const bool any = r.kind == OWI_WITHOUT_ANY;
    if (is_of_column(r.kind)) relax_rule(r.kind, &constraints->rules[r.number]);
    if (r.kind == OWI_WITHOUT_CONDITION)
        owi_constraints_drop_condition(constraints, r.number);
    if (r.kind == OWI_WITHOUT_RELATION)
        owi_constraints_drop_dependency(constraints, r.number);
    while (any && constraints->n_conditions > 0)
        owi_constraints_drop_condition(constraints, constraints->n_conditions - 1);
    for (size_t j = 0; any && j < ow_schema_n_columns(constraints->schema); j++)
        relax_rule(r.kind, &constraints->rules[j]);
    if (r.kind == OWI_WITHOUT_VARY || any) constraints->only_named = false;
    if (r.kind == OWI_WITHOUT_MOST_CHANGES || any) constraints->most_changes = 0;
    if (r.kind == OWI_WITHOUT_PROBABILITY) {
        options->least_proba = 0.0;
        options->most_proba = 1.0;
    }
    if (r.kind == OWI_WITHOUT_DENSITY) options->density_required = false;
}

/* ---- Names ---- */

/* "0.7:1"; an infinite end is left out. */
static void print_interval(double low, double high, char text[2 * owi_number_size + 2])
{
    char ends[2][owi_number_size] = {"", ""};
    if (isfinite(low)) owi_print_number(low, ends[0]);
    if (isfinite(high)) owi_print_number(high, ends[1]);
    snprintf(text, 2 * owi_number_size + 2, "%s:%s", ends[0], ends[1]);
}

/* Appends to a text that owns its memory. */
static char *append(ow_context *ctx, char *text, const char *separator, const char *more)
{
    if (text == NULL) return NULL;
    char *longer = owi_format_text(ctx, "%s%s%s", text, separator, more);
    owi_free(ctx, text);
    return longer;
}

static char *name_vary(ow_context *ctx, const ow_constraints *constraints)
{
    char *name = owi_format_text(ctx, "vary");
    const char *separator = " ";
    for (size_t j = 0; j < ow_schema_n_columns(constraints->schema); j++) {
        if (!constraints->rules[j].named_vary) continue;
        name = append(ctx, name, separator, ow_schema_column(constraints->schema, j)->name);
        separator = ",";
    }
    return name;
}

static char *name_allowed(ow_context *ctx, const ow_constraints *constraints, size_t column)
{
    const owi_column_rule *rule = &constraints->rules[column];
    const ow_column *shown = ow_schema_column(constraints->schema, column);
    char *name = owi_format_text(ctx, "allow %s=", shown->name);
    for (size_t k = 0; k < rule->n_allowed; k++) {
        char number[owi_number_size];
        owi_print_number(rule->allowed[k], number);
        const char *value =
            shown->n_levels > 0 ? shown->levels[(size_t)rule->allowed[k]] : number;
        name = append(ctx, name, k > 0 ? "|" : "", value);
    }
    for (size_t k = 0; k < rule->n_moves; k++) {
        const char *separator = rule->n_allowed + k > 0 ? "|" : "";
        name = append(ctx, name, separator, shown->levels[(size_t)rule->moves[k].from]);
        name = append(ctx, name, "->", shown->levels[(size_t)rule->moves[k].to]);
    }
    return name;
}

/* " +0:+20%"; an infinite end is left out. */
static char *append_reach(ow_context *ctx, char *name, double low, double high,
                          const char *unit)
{
    char ends[2][owi_number_size] = {"", ""}, text[2 * owi_number_size + 8];
    if (!isfinite(low) && !isfinite(high)) return name;
    owi_print_number(low, ends[0]);
    owi_print_number(high, ends[1]);
    snprintf(text, sizeof text, "%s%s%s:%s%s%s", isfinite(low) && low >= 0.0 ? "+" : "",
             isfinite(low) ? ends[0] : "", isfinite(low) ? unit : "",
             isfinite(high) && high >= 0.0 ? "+" : "", isfinite(high) ? ends[1] : "",
             isfinite(high) ? unit : "");
    return append(ctx, name, "", text);
}

static char *name_range(ow_context *ctx, const owi_column_rule *rule, const char *column)
{
    char text[2 * owi_number_size + 2];
    char *name = owi_format_text(ctx, "range %s=", column);
    if (rule->has_range) {
        print_interval(rule->low, rule->high, text);
        name = append(ctx, name, "", text);
    }
    if (!rule->has_reach) return name;
    if (rule->has_range) name = append(ctx, name, " and ", "");
    name = append_reach(ctx, name, rule->reach_low, rule->reach_high, "");
    const bool both = (isfinite(rule->reach_low) || isfinite(rule->reach_high)) &&
                      (isfinite(rule->percent_low) || isfinite(rule->percent_high));
    if (both) name = append(ctx, name, " and ", "");
    return append_reach(ctx, name, rule->percent_low, rule->percent_high, "%");
}

/* "derive dti = 100 * payment / income", "region follows city" */
static char *name_relation(ow_context *ctx, const ow_constraints *constraints,
                           const ow_relation *relation)
{
    const char *column = ow_schema_column(constraints->schema, relation->column)->name;
    if (relation->formula == NULL)
        return owi_format_text(
            ctx, "%s follows %s", column,
            ow_schema_column(constraints->schema, relation->parents[0])->name);
    return owi_format_text(ctx, "%s %s = %s",
                           relation->kind == OW_RELATION_NEAR ? "nearly" : "derive", column,
                           relation->formula);
}

/* As people gave it; NULL: no memory. */
static char *name_of(ow_context *ctx, const owi_session *session, relaxation r)
{
    const ow_constraints *constraints = session->constraints;
    const size_t j = is_of_column(r.kind) ? r.number : 0;
    const owi_column_rule *rule = &constraints->rules[j];
    const char *column = ow_schema_column(constraints->schema, j)->name;
    char text[2 * owi_number_size + 2];
    switch (r.kind) {
    case OWI_WITHOUT_IMMUTABLE:
        return owi_format_text(ctx, "immutable %s", column);
    case OWI_WITHOUT_VARY:
        return name_vary(ctx, constraints);
    case OWI_WITHOUT_RANGE:
        return name_range(ctx, rule, column);
    case OWI_WITHOUT_ALLOWED:
        return name_allowed(ctx, constraints, j);
    case OWI_WITHOUT_MONOTONE:
        return owi_format_text(ctx, "monotone %s=%s", column,
                               ow_monotone_name(rule->monotone));
    case OWI_WITHOUT_CONDITION:
        return owi_format_text(ctx, "rule %s", constraints->conditions[r.number].text);
    case OWI_WITHOUT_RELATION:
        return name_relation(ctx, constraints, &constraints->dependencies[r.number].shown);
    case OWI_WITHOUT_MOST_CHANGES:
        return owi_format_text(ctx, "max-changes %zu", constraints->most_changes);
    case OWI_WITHOUT_PROBABILITY:
        print_interval(session->options.least_proba, session->options.most_proba, text);
        return owi_format_text(ctx, "prob %s", text);
    default:
        owi_print_number(100.0 * session->options.density_quantile, text);
        return owi_format_text(ctx, "min-density q%s", text);
    }
}

/* ---- Trying ---- */

/* The rows that still have no answer, one behind the other. */
typedef struct {
    size_t n;
    size_t *row; /* number in the call                                          */
    double *values;
    owi_wish *wishes;
} pending;

static void drop_found(pending *p, const ow_explanation *tried, size_t n_columns)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (tried->outcomes[i].kind != OW_OUTCOME_NOT_FOUND) continue;
        p->row[n] = p->row[i];
        p->wishes[n] = p->wishes[i];
        memmove(p->values + n * n_columns, p->values + i * n_columns,
                n_columns * sizeof(double));
        n++;
    }
    p->n = n;
}

/* Notes for every row that was found what stood in its way.  proves: the method says of an
 * answer that is not there that it is not. */
static ow_status note_found(const owi_session *session, bool proves, relaxation r,
                            const pending *p, const ow_explanation *tried,
                            ow_explanation *explanation)
{
    char *name = NULL;
    for (size_t i = 0; i < p->n; i++) {
        ow_outcome *outcome = &explanation->outcomes[p->row[i]];
        if (tried->outcomes[i].kind == OW_OUTCOME_NOT_FOUND) continue;
        outcome->blocking_unfinished = false;
        /* A method that can prove it, and has not, only found nothing. */
        const bool is_true = outcome->impossible || !proves;
        if (r.kind == OWI_WITHOUT_DENSITY)
            outcome->reason = OW_REASON_DENSITY_UNREACHABLE;
        else if (r.kind != OWI_WITHOUT_PROBABILITY && is_true)
            outcome->reason = OW_REASON_CONSTRAINTS_INFEASIBLE;
        if (r.kind == OWI_WITHOUT_ANY) continue; /* several together */
        if (name == NULL) {
            name = name_of(explanation->ctx, session, r);
            if (name == NULL) return OW_ERR_MEMORY;
            OWI_TRY(owi_explanation_keep(explanation, name));
        }
        outcome->blocking = name;
    }
    return OW_OK;
}

static ow_status try_without(ow_explainer *explainer, relaxation r, pending *p,
                             ow_explanation *explanation)
{
    const owi_session *session = &explainer->session;
    const bool proves = explainer->impl->proves &&
                        ow_schema_layout(session->problem.schema).kind == OW_LAYOUT_TABLE;
    ow_explain_options options = session->options;
    ow_constraints *constraints;
    owi_session relaxed;
    ow_explanation *tried;
    options.n_answers = 1;
    OWI_TRY(owi_constraints_copy(session->constraints, &constraints));
    relax(r, constraints, &options);
    const ow_status begun = owi_session_begin(explainer, constraints, &options, &relaxed);
    ow_constraints_free(constraints);
    OWI_TRY(begun);
    relaxed.stage = "finding what stands in the way";
    ow_status status = owi_explanation_new(explainer->ctx, p->n, &tried);
    if (status == OW_OK)
        status = owi_explain_rows(explainer, &relaxed, p->n, p->values, p->wishes, tried);
    if (status == OW_OK) status = note_found(session, proves, r, p, tried, explanation);
    if (status == OW_OK) drop_found(p, tried, session->problem.n_columns);
    ow_explanation_free(tried);
    owi_session_end(explainer, &relaxed);
    return status;
}

static ow_status try_all(ow_explainer *explainer, pending *p, ow_explanation *explanation)
{
    const owi_session *session = &explainer->session;
    bool any = false; /* constraint at all */
    for (int kind = OWI_WITHOUT_IMMUTABLE; kind <= OWI_WITHOUT_ANY; kind++) {
        relaxation r = {.kind = (relaxation_kind)kind};
        const size_t n = count(session, r.kind);
        if (r.kind == OWI_WITHOUT_ANY && !any) break;
        for (r.number = 0; r.number < n; r.number++) {
            if (p->n == 0) return OW_OK;
            if (owi_call_is_late(session->problem.call)) return OW_OK; /* marks stay */
            if (!applies(session, r)) continue;
            any |= r.kind < OWI_WITHOUT_PROBABILITY;
            OWI_TRY(try_without(explainer, r, p, explanation));
        }
    }
    if (owi_call_is_late(session->problem.call)) return OW_OK;
    for (size_t i = 0; i < p->n; i++)
        explanation->outcomes[p->row[i]].blocking_unfinished = false;
    return OW_OK;
}

/* Rows that the time limit kept from being searched are not searched again. */
static bool is_blocked(const ow_outcome *outcome)
{
    return outcome->kind == OW_OUTCOME_NOT_FOUND && outcome->reason != OW_REASON_TIME_LIMIT;
}

void owi_mark_blocking(ow_explanation *explanation)
{
    for (size_t i = 0; i < explanation->n_finished; i++)
        explanation->outcomes[i].blocking_unfinished =
            is_blocked(&explanation->outcomes[i]);
}

ow_status owi_find_blocking(ow_explainer *explainer, const double *values,
                            const owi_wish *wishes, ow_explanation *explanation)
{
    const size_t n_columns = explainer->session.problem.n_columns;
    pending p = {0};
    for (size_t i = 0; i < explanation->n_rows; i++)
        p.n += is_blocked(&explanation->outcomes[i]);
    if (p.n == 0) return OW_OK;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(p.row, p.n), OWI_PIECE(p.values, p.n * n_columns),
                                OWI_PIECE(p.wishes, p.n)};
    OWI_TRY(owi_pieces_new(explainer->ctx, OWI_PIECES(pieces), &scratch));
    p.n = 0;
    for (size_t i = 0; i < explanation->n_rows; i++) {
        if (!is_blocked(&explanation->outcomes[i])) continue;
        memcpy(p.values + p.n * n_columns, values + i * n_columns,
               n_columns * sizeof *values);
        p.wishes[p.n] = wishes[i];
        p.row[p.n++] = i;
    }
    const ow_status status = try_all(explainer, &p, explanation);
    owi_workspace_free(scratch);
    return status;
}
