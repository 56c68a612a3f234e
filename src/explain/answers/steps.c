/* SPDX-License-Identifier: MIT */
/* Answers as ordered paths: one change after the other, in the order in which the least
 * plausible row on the way is as plausible as it can be.
 *
 * How plausible a row is: max over classes c of log S(x given c) less the density that the
 * quantile asks of class c.  Not below 0: x is as plausible as asked, as a row of some
 * class.  With n changes there are 2^n rows between query and answer, and the best order of
 * every subset follows from those with one change less:
 *
 *     best(U) = min(plausible(U), max over u in U of best(U without u)) */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/workspace.h"
#include "explain/core/decision.h"
#include "explain/core/distance.h"
#include "explain/core/explainer_private.h"

enum { most_steps = 10, most_subsets = 1 << most_steps };

typedef struct {
    const owi_problem *problem;
    owi_workspace *workspace;
    owi_decision decision;
    double *rows;      /* (subsets, columns)                                   */
    double *threshold; /* classes: of the query at work                        */
    double *plausible, *best;
    uint8_t *last;  /* (subsets): the change that is made last             */
    bool *is_kept;  /* (subsets): what follows is permitted, conditions hold */
    size_t n;       /* changes of the answer at work                       */
    size_t *column; /* (columns): the change that it belongs to; SIZE_MAX: none */
} path_search;

static ow_status make_search(const owi_problem *problem, path_search *s)
{
    const size_t n_columns = problem->n_columns;
    *s = (path_search){.problem = problem};
    const owi_piece pieces[] = {OWI_PIECE(s->rows, most_subsets * n_columns),
                                OWI_PIECE(s->column, n_columns),
                                OWI_PIECE(s->threshold, problem->n_classes),
                                OWI_PIECE(s->plausible, most_subsets),
                                OWI_PIECE(s->best, most_subsets),
                                OWI_PIECE(s->last, most_subsets),
                                OWI_PIECE(s->is_kept, most_subsets)};
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &s->workspace));
    return owi_decision_init(&s->decision, problem, most_subsets);
}

/* The changes: columns that differ, linked ones together, without those that follow. */
static void list_changes(path_search *s, const double *query, const double *values)
{
    const owi_problem *problem = s->problem;
    s->n = 0;
    for (size_t j = 0; j < problem->n_columns; j++) {
        const size_t link = ow_schema_column(problem->schema, j)->link;
        s->column[j] = SIZE_MAX;
        if (problem->rules->columns[j].depends || owi_same_value(query[j], values[j]))
            continue;
        for (size_t k = 0; k < j && link != 0 && s->column[j] == SIZE_MAX; k++)
            if (ow_schema_column(problem->schema, k)->link == link)
                s->column[j] = s->column[k];
        if (s->column[j] == SIZE_MAX) s->column[j] = s->n++;
    }
}

/* The row of every subset of the changes. */
static void make_rows(path_search *s, const double *query, const double *values)
{
    const owi_problem *problem = s->problem;
    const size_t n_columns = problem->n_columns, n_subsets = (size_t)1 << s->n;
    for (size_t u = 0; u < n_subsets; u++) {
        double *row = s->rows + u * n_columns;
        for (size_t j = 0; j < n_columns; j++) {
            const bool is_made = s->column[j] != SIZE_MAX && (u >> s->column[j] & 1);
            row[j] = is_made ? values[j] : query[j];
        }
        s->is_kept[u] = owi_follow(problem->rules, query, row) &&
                        owi_keeps_conditions(problem->rules, query, row);
    }
    memcpy(s->rows + (n_subsets - 1) * n_columns, values, n_columns * sizeof *values);
    s->is_kept[n_subsets - 1] = true;
}

static ow_status judge_rows(path_search *s, const double *query)
{
    const owi_problem *problem = s->problem;
    const size_t C = problem->n_classes, n_subsets = (size_t)1 << s->n;
    for (size_t c = 0; c < C; c++) {
        const int32_t target = (int32_t)c;
        OWI_TRY(owi_density_thresholds(problem->call, problem->reference, 1, query, &target,
                                       problem->options->density_quantile,
                                       &s->threshold[c]));
    }
    OWI_TRY(owi_decision_of_values(&s->decision, problem, OWI_SCORES | OWI_DENSITIES,
                                   n_subsets, s->rows));
    for (size_t u = 0; u < n_subsets; u++) {
        s->plausible[u] = -INFINITY;
        for (size_t c = 0; c < C && s->is_kept[u]; c++)
            s->plausible[u] =
                fmax(s->plausible[u], s->decision.log_class[u * C + c] - s->threshold[c]);
    }
    return OW_OK;
}

/* The best order of all subsets; that of the whole. */
static void order_changes(path_search *s)
{
    s->best[0] = INFINITY;
    for (size_t u = 1; u < (size_t)1 << s->n; u++) {
        double best = -INFINITY;
        s->last[u] = UINT8_MAX;
        for (uint8_t k = 0; k < s->n; k++) {
            if (!(u >> k & 1)) continue;
            const double before = s->best[u & ~((size_t)1 << k)];
            if (s->last[u] != UINT8_MAX && before <= best) continue;
            best = before;
            s->last[u] = k;
        }
        s->best[u] = fmin(best, s->plausible[u]);
    }
}

/* The path of an answer, from the query to it. */
static ow_status find_path(path_search *s, ow_explanation *explanation, const double *query,
                           ow_counterfactual *answer)
{
    const size_t n_columns = s->problem->n_columns;
    list_changes(s, query, answer->values);
    if (answer->n_path > 0 || s->n == 0 || s->n > most_steps) return OW_OK;
    make_rows(s, query, answer->values);
    OWI_TRY(judge_rows(s, query));
    order_changes(s);
    double *path = owi_explanation_alloc(explanation, (s->n + 1) * n_columns, sizeof *path);
    if (path == NULL) return OW_ERR_MEMORY;
    size_t subset = ((size_t)1 << s->n) - 1;
    answer->path_dense = s->best[subset] >= -1e-4;
    for (size_t k = s->n + 1; k-- > 0;) {
        memcpy(path + k * n_columns, s->rows + subset * n_columns,
               n_columns * sizeof *path);
        if (k > 0) subset &= ~((size_t)1 << s->last[subset]);
    }
    memcpy(path, query, n_columns * sizeof *path);
    answer->path = path;
    answer->n_path = s->n + 1;
    return OW_OK;
}

ow_status owi_find_steps(ow_explainer *explainer, const double *values,
                         ow_explanation *explanation)
{
    const owi_problem *problem = &explainer->session.problem;
    path_search s;
    ow_status status = make_search(problem, &s);
    for (size_t i = 0; i < explanation->n_rows && status == OW_OK; i++) {
        const ow_outcome *outcome = &explanation->outcomes[i];
        status = owi_call_tick(problem->call);
        for (size_t a = 0; a < outcome->n_answers && status == OW_OK; a++)
            if (outcome->kind == OW_OUTCOME_FOUND)
                status = find_path(&s, explanation, values + i * problem->n_columns,
                                   /* the explanation's own */
                                   (ow_counterfactual *)(uintptr_t)outcome->answers[a]);
    }
    owi_decision_clear(&s.decision);
    owi_workspace_free(s.workspace);
    return status;
}
