/* SPDX-License-Identifier: MIT */
/* Wishes about columns, found by name. */
#include "support/ow_test.h"

#include "data/infer/infer_plan.h"

static const char table[] = "age,income=net,sex,risk\n1,2,f,good\n";
static const unsigned char image[] = {0, 0, 8, 3, 0, 0, 0, 1,  0,
                                      0, 0, 1, 0, 0, 0, 2, 10, 20};

/* The plan of the table's four columns. */
static ow_status plan_table(const ow_infer_options *options, owi_column_plan *plan)
{
    ow_test_heap heap;
    ow_reader *reader;
    ow_test_heap_begin(&heap);
    assert_ok(
        ow_reader_open_memory(heap.ctx, table, sizeof table - 1, "t.csv", NULL, &reader));
    const ow_status status = owi_infer_plan(reader, options, plan);
    for (size_t j = 0; j < 4; j++) plan[j].name = NULL; /* lent by the reader */
    ow_reader_free(reader);
    ow_test_heap_end(&heap);
    return status;
}

static void each_wish_reaches_its_column(void **state)
{
    (void)state;
    owi_column_plan plan[4];
    const char *const drop[] = {"age"}, *const ordinal[] = {"sex=f|m"},
                      *const categorical[] = {"income=net"}, *const immutable[] = {"sex"};
    const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                      .label = "risk",
                                      .drop = drop,
                                      .n_drop = 1,
                                      .ordinal = ordinal,
                                      .n_ordinal = 1,
                                      .categorical = categorical,
                                      .n_categorical = 1,
                                      .immutable = immutable,
                                      .n_immutable = 1};
    assert_ok(plan_table(&options, plan));
    assert_int_equal(plan[0].role, OWI_ROLE_DROPPED);
    assert_int_equal(plan[1].role, OWI_ROLE_FEATURE);
    assert_true(plan[1].is_categorical && !plan[1].is_ordinal);
    assert_true(plan[2].is_ordinal && plan[2].is_immutable && !plan[2].is_categorical);
    assert_string_equal(plan[2].levels, "f|m");
    assert_int_equal(plan[3].role, OWI_ROLE_LABEL);
}

static void an_equals_sign_may_be_part_of_the_name(void **state)
{
    (void)state;
    static const struct {
        const char *ordinal, *levels;
    } cases[] = {{"income=net", NULL}, {"income=net=1|2", "1|2"}};
    for (size_t i = 0; i < 2; i++) {
        owi_column_plan plan[4];
        const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                          .ordinal = &cases[i].ordinal,
                                          .n_ordinal = 1};
        assert_ok(plan_table(&options, plan));
        assert_true(plan[1].is_ordinal);
        if (cases[i].levels == NULL) assert_null(plan[1].levels);
        if (cases[i].levels != NULL) assert_string_equal(plan[1].levels, cases[i].levels);
    }
}

static void fails(const ow_infer_options *options, const char *sentence)
{
    owi_column_plan plan[4];
    assert_fails(plan_table(options, plan), OW_ERR_ARGUMENT, sentence);
}

static void unknown_columns_are_answered_with_the_nearest_spelling(void **state)
{
    (void)state;
    const char *const one[] = {"aeg"}, *const ordinal[] = {"sxe=f|m"},
                      *const far[] = {"zzzzz=a|b"};
    const char *const sentence = "t.csv: there is no column \"aeg\"; did you mean \"age\"?";
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options), .label = "rsik"},
          "t.csv: there is no column \"rsik\"; did you mean \"risk\"?");
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options), .drop = one, .n_drop = 1},
          sentence);
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .categorical = one,
                              .n_categorical = 1},
          sentence);
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .immutable = one,
                              .n_immutable = 1},
          sentence);
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .ordinal = one,
                              .n_ordinal = 1},
          sentence);
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .ordinal = ordinal,
                              .n_ordinal = 1},
          "there is no column \"sxe\"; did you mean \"sex\"?");
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .ordinal = far,
                              .n_ordinal = 1},
          "there is no column \"zzzzz\"");
}

static void wishes_must_not_contradict_each_other(void **state)
{
    (void)state;
    const char *const risk[] = {"risk"}, *const age[] = {"age"},
                      *const rest[] = {"age", "income=net", "sex"};
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .label = "risk",
                              .drop = risk,
                              .n_drop = 1},
          "t.csv: column \"risk\" cannot be dropped: it is the label");
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .label = "risk",
                              .immutable = risk,
                              .n_immutable = 1},
          "column \"risk\" cannot be ordinal, categorical or immutable: it is the label");
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .drop = age,
                              .n_drop = 1,
                              .immutable = age,
                              .n_immutable = 1},
          "column \"age\" cannot be ordinal, categorical or immutable: it is dropped");
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .ordinal = age,
                              .n_ordinal = 1,
                              .categorical = age,
                              .n_categorical = 1},
          "column \"age\" cannot be both ordinal and categorical");
    fails(&(ow_infer_options){.size = sizeof(ow_infer_options),
                              .label = "risk",
                              .drop = rest,
                              .n_drop = 3},
          "t.csv: of 4 columns none is left but the label");
}

static void the_cells_of_an_image_stay_together(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_reader *reader;
    owi_column_plan plan[3];
    const char *const pixel[] = {"x1"}, *const labels = ow_test_path("labels.txt", 0);
    ow_test_write_file(labels, "a\n", 2);
    ow_test_heap_begin(&heap);
    const ow_read_options with_labels = {.size = sizeof(ow_read_options), .labels = labels};
    assert_ok(ow_reader_open_memory(heap.ctx, image, sizeof image, "i.idx", &with_labels,
                                    &reader));
    assert_int_equal(ow_reader_n_columns(reader), 3);
    assert_ok(owi_infer_plan(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
        plan));
    assert_int_equal(plan[2].role, OWI_ROLE_LABEL);
    assert_ok(owi_infer_plan(reader, &(ow_infer_options){.size = sizeof(ow_infer_options)},
                             plan));
    assert_int_equal(plan[1].role, OWI_ROLE_FEATURE);
    assert_int_equal(plan[2].role, OWI_ROLE_DROPPED);
    assert_fails(
        owi_infer_plan(reader,
                       &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "x1"},
                       plan),
        OW_ERR_ARGUMENT, "column \"x1\" cannot be the label, it is part of an image");
    assert_fails(owi_infer_plan(reader,
                                &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                    .drop = pixel,
                                                    .n_drop = 1},
                                plan),
                 OW_ERR_ARGUMENT,
                 "column \"x1\" cannot be dropped, it is part of an image");
    assert_fails(owi_infer_plan(reader,
                                &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                    .categorical = pixel,
                                                    .n_categorical = 1},
                                plan),
                 OW_ERR_ARGUMENT,
                 "column \"x1\" cannot be a category, it is part of an image");
    ow_reader_free(reader);
    ow_test_heap_end(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wish_reaches_its_column),
        cmocka_unit_test(an_equals_sign_may_be_part_of_the_name),
        cmocka_unit_test(unknown_columns_are_answered_with_the_nearest_spelling),
        cmocka_unit_test(wishes_must_not_contradict_each_other),
        cmocka_unit_test(the_cells_of_an_image_stay_together),
    };
    return cmocka_run_group_tests_name("data/infer_plan", tests, NULL, NULL);
}
