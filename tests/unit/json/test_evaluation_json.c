/* SPDX-License-Identifier: MIT */
/* A comparison as JSON, read back and compared with the figures; and with memory running
 * out. */
#include <jansson.h>

#include "otherwise/json.h"
#include "support/made_answers.h"

static const ow_contestant methods[2] = {{.method = "two-step", .preset = "paper"},
                                         {.method = "nearest"}};

typedef struct {
    ow_made_answers made;
    ow_explain_options options;
    ow_experiment experiment;
    ow_evaluation *evaluation;
} compared;

static void compare(compared *c, ow_context *ctx)
{
    ow_made_answers_begin(ctx, &c->made);
    ow_experiment *e = &c->experiment;
    ow_experiment_init(e, sizeof *e);
    ow_explain_options_init(&c->options, sizeof c->options);
    e->options = &c->options;
    e->model = c->made.trained.model;
    e->methods = methods;
    e->n_methods = 2;
    c->options.target = 1;
    e->n_queries = e->n_known = ow_table_n_rows(c->made.trained.table);
    e->queries = e->known = ow_table_row(c->made.trained.table, 0);
    assert_ok(ow_experiment_run(e, NULL, &c->evaluation));
}

static void clear(compared *c)
{
    ow_evaluation_free(c->evaluation);
    ow_made_answers_end(&c->made);
}

static void assert_figure(const json_t *object, const char *key, double want)
{
    const json_t *got = json_object_get(object, key);
    if (isnan(want))
        assert_true(json_is_null(got));
    else
        assert_true(fabs(json_number_value(got) - want) <= 1e-14 * fabs(want));
}

static void every_figure_of_every_method(void **state)
{
    compared c;
    char *text;
    size_t size;
    const ow_call how = {.size = sizeof how, .seed = 7};
    compare(&c, ow_test_context(state));
    const ow_evaluation_about about = {
        .size = sizeof about, .experiment = &c.experiment, .rows = "a \"b\"", .call = &how};
    assert_ok(ow_evaluation_json(&about, c.evaluation, &text, &size));
    json_t *document = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    const json_t *meta = json_object_get(document, "meta");
    assert_true(json_is_null(json_object_get(meta, "model")));
    assert_string_equal(json_string_value(json_object_get(meta, "rows")), "a \"b\"");
    assert_string_equal(json_string_value(json_object_get(meta, "target")), "yes");
    assert_int_equal(json_integer_value(json_object_get(meta, "seed")), 7);
    size_t n_metrics = 0;
    while (ow_metric_get(n_metrics) != NULL) n_metrics++;
    assert_int_equal(json_array_size(json_object_get(document, "metrics")), n_metrics);
    const json_t *list = json_object_get(document, "methods");
    assert_int_equal(json_array_size(list), 2);
    for (size_t m = 0; m < 2; m++) {
        const json_t *method = json_array_get(list, m);
        const ow_standing standing = *ow_evaluation_standing(c.evaluation, m);
        const json_t *figures = json_object_get(method, "metrics");
        assert_string_equal(json_string_value(json_object_get(method, "name")),
                            standing.name);
        assert_figure(method, "valid", standing.n_valid);
        assert_int_equal(json_object_size(json_object_get(method, "params")),
                         standing.n_settings);
        for (size_t i = 0; i < n_metrics; i++) {
            const ow_figure want = ow_evaluation_figure(c.evaluation, m, i);
            const json_t *got = json_object_get(figures, ow_metric_get(i)->name);
            assert_figure(got, "mean", want.mean);
            assert_figure(got, "deviation", want.deviation);
            assert_figure(got, "common_mean", want.common_mean);
        }
    }
    json_decref(document);
    ow_bytes_free(text);
    clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(every_figure_of_every_method),
    };
    return cmocka_run_group_tests_name("json/evaluation", tests, NULL, NULL);
}
