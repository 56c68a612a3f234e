/* SPDX-License-Identifier: MIT */
/* Names of rows, and how far a file has been read. */
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'columns': [{'name': 'age', 'type': 'integer', 'range': [18, 75]}],"                  \
    "'label': {'name': 'risk', 'classes': ['bad', 'good']}"

static ow_reader *open_text(ow_context *ctx, const ow_schema *schema, const char *text)
{
    ow_reader *reader = NULL;
    assert_ok(ow_reader_open_memory(ctx, text, strlen(text), "a.csv", NULL, &reader));
    assert_ok(ow_reader_bind(reader, schema, false));
    return reader;
}

static void names_of_rows_come_with_each_block_whatever_column_they_are_in(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    ow_reader *reader =
        open_text(ctx, schema, "name,age\n\"Ann, A.\",20\n,30\n\xc3\xb6,40\n4,50\n");
    double values[2];
    size_t n;
    assert_string_equal(ow_reader_id(reader, 0), ""); /* before one is named */
    assert_ok(ow_reader_set_id(reader, "name"));
    assert_ok(ow_reader_next(reader, 2, NULL, values, NULL, &n));
    assert_int_equal(n, 2);
    assert_string_equal(ow_reader_id(reader, 0), "Ann, A.");
    assert_string_equal(ow_reader_id(reader, 1), "");
    assert_ok(ow_reader_next(reader, 2, NULL, values, NULL, &n));
    assert_string_equal(ow_reader_id(reader, 0), "\xc3\xb6");
    assert_string_equal(ow_reader_id(reader, 1), "4");
    assert_string_equal(ow_reader_id(reader, 2), ""); /* there is none */
    ow_reader_free(reader);

    reader = open_text(ctx, schema, "age\n20\n33\n");
    assert_ok(ow_reader_set_id(reader, "age")); /* a column of the schema will do */
    assert_ok(ow_reader_next(reader, 2, NULL, values, NULL, &n));
    assert_string_equal(ow_reader_id(reader, 1), "33");
    assert_fails(ow_reader_set_id(reader, "agee"), OW_ERR_ARGUMENT,
                 "did you mean \"age\"?");
    ow_reader_free(reader);
    ow_schema_free(schema);
}

static void the_share_that_is_read_grows_row_by_row_to_one(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    ow_reader *reader = open_text(ctx, schema, "age\n20\n30\n40\n50\n"); /* 16 bytes */
    double value;
    size_t n;
    const double want[] = {4.0 / 16.0, 7.0 / 16.0, 10.0 / 16.0, 13.0 / 16.0, 1.0};
    for (size_t i = 0; i < 5; i++) {
        const double share = ow_reader_share(reader);
        assert_close(&share, &want[i], 1, 1e-12);
        assert_ok(ow_reader_next(reader, 1, NULL, &value, NULL, &n));
    }
    ow_reader_free(reader);
    ow_schema_free(schema);
}

static void the_share_of_an_array_counts_its_rows(void **state)
{
    static const char idx[] = "\0\0\x08\x02\0\0\0\x04\0\0\0\x01\x14\x1e\x28\x32";
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema =
        ow_test_schema(ctx,
                       "'columns': [{'name': 'x0', 'type': 'integer', 'range': [18, 75]}]");
    ow_reader *reader = NULL;
    double values[3];
    size_t n;
    assert_ok(ow_reader_open_memory(ctx, idx, sizeof idx - 1, "a.idx", NULL, &reader));
    assert_ok(ow_reader_bind(reader, schema, false));
    assert_ok(ow_reader_set_id(reader, "x0"));
    assert_ok(ow_reader_next(reader, 3, NULL, values, NULL, &n));
    const double share = ow_reader_share(reader), want = 0.75;
    assert_close(&share, &want, 1, 1e-12);
    assert_string_equal(ow_reader_id(reader, 2), "40");
    ow_reader_free(reader);
    ow_schema_free(schema);
}

static ow_status read_names(ow_context *ctx, void *user)
{
    static const char text[] = "age,name\n20,a\n30,bb\n";
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    double values[4]; /* both columns are the schema's */
    size_t n;
    (void)user;
    ow_status status =
        ow_reader_open_memory(ctx, text, sizeof text - 1, "a", NULL, &reader);
    if (status == OW_OK) status = ow_schema_infer(reader, NULL, NULL, &schema);
    if (status == OW_OK) status = ow_reader_rewind(reader);
    if (status == OW_OK) status = ow_reader_bind(reader, schema, false);
    if (status == OW_OK) status = ow_reader_set_id(reader, "name");
    if (status == OW_OK) status = ow_reader_next(reader, 2, NULL, values, NULL, &n);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static void nothing_leaks_whichever_allocation_fails(void **state)
{
    (void)state;
    ow_test_sweep(read_names, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(names_of_rows_come_with_each_block_whatever_column_they_are_in),
        ow_test_on_heap(the_share_that_is_read_grows_row_by_row_to_one),
        ow_test_on_heap(the_share_of_an_array_counts_its_rows),
        cmocka_unit_test(nothing_leaks_whichever_allocation_fails),
    };
    return cmocka_run_group_tests_name("reader_id", tests, NULL, NULL);
}
