/* SPDX-License-Identifier: MIT */
/* Explains the decisions of a program: a shell script here, which reads blocks of CSV and
 * prints P(good) for each row (doc/own_models.md).
 *
 *     $ explain_program data/credit.csv 5
 *     Applicant 5: bad
 *       duration: 9, not 24
 *     ... */
#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

#define TRY(call)                                                                          \
    if ((call) != OW_OK) return fprintf(stderr, "%s\n", ow_error_message()), 1

/* Loans of less than a year are good. */
static const char program[] =
    "while IFS=, read -r status duration rest; do case $duration in "
    "duration|'') ;; ?|1[01]) echo 0.9 ;; *) echo 0.2 ;; esac; done";

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "usage: %s FILE APPLICANT\n", argv[0]), 2;
    const size_t number = strtoul(argv[2], NULL, 10);
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_table *table = NULL;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const ow_infer_options infer = {.size = sizeof infer, .label = "risk"};
    const ow_foreign foreign = {.size = sizeof foreign, .command = program, .seconds = 10};
    ow_train_options how;
    ow_train_options_init(&how, sizeof how);
    how.foreign = &foreign;
    TRY(ow_context_new(NULL, &ctx));
    TRY(ow_reader_open(ctx, argv[1], NULL, NULL, &reader));
    TRY(ow_schema_infer(reader, &infer, NULL, &schema));
    TRY(ow_model_train(reader, schema, &how, NULL, &model));
    TRY(ow_table_read(reader, NULL, &table));
    if (number < 1 || number > ow_table_n_rows(table)) return 2;
    const double *query = ow_table_row(table, number - 1);
    const ow_explain_model parts = {.size = sizeof parts, .model = model};
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    TRY(ow_schema_find_class(schema, "good", &options.target));
    TRY(ow_explainer_new(&parts, "guided", &explainer));
    TRY(ow_explainer_explain(explainer, NULL, &options, 1, query, NULL, &explanation));
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    const double *answer = outcome->n_answers > 0 ? outcome->answers[0]->values : query;
    printf("Applicant %zu: %s\n", number,
           ow_schema_class_name(schema, (size_t)outcome->predicted));
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        char from[64], to[64];
        if (answer[j] == query[j]) continue;
        ow_schema_print_value(schema, j, query[j], from, sizeof from);
        ow_schema_print_value(schema, j, answer[j], to, sizeof to);
        printf("  %s: %s, not %s\n", ow_schema_column(schema, j)->name, to, from);
    }
    ow_explanation_free(explanation), ow_explainer_free(explainer);
    ow_model_free(model), ow_table_free(table), ow_schema_free(schema);
    ow_reader_free(reader), ow_context_free(ctx);
    return 0;
}
