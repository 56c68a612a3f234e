/* SPDX-License-Identifier: MIT */
/* Single answers, for pictures. */
#include "reproduce/study.h"

ow_status study_answers_open(reproduction *r, const study_seed *s,
                             const ow_contestant *method, size_t n, const double *queries,
                             const int32_t *targets, study_answers *answers)
{
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    options.targets = targets;
    options.explain_failure = false;
    *answers = (study_answers){0};
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                             .model = s->model,
                                             .backend = r->backend},
                         method->method, &answers->explainer);
    if (status == OW_OK && method->preset != NULL)
        status = ow_explainer_preset(answers->explainer, method->preset);
    for (size_t i = 0; i < method->n_settings && status == OW_OK; i++)
        status = ow_explainer_set(answers->explainer, method->settings[i].name,
                                  method->settings[i].value);
    if (status == OW_OK)
        status = ow_explainer_set_background(answers->explainer, s->n_known, s->known);
    if (status == OW_OK)
        status = ow_explainer_explain(answers->explainer, NULL, &options, n, queries,
                                      &r->how, &answers->explanation);
    return status;
}

const double *study_answer_values(const study_answers *answers, size_t query)
{
    const ow_outcome *outcome = ow_explanation_outcome(answers->explanation, query);
    return outcome->n_answers > 0 ? outcome->answers[0]->values : NULL;
}

void study_answers_close(study_answers *answers)
{
    ow_explanation_free(answers->explanation);
    ow_explainer_free(answers->explainer);
    *answers = (study_answers){0};
}
