/* SPDX-License-Identifier: MIT */
/* Learns a small model and tells one applicant what would have to be different.  The classifier is the model's own; age and
 * personal status stay as they are, and the loan may only get shorter.
 *
 *     $ explain_applicant data/credit.csv 5
 *     Applicant 5: bad
 *     would be good with
 *     ...
 */
#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

/* A model of the table that is learned in a moment: few components, few passes. */
static ow_status learn(ow_context *ctx, const char *path, ow_model **model,
                       ow_table **table)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options options = ow_train_defaults();
    options.repetitions = 4;
    options.inputs = 4;
    options.passes = 10;
    options.towards_rows = 50;
    ow_status st = ow_reader_open(ctx, path, NULL, &reader);
    if (st == OW_OK)
        st = ow_schema_infer(reader, &(ow_infer_options){.label = "risk"}, &schema);
    if (st == OW_OK) st = ow_model_train(reader, schema, &options, model, NULL);
    if (st == OW_OK) st = ow_reader_bind(reader, schema, false);
    if (st == OW_OK) st = ow_table_read(reader, table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return st;
}

static void print_changes(const ow_schema *schema, const double *query,
                          const ow_counterfactual *answer)
{
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        char from[64], to[64];
        if (query[j] == answer->values[j]) continue;
        ow_schema_print_value(schema, j, query[j], from, sizeof from);
        ow_schema_print_value(schema, j, answer->values[j], to, sizeof to);
        printf("  %s: %s instead of %s\n", ow_schema_column(schema, j)->name, to, from);
    }
    printf("which is more typical than %.0f %% of the good ones\n", answer->percentile);
}

static ow_status explain(const ow_model *model, ow_context *ctx, const ow_table *table,
                         size_t applicant)
{
    const ow_schema *schema = ow_model_schema(model);
    const double *query = ow_table_row(table, applicant);
    ow_constraints *rules = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_explain_defaults();
    options.target = ow_schema_find_class(schema, "good");

    ow_status st = ow_constraints_new(schema, ctx, &rules);
    if (st == OW_OK) st = ow_constraints_immutable(rules, "age");
    if (st == OW_OK) st = ow_constraints_immutable(rules, "personal_status");
    if (st == OW_OK) st = ow_constraints_monotone(rules, "duration", OW_MONOTONE_DOWN);
    if (st == OW_OK)
        st = ow_explainer_new(&(ow_explain_model){.model = model}, "nearest", &explainer);
    if (st == OW_OK) st = ow_explainer_set(explainer, "sparse", "yes");
    if (st == OW_OK) st = ow_explain(explainer, rules, &options, 1, query, &explanation);
    if (st == OW_OK) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
        printf("Applicant %zu: %s\n", applicant + 1,
               ow_schema_class_name(schema, (size_t)outcome->predicted));
        if (outcome->kind == OW_FOUND) {
            printf("would be good with\n");
            print_changes(schema, query, outcome->answers);
        } else if (outcome->kind == OW_NOT_FOUND) {
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
    ow_context *ctx = NULL;
    ow_model *model = NULL;
    ow_table *table = NULL;

    if (argc != 3) return fprintf(stderr, "usage: %s FILE APPLICANT\n", argv[0]), 2;
    const size_t applicant = strtoul(argv[2], NULL, 10);
    ow_status st = ow_context_new(NULL, &ctx);
    if (st == OW_OK) st = learn(ctx, argv[1], &model, &table);
    if (st == OW_OK && (applicant < 1 || applicant > ow_table_n_rows(table))) {
        fprintf(stderr, "there is no applicant %s\n", argv[2]);
        ow_table_free(table);
        ow_model_free(model);
        ow_context_free(ctx);
        return 2;
    }
    if (st == OW_OK) st = explain(model, ctx, table, applicant - 1);
    if (st != OW_OK) fprintf(stderr, "%s\n", ow_error_message());
    ow_table_free(table);
    ow_model_free(model);
    ow_context_free(ctx);
    return st == OW_OK ? 0 : 1;
}
