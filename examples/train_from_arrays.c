/* SPDX-License-Identifier: MIT */
/* Learns a model from arrays in memory, explains one row with guided and reads the answer
 * from its JSON, without any file: what would have to be different for this application to
 * be accepted?
 *
 *     $ train_from_arrays
 *     {"column": "income", "from": 25, "to": 49, "enough": 49, "enough_for_class": 41} */
#include <stdio.h>
#include <string.h>

#include <otherwise/otherwise.h>

enum { n_rows = 400 };
static double income[n_rows];
static int years[n_rows];
static const char *housing[n_rows], *answer[n_rows];

/* Applications: income in thousands, years in the job, and a rule that accepts them. */
static void make_rows(void)
{
    static const char *const kinds[] = {"own", "rent", "free"};
    for (int i = 0; i < n_rows; i++) {
        income[i] = 12 + (double)(i * 37 % 61);
        years[i] = i * 11 % 23;
        housing[i] = kinds[i * 7 % 3];
        const double score = income[i] + 1.5 * years[i] + (i * 7 % 3 == 0 ? 10 : 0);
        answer[i] = score > 58 ? "accepted" : "refused";
    }
}

/* The schema is inferred and the model trained from the same columns. */
static ow_status learn(ow_context *ctx, ow_model **model)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    ow_status st = ow_reader_open_columns(ctx, n_rows, "applications", &reader);
    if (st == OW_OK)
        st = ow_reader_add_numbers(reader, "income", OW_ELEMENT_FLOAT64, n_rows, income, 0);
    if (st == OW_OK)
        st = ow_reader_add_numbers(reader, "years", OW_ELEMENT_INT32, n_rows, years, 0);
    if (st == OW_OK) st = ow_reader_add_texts(reader, "housing", n_rows, housing);
    if (st == OW_OK) st = ow_reader_add_texts(reader, "answer", n_rows, answer);
    if (st == OW_OK)
        st = ow_schema_infer(reader,
                             &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                 .label = "answer"},
                             NULL, &schema);
    if (st == OW_OK) st = ow_model_train(reader, schema, &options, NULL, model);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return st;
}

/* The changes stand in the JSON as {"column": ..., "from": ..., "to": ...}; a program
 * would give the text to a JSON parser (doc/explanation.schema.json describes it). */
static void print_changes(const char *json)
{
    const char *at = strstr(json, "\"changes\": [");
    if (at != NULL) at = strpbrk(at, "{]");
    for (; at != NULL && *at == '{'; at = strpbrk(at + 1, "{]"))
        printf("%.*s\n", (int)strcspn(at, "}") + 1, at);
}

static ow_status explain(const ow_model *model)
{
    const double query[] = {25, 4, 1}; /* income, years, index of the level "own" */
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    char *json = NULL;
    size_t size = 0;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    ow_status st =
        ow_schema_find_class(ow_model_schema(model), "accepted", &options.target);
    if (st == OW_OK)
        st = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                  .model = model},
                              "guided", &explainer);
    if (st == OW_OK)
        st = ow_explainer_explain(explainer, NULL, &options, 1, query, NULL, &explanation);
    const ow_explain_about about = {.size = sizeof about,
                                    .explainer = explainer,
                                    .options = &options};
    if (st == OW_OK) st = ow_explanation_json(&about, explanation, query, &json, &size);
    if (st == OW_OK) print_changes(json);
    ow_bytes_free(json);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return st;
}

int main(void)
{
    ow_context *ctx = NULL;
    ow_model *model = NULL;
    make_rows();
    ow_status st = ow_context_new(NULL, &ctx);
    if (st == OW_OK) st = learn(ctx, &model);
    if (st == OW_OK) st = explain(model);
    if (st != OW_OK) fprintf(stderr, "%s\n", ow_error_message());
    ow_model_free(model);
    ow_context_free(ctx);
    return st == OW_OK ? 0 : 1;
}
