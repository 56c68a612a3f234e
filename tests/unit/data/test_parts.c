/* SPDX-License-Identifier: MIT */
/* Several files as one table: the rows of all, in their order, and who does not fit. */
#include "support/ow_test.h"

#include <string.h>

#include "data/rows/reader.h"
#include "otherwise/data.h"

static ow_context *ctx;

static int set_up(void **state)
{
    (void)state;
    return ow_context_new(NULL, &ctx) == OW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    ow_context_free(ctx);
    return 0;
}

static ow_status open_three(const char *a, const char *b, const char *c, ow_reader **reader)
{
    const char *const texts[] = {a, b, c};
    const char *names[3];
    for (size_t i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%zu.csv", i);
        names[i] = ow_test_path(name, (int)i);
        ow_test_write_file(names[i], texts[i], strlen(texts[i]));
    }
    return ow_reader_open_parts(ctx, 3, names, "p*.csv", NULL, NULL, reader);
}

/* All first cells, one behind the other. */
static ow_status read_all(ow_reader *reader, char text[64])
{
    const owi_cell *cells;
    bool at_end = false;
    *text = '\0';
    for (;;) {
        const ow_status status = owi_reader_next_cells(reader, &cells, &at_end);
        if (status != OW_OK || at_end) return status;
        strncat(text, cells[0].text, cells[0].length);
    }
}

static void rows_follow_each_other_and_again(void **state)
{
    (void)state;
    ow_reader *reader = NULL;
    char text[64];
    assert_ok(
        open_three("x,y\n1,2\n3,4\n", "x,y\n5,6\n", "x,y\n7,8\n9,\"0\n1\"\n", &reader));
    assert_int_equal(ow_reader_n_columns(reader), 2);
    for (size_t pass = 0; pass < 2; pass++) {
        assert_ok(ow_reader_rewind(reader));
        assert_ok(read_all(reader, text));
        assert_string_equal(text, "13579");
    }
    ow_reader_free(reader);
}

static void what_does_not_fit_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *second, *told;
    } bad[] = {
        {"x,z\n5,6\n", "p1.csv: column 2 is named \"z\", but \"y\" in"},
        {"x\n5\n", "p1.csv: 1 columns"},
        {"x,y\n5,6\n7\n", "p1.csv:3: 1 field, expected 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ow_reader *reader = NULL;
        char text[64];
        assert_ok(open_three("x,y\n1,2\n", bad[i].second, "x,y\n7,8\n", &reader));
        assert_int_equal(read_all(reader, text), OW_ERR_FORMAT);
        assert_non_null(strstr(ow_error_message(), bad[i].told));
        ow_reader_free(reader);
    }
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    const char *const paths[] = {"/nowhere/a.csv", "/nowhere/b.csv"};
    ow_reader *reader = NULL;
    assert_int_equal(ow_reader_open_parts(ctx, 2, paths, "*.csv", NULL, NULL, &reader),
                     OW_ERR_IO);
    assert_null(reader);
    assert_non_null(strstr(ow_error_message(), "/nowhere/a.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_follow_each_other_and_again, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_not_there_is_named, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
