/* SPDX-License-Identifier: MIT */
/* Explains decisions that are not the model's: a rule of thumb, given as a callback,
 * decides about applicants, and the model only knows which applicants are plausible.
 *
 *     $ own_classifier data/credit.csv 2
 *     Applicant 2: bad (0.90)
 *     ... */
#include <math.h>

#include "applicants.h"

enum { bad, good, n_classes };

/* What the rule looks at. */
typedef struct {
    const ow_model *model;
    size_t duration, amount; /* columns */
    double *values;          /* room for a row in original units */
} rule;

/* Long and large loans are bad ones: P(bad) and P(good) of each row.  Rows come as the
 * model encodes them (soft rows); ow_model_harden gives them back as the table has them.
 * What is missing is NaN there, and counts as ordinary. */
static bool judge(void *user, size_t n_rows, const float *rows, double *proba)
{
    const rule *by = user;
    const size_t width = ow_model_soft_width(by->model);
    for (size_t i = 0; i < n_rows; i++) {
        ow_model_harden(by->model, 1, rows + i * width, by->values);
        const double duration = by->values[by->duration], amount = by->values[by->amount];
        const double long_by = isnan(duration) ? 0.0 : (duration - 24.0) / 12.0;
        const double large_by = isnan(amount) ? 0.0 : (amount - 5000.0) / 5000.0;
        proba[i * n_classes + bad] = 1.0 / (1.0 + exp(-long_by - large_by));
        proba[i * n_classes + good] = 1.0 - proba[i * n_classes + bad];
    }
    return true;
}

static void print_answer(const ow_schema *schema, size_t number, const double *query,
                         const ow_outcome *outcome)
{
    printf("Applicant %zu: %s (%.2f)\n", number,
           ow_schema_class_name(schema, (size_t)outcome->predicted),
           outcome->proba[outcome->predicted]);
    if (outcome->kind == OW_OUTCOME_NOT_FOUND) printf("nothing found\n");
    if (outcome->kind != OW_OUTCOME_FOUND) return;
    const ow_counterfactual *answer = outcome->answers[0];
    printf("good (%.2f) with\n", answer->proba[good]);
    print_changes(schema, query, answer);
}

static ow_status explain(ow_context *ctx, const ow_model *model, const double *query,
                         size_t number)
{
    const ow_schema *schema = ow_model_schema(model);
    rule by = {.model = model};
    by.values = calloc(ow_schema_n_columns(schema), sizeof *by.values);
    if (by.values == NULL) return OW_ERR_MEMORY;

    const ow_callbacks callbacks = {.size = sizeof(ow_callbacks),
                                    .user = &by,
                                    .n_classes = n_classes,
                                    .width = ow_model_soft_width(model),
                                    .log_proba = judge,
                                    .is_proba = true};
    ow_classifier *classifier = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    options.target = good;
    ow_status st = ow_schema_find_column(schema, "duration", &by.duration);
    if (st == OW_OK) st = ow_schema_find_column(schema, "amount", &by.amount);
    if (st == OW_OK) st = ow_classifier_from_callbacks(ctx, &callbacks, &classifier);
    if (st == OW_OK)
        st = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                  .model = model,
                                                  .classifier = classifier},
                              "nearest", &explainer);
    if (st == OW_OK) st = ow_explainer_set(explainer, "sparse", "yes");
    if (st == OW_OK)
        st = ow_explainer_explain(explainer, NULL, &options, 1, query, NULL, &explanation);
    if (st == OW_OK)
        print_answer(schema, number, query, ow_explanation_outcome(explanation, 0));
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_classifier_free(classifier);
    free(by.values);
    return st;
}

int main(int argc, char **argv)
{
    return explain_one(argc, argv, explain);
}
