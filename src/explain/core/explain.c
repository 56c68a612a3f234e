/* SPDX-License-Identifier: MIT */
/* The call: what is asked is checked first, then rows are explained in blocks, then those
 * without an answer are looked at again for what stands in their way, and doubtful answers
 * for surer ones. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"

ow_explain_options owi_explain_defaults(void)
{
    return (ow_explain_options){.size = sizeof(ow_explain_options),
                                .target = OW_ANY_OTHER_CLASS,
                                .n_answers = 1,
                                .least_proba = 0.0,
                                .most_proba = 1.0,
                                .density_quantile = 0.25,
                                .explain_failure = true};
}

void ow_explain_options_init(ow_explain_options *options, size_t size)
{
    const ow_explain_options defaults = owi_explain_defaults();
    owi_options_give(&defaults, sizeof defaults, options, size);
}

const char *ow_outcome_kind_name(ow_outcome_kind kind)
{
    static const char *const names[] = {"found", "not-found", "already-target"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *ow_least_name(ow_least least)
{
    static const char *const names[] = {"best-found", "number-proved", "proved"};
    return (size_t)least < sizeof names / sizeof *names ? names[least] : NULL;
}

const char *ow_prefer_name(ow_prefer prefer)
{
    static const char *const names[] = {"least", "typical", "robust", "cheapest"};
    return (size_t)prefer < sizeof names / sizeof *names ? names[prefer] : NULL;
}

const char *ow_reason_name(ow_reason reason)
{
    static const char *const names[] = {
        NULL,      "not-flipped", "density-unreachable", "constraints-infeasible",
        "no-path", "time-limit"};
    return (size_t)reason < sizeof names / sizeof *names ? names[reason] : NULL;
}

/* ---- Explanations ---- */

ow_status owi_explanation_new(ow_context *ctx, size_t n_rows, ow_explanation **out)
{
    *out = NULL;
    ow_explanation *explanation = owi_alloc_zeroed(ctx, sizeof *explanation);
    if (explanation == NULL) return OW_ERR_MEMORY;
    explanation->ctx = ctx;
    explanation->n_rows = n_rows;
    explanation->outcomes = owi_alloc_array(ctx, n_rows, sizeof *explanation->outcomes);
    if (explanation->outcomes == NULL) {
        owi_free(ctx, explanation);
        return OW_ERR_MEMORY;
    }
    *out = explanation;
    return OW_OK;
}

void ow_explanation_free(ow_explanation *explanation)
{
    if (explanation == NULL) return;
    ow_context *ctx = explanation->ctx;
    ow_explanation_free(explanation->surer);
    for (size_t i = 0; i < explanation->n_kept; i++) owi_free(ctx, explanation->kept[i]);
    owi_free(ctx, explanation->kept);
    owi_free(ctx, explanation->outcomes);
    owi_free(ctx, explanation);
}

ow_status owi_explanation_keep(ow_explanation *explanation, void *block)
{
    const ow_status status =
        owi_grow(explanation->ctx, &explanation->kept, &explanation->capacity,
                 explanation->n_kept + 1, sizeof *explanation->kept);
    if (status != OW_OK) {
        owi_free(explanation->ctx, block);
        return status;
    }
    explanation->kept[explanation->n_kept++] = block;
    return OW_OK;
}

void *owi_explanation_alloc(ow_explanation *explanation, size_t count, size_t size)
{
    void *block = owi_alloc_array(explanation->ctx, count, size);
    if (block == NULL) return NULL;
    return owi_explanation_keep(explanation, block) == OW_OK ? block : NULL;
}

void *owi_explanation_room(ow_explanation *explanation, size_t count, size_t size)
{
    void *block = owi_resize_array(explanation->ctx, NULL, count, size);
    if (block == NULL) return NULL;
    return owi_explanation_keep(explanation, block) == OW_OK ? block : NULL;
}

size_t ow_explanation_n_rows(const ow_explanation *explanation)
{
    return explanation->n_rows;
}

const ow_outcome *ow_explanation_outcome(const ow_explanation *explanation, size_t row)
{
    return row < explanation->n_rows ? &explanation->outcomes[row] : NULL;
}

/* ---- What is asked ---- */

/* For each row: sizes are computed from it, and must not overflow. */
enum { most_answers = 1000000 };

static ow_status check_target(size_t n_classes, int32_t target)
{
    if (target == OW_ANY_OTHER_CLASS || (target >= 0 && (size_t)target < n_classes))
        return OW_OK;
    if (target == OW_NO_CLASS)
        return owi_fail(OW_ERR_ARGUMENT,
                        "the target is OW_NO_CLASS (-1); for any class but the predicted "
                        "one it is OW_ANY_OTHER_CLASS (-2)");
    return owi_fail(OW_ERR_ARGUMENT, "there is no class %d; they go from 0 to %zu",
                    (int)target, n_classes - 1);
}

static ow_status check_share(const char *what, double share)
{
    char text[owi_number_size];
    if (share >= 0.0 && share <= 1.0) return OW_OK;
    owi_print_number(share, text);
    return owi_fail(OW_ERR_ARGUMENT, "%s: expected a number from 0 to 1, got %s", what,
                    text);
}

static ow_status check_options(const ow_explain_options *options, size_t n_classes,
                               size_t n_rows)
{
    if (options->targets == NULL) OWI_TRY(check_target(n_classes, options->target));
    for (size_t i = 0; options->targets != NULL && i < n_rows; i++)
        OWI_TRY(check_target(n_classes, options->targets[i]));
    OWI_TRY(check_share("the least probability", options->least_proba));
    OWI_TRY(check_share("the largest probability", options->most_proba));
    OWI_TRY(check_share("the density quantile", options->density_quantile));
    if (options->least_proba > options->most_proba)
        return owi_fail(OW_ERR_ARGUMENT,
                        "the least probability is above the largest one: no answer can "
                        "have both");
    OWI_TRY(check_share("the surer probability", options->surer_proba));
    if (options->surer_proba > options->most_proba)
        return owi_fail(OW_ERR_ARGUMENT,
                        "the surer probability is above the largest one: no answer can "
                        "have both");
    if (ow_prefer_name(options->prefer) == NULL)
        return owi_fail(OW_ERR_ARGUMENT, "there is no preference %d", (int)options->prefer);
    if (options->n_answers == 0)
        return owi_fail(OW_ERR_ARGUMENT, "no answers asked for; expected at least 1");
    if (options->n_answers > most_answers)
        return owi_fail(OW_ERR_ARGUMENT, "%zu answers asked for; expected at most %d",
                        options->n_answers, most_answers);
    return OW_OK;
}

/* Rows of numbers alone: whether one of them is infinite. */
static bool has_infinity(size_t n, const double *values)
{
    uint64_t found = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        found |= (bits << 1) == 0xffe0000000000000u;
    }
    return found != 0;
}

static bool has_levels(const ow_schema *schema)
{
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        if (ow_schema_column(schema, j)->n_levels > 0) return true;
    return false;
}

ow_status owi_check_values(const ow_schema *schema, const char *what, size_t first,
                           size_t n_rows, const double *values)
{
    const size_t n_columns = ow_schema_n_columns(schema);
    if (!has_levels(schema) && !has_infinity(n_rows * n_columns, values)) return OW_OK;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++) {
            const ow_column *column = ow_schema_column(schema, j);
            const double x = values[i * n_columns + j];
            char quoted[owi_quote_size], text[owi_number_size];
            if (isnan(x) || (column->n_levels == 0 && isfinite(x))) continue;
            if (x >= 0.0 && x < (double)column->n_levels && x == floor(x)) continue;
            owi_print_number(x, text);
            owi_quote_text(column->name, quoted);
            if (column->n_levels == 0)
                return owi_fail(OW_ERR_ARGUMENT,
                                "%s %zu, column %s: expected a finite number, got %s", what,
                                first + i + 1, quoted, text);
            return owi_fail(OW_ERR_ARGUMENT,
                            "%s %zu, column %s: expected the number of one of its %zu "
                            "levels, from 0 on, got %s",
                            what, first + i + 1, quoted, column->n_levels, text);
        }
    return OW_OK;
}

ow_status owi_check_constraints(const ow_schema *own, const ow_constraints *constraints)
{
    if (constraints == NULL) return OW_OK;
    const ow_schema *theirs = constraints->schema;
    const size_t n = ow_schema_n_columns(own);
    char quoted[2][owi_quote_size];
    if (own == theirs) return OW_OK;
    if (ow_schema_n_columns(theirs) != n)
        return owi_fail(OW_ERR_SCHEMA,
                        "the constraints are for rows of %zu columns, the model's have %zu",
                        ow_schema_n_columns(theirs), n);
    for (size_t j = 0; j < n; j++) {
        const ow_column *a = ow_schema_column(own, j), *b = ow_schema_column(theirs, j);
        if (strcmp(a->name, b->name) != 0 || a->type != b->type ||
            a->n_levels != b->n_levels)
            return owi_fail(OW_ERR_SCHEMA,
                            "the constraints are for another table: column %zu is %s there "
                            "and %s in the model, or has other values",
                            j + 1, owi_quote_text(b->name, quoted[0]),
                            owi_quote_text(a->name, quoted[1]));
    }
    return OW_OK;
}

static ow_status check_background(const ow_explainer *explainer)
{
    if (!explainer->impl->shown.needs_background || explainer->has_background) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT,
                    "method %s looks for answers among known rows, and no background rows "
                    "were given",
                    explainer->impl->shown.name);
}

/* ---- The call ---- */

static ow_status explain_rows(ow_explainer *explainer, const ow_explain_options *options,
                              size_t n_rows, const double *values,
                              ow_explanation *explanation)
{
    owi_wish *wishes = owi_alloc_array(explainer->ctx, n_rows, sizeof *wishes);
    if (wishes == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n_rows; i++)
        wishes[i] = (owi_wish){.number = options->first_row + i,
                               .target = options->targets != NULL ? options->targets[i]
                                                                  : options->target};
    ow_status status = owi_explain_rows(explainer, &explainer->session, n_rows, values,
                                        wishes, explanation);
    /* Whatever stops the call from here on: what has not been looked for is marked. */
    if (options->explain_failure) owi_mark_blocking(explanation);
    if (options->surer_proba > 0.0) owi_mark_surer(explanation, options->surer_proba);
    if (status == OW_OK && options->explain_failure)
        status = owi_find_blocking(explainer, values, wishes, explanation);
    if (status == OW_OK && options->surer_proba > 0.0)
        status = owi_find_surer(explainer, values, wishes, explanation);
    if (status == OW_OK && options->steps)
        status = owi_find_steps(explainer, values, explanation);
    owi_free(explainer->ctx, wishes);
    return status;
}

ow_status owi_explain(const owi_call *call, ow_explainer *explainer,
                      const ow_constraints *constraints, const ow_explain_options *options,
                      size_t n_rows, const double *values, ow_explanation **out)
{
    const ow_schema *schema = explainer->model->schema;
    *out = NULL;
    OWI_TRY(check_options(options, ow_schema_n_classes(schema), n_rows));
    OWI_TRY(owi_check_constraints(schema, constraints));
    OWI_TRY(check_background(explainer));
    OWI_TRY(owi_check_values(schema, "row", 0, n_rows, values));

    const owi_call lenient = owi_call_lenient(call);
    ow_explanation *explanation = NULL;
    explainer->call = call;
    ow_status status = owi_session_ready(explainer, constraints, options);
    explainer->call = explainer->session.problem.call = &lenient;
    if (status == OW_OK) status = owi_explanation_new(explainer->ctx, n_rows, &explanation);
    if (status == OW_OK)
        status = explain_rows(explainer, options, n_rows, values, explanation);
    explainer->call = explainer->session.problem.call = NULL;
    if (status == OW_ERR_CANCELLED && explanation != NULL)
        explanation->n_rows = explanation->n_finished;
    const bool is_kept = explanation != NULL && explanation->n_rows > 0;
    if (status == OW_OK || (status == OW_ERR_CANCELLED && is_kept))
        *out = explanation;
    else
        ow_explanation_free(explanation);
    return status;
}

ow_status ow_explainer_explain(ow_explainer *explainer, const ow_constraints *constraints,
                               const ow_explain_options *options, size_t n_rows,
                               const double *values, const ow_call *call,
                               ow_explanation **out)
{
    owi_call running;
    ow_explain_options own = owi_explain_defaults();
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(explainer != NULL);
    OWI_REQUIRE(n_rows == 0 || values != NULL);
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_options, options, &own));
    OWI_TRY(owi_call_begin(&running, explainer->ctx, call));
    return owi_explain(&running, explainer, constraints, &own, n_rows, values, out);
}
