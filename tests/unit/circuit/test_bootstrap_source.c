/* SPDX-License-Identifier: MIT */
/* Bootstrap samples of a source: how often rows occur, whatever the blocks in which rows
 * are asked for. */
#include "base/memory/alloc.h"
#include "circuit/rows/bootstrap_source.h"
#include "support/ow_test.h"
#include "support/test_call.h"

enum { n_rows = 2000 };

/* Row i is the number i, of class i % 3. */
static ow_row_array numbers(void)
{
    static float rows[n_rows];
    static int32_t classes[n_rows];
    for (size_t i = 0; i < n_rows; i++) {
        rows[i] = (float)i;
        classes[i] = (int32_t)(i % 3);
    }
    return (ow_row_array){n_rows, 1, rows, classes, 0};
}

/* Counts the rows of a source by number; they ascend and keep their class. */
static size_t count(const ow_row_source *source, size_t at_a_time, int *seen)
{
    float rows[n_rows];
    int32_t classes[n_rows];
    size_t total = 0, before = 0;
    assert_ok(source->rewind(source->user));
    for (;;) {
        size_t n;
        assert_ok(source->next(source->user, at_a_time, rows, classes, &n));
        if (n == 0) return total;
        assert_true(n <= at_a_time);
        for (size_t i = 0; i < n; i++) {
            const size_t row = (size_t)rows[i];
            assert_true(row >= before);
            assert_int_equal(classes[i], row % 3);
            seen[row]++;
            before = row;
        }
        total += n;
    }
}

/* Of a Poisson variable with mean 1: 36.8 % are 0, and as many 1. */
static void rows_occur_as_often_as_the_rate_says(void **state)
{
    (void)state;
    ow_row_array array = numbers();
    const ow_row_source all = ow_row_source_of_array(&array);
    float block[owi_bootstrap_block];
    owi_bootstrap sample = {
        .from = &all, .n_columns = 1, .seed = 3, .rate = 1.0, .block = block};
    const ow_row_source source = owi_bootstrap_source(&sample);
    int seen[n_rows] = {0}, fewer[n_rows] = {0};
    size_t none = 0, once = 0;
    const size_t n = count(&source, 64, seen);
    for (size_t i = 0; i < n_rows; i++) {
        none += seen[i] == 0;
        once += seen[i] == 1;
    }
    assert_in_range(n, n_rows - 150, n_rows + 150);
    assert_in_range(none, (size_t)(0.33 * n_rows), (size_t)(0.41 * n_rows));
    assert_in_range(once, (size_t)(0.33 * n_rows), (size_t)(0.41 * n_rows));
    sample.rate = 0.25;
    assert_in_range(count(&source, 64, fewer), n_rows / 4 - 80, n_rows / 4 + 80);
}

static void blocks_do_not_matter_and_seeds_do(void **state)
{
    (void)state;
    ow_row_array array = numbers();
    const ow_row_source all = ow_row_source_of_array(&array);
    float block[owi_bootstrap_block];
    owi_bootstrap sample = {
        .from = &all, .n_columns = 1, .seed = 3, .rate = 1.0, .block = block};
    const ow_row_source source = owi_bootstrap_source(&sample);
    int first[n_rows] = {0}, again[n_rows] = {0}, other[n_rows] = {0};
    (void)count(&source, n_rows, first);
    (void)count(&source, 1, again);
    assert_memory_equal(first, again, sizeof first);
    sample.seed = 4;
    (void)count(&source, 7, other);
    assert_memory_not_equal(first, other, sizeof first);
}

static void rows_of_rare_classes_occur_once(void **state)
{
    (void)state;
    ow_row_array array = numbers();
    const ow_row_source all = ow_row_source_of_array(&array);
    const bool rare[3] = {false, true, false};
    float block[owi_bootstrap_block];
    owi_bootstrap sample = {
        .from = &all, .n_columns = 1, .seed = 3, .rate = 0.5, .rare = rare, .block = block};
    const ow_row_source source = owi_bootstrap_source(&sample);
    int seen[n_rows] = {0};
    (void)count(&source, 64, seen);
    for (size_t i = 1; i < n_rows; i += 3) assert_int_equal(seen[i], 1);
}

/* A sample that was kept has the rows that its source gives. */
static void kept_rows_are_those_of_the_source(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_row_array array = numbers();
    const ow_row_source all = ow_row_source_of_array(&array);
    float block[owi_bootstrap_block];
    owi_bootstrap sample = {
        .from = &all, .n_columns = 1, .seed = 3, .rate = 0.7, .block = block};
    owi_bootstrap_rows kept;
    assert_ok(owi_bootstrap_keep(ow_test_call(ctx, NULL), &sample, &kept));
    const ow_row_source source = owi_bootstrap_source(&sample);
    int drawn[n_rows] = {0}, read[n_rows] = {0};
    const size_t n = count(&source, 64, drawn);
    ow_row_array again = {kept.n_rows, 1, kept.rows, kept.classes, 0};
    const ow_row_source memory = ow_row_source_of_array(&again);
    assert_int_equal(kept.n_rows, n);
    assert_int_equal(count(&memory, 64, read), n);
    assert_memory_equal(drawn, read, sizeof drawn);
    owi_free(ctx, kept.rows);
    owi_free(ctx, kept.classes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_occur_as_often_as_the_rate_says),
        cmocka_unit_test(blocks_do_not_matter_and_seeds_do),
        cmocka_unit_test(rows_of_rare_classes_occur_once),
        ow_test_on_heap(kept_rows_are_those_of_the_source),
    };
    return cmocka_run_group_tests_name("circuit/bootstrap_source", tests, NULL, NULL);
}
