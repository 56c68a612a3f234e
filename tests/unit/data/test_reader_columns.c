/* SPDX-License-Identifier: MIT */
/* Rows in memory: columns of numbers, texts and codes, alone and beside a file; tables. */
#include "support/columns_of_csv.h"

static const double ages[] = {31, 44, NAN, 25};
static const char *const housing[] = {"own", "rent", NULL, "own"};
static const char *const risk[] = {"good", "bad", "good", "bad"};
enum { n_people = 4 };

static ow_reader *open_people(ow_context *ctx)
{
    ow_reader *reader = NULL;
    assert_ok(ow_reader_open_columns(ctx, n_people, "people", &reader));
    assert_ok(ow_reader_add_numbers(reader, "age", OW_ELEMENT_FLOAT64, n_people, ages, 0));
    assert_ok(ow_reader_add_texts(reader, "housing", n_people, housing));
    assert_ok(ow_reader_add_texts(reader, "risk", n_people, risk));
    return reader;
}

static ow_schema *infer(ow_reader *reader, const char *label)
{
    ow_schema *schema = NULL;
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = label}, NULL,
        &schema));
    return schema;
}

static ow_table *read_table(ow_reader *reader, const ow_schema *schema)
{
    ow_table *table = NULL;
    assert_ok(ow_reader_bind(reader, schema, true));
    assert_ok(ow_table_read(reader, NULL, &table));
    return table;
}

static void columns_become_rows(void **state)
{
    ow_reader *reader = open_people(ow_test_context(state));
    ow_schema *schema = infer(reader, "risk");
    ow_table *table = read_table(reader, schema);
    static const double want[] = {31, 0, 44, 1, NAN, NAN, 25, 0};
    assert_int_equal(ow_schema_n_columns(schema), 2);
    assert_int_equal(ow_schema_column(schema, 0)->type, OW_TYPE_INTEGER);
    assert_string_equal(ow_schema_column(schema, 1)->levels[1], "rent");
    assert_int_equal(ow_schema_column(schema, 1)->n_missing, 1);
    assert_int_equal(ow_table_n_rows(table), n_people);
    assert_close(ow_table_row(table, 0), want, 8, 0.0);
    for (size_t i = 0; i < n_people; i++)
        assert_int_equal(ow_table_classes(table)[i], i % 2 == 0); /* bad, good */
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

/* The schema's text tells all that inference found; the table, all that was read. */
static void credit_from_memory_is_credit_from_its_file(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_columns columns;
    ow_test_columns_read("data/credit.csv", &columns);
    ow_reader *readers[2] = {NULL, ow_test_columns_reader(ctx, &columns, "credit.csv")};
    assert_ok(ow_reader_open(ctx, "data/credit.csv", NULL, NULL, &readers[0]));
    ow_schema *schemas[2];
    ow_table *tables[2];
    char *texts[2];
    for (size_t i = 0; i < 2; i++) {
        schemas[i] = infer(readers[i], "risk");
        tables[i] = read_table(readers[i], schemas[0]);
        assert_ok(ow_schema_format(schemas[i], &texts[i]));
    }
    assert_string_equal(texts[0], texts[1]);
    const size_t n = ow_table_n_rows(tables[0]);
    assert_int_equal(ow_table_n_rows(tables[1]), n);
    assert_close(ow_table_row(tables[1], 0), ow_table_row(tables[0], 0),
                 n * ow_table_n_columns(tables[0]), 0.0);
    assert_memory_equal(ow_table_classes(tables[1]), ow_table_classes(tables[0]),
                        n * sizeof(int32_t));
    for (size_t i = 0; i < 2; i++) {
        ow_bytes_free(texts[i]);
        ow_table_free(tables[i]);
        ow_schema_free(schemas[i]);
        ow_reader_free(readers[i]);
    }
    ow_test_columns_clear(&columns);
}

static void numbers_of_any_type_and_stride_are_read_in_place(void **state)
{
    static const struct {
        int8_t small;
        uint16_t middle;
        float single;
        int64_t large;
    } rows[3] = {{-1, 65535, 0.5f, -3}, {2, 1, 1.5f, 4}, {3, 2, 2.5f, 5}};
    ow_reader *reader = NULL;
    const size_t step = sizeof *rows;
    assert_ok(ow_reader_open_columns(ow_test_context(state), 3, "rows", &reader));
    assert_ok(ow_reader_add_numbers(reader, "a", OW_ELEMENT_INT8, 3, &rows->small, step));
    assert_ok(
        ow_reader_add_numbers(reader, "b", OW_ELEMENT_UINT16, 3, &rows->middle, step));
    assert_ok(
        ow_reader_add_numbers(reader, "c", OW_ELEMENT_FLOAT32, 3, &rows->single, step));
    assert_ok(ow_reader_add_numbers(reader, "d", OW_ELEMENT_INT64, 3, &rows->large, step));
    ow_schema *schema = infer(reader, NULL);
    ow_table *table = read_table(reader, schema);
    static const double want[] = {-1, 65535, 0.5, -3, 2, 1, 1.5, 4, 3, 2, 2.5, 5};
    assert_close(ow_table_row(table, 0), want, 12, 0.0);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

static void codes_name_their_levels(void **state)
{
    static const char *const levels[] = {"low", "middle", "high"};
    static const int32_t codes[] = {2, 0, -1, 1};
    static const int32_t wrong[] = {2, 0, 3, 1};
    ow_reader *reader = open_people(ow_test_context(state));
    assert_ok(ow_reader_add_codes(reader, "income", OW_ELEMENT_INT32, n_people, codes, 0,
                                  levels, 3));
    ow_schema *schema = NULL;
    const char *const ordinal[] = {"income=low|middle|high"};
    assert_ok(ow_schema_infer(reader,
                              &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                  .ordinal = ordinal,
                                                  .n_ordinal = 1},
                              NULL, &schema));
    ow_table *table = read_table(reader, schema);
    static const double want[] = {2, 0, NAN, 1};
    for (size_t i = 0; i < n_people; i++)
        assert_close(&ow_table_row(table, i)[3], &want[i], 1, 0.0);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);

    reader = open_people(ow_test_context(state));
    assert_ok(ow_reader_add_codes(reader, "income", OW_ELEMENT_INT32, n_people, wrong, 0,
                                  levels, 3));
    assert_fails(ow_schema_infer(reader, NULL, NULL, &schema), OW_ERR_FORMAT,
                 "people: row 3: column \"income\": expected a code from 0 to 2, got 3");
    ow_reader_free(reader);

    reader = open_people(ow_test_context(state));
    assert_ok(ow_reader_add_codes(reader, "income", OW_ELEMENT_INT32, n_people, wrong, 0,
                                  levels, 0));
    assert_fails(ow_schema_infer(reader, NULL, NULL, &schema), OW_ERR_FORMAT,
                 "column \"income\": the code 2 stands for no level: there are none");
    ow_reader_free(reader);
}

static void labels_from_memory_stand_beside_a_file(void **state)
{
    static const char csv[] = "x\n1\n2\n3\n4\n";
    static const int32_t numbers[] = {7, 8, 7, 9};
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader = NULL;
    assert_ok(ow_reader_open_memory(ctx, csv, strlen(csv), "x.csv", NULL, &reader));
    assert_ok(ow_reader_add_numbers(reader, "y", OW_ELEMENT_INT32, 4, numbers, 0));
    ow_schema *schema = infer(reader, "y");
    ow_table *table = read_table(reader, schema);
    assert_int_equal(ow_schema_n_classes(schema), 3);
    assert_string_equal(ow_schema_class_name(schema, 2), "9");
    assert_int_equal(ow_table_classes(table)[3], 2);
    assert_true(ow_table_row(table, 3)[0] == 4.0);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);

    for (size_t n = 3; n <= 5; n += 2) {
        static const double five[5] = {0};
        assert_ok(ow_reader_open_memory(ctx, csv, strlen(csv), "x.csv", NULL, &reader));
        assert_ok(ow_reader_add_numbers(reader, "y", OW_ELEMENT_FLOAT64, n, five, 0));
        assert_fails(ow_schema_infer(reader, NULL, NULL, &schema), OW_ERR_FORMAT,
                     n == 3 ? "x.csv: column \"y\", from memory, has 3 rows, the others 4"
                            : "x.csv: column \"y\", from memory, has 5 rows, the others 4");
        ow_reader_free(reader);
    }
}

static void images_in_memory_are_images(void **state)
{
    /* The first two bytes are those of gzip, which must not be taken for it. */
    static const unsigned char pixels[2 * 2 * 3] = {0x1f, 0x8b, 8, 255, 0, 0,
                                                    1,    2,    3, 4,   5, 6};
    static const size_t shape[] = {2, 2, 3};
    static const char *const labels[] = {"a", "b"};
    ow_reader *reader = NULL;
    assert_ok(ow_reader_open_array(ow_test_context(state), OW_ELEMENT_UINT8, 3, shape,
                                   pixels, "pixels", &reader));
    assert_ok(ow_reader_add_texts(reader, "label", 2, labels));
    ow_schema *schema = infer(reader, "label");
    ow_table *table = read_table(reader, schema);
    assert_int_equal(ow_schema_layout(schema).kind, OW_LAYOUT_IMAGE);
    assert_int_equal(ow_schema_layout(schema).width, 3);
    assert_true(ow_schema_column(schema, 0)->high == 255.0);
    for (size_t i = 0; i < 12; i++)
        assert_true(ow_table_row(table, 0)[i] == (double)pixels[i]);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

static void what_does_not_fit_is_said(void **state)
{
    static const double infinite[] = {1, INFINITY, 3, 4};
    static const size_t none[] = {0, 3}, huge[] = {SIZE_MAX, SIZE_MAX};
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader = open_people(ctx);
    ow_schema *schema = NULL;
    assert_fails(ow_reader_add_texts(reader, "age", n_people, risk), OW_ERR_ARGUMENT,
                 "people: there is a column \"age\" already");
    assert_fails(ow_reader_add_texts(reader, "x", 3, risk), OW_ERR_ARGUMENT,
                 "people: column \"x\" has 3 rows, and the others have 4");
    assert_ok(
        ow_reader_add_numbers(reader, "far", OW_ELEMENT_FLOAT64, n_people, infinite, 0));
    assert_fails(ow_schema_infer(reader, NULL, NULL, &schema), OW_ERR_FORMAT,
                 "people: row 2: column \"far\": expected a finite number, got inf");
    assert_fails(ow_reader_add_texts(reader, "x", n_people, risk), OW_ERR_ARGUMENT,
                 "people: column \"x\" is added too late");
    ow_reader_free(reader);
    assert_fails(ow_reader_open_array(ctx, OW_ELEMENT_FLOAT64, 2, none, ages, "a", &reader),
                 OW_ERR_FORMAT, "a: no rows");
    assert_fails(ow_reader_open_array(ctx, OW_ELEMENT_FLOAT64, 2, huge, ages, "a", &reader),
                 OW_ERR_FORMAT, "a: no file holds an array of");
    assert_null(reader);
    assert_ok(ow_reader_open_columns(ctx, 4, "empty", &reader));
    assert_fails(ow_schema_infer(reader, NULL, NULL, &schema), OW_ERR_ARGUMENT,
                 "empty: of 0 columns none is left");
    ow_reader_free(reader);
}

/* A table made from arrays, read again through its schema. */
static void a_table_comes_back_through_a_reader(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader = open_people(ctx);
    ow_schema *schema = infer(reader, "risk");
    static const double values[] = {20, 1, NAN, NAN, 60, 0};
    static const int32_t classes[] = {1, -1, 0};
    ow_table *table = NULL, *again = NULL;
    ow_reader_free(reader);
    assert_ok(ow_table_new(ctx, schema, 3, values, classes, &table));
    assert_close(ow_table_row(table, 0), values, 6, 0.0);
    assert_ok(ow_reader_open_table(ctx, table, schema, "made", &reader));
    assert_ok(ow_reader_bind(reader, schema, false));
    assert_ok(ow_table_read(reader, NULL, &again));
    assert_int_equal(ow_table_n_rows(again), 3);
    assert_close(ow_table_row(again, 0), values, 6, 0.0);
    assert_memory_equal(ow_table_classes(again), classes, sizeof classes);
    ow_table_free(again);
    ow_table_free(table);
    ow_reader_free(reader);

    assert_ok(ow_table_new(ctx, schema, 1, values, NULL, &table));
    assert_int_equal(ow_table_classes(table)[0], -1);
    ow_table_free(table);
    static const double no_level[] = {20, 2}, fraction[] = {20, 0.5}, far[] = {INFINITY, 0};
    const char *level = "row 1: column \"housing\": 2 is no level's index, expected 0 to 1";
    assert_fails(ow_table_new(ctx, schema, 1, no_level, NULL, &table), OW_ERR_ARGUMENT,
                 level);
    assert_fails(ow_table_new(ctx, schema, 1, fraction, NULL, &table), OW_ERR_ARGUMENT,
                 "column \"housing\": 0.5 is no level's index");
    assert_fails(ow_table_new(ctx, schema, 1, far, NULL, &table), OW_ERR_ARGUMENT,
                 "row 1: column \"age\": inf is not a finite number");
    assert_fails(ow_table_new(ctx, schema, 1, values, (int32_t[]){2}, &table),
                 OW_ERR_ARGUMENT, "row 1: class 2 of 2 classes");
    assert_null(table);
    ow_schema_free(schema);
}

/* There are no bytes whose reading could be told or stopped: rows tick themselves. */
static void reading_from_memory_can_be_stopped(void **state)
{
    ow_reader *reader = open_people(ow_test_context(state));
    ow_schema *schema = NULL;
    ow_cancel *cancel = NULL;
    assert_ok(ow_cancel_new(ow_test_context(state), &cancel));
    const ow_call call = {.size = sizeof call, .cancel = cancel};
    assert_ok(ow_schema_infer(reader, NULL, &call, &schema));
    ow_schema_free(schema);
    ow_cancel_request(cancel);
    assert_status(ow_schema_infer(reader, NULL, &call, &schema), OW_ERR_CANCELLED);
    assert_null(schema);
    ow_reader_free(reader);
    ow_cancel_free(cancel);
}

static ow_status open_all(ow_context *ctx, void *user)
{
    static const size_t shape[] = {4, 1};
    const ow_schema *schema = user;
    ow_reader *reader = NULL;
    ow_table *table = NULL;
    static const double values[] = {20, 1};
    ow_status status = ow_table_new(ctx, schema, 1, values, NULL, &table);
    if (status == OW_OK) status = ow_reader_open_table(ctx, table, schema, "t", &reader);
    if (status == OW_OK) status = ow_reader_bind(reader, schema, false);
    ow_reader_free(reader);
    ow_table_free(table);
    reader = NULL;
    if (status == OW_OK)
        status =
            ow_reader_open_array(ctx, OW_ELEMENT_FLOAT64, 2, shape, ages, "a", &reader);
    if (status == OW_OK) status = ow_reader_add_texts(reader, "label", 4, risk);
    ow_reader_free(reader);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    ow_reader *reader = open_people(ow_test_context(state));
    ow_schema *schema = infer(reader, "risk");
    ow_test_sweep(open_all, schema);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(columns_become_rows),
        ow_test_on_heap(credit_from_memory_is_credit_from_its_file),
        ow_test_on_heap(numbers_of_any_type_and_stride_are_read_in_place),
        ow_test_on_heap(codes_name_their_levels),
        ow_test_on_heap(labels_from_memory_stand_beside_a_file),
        ow_test_on_heap(images_in_memory_are_images),
        ow_test_on_heap(what_does_not_fit_is_said),
        ow_test_on_heap(a_table_comes_back_through_a_reader),
        ow_test_on_heap(reading_from_memory_can_be_stopped),
        ow_test_on_heap(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("data/reader_columns", tests, NULL, NULL);
}
