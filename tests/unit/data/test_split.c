/* SPDX-License-Identifier: MIT */
/* Stratified splits: how many, which, and always the same. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"

enum { most_rows = 4000, most_classes = 12 };

static owi_rng rng = {.seed = 1};

/* A call with this seed. */
#define seeded(number) (&(ow_call){.size = sizeof(ow_call), .seed = (number)})

/* Classes -1 to n_classes - 2 with skewed frequencies. */
static void draw_classes(size_t n_rows, size_t n_classes, int32_t *classes)
{
    for (size_t i = 0; i < n_rows; i++) {
        const double u = owi_rng_uniform(&rng);
        classes[i] = (int32_t)(u * u * (double)n_classes) - 1;
    }
}

/* Rows of each class that carry the mark. */
static void count(const int32_t *classes, const int32_t *marks, int32_t mark, size_t n_rows,
                  size_t counts[most_classes])
{
    memset(counts, 0, most_classes * sizeof *counts);
    for (size_t i = 0; i < n_rows; i++) counts[classes[i] + 1] += marks[i] == mark;
}

static void a_share_is_exact_in_all_and_within_a_row_of_every_class(void **state)
{
    const ow_test_heap *heap = *state;
    static int32_t classes[most_rows], marks[most_rows];
    static bool is_test[most_rows];
    for (size_t trial = 0; trial < 200 * ow_test_scale(); trial++) {
        const size_t n = owi_rng_below(&rng, most_rows) + 1;
        const size_t n_classes = owi_rng_below(&rng, most_classes) + 1;
        const double share =
            trial % 2 == 0 ? owi_rng_uniform(&rng) : (double)owi_rng_below(&rng, 11) / 10.0;
        draw_classes(n, n_classes, classes);
        assert_ok(ow_split_by_share(heap->ctx, n, classes, share, seeded(trial), is_test));

        size_t n_test = 0, n_of_class[most_classes], n_test_of_class[most_classes];
        memset(marks, 0, sizeof marks);
        count(classes, marks, 0, n, n_of_class);
        for (size_t i = 0; i < n; i++) marks[i] = is_test[i];
        count(classes, marks, 1, n, n_test_of_class);
        for (size_t c = 0; c < most_classes; c++) {
            const double quota = share * (double)n_of_class[c];
            assert_true(fabs((double)n_test_of_class[c] - quota) < 1.0);
            n_test += n_test_of_class[c];
        }
        assert_int_equal(n_test, (size_t)round(share * (double)n));
    }
}

/* Quotas 2.5, 2.9 and 2.6 for 8 test rows: 2 are left after rounding down, and go to the
 * classes that lost most by it. */
static void the_largest_remainders_are_rounded_up(void **state)
{
    const ow_test_heap *heap = *state;
    int32_t classes[80], marks[80];
    bool is_test[80];
    size_t counts[most_classes];
    for (int i = 0; i < 80; i++) classes[i] = i < 25 ? 0 : i < 54 ? 1 : 2;
    assert_ok(ow_split_by_share(heap->ctx, 80, classes, 0.1, seeded(5), is_test));
    for (int i = 0; i < 80; i++) marks[i] = is_test[i];
    count(classes, marks, 1, 80, counts);
    assert_int_equal(counts[1], 2);
    assert_int_equal(counts[2], 3);
    assert_int_equal(counts[3], 3);
}

static void no_share_is_no_row_and_the_whole_share_is_all(void **state)
{
    const ow_test_heap *heap = *state;
    const int32_t classes[] = {0, 1, 1, -1, 2, 0, 1};
    bool is_test[7];
    assert_ok(ow_split_by_share(heap->ctx, 7, classes, 0.0, seeded(3), is_test));
    for (int i = 0; i < 7; i++) assert_false(is_test[i]);
    assert_ok(ow_split_by_share(heap->ctx, 7, classes, 1.0, seeded(3), is_test));
    for (int i = 0; i < 7; i++) assert_true(is_test[i]);
    assert_ok(ow_split_by_share(heap->ctx, 0, NULL, 0.5, seeded(3), is_test));
}

/* Class numbers may be anything, and every row a class of its own. */
static void classes_of_one_row_still_give_the_total(void **state)
{
    const ow_test_heap *heap = *state;
    static int32_t classes[1000];
    static bool is_test[1000];
    for (int32_t i = 0; i < 1000; i++) classes[i] = INT32_MAX - 2 * i;
    assert_ok(ow_split_by_share(heap->ctx, 1000, classes, 0.25, seeded(9), is_test));
    size_t n_test = 0;
    for (size_t i = 0; i < 1000; i++) n_test += is_test[i];
    assert_int_equal(n_test, 250);

    const int32_t lonely[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    assert_ok(ow_split_by_share(heap->ctx, 10, lonely, 0.2, seeded(9), is_test));
    assert_false(is_test[9]); /* a fifth of one row: the larger class gives both */
}

static void without_classes_all_rows_are_alike(void **state)
{
    const ow_test_heap *heap = *state;
    const int32_t same[100] = {0};
    bool with[100], without[100];
    assert_ok(ow_split_by_share(heap->ctx, 100, same, 0.3, seeded(4), with));
    assert_ok(ow_split_by_share(heap->ctx, 100, NULL, 0.3, seeded(4), without));
    assert_memory_equal(with, without, sizeof with);
}

static void the_seed_alone_decides(void **state)
{
    const ow_test_heap *heap = *state;
    static int32_t classes[500], folds[2][500];
    static bool first[500], again[500], other[500];
    draw_classes(500, 4, classes);
    assert_ok(ow_split_by_share(heap->ctx, 500, classes, 0.5, seeded(11), first));
    assert_ok(ow_split_folds(heap->ctx, 500, classes, 7, seeded(11), folds[0]));
    assert_ok(ow_split_by_share(heap->ctx, 500, classes, 0.5, seeded(11), again));
    assert_ok(ow_split_folds(heap->ctx, 500, classes, 7, seeded(11), folds[1]));
    assert_ok(ow_split_by_share(heap->ctx, 500, classes, 0.5, seeded(12), other));
    assert_memory_equal(first, again, sizeof first);
    assert_memory_equal(folds[0], folds[1], sizeof folds[0]);
    assert_memory_not_equal(first, other, sizeof first);
}

/* Over many seeds each row is a test row as often as its class's share says: the mean of
 * 2000 draws with p = 0.3 lies within 5 standard errors, 5 * sqrt(0.21 / 2000) = 0.051. */
static void every_row_has_the_same_chance(void **state)
{
    const ow_test_heap *heap = *state;
    enum { n = 20, n_seeds = 2000 };
    int32_t classes[n];
    bool is_test[n];
    double n_test[n] = {0}, want[n];
    for (int i = 0; i < n; i++) classes[i] = i % 2, want[i] = 0.3;
    for (uint64_t seed = 0; seed < n_seeds; seed++) {
        assert_ok(ow_split_by_share(heap->ctx, n, classes, 0.3, seeded(seed), is_test));
        for (int i = 0; i < n; i++) n_test[i] += (double)is_test[i] / n_seeds;
    }
    assert_close(n_test, want, n, 0.051);
}

static void folds_differ_by_one_row_at_most_in_all_and_in_every_class(void **state)
{
    const ow_test_heap *heap = *state;
    static int32_t classes[most_rows], folds[most_rows];
    for (size_t trial = 0; trial < 100 * ow_test_scale(); trial++) {
        const size_t n = owi_rng_below(&rng, 500) + 20;
        const size_t k = owi_rng_below(&rng, 19) + 2;
        draw_classes(n, owi_rng_below(&rng, most_classes) + 1, classes);
        assert_ok(ow_split_folds(heap->ctx, n, classes, k, seeded(trial), folds));

        size_t total = 0;
        size_t least[most_classes + 1], most[most_classes + 1] = {0};
        for (size_t c = 0; c <= most_classes; c++) least[c] = SIZE_MAX;
        for (size_t fold = 0; fold < k; fold++) {
            size_t counts[most_classes + 1] = {0};
            count(classes, folds, (int32_t)fold, n, counts);
            for (size_t c = 0; c < most_classes; c++) counts[most_classes] += counts[c];
            total += counts[most_classes];
            for (size_t c = 0; c <= most_classes; c++) {
                if (counts[c] < least[c]) least[c] = counts[c];
                if (counts[c] > most[c]) most[c] = counts[c];
            }
        }
        assert_int_equal(total, n);
        for (size_t c = 0; c <= most_classes; c++) assert_true(most[c] - least[c] <= 1);
    }
}

static void what_cannot_be_split_is_said(void **state)
{
    const ow_test_heap *heap = *state;
    bool is_test[3];
    int32_t folds[3];
    assert_fails(ow_split_by_share(heap->ctx, 3, NULL, 1.5, seeded(0), is_test),
                 OW_ERR_ARGUMENT, "the share of test rows is 1.5, not 0 to 1");
    assert_fails(ow_split_by_share(heap->ctx, 3, NULL, -0.1, seeded(0), is_test),
                 OW_ERR_ARGUMENT, "-0.1");
    assert_fails(ow_split_by_share(heap->ctx, 3, NULL, NAN, seeded(0), is_test),
                 OW_ERR_ARGUMENT, "nan");
    assert_fails(ow_split_by_share(heap->ctx, 3, NULL, 0.5, seeded(0), NULL),
                 OW_ERR_ARGUMENT, "is_test != NULL");
    assert_fails(ow_split_folds(heap->ctx, 3, NULL, 1, seeded(0), folds), OW_ERR_ARGUMENT,
                 "1 folds, expected 2 to 2147483647");
    assert_fails(ow_split_folds(heap->ctx, SIZE_MAX, NULL, (size_t)INT32_MAX + 1, seeded(0),
                                folds),
                 OW_ERR_ARGUMENT, "2147483648 folds");
    assert_fails(ow_split_folds(heap->ctx, 3, NULL, 4, seeded(0), folds), OW_ERR_ARGUMENT,
                 "4 folds for 3 rows");
    assert_fails(ow_split_folds(heap->ctx, 3, NULL, 2, seeded(0), NULL), OW_ERR_ARGUMENT,
                 "fold != NULL");
    assert_fails(ow_split_folds(heap->ctx, SIZE_MAX / 2, NULL, 2, seeded(0), folds),
                 OW_ERR_MEMORY, "out of memory");
}

static ow_status split_both_ways(ow_context *ctx, void *user)
{
    (void)user;
    const int32_t classes[] = {0, 1, 0, 1, 2};
    bool is_test[5];
    int32_t folds[5];
    const ow_status status = ow_split_by_share(ctx, 5, classes, 0.4, seeded(1), is_test);
    return status != OW_OK ? status : ow_split_folds(ctx, 5, classes, 2, seeded(1), folds);
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    ow_test_sweep(split_both_ways, NULL);
}

static void a_call_can_stop_it(void **state)
{
    ow_test_heap *heap = *state;
    ow_cancel *cancel;
    bool is_test[5];
    int32_t folds[5];
    assert_ok(ow_cancel_new(heap->ctx, &cancel));
    ow_cancel_request(cancel);
    const ow_call call = {.size = sizeof call, .cancel = cancel};
    assert_status(ow_split_by_share(heap->ctx, 5, NULL, 0.4, &call, is_test),
                  OW_ERR_CANCELLED);
    assert_status(ow_split_folds(heap->ctx, 5, NULL, 2, &call, folds), OW_ERR_CANCELLED);
    ow_cancel_free(cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_is_exact_in_all_and_within_a_row_of_every_class),
        cmocka_unit_test(the_largest_remainders_are_rounded_up),
        cmocka_unit_test(no_share_is_no_row_and_the_whole_share_is_all),
        cmocka_unit_test(classes_of_one_row_still_give_the_total),
        cmocka_unit_test(without_classes_all_rows_are_alike),
        cmocka_unit_test(the_seed_alone_decides),
        cmocka_unit_test(every_row_has_the_same_chance),
        cmocka_unit_test(folds_differ_by_one_row_at_most_in_all_and_in_every_class),
        cmocka_unit_test(what_cannot_be_split_is_said),
        cmocka_unit_test(a_call_can_stop_it),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests_name("data/split", tests, ow_test_set_up_heap,
                                       ow_test_tear_down_heap);
}
