/* SPDX-License-Identifier: MIT */
/* One set of constraints, made ready for a method: the problem it sees, density thresholds,
 * its own preparations. */
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"

/* Densities given what cannot change: the explainer's own serve where that is the same. */
static ow_status make_reference(ow_explainer *explainer, owi_session *session)
{
    const size_t n = ow_schema_n_columns(explainer->model->schema);
    const owi_session *own = &explainer->session;
    session->frozen = owi_alloc_array(explainer->ctx, n, sizeof *session->frozen);
    if (session->frozen == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < n; j++)
        session->frozen[j] = session->rules.columns[j].limits.frozen;
    if (session != own && memcmp(session->frozen, own->frozen, n * sizeof(bool)) == 0) {
        session->problem.reference = own->problem.reference;
        session->borrows_reference = true;
        return OW_OK;
    }
    return owi_density_reference_new(explainer->model, explainer->backend, session->frozen,
                                     explainer->background.n_rows,
                                     explainer->background.values,
                                     explainer->background.predicted,
                                     &session->problem.reference);
}

static ow_status prepare(ow_explainer *explainer, owi_session *session)
{
    const owi_explainer_impl *impl = explainer->impl;
    if (impl->prepare == NULL || explainer->skips_preparation) return OW_OK;
    if (session != &explainer->session && impl->any_constraints) {
        session->state = explainer->session.state;
        session->borrows_state = true;
        return OW_OK;
    }
    if (explainer->kept_state != NULL) {
        session->state = explainer->kept_state;
        explainer->kept_state = NULL;
        return OW_OK;
    }
    const double start = owi_clock_seconds();
    OWI_TRY(impl->prepare(&session->problem, explainer->settings, &session->state));
    if (session == &explainer->session)
        explainer->preparation_seconds = owi_clock_seconds() - start;
    return OW_OK;
}

ow_status owi_session_begin(ow_explainer *explainer, ow_constraints *constraints,
                            const ow_explain_options *options, owi_session *session)
{
    const ow_model *model = explainer->model;
    *session = (owi_session){.constraints = constraints, .options = *options};
    session->stage = session == &explainer->session ? "explaining rows"
                                                    : "finding what stands in the way";
    session->options.targets = NULL;
    session->problem =
        (owi_problem){.ctx = explainer->ctx,
                      .model = model,
                      .schema = model->schema,
                      .n_columns = ow_schema_n_columns(model->schema),
                      .soft_width = ow_model_soft_width(model),
                      .n_classes = ow_schema_n_classes(model->schema),
                      .classifier = explainer->classifier,
                      .is_circuit = explainer->is_circuit,
                      .evaluator = explainer->evaluator,
                      .constraints = constraints,
                      .rules = &session->rules,
                      .options = &session->options,
                      .background =
                          explainer->has_background ? &explainer->background : NULL,
                      .call = explainer->call};
    ow_status status = owi_rules_init(&session->rules, explainer->ctx, constraints, model);
    if (status == OW_OK) status = make_reference(explainer, session);
    if (status == OW_OK) status = prepare(explainer, session);
    if (status != OW_OK) owi_session_end(explainer, session);
    return status;
}

void owi_session_end(ow_explainer *explainer, owi_session *session)
{
    if (session->state != NULL && !session->borrows_state)
        explainer->impl->release(explainer->ctx, session->state);
    if (!session->borrows_reference) owi_density_reference_free(session->problem.reference);
    owi_free(explainer->ctx, session->frozen);
    owi_rules_clear(&session->rules);
    ow_constraints_free(session->constraints);
    *session = (owi_session){0};
}

/* Whether a failure is no more than that time is up: rows are still asked who decides, and
 * then say so. */
static bool is_late(const ow_explainer *explainer, ow_status status)
{
    return status == OW_ERR_CANCELLED && !owi_call_is_stopped(explainer->call);
}

/* Takes the constraints over.  Where time runs out, everything but what takes it. */
static ow_status begin_in_time(ow_explainer *explainer, ow_constraints *constraints,
                               const ow_explain_options *options, bool is_unprepared)
{
    owi_session *session = &explainer->session;
    ow_constraints *again;
    const ow_status copied = owi_constraints_copy(constraints, &again);
    if (copied != OW_OK) {
        ow_constraints_free(constraints);
        return copied;
    }
    explainer->skips_preparation = is_unprepared;
    ow_status status = owi_session_begin(explainer, constraints, options, session);
    if (!is_unprepared && is_late(explainer, status)) {
        is_unprepared = explainer->skips_preparation = true;
        status = owi_session_begin(explainer, again, options, session);
    } else {
        ow_constraints_free(again);
    }
    explainer->skips_preparation = false;
    if (status == OW_OK) session->is_unprepared = is_unprepared;
    return status;
}

ow_status owi_session_ready(ow_explainer *explainer, const ow_constraints *constraints,
                            const ow_explain_options *options)
{
    owi_session *session = &explainer->session;
    ow_constraints *copy = NULL;
    const ow_status known = owi_explainer_ready_background(explainer);
    if (!is_late(explainer, known)) OWI_TRY(known);
    if (constraints != NULL)
        OWI_TRY(owi_constraints_copy(constraints, &copy));
    else
        OWI_TRY(ow_constraints_new(explainer->model->schema, explainer->ctx, &copy));
    copy->schema =
        explainer->model->schema; /* the same columns, which outlive the caller's */

    /* Nothing is prepared for the options: people ask again with others. */
    const bool same_draws =
        !explainer->impl->draws || explainer->seed == explainer->call->seed;
    if (explainer->has_session && same_draws && !session->is_unprepared && known == OW_OK &&
        owi_constraints_equal(session->constraints, copy)) {
        ow_constraints_free(copy);
        session->options = *options;
        session->options.targets = NULL;
        session->problem.call = explainer->call;
    } else {
        if (explainer->has_session && same_draws && explainer->impl->any_constraints) {
            explainer->kept_state = session->state;
            session->state = NULL;
        }
        if (explainer->has_session) owi_session_end(explainer, session);
        explainer->has_session = false;
        if (explainer->kept_state != NULL && !same_draws) { /* of a call that failed */
            explainer->impl->release(explainer->ctx, explainer->kept_state);
            explainer->kept_state = NULL;
        }
        OWI_TRY(begin_in_time(explainer, copy, options, known != OW_OK));
        explainer->has_session = true;
        explainer->seed = explainer->call->seed;
    }
    return OW_OK;
}
