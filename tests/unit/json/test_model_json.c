/* SPDX-License-Identifier: MIT */
/* Models, predictions and methods as JSON. */
#include <jansson.h>

#include "otherwise/json.h"
#include "support/model_fixture.h"

static json_t *parse(char *text, size_t size)
{
    json_t *document = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    assert_int_equal(text[size], '\0');
    ow_bytes_free(text);
    return document;
}

static void a_model_tells_its_classes_columns_and_training(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    char *text;
    size_t size;
    assert_ok(ow_model_json(m.model, false, &text, &size));
    json_t *brief = parse(text, size);
    assert_ok(ow_model_json(m.model, true, &text, &size));
    json_t *whole = parse(text, size);
    assert_int_equal(json_integer_value(json_object_get(brief, "columns")), m.n_columns);
    const json_t *columns = json_object_get(whole, "columns");
    assert_int_equal(json_array_size(columns), m.n_columns);
    for (size_t j = 0; j < m.n_columns; j++) {
        const ow_column *want = ow_schema_column(ow_model_schema(m.model), j);
        const json_t *got = json_array_get(columns, j);
        assert_string_equal(json_string_value(json_object_get(got, "name")), want->name);
        assert_string_equal(json_string_value(json_object_get(got, "leaf")),
                            ow_column_leaf_name(ow_model_column_leaf(m.model, j)));
        assert_int_equal(json_array_size(json_object_get(got, "levels")), want->n_levels);
    }
    /* The settings and scores that the file carries, as they are there. */
    json_t *training = json_loads(ow_model_training(m.model), 0, NULL);
    const char *key;
    json_t *value;
    json_object_foreach(training, key, value)
    {
        const json_t *got = json_object_get(json_object_get(whole, "training"), key);
        assert_int_equal(json_typeof(got), json_typeof(value));
        if (json_is_string(value))
            assert_string_equal(json_string_value(got), json_string_value(value));
    }
    json_t *densities = json_object_get(whole, "log_density_percentiles");
    const json_t *yes =
        json_object_get(densities, ow_schema_class_name(ow_model_schema(m.model), 0));
    assert_true(fabs(json_real_value(json_object_get(yes, "50")) -
                     ow_model_density_at(m.model, 0, 50.0)) < 1e-9);
    assert_null(json_object_get(brief, "log_density_percentiles"));
    json_decref(training);
    json_decref(brief);
    json_decref(whole);
    ow_test_model_free(&m);
}

static void a_prediction_is_one_compact_line(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    /* The second of two rows. */
    int32_t classes[] = {0, 1};
    double log_density[] = {0.0, -2.5}, percentile[] = {0.0, NAN};
    double log_class[] = {0.0, 0.0, -INFINITY, -3.0}, proba[] = {0.0, 0.0, 0.25, 0.75};
    ow_predictions said = {.size = sizeof said,
                           .classes = classes,
                           .proba = proba,
                           .log_density = log_density,
                           .log_class = log_class,
                           .percentile = percentile};
    const ow_schema *schema = ow_model_schema(m.model);
    char *text, want[256];
    size_t size;
    assert_ok(ow_prediction_json(m.model, 7, "Ann", &said, 1, &text, &size));
    snprintf(
        want, sizeof want,
        "{\"row\":7,\"id\":\"Ann\",\"class\":\"%s\",\"proba\":{\"%s\":0.25,\"%s\":0.75}"
        ",\"log_density\":-2.5,\"log_density_by_class\":{\"%s\":null,\"%s\":-3.0},"
        "\"density_percentile\":null}",
        ow_schema_class_name(schema, 1), ow_schema_class_name(schema, 0),
        ow_schema_class_name(schema, 1), ow_schema_class_name(schema, 0),
        ow_schema_class_name(schema, 1));
    assert_string_equal(text, want);
    assert_int_equal(size, strlen(want));
    ow_bytes_free(text);

    said = (ow_predictions){.size = sizeof said, .percentile = percentile};
    assert_ok(ow_prediction_json(m.model, 1, NULL, &said, 0, &text, &size));
    assert_string_equal(text, "{\"row\":1,\"density_percentile\":0.0}");
    ow_bytes_free(text);
    ow_test_model_free(&m);
}

static void a_training_run_is_the_model_and_what_came_of_it(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const ow_tune_trial trials[] = {{.repetitions = 4, .inputs = 8, .value = -1.5},
                                    {.repetitions = 9, .score.accuracy = 0.75}};
    ow_training_about about = {.size = sizeof about,
                               .model = m.model,
                               .name = "a.ow",
                               .trials = trials,
                               .n_trials = 2,
                               .interrupted = true};
    char *text;
    size_t size;
    assert_ok(ow_training_json(&about, &text, &size));
    json_t *document = parse(text, size);
    const json_t *tuning = json_object_get(document, "tuning");
    const json_t *second = json_array_get(tuning, 1);
    assert_int_equal(json_array_size(tuning), 2);
    assert_int_equal(json_integer_value(json_object_get(second, "repetitions")), 9);
    assert_true(json_real_value(json_object_get(second, "accuracy")) == 0.75);
    assert_string_equal(json_string_value(json_object_get(document, "model")), "a.ow");
    assert_true(json_is_true(json_object_get(document, "interrupted")));
    assert_non_null(json_object_get(document, "confusion"));
    json_decref(document);

    about.n_trials = 0;
    assert_ok(ow_training_json(&about, &text, &size));
    document = parse(text, size);
    assert_true(json_is_null(json_object_get(document, "tuning")));
    json_decref(document);
    ow_test_model_free(&m);
}

static void every_method_and_parameter_is_listed(void **state)
{
    char *text;
    size_t size;
    assert_ok(ow_methods_json(ow_test_context(state), &text, &size));
    json_t *list = parse(text, size);
    for (size_t i = 0; ow_method_get(i) != NULL; i++) {
        const json_t *got = json_array_get(list, i);
        assert_string_equal(json_string_value(json_object_get(got, "name")),
                            ow_method_get(i)->name);
        assert_int_equal(json_array_size(json_object_get(got, "params")),
                         ow_method_get(i)->n_params);
    }
    assert_null(ow_method_get(json_array_size(list)));
    json_decref(list);
}

/* ---- Memory ---- */

typedef struct {
    char *bytes;
    size_t size;
} saved;

static ow_status write_all(ow_context *ctx, void *user)
{
    const saved *s = user;
    double figures[] = {0.5, 0.5};
    const ow_predictions said = {.size = sizeof said,
                                 .proba = figures,
                                 .log_class = figures};
    ow_model *model = NULL;
    char *texts[3] = {NULL, NULL, NULL};
    size_t size;
    ow_status status = ow_model_parse(ctx, s->bytes, s->size, "applicants.ow", &model);
    if (status == OW_OK) status = ow_model_json(model, true, &texts[0], &size);
    if (status == OW_OK) status = ow_methods_json(ctx, &texts[1], &size);
    if (status == OW_OK)
        status = ow_prediction_json(model, 1, NULL, &said, 0, &texts[2], &size);
    for (size_t i = 0; i < 3; i++) ow_bytes_free(texts[i]);
    ow_model_free(model);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    saved s;
    assert_ok(ow_model_format(m.model, &s.bytes, &s.size));
    ow_test_sweep(write_all, &s);
    ow_bytes_free(s.bytes);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_training_run_is_the_model_and_what_came_of_it),
        ow_test_on_heap(a_model_tells_its_classes_columns_and_training),
        ow_test_on_heap(a_prediction_is_one_compact_line),
        ow_test_on_heap(every_method_and_parameter_is_listed),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("json/model", tests, NULL, NULL);
}
