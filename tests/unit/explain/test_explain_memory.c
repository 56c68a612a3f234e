/* SPDX-License-Identifier: MIT */
/* Every method with 0, 1, 2, ... allocations allowed: an error and nothing left behind, or
 * the whole explanation. */
#include "support/explain_fixture.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

typedef struct {
    const char *method;
    const double *values; /* rows of the applicants */
    size_t n_rows, size;
    char *bytes; /* the model's file */
} job;

/* One step of methods that take many: each asks for memory again. */
static ow_status take_one_step(ow_explainer *explainer)
{
    static const char *const few[][2] = {{"steps", "1"},
                                         {"rounds", "1"},
                                         {"search", "no"},
                                         {"autoencoder-passes", "1"},
                                         {"gamma", "0"}};
    ow_status status = OW_OK;
    const char *value;
    for (size_t k = 0; k < sizeof few / sizeof *few && status == OW_OK; k++)
        if (ow_explainer_get(explainer, few[k][0], &value) == OW_OK)
            status = ow_explainer_set(explainer, few[k][0], few[k][1]);
    return status;
}

/* Constraints that leave some rows without an answer, so that somebody is looked for who is
 * to blame. */
static ow_status explain(ow_context *ctx, void *user)
{
    const job *j = user;
    ow_model *model = NULL;
    ow_constraints *rules = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    how.threads = 1;
    options.n_answers = 2;
    options.surer_proba = 0.9;
    ow_status status = ow_model_parse(ctx, j->bytes, j->size, "applicants.ow", &model);
    if (status == OW_OK) status = ow_constraints_new(ctx, ow_model_schema(model), &rules);
    if (status == OW_OK) status = ow_constraints_allow(rules, "town", "Bonn");
    if (status == OW_OK) status = ow_constraints_range(rules, "income", 10.0, 20.0);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  j->method, &explainer);
    if (status == OW_OK) status = take_one_step(explainer);
    if (status == OW_OK)
        status = ow_explainer_set_background(explainer, j->n_rows, j->values);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, rules, &options, 3, j->values, &how,
                                      &explanation);
    assert_true((status == OW_OK) == (explanation != NULL));
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_constraints_free(rules);
    ow_model_free(model);
    return status;
}

static void memory_may_run_out_anywhere_in_every_method(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    job j = {.values = m.values, .n_rows = 40};
    assert_ok(ow_model_format(m.model, &j.bytes, &j.size));
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        j.method = ow_method_get(k)->name;
        ow_test_sweep(explain, &j);
    }
    ow_bytes_free(j.bytes);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(memory_may_run_out_anywhere_in_every_method),
    };
    return cmocka_run_group_tests_name("explain/memory", tests, NULL, NULL);
}
