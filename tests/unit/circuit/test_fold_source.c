/* SPDX-License-Identifier: MIT */
/* Folds of a source: every row in exactly one of them, whatever the blocks in which rows
 * are asked for. */
#include "circuit/rows/fold_source.h"
#include "support/ow_test.h"

enum { n_rows = 1000, n_folds = 5 };

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

/* Counts the rows of a source by number, checks that they ascend and keep their class. */
static size_t count(const ow_row_source *source, size_t at_a_time, bool one_class,
                    int *seen)
{
    float rows[n_rows];
    int32_t classes[n_rows];
    float before = -1.0f;
    size_t total = 0;
    assert_ok(source->rewind(source->user));
    for (;;) {
        size_t n = 99;
        assert_ok(source->next(source->user, at_a_time, rows, classes, &n));
        if (n == 0) return total;
        assert_true(n <= at_a_time);
        total += n;
        for (size_t i = 0; i < n; i++) {
            assert_true(rows[i] > before);
            before = rows[i];
            seen[(size_t)rows[i]]++;
            assert_int_equal(classes[i], one_class ? 0 : (int)rows[i] % 3);
        }
    }
}

static void every_row_is_in_one_fold_and_outside_the_others(void **state)
{
    (void)state;
    ow_row_array array = numbers();
    const ow_row_source all = ow_row_source_of_array(&array);
    int inside[n_rows] = {0}, outside[n_rows] = {0};
    for (size_t i = 0; i < n_folds; i++) {
        owi_fold fold = {.from = &all,
                         .n_columns = 1,
                         .seed = 3,
                         .low = (double)i / n_folds,
                         .high = (double)(i + 1) / n_folds};
        const ow_row_source source = owi_fold_source(&fold);
        const size_t n = count(&source, 64, false, inside);
        assert_true(n > 150 && n < 250);
        fold.others = true;
        assert_int_equal(count(&source, 64, false, outside), n_rows - n);
    }
    for (size_t i = 0; i < n_rows; i++) {
        assert_int_equal(inside[i], 1);
        assert_int_equal(outside[i], n_folds - 1);
    }
}

static void blocks_do_not_matter_and_seeds_do(void **state)
{
    (void)state;
    ow_row_array array = numbers();
    const ow_row_source all = ow_row_source_of_array(&array);
    owi_fold fold = {
        .from = &all, .n_columns = 1, .seed = 3, .high = 0.3, .one_class = true};
    const ow_row_source source = owi_fold_source(&fold);
    int first[n_rows] = {0}, again[n_rows] = {0}, other[n_rows] = {0};
    (void)count(&source, n_rows, true, first);
    (void)count(&source, 1, true, again);
    assert_memory_equal(first, again, sizeof first);
    fold.seed = 4;
    (void)count(&source, 7, true, other);
    assert_memory_not_equal(first, other, sizeof first);
}

static void rare_classes_are_never_held_out(void **state)
{
    (void)state;
    ow_row_array array = numbers();
    const ow_row_source all = ow_row_source_of_array(&array);
    const bool rare[3] = {false, true, false};
    owi_fold fold = {.from = &all, .n_columns = 1, .seed = 3, .high = 0.3, .rare = rare};
    const ow_row_source source = owi_fold_source(&fold);
    int inside[n_rows] = {0}, outside[n_rows] = {0};
    (void)count(&source, 64, false, inside);
    fold.others = true;
    (void)count(&source, 64, false, outside);
    for (size_t i = 0; i < n_rows; i++) {
        assert_int_equal(inside[i] + outside[i], 1);
        if (i % 3 == 1) assert_int_equal(outside[i], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_in_one_fold_and_outside_the_others),
        cmocka_unit_test(blocks_do_not_matter_and_seeds_do),
        cmocka_unit_test(rare_classes_are_never_held_out),
    };
    return cmocka_run_group_tests_name("circuit/fold_source", tests, NULL, NULL);
}
