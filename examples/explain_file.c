/* SPDX-License-Identifier: MIT */
/* Explains the decisions of a model file of another package: XGBoost (.json, .ubj) and
 * LightGBM (text) as save_model writes them, or ONNX (.onnx), for which onnxruntime is
 * loaded from where it usually is, or from a path that is given at the end.
 *
 *     $ explain_file data/credit.csv examples/loans.txt 19
 *     Applicant 19 is bad for LightGBM v4
 *       amount: 10960, not 12579
 *     ... */
#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

#define TRY(call)                                                                          \
    if ((call) != OW_OK) return fprintf(stderr, "%s\n", ow_error_message()), 1

/* The model file decides, and the circuit that is learned here knows which applicants are
 * plausible.  ow_model_save would keep the model file in the model, too. */
static int train(ow_reader *reader, const ow_schema *schema, char **files, int n_files,
                 ow_model **model)
{
    const ow_foreign foreign = {.size = sizeof foreign,
                                .path = files[0],
                                .onnxruntime = n_files > 1 ? files[1] : NULL,
                                .embed = true};
    ow_train_options how;
    ow_train_options_init(&how, sizeof how);
    how.foreign = &foreign;
    TRY(ow_model_train(reader, schema, &how, NULL, model));
    return 0;
}

static void print_answer(const ow_model *model, size_t number, const double *query,
                         const ow_outcome *outcome)
{
    const ow_schema *schema = ow_model_schema(model);
    const double *answer = outcome->n_answers > 0 ? outcome->answers[0]->values : query;
    ow_foreign_info info = {0};
    (void)ow_model_foreign(model, &info);
    printf("Applicant %zu is %s for %s\n", number,
           ow_schema_class_name(schema, (size_t)outcome->predicted), info.package);
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        char from[64], to[64];
        if (answer[j] == query[j]) continue;
        ow_schema_print_value(schema, j, query[j], from, sizeof from);
        ow_schema_print_value(schema, j, answer[j], to, sizeof to);
        printf("  %s: %s, not %s\n", ow_schema_column(schema, j)->name, to, from);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        return fprintf(stderr, "usage: %s FILE MODEL APPLICANT [ONNXRUNTIME]\n", argv[0]),
               2;
    const size_t number = strtoul(argv[3], NULL, 10);
    char *files[] = {argv[2], argc == 5 ? argv[4] : NULL};
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_table *table = NULL;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const ow_infer_options infer = {.size = sizeof infer, .label = "risk"};
    ow_explain_options options;
    TRY(ow_context_new(NULL, &ctx));
    TRY(ow_reader_open(ctx, argv[1], NULL, NULL, &reader));
    TRY(ow_schema_infer(reader, &infer, NULL, &schema));
    if (train(reader, schema, files, argc - 3, &model) != 0) return 1;
    TRY(ow_table_read(reader, NULL, &table));
    if (number < 1 || number > ow_table_n_rows(table)) return 2;
    const double *query = ow_table_row(table, number - 1);
    const ow_explain_model parts = {.size = sizeof parts, .model = model};
    ow_explain_options_init(&options, sizeof options);
    TRY(ow_schema_find_class(schema, "good", &options.target));
    TRY(ow_explainer_new(&parts, "guided", &explainer));
    TRY(ow_explainer_explain(explainer, NULL, &options, 1, query, NULL, &explanation));
    print_answer(model, number, query, ow_explanation_outcome(explanation, 0));
    ow_explanation_free(explanation), ow_explainer_free(explainer);
    ow_model_free(model), ow_table_free(table), ow_schema_free(schema);
    ow_reader_free(reader), ow_context_free(ctx);
    return 0;
}
