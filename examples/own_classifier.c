/* SPDX-License-Identifier: MIT */
/* Explains decisions that are not the model's: a rule of thumb, given as a callback,
 * decides about applicants, and the model only knows which applicants are plausible.
 *
 *     $ own_classifier data/credit.csv 2
 *     Applicant 2: bad (0.90)
 *     ... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

/* Stops at the first failure and says why. */
#define TRY(call)                                                                          \
    if ((call) != OW_OK) return fprintf(stderr, "%s\n", ow_error_message()), 1

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
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        char from[64], to[64];
        if (query[j] == answer->values[j]) continue;
        ow_schema_print_value(schema, j, query[j], from, sizeof from);
        ow_schema_print_value(schema, j, answer->values[j], to, sizeof to);
        printf("  %s: %s instead of %s\n", ow_schema_column(schema, j)->name, to, from);
    }
}

static int explain(ow_context *ctx, const ow_model *model, const double *query,
                   size_t number)
{
    const ow_schema *schema = ow_model_schema(model);
    rule by = {.model = model};
    ow_classifier *classifier = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options;
    TRY(ow_schema_find_column(schema, "duration", &by.duration));
    TRY(ow_schema_find_column(schema, "amount", &by.amount));
    by.values = calloc(ow_schema_n_columns(schema), sizeof *by.values);
    if (by.values == NULL) return 1;
    const ow_callbacks callbacks = {.size = sizeof(ow_callbacks),
                                    .user = &by,
                                    .n_classes = n_classes,
                                    .width = ow_model_soft_width(model),
                                    .log_proba = judge,
                                    .is_proba = true};
    TRY(ow_classifier_from_callbacks(ctx, &callbacks, &classifier));
    const ow_explain_model parts = {.size = sizeof parts,
                                    .model = model,
                                    .classifier = classifier};
    ow_explain_options_init(&options, sizeof options);
    options.target = good;
    TRY(ow_explainer_new(&parts, "guided", &explainer));
    TRY(ow_explainer_explain(explainer, NULL, &options, 1, query, NULL, &explanation));
    print_answer(schema, number, query, ow_explanation_outcome(explanation, 0));
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_classifier_free(classifier);
    free(by.values);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "usage: %s FILE APPLICANT\n", argv[0]), 2;
    const size_t number = strtoul(argv[2], NULL, 10);
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_table *table = NULL;
    ow_model *model = NULL;
    const ow_infer_options infer = {.size = sizeof infer, .label = "risk"};
    TRY(ow_context_new(NULL, &ctx));
    TRY(ow_reader_open(ctx, argv[1], NULL, NULL, &reader));
    TRY(ow_schema_infer(reader, &infer, NULL, &schema));
    TRY(ow_model_train(reader, schema, NULL, NULL, &model));
    TRY(ow_table_read(reader, NULL, &table));
    int code = 2;
    if (number >= 1 && number <= ow_table_n_rows(table))
        code = explain(ctx, model, ow_table_row(table, number - 1), number);
    ow_model_free(model);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_context_free(ctx);
    return code;
}
