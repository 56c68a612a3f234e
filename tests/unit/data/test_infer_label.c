/* SPDX-License-Identifier: MIT */
/* Labels and their classes. */
#include "support/ow_test.h"

#include "base/memory/alloc.h"
#include "data/infer/infer_label.h"
#include "data/schema/schema_private.h"

/* Infers the label "y" from words, "-" standing for a missing one. */
static ow_status label(ow_context *ctx, const char *words, ow_level_order order,
                       ow_schema **schema)
{
    owi_column_stats stats;
    owi_level *classes = NULL;
    owi_column_stats_begin(&stats, ctx, "y", true, 10);
    ow_status status = owi_schema_new(ctx, 0, schema);
    while (*words != '\0' && status == OW_OK) {
        int32_t id;
        const size_t length = strcspn(words, " ");
        const bool is_missing = length == 1 && *words == '-';
        const owi_cell cell = {.text = words, .length = is_missing ? 0 : length};
        status = owi_column_stats_add(&stats, &cell, &id);
        words += length + (words[length] == ' ');
    }
    if (status == OW_OK) status = owi_add_label(*schema, &stats, "t.csv", order, &classes);
    if (status == OW_OK)
        for (size_t k = 0; k < ow_schema_n_classes(*schema); k++)
            assert_int_equal(strncmp(classes[k].text, ow_schema_class_name(*schema, k),
                                     classes[k].length),
                             0);
    owi_free(ctx, classes);
    owi_column_stats_clear(&stats);
    return status;
}

/* The classes are these words, and this is said about them. */
static void expect(const char *words, ow_level_order order, const char *want,
                   const char *said)
{
    ow_test_heap heap;
    ow_test_log log;
    ow_schema *schema;
    char got[100] = "";
    ow_test_heap_begin(&heap);
    ow_test_log_attach(&log, heap.ctx, OW_LOG_INFO);
    assert_ok(label(heap.ctx, words, order, &schema));
    for (size_t k = 0; k < ow_schema_n_classes(schema); k++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", k > 0 ? " " : "",
                 ow_schema_class_name(schema, k));
    assert_string_equal(got, want);
    assert_string_equal(log.text, said);
    assert_string_equal(ow_schema_label(schema), "y");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void classes_are_sorted_or_as_they_appear(void **state)
{
    (void)state;
    expect("b a b", OW_LEVELS_SORTED, "a b", "");
    expect("b a b", OW_LEVELS_BY_APPEARANCE, "b a", "");
    expect("10 9 10 9", OW_LEVELS_SORTED, "9 10", "");
}

static void full_stops_behind_all_class_names_are_left_away(void **state)
{
    (void)state;
    expect(">50K. <=50K. >50K.", OW_LEVELS_SORTED, "<=50K >50K",
           "t.csv: every class name ends in a full stop, which is left away\n");
    expect(">50K. <=50K", OW_LEVELS_SORTED, "<=50K >50K.", ""); /* not behind all */
    expect(". a.", OW_LEVELS_SORTED, ". a.", "");               /* nothing would be left */
}

static void missing_labels_are_counted_and_too_many_classes_questioned(void **state)
{
    (void)state;
    expect("a - b -", OW_LEVELS_SORTED, "a b",
           "t.csv: 2 of 4 rows have no label in column \"y\" and are left out\n");
    expect("a b c d e", OW_LEVELS_SORTED, "a b c d e",
           "t.csv: label \"y\" has 5 classes in 5 rows; is it the label?\n");
    expect("a b c a b c", OW_LEVELS_SORTED, "a b c", "");
}

static void one_class_is_not_enough(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_fails(
        label(heap.ctx, "good good -", OW_LEVELS_SORTED, &schema), OW_ERR_SCHEMA,
        "t.csv: label \"y\" is \"good\" in every row, expected two or more classes");
    ow_schema_free(schema);
    assert_fails(
        label(heap.ctx, "- -", OW_LEVELS_SORTED, &schema), OW_ERR_SCHEMA,
        "t.csv: label \"y\" has no value in any row, expected two or more classes");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static ow_status label_and_free(ow_context *ctx, void *user)
{
    (void)user;
    ow_schema *schema = NULL;
    const ow_status status = label(ctx, "b. a. -", OW_LEVELS_SORTED, &schema);
    ow_schema_free(schema);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(label_and_free, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_sorted_or_as_they_appear),
        cmocka_unit_test(full_stops_behind_all_class_names_are_left_away),
        cmocka_unit_test(missing_labels_are_counted_and_too_many_classes_questioned),
        cmocka_unit_test(one_class_is_not_enough),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/infer_label", tests, NULL, NULL);
}
