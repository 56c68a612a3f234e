/* SPDX-License-Identifier: MIT */
/* What is told of one column, whether its values are counted or not. */
#include "support/ow_test.h"

#include "data/infer/column_stats.h"
#include "data/infer/linked_columns.h"

static ow_test_heap heap_of_group;
static owi_column_stats stats;

static int set_up(void **state)
{
    (void)state;
    ow_test_heap_begin(&heap_of_group);
    owi_column_stats_begin(&stats, heap_of_group.ctx, "age", false, 100);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    owi_column_stats_clear(&stats);
    ow_test_heap_end(&heap_of_group);
    return 0;
}

static int32_t add(const char *text)
{
    int32_t id;
    const owi_cell cell = {.text = text, .length = strlen(text)};
    assert_ok(owi_column_stats_add(&stats, &cell, &id));
    return id;
}

static int32_t add_number(double number)
{
    int32_t id;
    assert_ok(owi_column_stats_add(&stats, &(owi_cell){.number = number}, &id));
    return id;
}

static void values_are_numbered_and_counted(void **state)
{
    (void)state;
    assert_int_equal(owi_column_stats_n_different(&stats), 0);
    assert_int_equal(add("red"), 0);
    assert_int_equal(add("3"), 1);
    assert_int_equal(add(""), owi_id_missing);
    assert_int_equal(add("red"), 0);
    assert_int_equal(add("NA"), owi_id_missing);
    assert_int_equal(add("3.0"), 2);
    assert_int_equal(add("blue"), 3);
    assert_ok(owi_column_stats_finish(&stats));
    assert_int_equal(stats.n_present, 5);
    assert_int_equal(stats.n_missing, 2);
    assert_int_equal(stats.n_texts, 3);
    assert_string_equal(stats.first_text, "red");
    assert_int_equal(owi_column_stats_n_different(&stats), 4);
    assert_false(owi_column_stats_is_number(&stats));
    assert_int_equal(stats.values[0].count, 2);
    assert_true(isnan(stats.values[0].number) && stats.values[2].number == 3);
    /* 5! / (2! 1! 1! 1!) */
    const double got = owi_column_stats_log_arrangements(&stats), want = log(60);
    assert_close(&got, &want, 1, 1e-3);
}

/* The same numbers, counted (up to 100 different ones are) or not. */
static void figures_do_not_depend_on_whether_values_were_counted(void **state)
{
    (void)state;
    owi_column_stats few, many;
    owi_column_stats_begin(&few, heap_of_group.ctx, "x", false, 5);
    owi_column_stats_begin(&many, heap_of_group.ctx, "x", false, 5000);
    uint64_t seed = 1;
    double sum = 0, low = INFINITY, high = -INFINITY;
    enum { n = 2000 };
    for (int i = 0; i < n; i++) {
        char text[32];
        int32_t id_few, id_many;
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double x = (double)(seed >> 52) / 8;
        const owi_cell cell = {.text = text,
                               .length = (size_t)snprintf(text, sizeof text, "%.3f", x)};
        assert_ok(owi_column_stats_add(&few, &cell, &id_few));
        assert_ok(owi_column_stats_add(&many, &cell, &id_many));
        if (i > 20) assert_int_equal(id_few, owi_id_lost);
        assert_true(id_many >= 0);
        sum += x;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    owi_column_stats_finish(&few);
    owi_column_stats_finish(&many);
    assert_int_equal(owi_column_stats_n_different(&few), SIZE_MAX);
    assert_true(owi_column_stats_n_different(&many) < n);
    assert_true(owi_column_stats_is_number(&few) && owi_column_stats_is_number(&many));
    assert_int_equal(few.decimals, 3);
    assert_int_equal(many.decimals, 3);
    assert_false(few.all_whole || many.all_whole);
    const double got[] = {few.moments.mean,
                          many.moments.mean,
                          owi_moments_deviation(&few.moments),
                          few.log_moments.mean,
                          owi_moments_deviation(&few.log_moments),
                          few.extremes.low[0].number,
                          many.extremes.high[0].number};
    const double want[] = {sum / n,
                           sum / n,
                           owi_moments_deviation(&many.moments),
                           many.log_moments.mean,
                           owi_moments_deviation(&many.log_moments),
                           low,
                           high};
    assert_close(got, want, 7, 1e-12);
    for (size_t k = 0; k < owi_n_extremes; k++)
        assert_int_equal(few.extremes.high[k].count, many.extremes.high[k].count);
    owi_column_stats_clear(&few);
    owi_column_stats_clear(&many);
}

static void whole_numbers_may_be_written_with_a_point(void **state)
{
    (void)state;
    add("3.0");
    add("-4");
    add("1e3");
    add("9007199254740992"); /* 2^53 */
    assert_ok(owi_column_stats_finish(&stats));
    assert_true(stats.all_whole);
    add("9007199254740994");
    assert_ok(owi_column_stats_finish(&stats));
    assert_false(stats.all_whole);
}

static void one_number_with_too_many_digits_makes_all_of_them_matter(void **state)
{
    (void)state;
    add("1.25");
    add("0.12345678901234567");
    add("1.5");
    assert_ok(owi_column_stats_finish(&stats));
    assert_int_equal(stats.decimals, -1);
}

static void numbers_without_text_are_counted_as_printed(void **state)
{
    (void)state;
    assert_int_equal(add_number(7), 0);
    assert_int_equal(add_number(0.5), 1);
    assert_int_equal(add_number(NAN), owi_id_missing);
    assert_int_equal(add_number(7), 0);
    assert_ok(owi_column_stats_finish(&stats));
    assert_string_equal(owi_string_map_text(stats.texts, 1, NULL), "0.5");
    assert_int_equal(stats.decimals, -1);
    assert_true(owi_column_stats_is_number(&stats));
}

static void texts_after_many_numbers_are_words_for_missing_values(void **state)
{
    (void)state;
    char text[16];
    for (int i = 0; i < 101; i++) {
        snprintf(text, sizeof text, "%d", i);
        assert_int_equal(add(text), i < 100 ? i : owi_id_lost);
    }
    assert_null(stats.texts);
    assert_int_equal(add("many"), owi_id_lost);
    assert_int_equal(add("none"), owi_id_lost);
    assert_int_equal(stats.n_stray, 1);
    assert_int_equal(stats.n_missing, 2);
    assert_string_equal(stats.first_text, "many");
    assert_true(owi_column_stats_is_number(&stats));
    add("more"); /* 2 of 103 are too many */
    assert_ok(owi_column_stats_finish(&stats));
    assert_false(owi_column_stats_is_number(&stats));
}

static void texts_among_the_first_numbers_keep_all_of_them_counted(void **state)
{
    (void)state;
    char text[16];
    for (int i = 0; i < 60; i++) add(i % 2 == 0 ? "odd" : "even");
    for (int i = 0; i < 3000; i++) {
        snprintf(text, sizeof text, "%d", i);
        assert_int_equal(add(text), i + 2);
    }
    assert_int_equal(owi_column_stats_n_different(&stats), 3002);
}

static void too_many_texts_are_an_error_that_says_what_to_do(void **state)
{
    (void)state;
    char text[16] = "id";
    int32_t id;
    const owi_cell cell = {.text = text, .length = 8};
    for (int i = 0; i < owi_max_levels; i++) {
        snprintf(text, sizeof text, "id%06d", i);
        assert_ok(owi_column_stats_add(&stats, &cell, &id));
    }
    text[0] = 'x';
    assert_fails(
        owi_column_stats_add(&stats, &cell, &id), OW_ERR_SCHEMA,
        "column \"age\" has more than 65536 different texts in 65537 rows, too many "
        "for categories; drop it");
}

static void too_many_bytes_of_text_are_an_error_too(void **state)
{
    (void)state;
    enum { length = 100000 };
    char *text = malloc(length);
    memset(text, 'x', length);
    int32_t id;
    ow_status status = OW_OK;
    int i = 0;
    for (; i < 1000 && status == OW_OK; i++) {
        snprintf(text, length, "%d", i);
        text[strlen(text)] = 'x';
        status =
            owi_column_stats_add(&stats, &(owi_cell){.text = text, .length = length}, &id);
    }
    assert_status(status, OW_ERR_SCHEMA);
    assert_in_range(i, 100, 200);
    free(text);
}

static void a_category_counts_numbers_as_texts(void **state)
{
    (void)state;
    owi_column_stats codes;
    owi_column_stats_begin(&codes, heap_of_group.ctx, "code", true, 5);
    for (int i = 0; i < 50; i++) {
        int32_t id;
        assert_ok(owi_column_stats_add(&codes, &(owi_cell){.number = i}, &id));
        assert_int_equal(id, i);
    }
    assert_int_equal(owi_column_stats_n_different(&codes), 50);
    owi_column_stats_clear(&codes);
}

static void counting_row_by_row_is_noticed(void **state)
{
    (void)state;
    for (int i = 5; i < 300; i++) add_number(i);
    assert_true(stats.in_sequence);
    add_number(301);
    assert_false(stats.in_sequence);
}

static ow_status gather_and_clear(ow_context *ctx, void *user)
{
    (void)user;
    owi_column_stats column;
    ow_status status = OW_OK;
    owi_column_stats_begin(&column, ctx, "x", false, 20);
    for (int i = 0; i < 60 && status == OW_OK; i++) {
        int32_t id;
        char text[16];
        const int n = snprintf(text, sizeof text, i == 50 ? "text" : "%d", i);
        status = owi_column_stats_add(&column,
                                      &(owi_cell){.text = text, .length = (size_t)n}, &id);
    }
    owi_column_stats_clear(&column);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(gather_and_clear, NULL);
}

#define column_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        column_test(values_are_numbered_and_counted),
        column_test(figures_do_not_depend_on_whether_values_were_counted),
        column_test(whole_numbers_may_be_written_with_a_point),
        column_test(one_number_with_too_many_digits_makes_all_of_them_matter),
        column_test(numbers_without_text_are_counted_as_printed),
        column_test(texts_after_many_numbers_are_words_for_missing_values),
        column_test(texts_among_the_first_numbers_keep_all_of_them_counted),
        column_test(too_many_texts_are_an_error_that_says_what_to_do),
        column_test(too_many_bytes_of_text_are_an_error_too),
        column_test(a_category_counts_numbers_as_texts),
        column_test(counting_row_by_row_is_noticed),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/column_stats", tests, NULL, NULL);
}
