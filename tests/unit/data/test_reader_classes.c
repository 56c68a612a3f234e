/* SPDX-License-Identifier: MIT */
/* Rows of some classes only. */
#include "support/ow_test.h"

static const char table[] = "x,y\n1,a\n2,b\n3,\n4,c.\n5,a\n6,c\n7,?\n8,beta\n";
static const char *const a_and_c[] = {"c", "a"};

static ow_reader *open_table(ow_context *ctx)
{
    ow_reader *reader = NULL;
    assert_ok(ow_reader_open_memory(ctx, table, strlen(table), "t.csv", NULL, &reader));
    return reader;
}

static void only_rows_of_the_classes_are_given(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = NULL;
    ow_reader *reader = open_table(ctx);
    assert_ok(ow_reader_keep_classes(reader, "y", a_and_c, 2));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"}, NULL,
        &schema));
    assert_int_equal(ow_schema_n_rows(schema), 4);
    assert_int_equal(ow_schema_column(schema, 0)->high, 6);

    /* In the order of the file, whatever the blocks, and again after going back. */
    const double want[] = {1.0, 4.0, 5.0, 6.0};
    for (size_t block = 1; block <= 5; block++) {
        double values[5], all[8];
        int32_t classes[5];
        size_t n, n_all = 0;
        assert_ok(ow_reader_rewind(reader));
        assert_ok(ow_reader_bind(reader, schema, false));
        do {
            assert_ok(ow_reader_next(reader, block, NULL, values, classes, &n));
            memcpy(all + n_all, values, n * sizeof *values);
            n_all += n;
        } while (n > 0);
        assert_int_equal(n_all, 4);
        assert_close(all, want, 4, 0.0);
    }
    ow_schema_free(schema);
    ow_reader_free(reader);
}

static void labels_of_a_file_of_their_own_are_looked_at(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const unsigned char images[] = {0, 0, 8, 3, 0,  0,  0,  4,  0,  0,  0,  1,
                                           0, 0, 0, 2, 10, 11, 20, 21, 30, 31, 40, 41};
    static const unsigned char labels[] = {0, 0, 8, 1, 0, 0, 0, 4, 7, 3, 9, 7};
    const char *const wanted[] = {"7", "9"};
    double values[4 * 2];
    const double want[] = {10, 11, 30, 31, 40, 41};
    int32_t classes[4];
    size_t n;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_test_write_file(ow_test_path("labels", 0), labels, sizeof labels);
    assert_ok(ow_reader_open_memory(ctx, images, sizeof images, "a.idx",
                                    &(ow_read_options){.size = sizeof(ow_read_options),
                                                       .labels = ow_test_path("labels", 0)},
                                    &reader));
    assert_ok(ow_reader_keep_classes(reader, "label", wanted, 2));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
        NULL, &schema));
    assert_ok(ow_reader_rewind(reader));
    assert_ok(ow_reader_bind(reader, schema, true));
    assert_ok(ow_reader_next(reader, 4, NULL, values, classes, &n));
    assert_int_equal(n, 3);
    assert_close(values, want, 6, 0.0);
    assert_int_equal(classes[0], 0);
    assert_int_equal(classes[1], 1);
    assert_int_equal(classes[2], 0);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

static void a_class_that_no_row_has_is_named_with_the_nearest(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *const wanted[] = {"a", "bete"};
    ow_schema *schema = NULL;
    ow_reader *reader = open_table(ctx);
    assert_ok(ow_reader_keep_classes(reader, "y", wanted, 2));
    assert_fails(
        ow_schema_infer(reader,
                        &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
                        NULL, &schema),
        OW_ERR_ARGUMENT, "t.csv: there is no class \"bete\"; did you mean \"beta\"?");
    assert_fails(ow_reader_keep_classes(reader, "z", wanted, 2), OW_ERR_ARGUMENT,
                 "t.csv: there is no column \"z\"");
    assert_null(schema);
    ow_reader_free(reader);
}

static ow_status keep_and_infer(ow_context *ctx, void *user)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    (void)user;
    ow_status status =
        ow_reader_open_memory(ctx, table, strlen(table), "t.csv", NULL, &reader);
    if (status == OW_OK) status = ow_reader_keep_classes(reader, "y", a_and_c, 2);
    if (status == OW_OK) status = ow_reader_keep_classes(reader, "y", a_and_c, 2);
    if (status == OW_OK)
        status = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
            NULL, &schema);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    ow_test_sweep(keep_and_infer, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(only_rows_of_the_classes_are_given),
        ow_test_on_heap(labels_of_a_file_of_their_own_are_looked_at),
        ow_test_on_heap(a_class_that_no_row_has_is_named_with_the_nearest),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("data/reader_classes", tests, NULL, NULL);
}
