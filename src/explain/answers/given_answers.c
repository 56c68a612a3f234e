/* SPDX-License-Identifier: MIT */
/* Answers that others have made, judged as they are: an explainer whose method is to look
 * them up.  Nothing is repaired, so that what breaks a constraint is counted. */
#include <string.h>

#include "base/error.h"
#include "explain/core/explainer_list.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"

typedef struct {
    const double *values; /* rows x columns, borrowed            */
    const bool *answered; /* rows, borrowed; NULL: all           */
} settings;

static ow_status explain_block(const owi_problem *problem, const void *given, void *state,
                               const owi_queries *queries, owi_answer *answers)
{
    (void)state;
    const settings *set = given;
    const size_t d = problem->n_columns;
    for (size_t i = 0; i < queries->n_rows; i++) {
        const size_t row = (size_t)queries->number[i];
        owi_answer *answer = &answers[i * problem->options->n_answers];
        if (set->answered != NULL && !set->answered[row]) continue;
        memcpy(answer->values, set->values + row * d, d * sizeof *answer->values);
        ow_model_soften(problem->model, 1, answer->values, answer->soft);
        answer->given = answer->has_values = answer->is_final = true;
    }
    return OW_OK;
}

static const owi_explainer_impl impl = {
    .shown = {.name = "given", .summary = "answers that others have made"},
    .settings_size = sizeof(settings),
    .explain_block = explain_block,
};

ow_status owi_explainer_of_given(const ow_explain_model *model, const double *values,
                                 const bool *answered, ow_explainer **out)
{
    OWI_TRY(owi_explainer_make(model, &impl, out));
    *(settings *)(*out)->settings = (settings){values, answered};
    return OW_OK;
}
