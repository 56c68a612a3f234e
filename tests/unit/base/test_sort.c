/* SPDX-License-Identifier: MIT */
#include "base/sort.h"
#include "support/ow_test.h"
#include "support/test_call.h"

#include "base/numeric/rng.h"

/* Lengths around those of the runs and of their merges. */
static const size_t lengths[] = {0, 1, 2, 8191, 8192, 8193, 16384, 16385, 30000, 70001};
enum { n_lengths = sizeof lengths / sizeof *lengths, most = 70001 };

typedef struct {
    uint32_t key, number;
} item;

static int by_key(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void fill(item *items, size_t n, uint64_t n_keys)
{
    owi_rng rng;
    owi_rng_init(&rng, 7, n);
    for (size_t i = 0; i < n; i++)
        items[i] = (item){(uint32_t)owi_rng_below(&rng, n_keys), (uint32_t)i};
}

static void the_order_is_that_of_qsort(void **state)
{
    static item got[most], want[most];
    const owi_call *call = ow_test_call(ow_test_context(state), NULL);
    for (size_t l = 0; l < n_lengths; l++)
        for (uint64_t n_keys = 1; n_keys <= 1000000; n_keys *= 1000) {
            fill(got, lengths[l], n_keys);
            fill(want, lengths[l], n_keys);
            qsort(want, lengths[l], sizeof *want, by_key);
            assert_ok(owi_sort(call, got, lengths[l], sizeof *got, by_key));
            assert_memory_equal(got, want, lengths[l] * sizeof *got);
        }
}

static bool stop_soon(void *user, const ow_progress *progress)
{
    (void)progress;
    return ++*(size_t *)user < 2;
}

static void it_can_be_stopped(void **state)
{
    enum { n = 1 << 20 };
    size_t n_asked = 0;
    const ow_call how = {.size = sizeof how,
                         .progress = stop_soon,
                         .progress_user = &n_asked};
    item *items = malloc(n * sizeof *items);
    assert_non_null(items);
    fill(items, n, 1000);
    assert_status(owi_sort(ow_test_call(ow_test_context(state), &how), items, n,
                           sizeof *items, by_key),
                  OW_ERR_CANCELLED);
    assert_int_equal(n_asked, 2);
    free(items);
}

static ow_status sort(ow_context *ctx, void *user)
{
    static item items[20000];
    (void)user;
    fill(items, 20000, 1000);
    return owi_sort(ow_test_call(ctx, NULL), items, 20000, sizeof *items, by_key);
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(sort, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_order_is_that_of_qsort),
        ow_test_on_heap(it_can_be_stopped),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("base/sort", tests, NULL, NULL);
}
