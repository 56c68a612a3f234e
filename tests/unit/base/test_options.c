/* SPDX-License-Identifier: MIT */
/* Options structs of callers that know more or less fields than the library. */
#include "base/options.h"
#include "support/ow_test.h"

typedef struct {
    size_t size;
    double a;
    int32_t b;
    const char *c;
} sample_options;

/* The struct as an older and as a newer version have it. */
typedef struct {
    size_t size;
    double a;
} older_options;

typedef struct {
    sample_options first;
    uint64_t later[2];
} newer_options;

static const sample_options defaults = {sizeof defaults, 0.5, 7, "default"};

static ow_status take(const void *given, sample_options *own)
{
    *own = defaults;
    return owi_options_take("sample_options", given, own, sizeof *own);
}

static void the_same_version_is_copied(void **state)
{
    (void)state;
    sample_options own;
    assert_ok(take(&(sample_options){sizeof own, 1.5, -1, "given"}, &own));
    assert_true(own.a == 1.5 && own.b == -1);
    assert_string_equal(own.c, "given");
    assert_int_equal(own.size, sizeof own);
}

static void nothing_given_is_the_defaults(void **state)
{
    (void)state;
    sample_options own;
    assert_ok(take(NULL, &own));
    assert_true(own.size == sizeof own && own.a == 0.5 && own.b == 7);
    assert_string_equal(own.c, "default");
}

static void an_older_program_gets_the_defaults_of_newer_fields(void **state)
{
    (void)state;
    sample_options own;
    assert_ok(take(&(older_options){sizeof(older_options), 2.5}, &own));
    assert_true(own.a == 2.5 && own.b == 7);
    assert_string_equal(own.c, "default");
    assert_int_equal(own.size, sizeof own);
}

static void a_newer_program_is_taken_if_the_rest_is_zero(void **state)
{
    (void)state;
    sample_options own;
    newer_options given = {.first = {sizeof given, 3.5, 4, "x"}};
    assert_ok(take(&given, &own));
    assert_true(own.a == 3.5 && own.b == 4);
    assert_int_equal(own.size, sizeof own);
    given.later[1] = 1;
    assert_fails(take(&given, &own), OW_ERR_ARGUMENT,
                 "sample_options: an option is set that version ");
    assert_non_null(strstr(ow_error_message(), "knows the first 32 of 48 bytes"));
}

static void a_size_that_cannot_be_is_a_sentence(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, (size_t)1 << 20, SIZE_MAX};
    sample_options own, given = defaults;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        given.size = sizes[i];
        assert_fails(take(&given, &own), OW_ERR_ARGUMENT,
                     "it must be sizeof(sample_options), which is 32");
    }
}

static void init_writes_no_more_than_the_caller_has(void **state)
{
    (void)state;
    struct {
        older_options options;
        unsigned char behind[64];
    } older;
    memset(&older, 0xAA, sizeof older);
    owi_options_give(&defaults, sizeof defaults, &older, sizeof older.options);
    assert_int_equal(older.options.size, sizeof older.options);
    assert_true(older.options.a == 0.5);
    for (size_t i = 0; i < sizeof older.behind; i++)
        assert_int_equal(older.behind[i], 0xAA);

    newer_options newer;
    memset(&newer, 0xAA, sizeof newer);
    owi_options_give(&defaults, sizeof defaults, &newer, sizeof newer);
    assert_int_equal(newer.first.size, sizeof newer);
    assert_true(newer.first.b == 7 && newer.later[0] == 0 && newer.later[1] == 0);
}

/* ---- The same through the library's own functions ---- */

static void public_options_may_be_shorter_or_longer(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const char rows[] = "a;b\n1;2\n3;4\n";
    struct {
        ow_read_options known;
        uint64_t later;
    } newer = {.known = {.size = sizeof newer, .delimiter = ';'}};
    ow_reader *reader = NULL;
    assert_ok(
        ow_reader_open_memory(ctx, rows, strlen(rows), "rows", &newer.known, &reader));
    assert_int_equal(ow_reader_n_columns(reader), 2);
    ow_reader_free(reader);

    newer.later = 1;
    assert_fails(ow_reader_open_memory(ctx, rows, strlen(rows), "rows", &newer.known,
                                       &reader),
                 OW_ERR_ARGUMENT, "ow_read_options: an option is set");
    assert_null(reader);
    assert_fails(ow_reader_open_memory(ctx, rows, strlen(rows), "rows",
                                       &(ow_read_options){.size = 0, .delimiter = ';'},
                                       &reader),
                 OW_ERR_ARGUMENT, "ow_read_options.size is 0");

    ow_train_options older;
    memset(&older, 0xAA, sizeof older);
    ow_train_options_init(&older, offsetof(ow_train_options, test_share));
    assert_int_equal(older.size, offsetof(ow_train_options, test_share));
    assert_fails(ow_train_options_set(&older, "test-share", "0.3"), OW_ERR_ARGUMENT,
                 "newer than the program");
    assert_ok(ow_train_options_set(&older, "depth", "2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_version_is_copied),
        cmocka_unit_test(nothing_given_is_the_defaults),
        cmocka_unit_test(an_older_program_gets_the_defaults_of_newer_fields),
        cmocka_unit_test(a_newer_program_is_taken_if_the_rest_is_zero),
        cmocka_unit_test(a_size_that_cannot_be_is_a_sentence),
        cmocka_unit_test(init_writes_no_more_than_the_caller_has),
        ow_test_on_heap(public_options_may_be_shorter_or_longer),
    };
    return cmocka_run_group_tests_name("base/options", tests, NULL, NULL);
}
