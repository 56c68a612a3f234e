/* SPDX-License-Identifier: MIT */
/* Learns a small model and tells one applicant what would have to be different.  The
 * classifier is the model's own; age and personal status stay as they are, and the loan may
 * only get shorter.
 *
 *     $ explain_applicant data/credit.csv 5
 *     Applicant 5: bad
 *     would be good with
 *     ... */
#include "applicants.h"

static ow_status explain(ow_context *ctx, const ow_model *model, const double *query,
                         size_t number)
{
    const ow_schema *schema = ow_model_schema(model);
    ow_constraints *rules = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    ow_status st = ow_schema_find_class(schema, "good", &options.target);
    if (st == OW_OK) st = ow_constraints_new(ctx, schema, &rules);
    if (st == OW_OK) st = ow_constraints_immutable(rules, "age");
    if (st == OW_OK) st = ow_constraints_immutable(rules, "personal_status");
    if (st == OW_OK) st = ow_constraints_monotone(rules, "duration", OW_MONOTONE_DOWN);
    if (st == OW_OK)
        st = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                  .model = model},
                              "nearest", &explainer);
    if (st == OW_OK) st = ow_explainer_set(explainer, "sparse", "yes");
    if (st == OW_OK)
        st = ow_explainer_explain(explainer, rules, &options, 1, query, NULL, &explanation);
    if (st == OW_OK) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
        printf("Applicant %zu: %s\n", number,
               ow_schema_class_name(schema, (size_t)outcome->predicted));
        if (outcome->kind == OW_OUTCOME_FOUND) {
            printf("would be good with\n");
            print_changes(schema, query, outcome->answers[0]);
            printf("which is more typical than %.0f %% of the good ones\n",
                   outcome->answers[0]->percentile);
        } else if (outcome->kind == OW_OUTCOME_NOT_FOUND) {
            printf("nothing found: %s%s%s\n", ow_reason_name(outcome->reason),
                   outcome->blocking != NULL ? ", because of " : "",
                   outcome->blocking != NULL ? outcome->blocking : "");
        }
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_constraints_free(rules);
    return st;
}

int main(int argc, char **argv)
{
    return explain_one(argc, argv, explain);
}
