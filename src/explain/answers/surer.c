/* SPDX-License-Identifier: MIT */
/* Second answers.  A counterfactual lies just beyond the decision boundary, where the
 * target class is hardly more probable than the others.  Such rows are explained once more
 * with a larger least probability, and the second outcome is kept beside the first. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "explain/core/explainer_private.h"

/* Probabilities are printed with two digits: 0.696 reads as 0.70 and is no less sure. */
static const double half_digit = 0.005;

static bool is_doubtful(const ow_outcome *outcome, double surer_proba)
{
    return outcome->kind == OW_OUTCOME_FOUND &&
           outcome->answers[0]->proba[outcome->target] < surer_proba - half_digit;
}

void owi_mark_surer(ow_explanation *explanation, double surer_proba)
{
    for (size_t i = 0; i < explanation->n_finished; i++)
        explanation->outcomes[i].surer_unfinished =
            is_doubtful(&explanation->outcomes[i], surer_proba);
}

/* The doubtful rows, one behind the other. */
typedef struct {
    size_t n;
    size_t *row; /* number in the call */
    double *values;
    owi_wish *wishes;
} doubtful;

static ow_status gather(const ow_explanation *explanation, double surer_proba,
                        size_t n_columns, const double *values, const owi_wish *wishes,
                        doubtful *d)
{
    ow_context *ctx = explanation->ctx;
    size_t n = 0;
    for (size_t i = 0; i < explanation->n_rows; i++)
        n += is_doubtful(&explanation->outcomes[i], surer_proba);
    *d = (doubtful){.n = n};
    if (n == 0) return OW_OK;
    d->row = owi_alloc_array(ctx, n, sizeof *d->row);
    d->values = owi_alloc_array(ctx, n * n_columns, sizeof *d->values);
    d->wishes = owi_alloc_array(ctx, n, sizeof *d->wishes);
    if (d->row == NULL || d->values == NULL || d->wishes == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0, k = 0; k < n; i++) {
        const ow_outcome *outcome = &explanation->outcomes[i];
        if (!is_doubtful(outcome, surer_proba)) continue;
        d->row[k] = i;
        memcpy(d->values + k * n_columns, values + i * n_columns,
               n_columns * sizeof *d->values);
        d->wishes[k] = wishes[i];
        d->wishes[k++].target = outcome->target; /* also where any other class was asked */
    }
    return OW_OK;
}

/* Nothing is prepared for options, so the call's own session serves, with others. */
static ow_status explain_again(ow_explainer *explainer, const doubtful *d,
                               ow_explanation *explanation)
{
    owi_session session = explainer->session; /* borrows all of it */
    session.options.least_proba = session.options.surer_proba;
    session.options.n_answers = 1;
    session.problem.options = &session.options;
    session.stage = "looking for surer answers";
    OWI_TRY(owi_explanation_new(explainer->ctx, d->n, &explanation->surer));
    OWI_TRY(owi_explain_rows(explainer, &session, d->n, d->values, d->wishes,
                             explanation->surer));
    for (size_t k = 0; k < d->n; k++) {
        ow_outcome *outcome = &explanation->outcomes[d->row[k]];
        outcome->surer = &explanation->surer->outcomes[k];
        outcome->surer_unfinished = false;
    }
    return OW_OK;
}

ow_status owi_find_surer(ow_explainer *explainer, const double *values,
                         const owi_wish *wishes, ow_explanation *explanation)
{
    const owi_session *session = &explainer->session;
    doubtful d;
    ow_status status = gather(explanation, session->options.surer_proba,
                              session->problem.n_columns, values, wishes, &d);
    if (status == OW_OK && d.n > 0) status = explain_again(explainer, &d, explanation);
    owi_free(explainer->ctx, d.row);
    owi_free(explainer->ctx, d.values);
    owi_free(explainer->ctx, d.wishes);
    return status;
}
