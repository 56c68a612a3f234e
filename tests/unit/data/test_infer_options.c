/* SPDX-License-Identifier: MIT */
/* The table of the options that a schema is inferred by. */
#include "otherwise/schema.h"
#include "support/ow_test.h"

static ow_status set_one(ow_infer_options *o, const char *name, const char *value)
{
    return ow_infer_options_set(o, name, 1, &value);
}

static void values_of_every_kind(void **state)
{
    (void)state;
    static const char *const names[] = {"id", "name"};
    ow_infer_options o = {.size = sizeof(ow_infer_options)};
    assert_ok(set_one(&o, "label", "risk"));
    assert_ok(ow_infer_options_set(&o, "drop", 2, names));
    assert_ok(ow_infer_options_set(&o, "immutable", 1, names));
    assert_ok(ow_infer_options_set(&o, "ordinal", 2, names));
    assert_ok(ow_infer_options_set(&o, "categorical", 2, names));
    assert_ok(ow_infer_options_set(&o, "categorical", 0, NULL));
    assert_ok(ow_infer_options_set(&o, "keep", 2, names));
    assert_ok(ow_infer_options_set(&o, "missing", 1, names));
    assert_ok(ow_infer_options_set(&o, "unlock", 2, names));
    assert_ok(ow_infer_options_set(&o, "monotone", 1, names));
    assert_true(o.n_keep == 2 && o.n_missing == 1 && o.n_unlock == 2 && o.n_monotone == 1);
    assert_string_equal(o.label, "risk");
    assert_true(o.drop == names && o.n_drop == 2);
    assert_true(o.immutable == names && o.n_immutable == 1);
    assert_true(o.ordinal == names && o.n_ordinal == 2 && o.n_categorical == 0);
    assert_false(o.scaling_given);
    assert_ok(set_one(&o, "scaling", "none"));
    assert_true(o.scaling_given && o.scaling == OW_SCALE_NONE);
    assert_ok(set_one(&o, "scaling", "log1p"));
    assert_int_equal(o.scaling, OW_SCALE_LOG1P);
    assert_ok(set_one(&o, "levels", "appearance"));
    assert_int_equal(o.level_order, OW_LEVELS_BY_APPEARANCE);
}

static void what_cannot_be(void **state)
{
    (void)state;
    static const char *const two[] = {"a", "b"};
    ow_infer_options o = {.size = sizeof(ow_infer_options)};
    const ow_infer_options before = o;
    assert_fails(set_one(&o, "labl", "risk"), OW_ERR_ARGUMENT,
                 "there is no schema option \"labl\"; did you mean \"label\"?");
    assert_fails(ow_infer_options_set(&o, "label", 2, two), OW_ERR_ARGUMENT,
                 "label: expected one value, got 2");
    assert_fails(set_one(&o, "scaling", "std"), OW_ERR_ARGUMENT,
                 "scaling: expected one of none, minmax, standard, log1p, got \"std\"");
    assert_memory_equal(&o, &before, sizeof o);
}

/* A list is written with the count behind it, so the struct has to hold both. */
static void a_struct_that_ends_inside_a_field_is_not_written_to(void **state)
{
    (void)state;
    static const char *const names[] = {"id"};
    ow_infer_options o;
    const size_t ends[] = {offsetof(ow_infer_options, drop),
                           offsetof(ow_infer_options, drop) + 1,
                           offsetof(ow_infer_options, n_drop),
                           offsetof(ow_infer_options, n_drop) + sizeof o.n_drop - 1};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        memset(&o, 0, sizeof o);
        o.size = ends[i];
        const ow_infer_options before = o;
        assert_fails(ow_infer_options_set(&o, "drop", 1, names), OW_ERR_ARGUMENT,
                     "option drop is newer than the program");
        assert_memory_equal(&o, &before, sizeof o);
    }
    o.size = offsetof(ow_infer_options, n_drop) + sizeof o.n_drop;
    assert_ok(ow_infer_options_set(&o, "drop", 1, names));
    assert_true(o.drop == names && o.n_drop == 1);
}

static void all_are_listed(void **state)
{
    (void)state;
    size_t n = 0;
    for (const ow_param *param; (param = ow_infer_option_get(n)) != NULL; n++)
        assert_true(strlen(param->name) > 0 && strlen(param->summary) > 0);
    assert_int_equal(n, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_kind),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(a_struct_that_ends_inside_a_field_is_not_written_to),
        cmocka_unit_test(all_are_listed),
    };
    return cmocka_run_group_tests_name("data/infer_options", tests, NULL, NULL);
}
