/* SPDX-License-Identifier: MIT */
/* Finding a schema's columns in a file. */
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'columns': [{'name': 'age', 'type': 'integer', 'range': [18, 75]},"                   \
    "{'name': 'job', 'type': 'categorical', 'levels': ['a', 'b']},"                        \
    "{'name': 'size', 'type': 'continuous', 'range': [0, 1]}]"
#define LABEL "'label': {'name': 'risk', 'classes': ['good', 'bad']}"

static ow_reader *open_text(ow_context *ctx, const char *text,
                            const ow_read_options *options)
{
    ow_reader *reader;
    assert_ok(ow_reader_open_memory(ctx, text, strlen(text), "a.csv", options, &reader));
    return reader;
}

/* Binds and asserts that the first row is this one. */
static void assert_first_row(ow_reader *reader, const ow_schema *schema, const double *want,
                             int32_t want_class)
{
    double values[3];
    int32_t class_index = 99;
    size_t n;
    assert_ok(ow_reader_bind(reader, schema, true));
    assert_ok(ow_reader_next(reader, 1, NULL, values, &class_index, &n));
    assert_int_equal(n, 1);
    assert_close(values, want, ow_schema_n_columns(schema), 0.0);
    assert_int_equal(class_index, want_class);
}

static void columns_are_found_by_name_in_any_order(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double want[] = {30, 1, 0.5};
    ow_schema *schema = ow_test_schema(ctx, COLUMNS ", " LABEL);
    const char *const texts[] = {"age,job,size,risk\n30,b,0.5,bad\n",
                                 "risk,size,job,age\nbad,0.5,b,30\n",
                                 "job;risk;age;size\nb;bad;30;0.5\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ow_reader *reader = open_text(ctx, texts[i], NULL);
        assert_first_row(reader, schema, want, 1);
        ow_reader_free(reader);
    }
    ow_schema_free(schema);
}

static void the_label_may_be_absent_from_file_or_schema(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double want[] = {30, 1, 0.5};
    ow_schema *with = ow_test_schema(ctx, COLUMNS ", " LABEL);
    ow_schema *without = ow_test_schema(ctx, COLUMNS);
    ow_reader *reader = open_text(ctx, "age,job,size\n30,b,0.5\n", NULL);
    assert_first_row(reader, with, want, -1);
    ow_reader_free(reader);
    reader = open_text(ctx, "age,job,size,risk\n30,b,0.5,bad\n", NULL);
    assert_first_row(reader, without, want, -1);
    ow_reader_free(reader);
    ow_schema_free(with);
    ow_schema_free(without);
}

static void a_missing_column_is_named_with_the_nearest_spelling(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS ", " LABEL);
    ow_reader *reader = open_text(ctx, "Age,job,size\n1,a,0\n", NULL);
    assert_fails(ow_reader_bind(reader, schema, false), OW_ERR_SCHEMA,
                 "a.csv: there is no column \"age\"; did you mean \"Age\"?");
    double values[3];
    size_t n;
    assert_fails(ow_reader_next(reader, 1, NULL, values, NULL, &n), OW_ERR_ARGUMENT,
                 "schema");
    ow_reader_free(reader);

    reader =
        open_text(ctx, "1,a,0\n",
                  &(ow_read_options){.size = sizeof(ow_read_options), .no_header = true});
    assert_fails(ow_reader_bind(reader, schema, false), OW_ERR_SCHEMA,
                 "no column \"age\"; the file names none, so that they are x0, x1, ...");
    ow_reader_free(reader);
    ow_schema_free(schema);
}

static void extra_columns_are_noted_in_one_line_and_once(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_log log;
    ow_schema *schema = ow_test_schema(ctx, COLUMNS ", " LABEL);
    ow_test_log_attach(&log, ctx, OW_LOG_INFO);
    const char *const texts[] = {"age,job,size,risk\n1,a,0,bad\n",
                                 "age,id,job,size\n1,7,a,0\n",
                                 "id,age,job,size,name\n7,1,a,0,x\n"};
    const char *const messages[] = {
        "", "a.csv: 1 column not in the schema, left out: \"id\"\n",
        "a.csv: 2 columns not in the schema, left out: \"id\", \"name\"\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ow_test_log_attach(&log, ctx, OW_LOG_INFO);
        ow_reader *reader = open_text(ctx, texts[i], NULL);
        assert_ok(ow_reader_bind(reader, schema, false));
        assert_ok(ow_reader_bind(reader, schema, true));
        assert_string_equal(log.text, messages[i]);
        ow_reader_free(reader);
    }
    ow_schema_free(schema);
}

/* An image of 2 x 3 has six columns, and so has one of 3 x 2. */
static void pictures_must_have_the_size_of_the_schema(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const unsigned char image[] = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0,
                                          2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6};
    ow_schema *fitting =
        ow_test_schema(ctx, "'layout': {'kind': 'image', 'shape': [2, 3]},"
                            "'every_column': {'type': 'integer', 'range': [0, 9]}");
    ow_schema *turned =
        ow_test_schema(ctx, "'layout': {'kind': 'image', 'shape': [3, 2]},"
                            "'every_column': {'type': 'integer', 'range': [0, 9]}");
    ow_reader *reader;
    assert_ok(ow_reader_open_memory(ctx, image, sizeof image, "a.idx", NULL, &reader));
    assert_ok(ow_reader_bind(reader, fitting, false));
    assert_fails(ow_reader_bind(reader, turned, false), OW_ERR_SCHEMA,
                 "a.idx: expected rows of 3 x 2 x 1, got 2 x 3 x 1");
    ow_reader_free(reader);

    /* Pixels in a table have no shape that could be wrong. */
    reader = open_text(ctx, "x5,x4,x3,x2,x1,x0\n6,5,4,3,2,1\n", NULL);
    assert_ok(ow_reader_bind(reader, turned, false));
    double values[6];
    const double want[6] = {1, 2, 3, 4, 5, 6};
    size_t n;
    assert_ok(ow_reader_next(reader, 1, NULL, values, NULL, &n));
    assert_close(values, want, 6, 0.0);
    ow_reader_free(reader);
    ow_schema_free(fitting);
    ow_schema_free(turned);
}

static void binding_again_replaces_the_binding_and_reading_goes_on(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double first[] = {30, 1, 0.5}, second[] = {0.25};
    ow_schema *schema = ow_test_schema(ctx, COLUMNS ", " LABEL);
    ow_schema *other = ow_test_schema(
        ctx, "'columns': [{'name': 'size', 'type': 'continuous', 'range': [0, 1]}]");
    ow_reader *reader =
        open_text(ctx, "age,job,size,risk\n30,b,0.5,bad\n40,a,0.25,good\n", NULL);
    assert_first_row(reader, schema, first, 1);
    assert_first_row(reader, other, second, -1);
    ow_reader_free(reader);
    ow_schema_free(schema);
    ow_schema_free(other);
}

static ow_status open_and_bind(ow_context *ctx, void *user)
{
    static const char text[] = "age,id,job,size\n1,7,a,0\n";
    ow_reader *reader;
    ow_status status =
        ow_reader_open_memory(ctx, text, sizeof text - 1, "a.csv", NULL, &reader);
    if (status == OW_OK) status = ow_reader_bind(reader, user, false);
    if (status == OW_OK) status = ow_reader_bind(reader, user, false);
    ow_reader_free(reader);
    return status;
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS ", " LABEL);
    ow_test_sweep(open_and_bind, schema);
    ow_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(columns_are_found_by_name_in_any_order),
        ow_test_on_heap(the_label_may_be_absent_from_file_or_schema),
        ow_test_on_heap(a_missing_column_is_named_with_the_nearest_spelling),
        ow_test_on_heap(extra_columns_are_noted_in_one_line_and_once),
        ow_test_on_heap(pictures_must_have_the_size_of_the_schema),
        ow_test_on_heap(binding_again_replaces_the_binding_and_reading_goes_on),
        ow_test_on_heap(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests_name("data/reader_bind", tests, NULL, NULL);
}
