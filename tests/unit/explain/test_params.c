/* SPDX-License-Identifier: MIT */
/* Parameters: text to settings and back, ranges, spelling, presets; of every method there
 * is. */
#include <pthread.h>

#include "base/memory/alloc.h"
#include "explain/core/explainer.h"
#include "support/explain_fixture.h"

static const char *const colours[] = {"red", "green", NULL};

typedef struct {
    double rate, width;
    int64_t steps, rounds;
    int colour;
    bool sparse;
} settings;

static const owi_param params_table[] = {
    {{.name = "rate",
      .kind = OW_PARAM_NUMBER,
      .low = 0.0,
      .high = 2.5,
      .initial = "0.1",
      .paper = "0.5"},
     .at = offsetof(settings, rate)},
    {{.name = "width",
      .kind = OW_PARAM_NUMBER,
      .low = 0.0,
      .high = 10.0,
      .has_auto = true,
      .initial = "auto",
      .reference = "3"},
     .at = offsetof(settings, width)},
    {{.name = "steps",
      .kind = OW_PARAM_INTEGER,
      .low = 1.0,
      .high = 100.0,
      .initial = "20"},
     .at = offsetof(settings, steps)},
    {{.name = "rounds",
      .kind = OW_PARAM_INTEGER,
      .low = 1.0,
      .high = 100.0,
      .has_auto = true,
      .initial = "auto"},
     .at = offsetof(settings, rounds)},
    {{.name = "colour", .kind = OW_PARAM_CHOICE, .choices = colours, .initial = "green"},
     .at = offsetof(settings, colour)},
    {{.name = "sparse", .kind = OW_PARAM_FLAG, .initial = "no"},
     .at = offsetof(settings, sparse)},
};

static const owi_explainer_impl impl = {
    .shown = {.name = "made-up", .n_params = sizeof params_table / sizeof *params_table},
    .settings_size = sizeof(settings),
    .params = params_table};

static ow_status set(ow_context *ctx, settings *to, const char *name, const char *value,
                     char shown[64])
{
    const owi_param_table table = owi_explainer_params(&impl);
    size_t index;
    char *text = NULL;
    ow_status status = owi_param_find(&table, name, &index);
    if (status == OW_OK) status = owi_param_parse(ctx, &table, index, value, to, &text);
    if (status == OW_OK && shown != NULL) snprintf(shown, 64, "%s", text);
    owi_free(ctx, text);
    return status;
}

static void values_of_every_kind_are_stored(void **state)
{
    ow_context *ctx = ow_test_context(state);
    settings s = {0};
    char shown[64];
    assert_ok(set(ctx, &s, "rate", "0.250", shown));
    assert_true(s.rate == 0.25);
    assert_string_equal(shown, "0.25");
    assert_ok(set(ctx, &s, "width", "auto", shown));
    assert_true(isnan(s.width));
    assert_string_equal(shown, "auto");
    assert_ok(set(ctx, &s, "steps", "1e2", shown));
    assert_int_equal(s.steps, 100);
    assert_string_equal(shown, "100");
    assert_ok(set(ctx, &s, "rounds", "auto", NULL));
    assert_int_equal(s.rounds, -1);
    assert_ok(set(ctx, &s, "colour", "green", NULL));
    assert_int_equal(s.colour, 1);
    assert_ok(set(ctx, &s, "sparse", "yes", NULL));
    assert_true(s.sparse);
}

static void what_cannot_be_is_named_with_what_can_and_changes_nothing(void **state)
{
    ow_context *ctx = ow_test_context(state);
    settings s = {.rate = 7.0, .steps = 7};
    assert_fails(set(ctx, &s, "raet", "1", NULL), OW_ERR_ARGUMENT,
                 "there is no parameter \"raet\"; did you mean \"rate\"?");
    assert_fails(set(ctx, &s, "rate", "3", NULL), OW_ERR_ARGUMENT,
                 "method made-up, parameter \"rate\": expected a number from 0 to 2.5, got "
                 "\"3\"");
    assert_fails(set(ctx, &s, "rate", "auto", NULL), OW_ERR_ARGUMENT, "got \"auto\"");
    assert_fails(set(ctx, &s, "rate", "nan", NULL), OW_ERR_ARGUMENT, "got \"nan\"");
    assert_fails(set(ctx, &s, "rate", "", NULL), OW_ERR_ARGUMENT, "got \"\"");
    assert_fails(set(ctx, &s, "width", "-1", NULL), OW_ERR_ARGUMENT,
                 "from 0 to 10, or auto, got \"-1\"");
    assert_fails(set(ctx, &s, "steps", "2.5", NULL), OW_ERR_ARGUMENT,
                 "expected a whole number from 1 to 100, got \"2.5\"");
    assert_fails(set(ctx, &s, "colour", "blue", NULL), OW_ERR_ARGUMENT,
                 "expected one of red, green, got \"blue\"");
    assert_fails(set(ctx, &s, "sparse", "1", NULL), OW_ERR_ARGUMENT,
                 "expected yes or no, got \"1\"");
    assert_true(s.rate == 7.0 && s.steps == 7);
}

static void presets_fall_back_to_the_initial_value(void **state)
{
    (void)state;
    assert_string_equal(owi_param_preset(&params_table[0], "paper"), "0.5");
    assert_string_equal(owi_param_preset(&params_table[0], "reference"), "0.1");
    assert_string_equal(owi_param_preset(&params_table[1], "reference"), "3");
    assert_string_equal(owi_param_preset(&params_table[1], ""), "auto");
    assert_null(owi_param_preset(&params_table[0], "papper"));
}

/* The tables of the methods themselves: every preset can be set, and reads back. */
static void every_method_takes_its_own_presets(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const char *const presets[] = {"", "paper", "reference"};
    for (size_t k = 0; owi_explainer_impl_get(k) != NULL; k++) {
        const owi_explainer_impl *one = owi_explainer_impl_get(k);
        const owi_param_table params = owi_explainer_params(one);
        void *made = calloc(1, one->settings_size + 1);
        assert_true(strlen(one->shown.summary) > 0 &&
                    one->shown.summary[strlen(one->shown.summary) - 1] != '.');
        for (size_t i = 0; i < 3 * one->shown.n_params; i++) {
            char *text = NULL;
            assert_ok(owi_param_parse(ctx, &params, i / 3,
                                      owi_param_preset(&one->params[i / 3], presets[i % 3]),
                                      made, &text));
            owi_free(ctx, text);
        }
        for (size_t i = 0; i < one->shown.n_params; i++)
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(one->params[i].shown.name,
                                        one->params[j].shown.name);
        free(made);
    }
}

static void methods_are_listed_and_found_by_name(void **state)
{
    (void)state;
    const ow_method *found = NULL;
    size_t n = 0;
    for (; ow_method_get(n) != NULL; n++) {
        const ow_method *method = ow_method_get(n);
        assert_ok(ow_method_find(method->name, &found));
        assert_ptr_equal(found, method);
        for (size_t i = 0; i < method->n_params; i++)
            assert_string_equal(ow_method_param(method, i)->name,
                                owi_explainer_impl_get(n)->params[i].shown.name);
    }
    assert_true(n >= 2);
    assert_null(ow_method_param(found, found->n_params));
    assert_fails(ow_method_find("nearst", &found), OW_ERR_ARGUMENT,
                 "there is no method \"nearst\"; did you mean \"nearest\"?");
    assert_null(found);
}

static void *methods_of_a_thread(void *user)
{
    const ow_method **methods = user;
    for (size_t n = 0; ow_method_get(n) != NULL; n++) methods[n] = ow_method_get(n);
    return NULL;
}

/* What a thread was lent may outlive it. */
static void methods_are_the_same_on_every_thread(void **state)
{
    (void)state;
    const ow_method *methods[16] = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, methods_of_a_thread, methods), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    for (size_t n = 0; ow_method_get(n) != NULL; n++) {
        assert_ptr_equal(methods[n], ow_method_get(n));
        assert_ptr_equal(ow_method_param(methods[n], 0)->name,
                         ow_method_param(ow_method_get(n), 0)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(values_of_every_kind_are_stored),
        ow_test_on_heap(what_cannot_be_is_named_with_what_can_and_changes_nothing),
        cmocka_unit_test(presets_fall_back_to_the_initial_value),
        ow_test_on_heap(every_method_takes_its_own_presets),
        cmocka_unit_test(methods_are_listed_and_found_by_name),
        cmocka_unit_test(methods_are_the_same_on_every_thread),
    };
    return cmocka_run_group_tests_name("explain/params", tests, NULL, NULL);
}
