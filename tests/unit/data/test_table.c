/* SPDX-License-Identifier: MIT */
/* Tables: all rows of a reader in memory. */
#include "support/schema_fixture.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

#define SCHEMA                                                                             \
    "'columns': [{'name': 'a', 'type': 'integer', 'range': [0, 9]},"                       \
    "{'name': 'b', 'type': 'categorical', 'levels': ['u', 'v']}],"                         \
    "'label': {'name': 'y', 'classes': ['no', 'yes']}"

static ow_context *ctx;
static ow_schema *schema;

static int begin(void **state)
{
    (void)ow_test_set_up_heap(state);
    ctx = ow_test_context(state);
    schema = ow_test_schema(ctx, SCHEMA);
    return 0;
}

static int end(void **state)
{
    ow_schema_free(schema);
    return ow_test_tear_down_heap(state);
}

/* A CSV text of n rows; row i has a = i % 10, b = u or v in turn, y missing, no, yes in
 * turn. */
static char *make_text(size_t n)
{
    char *text = malloc(20 * (n + 1));
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "a,b,y\n");
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%zu,%s,%s\n", i % 10, i % 2 == 0 ? "u" : "v",
                                i % 3 == 0   ? "?"
                                : i % 3 == 1 ? "no"
                                             : "yes");
    return text;
}

static ow_reader *open_text(const char *text)
{
    ow_reader *reader;
    assert_ok(ow_reader_open_memory(ctx, text, strlen(text), "a.csv", NULL, &reader));
    assert_ok(ow_reader_bind(reader, schema, true));
    return reader;
}

/* Around the sizes at which the arrays grow, and well beyond. */
static void a_table_holds_every_row_in_order(void **state)
{
    (void)state;
    const size_t counts[] = {1, 2, 15, 16, 17, 31, 32, 33, 64, 1000, 5000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        char *text = make_text(counts[c]);
        ow_reader *reader = open_text(text);
        ow_table *table;
        assert_ok(ow_table_read(reader, &how, &table));
        ow_reader_free(reader); /* the table stands alone */
        free(text);
        assert_int_equal(ow_table_n_rows(table), counts[c]);
        assert_int_equal(ow_table_n_columns(table), 2);
        for (size_t i = 0; i < counts[c]; i++) {
            const double want[] = {(double)(i % 10), (double)(i % 2)};
            assert_close(ow_table_row(table, i), want, 2, 0.0);
            assert_int_equal(ow_table_classes(table)[i], (int)(i % 3) - 1);
        }
        ow_table_free(table);
    }
    ow_table_free(NULL);
}

static void reading_starts_at_the_first_row(void **state)
{
    (void)state;
    char *text = make_text(5);
    ow_reader *reader = open_text(text);
    double values[4];
    size_t n;
    assert_ok(ow_reader_next(reader, 2, &how, values, NULL, &n));
    for (int again = 0; again < 2; again++) {
        ow_table *table;
        assert_ok(ow_table_read(reader, &how, &table));
        assert_int_equal(ow_table_n_rows(table), 5);
        assert_true(ow_table_row(table, 0)[0] == 0);
        ow_table_free(table);
    }
    ow_reader_free(reader);
    free(text);
}

static void a_bad_row_leaves_no_table(void **state)
{
    (void)state;
    ow_table *table = (ow_table *)&ctx;
    ow_reader *reader = open_text("a,b,y\n1,u,no\n2,u\n");
    assert_fails(ow_table_read(reader, &how, &table), OW_ERR_FORMAT, "a.csv:3: 2 fields");
    assert_null(table);
    ow_reader_free(reader);
}

static void a_reader_must_be_bound_first(void **state)
{
    (void)state;
    ow_reader *reader;
    ow_table *table = (ow_table *)&ctx;
    assert_ok(ow_reader_open_memory(ctx, "a\n1\n", 4, "a.csv", NULL, &reader));
    assert_fails(ow_table_read(reader, &how, &table), OW_ERR_ARGUMENT, "schema");
    assert_null(table);
    ow_reader_free(reader);
}

static bool stop_at_once(void *user, const ow_progress *progress)
{
    (void)progress;
    ++*(size_t *)user;
    return false;
}

static void reading_can_be_cancelled(void **state)
{
    (void)state;
    char *text = make_text(100000); /* longer than the reader's blocks */
    const char *path = ow_test_path("long.csv", 0);
    ow_test_write_file(path, text, strlen(text));
    free(text);
    ow_reader *reader;
    ow_table *table;
    size_t n_calls = 0;
    assert_ok(ow_reader_open(ctx, path, NULL, &how, &reader));
    assert_ok(ow_reader_bind(reader, schema, false));
    how.progress = stop_at_once;
    how.progress_user = &n_calls;
    assert_status(ow_table_read(reader, &how, &table), OW_ERR_CANCELLED);
    assert_null(table);
    assert_int_equal(n_calls, 1);
    how.progress = NULL;
    how.progress_user = NULL;
    assert_ok(ow_table_read(reader, &how, &table)); /* and taken up again */
    assert_int_equal(ow_table_n_rows(table), 100000);
    ow_table_free(table);
    ow_reader_free(reader);
}

static ow_status read_table(ow_context *swept, void *user)
{
    const char *text = user;
    ow_reader *reader;
    ow_table *table = NULL;
    ow_status status =
        ow_reader_open_memory(swept, text, strlen(text), "a.csv", NULL, &reader);
    if (status == OW_OK) status = ow_reader_bind(reader, schema, true);
    if (status == OW_OK) status = ow_table_read(reader, &how, &table);
    ow_table_free(table);
    ow_reader_free(reader);
    return status;
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    char *text = make_text(40);
    ow_test_sweep(read_table, text);
    free(text);
}

/* The data set that comes with the project: 700 good risks and 300 bad ones. */
static void the_credit_table_is_read_whole(void **state)
{
    (void)state;
    ow_schema *credit =
        ow_test_schema(ctx,
                       "'columns': [{'name': 'age', 'type': 'integer', 'range': [19, 75]},"
                       "{'name': 'duration', 'type': 'integer', 'range': [4, 72]}],"
                       "'label': {'name': 'risk', 'classes': ['good', 'bad']}");
    ow_reader *reader;
    ow_table *table;
    assert_ok(ow_reader_open(ctx, "data/credit.csv", NULL, &how, &reader));
    assert_ok(ow_reader_bind(reader, credit, true));
    assert_ok(ow_table_read(reader, &how, &table));
    size_t counts[2] = {0};
    assert_int_equal(ow_table_n_rows(table), 1000);
    for (size_t i = 0; i < 1000; i++) counts[ow_table_classes(table)[i]]++;
    assert_int_equal(counts[0], 700);
    assert_int_equal(counts[1], 300);
    ow_table_free(table);
    ow_reader_free(reader);
    ow_schema_free(credit);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_table_holds_every_row_in_order), TEST(reading_starts_at_the_first_row),
        TEST(a_bad_row_leaves_no_table),        TEST(a_reader_must_be_bound_first),
        TEST(reading_can_be_cancelled),         TEST(running_out_of_memory_leaks_nothing),
        TEST(the_credit_table_is_read_whole),
    };
    return cmocka_run_group_tests_name("data/table", tests, NULL, NULL);
}
