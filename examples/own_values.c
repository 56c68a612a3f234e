/* SPDX-License-Identifier: MIT */
/* Explains decisions of a function of your own that reads rows in original units: the
 * doubles of the table, with the number of the level for a category.  own_classifier.c does
 * the same with rows as the circuit encodes them, which is the form for gradients.
 *
 *     $ own_values data/credit.csv 2
 *     Applicant 2: bad (0.90), asked about 390 rows at a time at most
 *     ... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

#define TRY(call)                                                                          \
    if ((call) != OW_OK) return fprintf(stderr, "%s\n", ow_error_message()), 1

enum { bad, good, n_classes };

typedef struct {
    size_t n_columns, duration, amount, most_rows;
} rule;

/* Long and large loans are bad ones.  What is missing is NaN, and counts as ordinary. */
static bool judge(void *user, size_t n_rows, const double *values, double *proba)
{
    rule *by = user;
    if (n_rows > by->most_rows) by->most_rows = n_rows;
    for (size_t i = 0; i < n_rows; i++) {
        const double *row = values + i * by->n_columns;
        const double duration = row[by->duration], amount = row[by->amount];
        const double long_by = isnan(duration) ? 0.0 : (duration - 24.0) / 12.0;
        const double large_by = isnan(amount) ? 0.0 : (amount - 5000.0) / 5000.0;
        proba[i * n_classes + bad] = 1.0 / (1.0 + exp(-long_by - large_by));
        proba[i * n_classes + good] = 1.0 - proba[i * n_classes + bad];
    }
    return true;
}

static int explain(const ow_model *model, const double *query, size_t number)
{
    const ow_schema *schema = ow_model_schema(model);
    rule by = {.n_columns = ow_schema_n_columns(schema)};
    ow_classifier *classifier = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options;
    TRY(ow_schema_find_column(schema, "duration", &by.duration));
    TRY(ow_schema_find_column(schema, "amount", &by.amount));
    const ow_value_callbacks callbacks = {
        .size = sizeof callbacks, .user = &by, .log_proba = judge, .is_proba = true};
    TRY(ow_model_classifier_from_values(model, &callbacks, &classifier));
    const ow_explain_model parts = {.size = sizeof parts,
                                    .model = model,
                                    .classifier = classifier};
    ow_explain_options_init(&options, sizeof options);
    options.target = good;
    TRY(ow_explainer_new(&parts, "guided", &explainer));
    TRY(ow_explainer_explain(explainer, NULL, &options, 1, query, NULL, &explanation));
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    const double *answer = outcome->n_answers > 0 ? outcome->answers[0]->values : query;
    printf("Applicant %zu: %s (%.2f), asked about %zu rows at a time at most\n", number,
           ow_schema_class_name(schema, (size_t)outcome->predicted),
           outcome->proba[outcome->predicted], by.most_rows);
    for (size_t j = 0; j < by.n_columns; j++)
        if (answer[j] != query[j])
            printf("  %s: %g, not %g\n", ow_schema_column(schema, j)->name, answer[j],
                   query[j]);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_classifier_free(classifier);
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
        code = explain(model, ow_table_row(table, number - 1), number);
    ow_model_free(model);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_context_free(ctx);
    return code;
}
