/* SPDX-License-Identifier: MIT */
/* Rows that are kept: the same bits come back, from memory and from the temporary file. */
#include "model/train/rows/value_store.h"
#include "support/ow_test.h"
#include "support/test_call.h"

#include <float.h>
#include <math.h>

#include "base/numeric/rng.h"

enum { n_columns = 7, most_rows = 3 * owi_store_block };

/* Columns that need a byte, a float or a double, with what is awkward in each. */
static double value_of(size_t row, size_t column, owi_rng *rng)
{
    static const double awkward[] = {-0.0, NAN, INFINITY, -INFINITY, DBL_MAX, DBL_MIN / 8};
    switch (column) {
    case 0:
        return (double)(row % 255);
    case 1:
        return row % 3 == 0 ? NAN : 254.0;
    case 2:
        return -(double)row; /* -0 first */
    case 3:
        return 255.0 + (double)(row % 2);
    case 4:
        return row % 100 < 6 ? awkward[row % 100] : 0.5;
    case 5:
        return owi_rng_normal(rng);
    default:
        return row < owi_store_block ? 3.0
                                     : 0.1 * (double)row; /* another form each block */
    }
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static owi_value_store *fill(ow_context *ctx, size_t most_bytes, size_t n, double *values,
                             int32_t *classes)
{
    owi_value_store *store = NULL;
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < n; i++) {
        classes[i] = (int32_t)(i % 4) - 1;
        for (size_t j = 0; j < n_columns; j++)
            values[i * n_columns + j] = value_of(i, j, &rng);
    }
    assert_ok(owi_value_store_new(ctx, n_columns, most_bytes, &store));
    for (size_t at = 0; at < n; at += owi_store_block) {
        const size_t left = n - at;
        assert_ok(owi_value_store_add(store, ow_test_call(ctx, NULL),
                                      left < owi_store_block ? left : owi_store_block,
                                      values + at * n_columns, classes + at));
    }
    return store;
}

static void every_value_comes_back_in_steps_of_any_size(void **state)
{
    static const size_t limits[] = {0, 40000, 1 << 30}; /* file, both, memory */
    static const size_t sizes[] = {0, 1, owi_store_block, most_rows - 1};
    static const size_t steps[] = {1, 100, owi_store_block, most_rows};
    static double values[most_rows * n_columns], got[most_rows * n_columns];
    static int32_t classes[most_rows], got_classes[most_rows];
    const owi_call *call = ow_test_call(ow_test_context(state), NULL);
    for (size_t l = 0; l < 3; l++)
        for (size_t s = 0; s < 4; s++) {
            owi_value_store *store =
                fill(ow_test_context(state), limits[l], sizes[s], values, classes);
            for (size_t k = 0; k < 4; k++) {
                size_t at = 0, n = 1;
                for (; n > 0; at += n) {
                    assert_ok(owi_value_store_read(store, call, at, steps[k], got,
                                                   got_classes, &n));
                    assert_true(n <= steps[k]);
                    assert_memory_equal(got_classes, classes + at, n * sizeof *classes);
                    for (size_t i = 0; i < n * n_columns; i++)
                        assert_true(is_same(got[i], values[at * n_columns + i]));
                }
                assert_int_equal(at, sizes[s]);
            }
            owi_value_store_free(store);
        }
}

static void what_cannot_be_written_is_said(void **state)
{
    static double values[owi_store_block * n_columns];
    static int32_t classes[owi_store_block];
    ow_context *ctx = ow_test_context(state);
    owi_value_store *store = NULL;
    assert_ok(ow_context_set_temporary_folder(ctx, "a folder that is not there"));
    assert_ok(owi_value_store_new(ctx, n_columns, 0, &store));
    assert_fails(owi_value_store_add(store, ow_test_call(ctx, NULL), owi_store_block,
                                     values, classes),
                 OW_ERR_IO,
                 "the rows do not fit into memory, and a temporary file for them cannot be "
                 "made: No such file or directory");
    assert_true(owi_value_store_failed(store));
    owi_value_store_free(store);
}

static ow_status write_and_read(ow_context *ctx, void *user)
{
    const double row[n_columns] = {1, 2, 3, 4, 5, 6, 0.1};
    const int32_t y = 1;
    double got[n_columns];
    int32_t class_index;
    size_t n = 0;
    owi_value_store *store = NULL;
    ow_status status = owi_value_store_new(ctx, n_columns, *(const size_t *)user, &store);
    if (status == OW_OK)
        status = owi_value_store_add(store, ow_test_call(ctx, NULL), 1, row, &y);
    if (status == OW_OK)
        status = owi_value_store_read(store, ow_test_call(ctx, NULL), 0, 1, got,
                                      &class_index, &n);
    if (status == OW_OK) assert_true(n == 1 && class_index == 1 && got[6] == 0.1);
    owi_value_store_free(store);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    size_t limits[] = {0, 1 << 20};
    for (size_t i = 0; i < 2; i++) ow_test_sweep(write_and_read, &limits[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(every_value_comes_back_in_steps_of_any_size),
        ow_test_on_heap(what_cannot_be_written_is_said),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("model/value_store", tests, NULL, NULL);
}
