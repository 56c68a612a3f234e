/* SPDX-License-Identifier: MIT */
/* Learns from arrays, then asks what would have to be different for one loan to be granted.
 *
 *     $ guided_from_arrays
 *     refused; granted with income 44 instead of 21 */
#include <stdio.h>

#include <otherwise/otherwise.h>

enum { n_rows = 300 };

/* Stops at the first failure and says why. */
#define TRY(call)                                                                          \
    if ((call) != OW_OK) return fprintf(stderr, "%s\n", ow_error_message()), 1

int main(void)
{
    static double income[n_rows], debt[n_rows];
    static const char *decision[n_rows];
    for (int i = 0; i < n_rows; i++) { /* granted where income outweighs debt */
        income[i] = 15 + i * 37 % 61;
        debt[i] = i * 11 % 30;
        decision[i] = income[i] - 2 * debt[i] > 20 ? "granted" : "refused";
    }
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const ow_infer_options infer = {.size = sizeof infer, .label = "decision"};
    TRY(ow_context_new(NULL, &ctx));
    TRY(ow_reader_open_columns(ctx, n_rows, "loans", &reader));
    TRY(ow_reader_add_numbers(reader, "income", OW_ELEMENT_FLOAT64, n_rows, income, 0));
    TRY(ow_reader_add_numbers(reader, "debt", OW_ELEMENT_FLOAT64, n_rows, debt, 0));
    TRY(ow_reader_add_texts(reader, "decision", n_rows, decision));
    TRY(ow_schema_infer(reader, &infer, NULL, &schema));
    TRY(ow_model_train(reader, schema, NULL, NULL, &model));

    const double query[2] = {21, 9};
    const ow_explain_model parts = {.size = sizeof parts, .model = model};
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    TRY(ow_schema_find_class(schema, "granted", &options.target));
    TRY(ow_explainer_new(&parts, "guided", &explainer));
    TRY(ow_explainer_explain(explainer, NULL, &options, 1, query, NULL, &explanation));
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    printf("%s", ow_schema_class_name(schema, (size_t)outcome->predicted));
    for (size_t j = 0; outcome->kind == OW_OUTCOME_FOUND && j < 2; j++)
        if (outcome->answers[0]->values[j] != query[j])
            printf("; granted with %s %g instead of %g", ow_schema_column(schema, j)->name,
                   outcome->answers[0]->values[j], query[j]);
    printf("\n");
    ow_explanation_free(explanation), ow_explainer_free(explainer), ow_model_free(model);
    ow_schema_free(schema), ow_reader_free(reader), ow_context_free(ctx);
    return 0;
}
