/* SPDX-License-Identifier: MIT */
/* One set of constraints, made ready for a method: the problem it sees, density thresholds,
 * its own preparations.
 *
 * A session owns its constraints and their rules.  What other sessions can use as well
 * belongs to the explainer: densities by the columns that cannot change, and the state of a
 * method that is prepared for any constraints. */
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"

/* Kept at most: each set of immutable columns that is asked about has its own. */
enum { most_references = 64 };

/* ---- What belongs to the explainer ---- */

static void forget_references(ow_explainer *explainer)
{
    while (explainer->references != NULL) {
        owi_kept_reference *first = explainer->references;
        explainer->references = first->next;
        owi_density_reference_free(first->reference);
        owi_free(explainer->ctx, first);
    }
    explainer->n_references = 0;
}

static void forget_state(ow_explainer *explainer)
{
    if (explainer->state != NULL)
        explainer->impl->release(explainer->ctx, explainer->state);
    explainer->state = NULL;
}

/* Densities given what cannot change, remembered by it. */
static ow_status find_reference(ow_explainer *explainer, const bool *frozen,
                                owi_density_reference **out)
{
    const size_t n = ow_schema_n_columns(explainer->model->schema);
    const owi_background *background = &explainer->background;
    for (owi_kept_reference *kept = explainer->references; kept != NULL; kept = kept->next)
        if (memcmp(kept->frozen, frozen, n * sizeof *frozen) == 0) {
            *out = kept->reference;
            return OW_OK;
        }
    owi_kept_reference *made =
        owi_alloc_zeroed(explainer->ctx, sizeof *made + n * sizeof *frozen);
    if (made == NULL) return OW_ERR_MEMORY;
    memcpy(made->frozen, frozen, n * sizeof *frozen);
    const ow_status status =
        owi_density_reference_new(explainer->model, explainer->backend, frozen,
                                  background->n_rows, background->values,
                                  background->predicted, &made->reference);
    if (status != OW_OK) {
        owi_free(explainer->ctx, made);
        return status;
    }
    made->next = explainer->references;
    explainer->references = made;
    explainer->n_references++;
    *out = made->reference;
    return OW_OK;
}

void owi_session_forget(ow_explainer *explainer)
{
    if (explainer->has_session) owi_session_end(explainer, &explainer->session);
    explainer->has_session = false;
    forget_state(explainer);
    forget_references(explainer);
}

/* ---- One session ---- */

static ow_status prepare(ow_explainer *explainer, owi_session *session)
{
    const owi_explainer_impl *impl = explainer->impl;
    if (impl->prepare == NULL) return OW_OK;
    if (explainer->state != NULL) {
        session->state = explainer->state;
        return OW_OK;
    }
    const double start = owi_clock_seconds();
    OWI_TRY(impl->prepare(&session->problem, explainer->settings, &session->state));
    if (impl->any_constraints) explainer->state = session->state;
    if (session == &explainer->session)
        explainer->preparation_seconds = owi_clock_seconds() - start;
    return OW_OK;
}

/* Queries at a time: as many as the processor's caches like, or as it takes to keep a
 * device busy. */
static size_t block_rows_of(const ow_explainer *explainer)
{
    enum { usual_rows = 256, most_rows = 1 << 14, most_floats = 1 << 24 };
    const size_t width = ow_model_soft_width(explainer->model);
    if (explainer->evaluator->device == NULL) return usual_rows;
    return owi_larger(usual_rows, owi_smaller(most_rows, most_floats / (width + 1)));
}

/* Rules and densities, which take no time to speak of. */
static ow_status begin(ow_explainer *explainer, const ow_constraints *constraints,
                       const ow_explain_options *options, owi_session *session)
{
    const ow_model *model = explainer->model;
    const size_t n = ow_schema_n_columns(model->schema);
    *session = (owi_session){.options = *options, .stage = "explaining rows"};
    session->options.targets = NULL;
    OWI_TRY(owi_constraints_copy(constraints, &session->constraints));
    /* The same columns, which outlive the caller's. */
    session->constraints->schema = model->schema;
    if (explainer->has_preset) owi_constraints_ignore_relations(session->constraints);
    session->problem =
        (owi_problem){.ctx = explainer->ctx,
                      .model = model,
                      .schema = model->schema,
                      .n_columns = n,
                      .soft_width = ow_model_soft_width(model),
                      .n_classes = ow_schema_n_classes(model->schema),
                      .classifier = explainer->classifier,
                      .is_circuit = explainer->is_circuit,
                      .evaluator = explainer->evaluator,
                      .block_rows = block_rows_of(explainer),
                      .constraints = session->constraints,
                      .rules = &session->rules,
                      .options = &session->options,
                      .background =
                          explainer->has_background ? &explainer->background : NULL,
                      .call = explainer->call};
    OWI_TRY(owi_rules_init(&session->rules, explainer->ctx, session->constraints, model));
    bool *frozen = owi_alloc_array(explainer->ctx, n, sizeof *frozen);
    if (frozen == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < n; j++) frozen[j] = session->rules.columns[j].limits.frozen;
    const ow_status status = find_reference(explainer, frozen, &session->problem.reference);
    owi_free(explainer->ctx, frozen);
    return status;
}

ow_status owi_session_begin(ow_explainer *explainer, const ow_constraints *constraints,
                            const ow_explain_options *options, owi_session *session)
{
    ow_status status = begin(explainer, constraints, options, session);
    if (status == OW_OK) status = prepare(explainer, session);
    if (status != OW_OK) owi_session_end(explainer, session);
    return status;
}

void owi_session_end(ow_explainer *explainer, owi_session *session)
{
    if (session->state != NULL && session->state != explainer->state)
        explainer->impl->release(explainer->ctx, session->state);
    owi_rules_clear(&session->rules);
    ow_constraints_free(session->constraints);
    *session = (owi_session){0};
}

/* ---- The explainer's own ---- */

/* Whether a failure is no more than that time is up: rows are still asked who decides, and
 * then say so. */
static bool is_late(const ow_explainer *explainer, ow_status status)
{
    return status == OW_ERR_CANCELLED && !owi_call_is_stopped(explainer->call);
}

/* Where time runs out, everything but what takes it. */
static ow_status begin_in_time(ow_explainer *explainer, const ow_constraints *constraints,
                               const ow_explain_options *options, bool has_time)
{
    owi_session *session = &explainer->session;
    ow_status status = begin(explainer, constraints, options, session);
    if (status == OW_OK && has_time) {
        status = prepare(explainer, session);
        has_time = status == OW_OK;
        if (is_late(explainer, status)) status = OW_OK;
    }
    if (status != OW_OK) owi_session_end(explainer, session);
    session->is_unprepared = !has_time;
    return status;
}

/* Whether the last call's session serves this one.  Nothing is prepared for the options:
 * people ask again with others. */
static bool still_serves(const ow_explainer *explainer, const ow_constraints *constraints)
{
    const owi_session *session = &explainer->session;
    return explainer->has_session &&
           owi_constraints_equal(session->constraints, constraints);
}

static ow_status make_ready(ow_explainer *explainer, const ow_constraints *constraints,
                            const ow_explain_options *options)
{
    owi_session *session = &explainer->session;
    const ow_status known = owi_explainer_ready_background(explainer);
    if (!is_late(explainer, known)) OWI_TRY(known);
    /* What was made without time may lack what the background says. */
    if ((explainer->has_session && session->is_unprepared) ||
        (explainer->impl->draws && explainer->seed != explainer->call->seed))
        owi_session_forget(explainer);
    explainer->seed = explainer->call->seed;
    if (known == OW_OK && still_serves(explainer, constraints)) {
        session->options = *options;
        session->options.targets = NULL;
        session->problem.call = explainer->call;
        return OW_OK;
    }
    if (explainer->has_session) owi_session_end(explainer, session);
    explainer->has_session = false;
    if (explainer->n_references > most_references) forget_references(explainer);
    OWI_TRY(begin_in_time(explainer, constraints, options, known == OW_OK));
    explainer->has_session = true;
    return OW_OK;
}

ow_status owi_session_ready(ow_explainer *explainer, const ow_constraints *constraints,
                            const ow_explain_options *options)
{
    if (constraints != NULL) return make_ready(explainer, constraints, options);
    ow_constraints *of_schema;
    OWI_TRY(ow_constraints_new(explainer->ctx, explainer->model->schema, &of_schema));
    const ow_status status = make_ready(explainer, of_schema, options);
    ow_constraints_free(of_schema);
    return status;
}
