/* SPDX-License-Identifier: MIT */
/* From cells to values under a schema. */
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'columns': [{'name': 'age', 'type': 'integer', 'range': [18, 75]},"                   \
    "{'name': 'job', 'type': 'categorical', 'levels': ['none', 'some', 'all']},"           \
    "{'name': 'size', 'type': 'continuous', 'range': [-1, 1.5]},"                          \
    "{'name': 'mood', 'type': 'ordinal', 'levels': ['bad', 'fair', 'good']}],"             \
    "'label': {'name': 'risk', 'classes': ['<=50K', '>50K']}"
enum { n_columns = 4 };
#define HEADER "age,job,size,mood,risk\n"

static ow_context *ctx;
static ow_schema *schema;
static ow_test_log messages;

static int begin(void **state)
{
    (void)ow_test_set_up_heap(state);
    ctx = ow_test_context(state);
    schema = ow_test_schema(ctx, COLUMNS);
    ow_test_log_attach(&messages, ctx, OW_LOG_INFO);
    return 0;
}

static int end(void **state)
{
    ow_schema_free(schema);
    return ow_test_tear_down_heap(state);
}

static ow_reader *open_text(const char *text, bool strict)
{
    ow_reader *reader;
    assert_ok(ow_reader_open_memory(ctx, text, strlen(text), "a.csv", NULL, &reader));
    assert_ok(ow_reader_bind(reader, schema, strict));
    return reader;
}

/* The rows are these, and so many; classes may be NULL. */
static void assert_rows(const char *text, bool strict, size_t n_rows, const double *want,
                        const int32_t *want_classes)
{
    double values[10 * n_columns];
    int32_t classes[10];
    size_t n;
    ow_reader *reader = open_text(text, strict);
    assert_ok(ow_reader_next(reader, 10, NULL, values, classes, &n));
    assert_int_equal(n, n_rows);
    assert_close(values, want, n_rows * n_columns, 0.0);
    for (size_t i = 0; want_classes != NULL && i < n_rows; i++)
        assert_int_equal(classes[i], want_classes[i]);
    assert_ok(ow_reader_next(reader, 10, NULL, values, classes, &n));
    assert_int_equal(n, 0);
    ow_reader_free(reader);
}

static ow_status read_one(const char *text, bool strict)
{
    double values[10 * n_columns];
    int32_t classes[10];
    size_t n = 99;
    ow_reader *reader = open_text(text, strict);
    const ow_status status = ow_reader_next(reader, 10, NULL, values, classes, &n);
    if (status != OW_OK) assert_int_equal(n, 0);
    ow_reader_free(reader);
    return status;
}

static void numbers_levels_and_classes_become_values(void **state)
{
    (void)state;
    const double want[] = {30, 1, 0.5, 0, 18, 2, -1, 2, 75, 0, 1.5, 1};
    const int32_t classes[] = {1, 0, 1};
    assert_rows(HEADER
                "30,some,0.5,bad,>50K\n18,all,-1,good,<=50K\n75,none,1.5e0,fair,>50K\n",
                true, 3, want, classes);
    assert_int_equal(messages.n_messages, 0);
}

static void words_for_missing_values_become_nan(void **state)
{
    (void)state;
    const double all[] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    const int32_t classes[] = {-1, -1, -1};
    assert_rows(HEADER "?,?,?,?,?\n,,,,\nNA,null,nan,NaN,NULL\n", true, 3, all, classes);
    assert_int_equal(messages.n_messages, 0);
}

static void a_text_where_a_number_belongs_is_an_error(void **state)
{
    (void)state;
    assert_fails(read_one(HEADER "30,some,0,bad,x\nabc,some,0,bad,x\n", false),
                 OW_ERR_FORMAT, "a.csv:3: column \"age\": expected a number, got \"abc\"");
    assert_fails(read_one(HEADER "30,some,1e999,bad,x\n", false), OW_ERR_FORMAT,
                 "a.csv:2: column \"size\": expected a number, got \"1e999\"");
    assert_fails(read_one(HEADER "30,some,inf,bad,x\n", false), OW_ERR_FORMAT, "\"inf\"");
    assert_fails(read_one(HEADER "30,some,0x10,bad,x\n", false), OW_ERR_FORMAT, "\"0x10\"");
}

static void numbers_out_of_range_and_fractions_are_kept_unless_strict(void **state)
{
    (void)state;
    const double want[] = {2.5, 0, 99, 0, 1000, 0, -7, 0};
    const char *text = HEADER "2.5,none,99,bad,\n1000,none,-7,bad,\n";
    assert_rows(text, false, 2, want, NULL);
    assert_int_equal(messages.n_messages, 0);
    assert_fails(
        read_one(HEADER "20.5,none,0,bad,\n", true), OW_ERR_SCHEMA,
        "a.csv:2: column \"age\": expected a whole number from 18 to 75, got \"20.5\"");
    assert_fails(read_one(HEADER "76,none,0,bad,\n", true), OW_ERR_SCHEMA,
                 "a.csv:2: column \"age\": expected a number from 18 to 75, got \"76\"");
    assert_fails(
        read_one(HEADER "20,none,-1.25,bad,\n", true), OW_ERR_SCHEMA,
        "a.csv:2: column \"size\": expected a number from -1 to 1.5, got \"-1.25\"");
}

static void an_unseen_level_is_missing_with_one_warning_a_column(void **state)
{
    (void)state;
    const double want[] = {20, NAN, 0, NAN, 20, NAN, 0, NAN, 20, 1, 0, 0};
    const char *text = HEADER "20,pilot,0,fine,\n20,baker,0,odd,\n20,some,0,bad,\n";
    assert_rows(text, false, 3, want, NULL);
    assert_string_equal(messages.text,
                        "a.csv:2: column \"job\": expected one of \"none\", \"some\", "
                        "\"all\"; got \"pilot\", "
                        "which counts as missing (told once for each column)\n"
                        "a.csv:2: column \"mood\": expected one of \"bad\", \"fair\", "
                        "\"good\"; got \"fine\", "
                        "which counts as missing (told once for each column)\n");
    assert_fails(read_one(text, true), OW_ERR_SCHEMA,
                 "a.csv:2: column \"job\": expected one of \"none\", \"some\", \"all\"; "
                 "got \"pilot\"");
}

static void reading_again_does_not_warn_again(void **state)
{
    (void)state;
    double values[n_columns];
    size_t n;
    ow_reader *reader = open_text(HEADER "20,pilot,0,bad,\n", false);
    for (int i = 0; i < 2; i++) {
        assert_ok(ow_reader_next(reader, 1, NULL, values, NULL, &n));
        assert_ok(ow_reader_rewind(reader));
    }
    assert_int_equal(messages.n_messages, 1);
    assert_ok(ow_reader_bind(reader, schema, false)); /* starts afresh */
    assert_ok(ow_reader_next(reader, 1, NULL, values, NULL, &n));
    assert_int_equal(messages.n_messages, 2);
    ow_reader_free(reader);
}

static void a_class_with_a_full_stop_is_taken_without_it(void **state)
{
    (void)state;
    const double want[] = {20, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0};
    const int32_t classes[] = {0, 1, 0};
    assert_rows(HEADER "20,none,0,bad,<=50K.\n20,none,0,bad,>50K.\n20,none,0,bad,<=50K\n",
                true, 3, want, classes);
    assert_string_equal(messages.text,
                        "a.csv:2: column \"risk\": \"<=50K.\" is taken without its "
                        "full stop, here and below\n");
}

static void an_unknown_class_is_none_with_one_warning(void **state)
{
    (void)state;
    const double want[] = {20, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0};
    const int32_t classes[] = {-1, -1, 1};
    const char *text = HEADER "20,none,0,bad,rich.\n20,none,0,bad,.\n20,none,0,bad,>50K\n";
    assert_rows(text, false, 3, want, classes);
    assert_string_equal(
        messages.text,
        "a.csv:2: column \"risk\": expected one of \"<=50K\", \">50K\"; got \"rich.\", so "
        "that the row counts as one without label (told once for each column)\n");
    assert_fails(
        read_one(text, true), OW_ERR_SCHEMA,
        "a.csv:2: column \"risk\": expected one of \"<=50K\", \">50K\"; got \"rich.\"");

    /* Who does not ask for classes does not hear of them. */
    double values[3 * n_columns];
    size_t n;
    ow_reader *reader = open_text(text, true);
    assert_ok(ow_reader_next(reader, 3, NULL, values, NULL, &n));
    ow_reader_free(reader);
}

static void rows_come_in_blocks_of_any_size(void **state)
{
    (void)state;
    const char *text =
        HEADER "18,none,0,bad,\n19,some,0,bad,\n20,all,0,bad,\n21,none,0,bad,\n";
    for (size_t block = 1; block <= 6; block++) {
        double values[6 * n_columns];
        size_t n, total = 0;
        ow_reader *reader = open_text(text, false);
        assert_ok(ow_reader_next(reader, 0, NULL, NULL, NULL, &n));
        assert_int_equal(n, 0);
        do {
            assert_ok(ow_reader_next(reader, block, NULL, values, NULL, &n));
            for (size_t i = 0; i < n; i++)
                assert_true(values[i * n_columns] == 18 + (double)(total + i));
            total += n;
        } while (n > 0);
        assert_int_equal(total, 4);
        ow_reader_free(reader);
    }
}

/* An array's numbers are printed and looked up where levels or classes are meant. */
static void numbers_of_arrays_are_looked_up_as_text(void **state)
{
    (void)state;
    static const unsigned char rows[] = {0, 0, 8, 2, 0, 0, 0, 3, 0,
                                         0, 0, 2, 7, 1, 3, 2, 5, 1};
    ow_schema *codes = ow_test_schema(
        ctx, "'columns': [{'name': 'x0', 'type': 'categorical', 'levels': ['3', '7']}],"
             "'label': {'name': 'x1', 'classes': ['1', '2']}");
    const double want[] = {1, 0, NAN};
    double values[3];
    int32_t classes[3];
    size_t n;
    ow_reader *reader;
    assert_ok(ow_reader_open_memory(ctx, rows, sizeof rows, "a.idx", NULL, &reader));
    assert_ok(ow_reader_bind(reader, codes, false));
    assert_ok(ow_reader_next(reader, 3, NULL, values, classes, &n));
    assert_int_equal(n, 3);
    assert_close(values, want, 3, 0.0);
    assert_int_equal(classes[0], 0);
    assert_int_equal(classes[1], 1);
    assert_string_equal(
        messages.text,
        "a.idx: row 3: column \"x0\": expected one of \"3\", \"7\"; got \"5\", which "
        "counts as missing (told once for each column)\n");
    ow_reader_free(reader);
    ow_schema_free(codes);
}

/* ---- The UCI files ---- */

static void assert_adult(const char *name, size_t skip, size_t n_low, size_t n_high,
                         size_t n_without_job)
{
    const char *path = ow_test_data_file(name);
    ow_schema *adult =
        ow_test_schema(ctx,
                       "'columns': [{'name': 'x0', 'type': 'integer', 'range': [17, 90]},"
                       "{'name': 'x1', 'type': 'categorical', 'levels': ['Private', "
                       "'Self-emp-not-inc', 'Self-emp-inc', 'Federal-gov', 'Local-gov', "
                       "'State-gov', 'Without-pay', 'Never-worked']}],"
                       "'label': {'name': 'x14', 'classes': ['<=50K', '>50K']}");
    const ow_read_options options = {.size = sizeof(ow_read_options),
                                     .no_header = true,
                                     .skip = skip};
    ow_reader *reader;
    size_t counts[2] = {0}, n_missing = 0, n;
    assert_ok(ow_reader_open(ctx, path, &options, NULL, &reader));
    assert_ok(ow_reader_bind(reader, adult, true));
    do {
        double values[2 * 100];
        int32_t classes[100];
        assert_ok(ow_reader_next(reader, 100, NULL, values, classes, &n));
        for (size_t i = 0; i < n; i++) {
            assert_in_range(classes[i], 0, 1);
            counts[classes[i]]++;
            if (isnan(values[2 * i + 1])) n_missing++;
        }
    } while (n > 0);
    assert_int_equal(counts[0], n_low);
    assert_int_equal(counts[1], n_high);
    assert_int_equal(n_missing, n_without_job);
    ow_reader_free(reader);
    ow_schema_free(adult);
}

/* Counts as their publisher gives them; of the missing ones as `cut -d, -f2 | grep -c
 * '?'`. */
static void adult_data_has_its_classes(void **state)
{
    (void)state;
    assert_adult("adult/adult.data", 0, 24720, 7841, 1836);
}

static void adult_test_has_the_same_classes_with_full_stops(void **state)
{
    (void)state;
    assert_adult("adult/adult.test", 1, 12435, 3846, 963);
    assert_non_null(strstr(messages.text, "full stop"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_levels_and_classes_become_values),
        TEST(words_for_missing_values_become_nan),
        TEST(a_text_where_a_number_belongs_is_an_error),
        TEST(numbers_out_of_range_and_fractions_are_kept_unless_strict),
        TEST(an_unseen_level_is_missing_with_one_warning_a_column),
        TEST(reading_again_does_not_warn_again),
        TEST(a_class_with_a_full_stop_is_taken_without_it),
        TEST(an_unknown_class_is_none_with_one_warning),
        TEST(rows_come_in_blocks_of_any_size),
        TEST(numbers_of_arrays_are_looked_up_as_text),
        TEST(adult_data_has_its_classes),
        TEST(adult_test_has_the_same_classes_with_full_stops),
    };
    return cmocka_run_group_tests_name("data/reader_next", tests, NULL, NULL);
}
