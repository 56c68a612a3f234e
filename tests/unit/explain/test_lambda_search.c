/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "explain/wachter/lambda_search.h"

/* Runs a search in which exactly the lambdas up to `limit` hit; returns the largest that
 * did. */
static double search_for(double first, double limit, int64_t halvings, size_t *n_rounds)
{
    owi_lambda_search search;
    double best = 0.0;
    bool goes_on = true;
    owi_lambda_begin(&search, first);
    for (*n_rounds = 0; goes_on; ++*n_rounds) {
        const bool hit = search.lambda <= limit;
        assert_true(search.lambda >= 0.0);
        assert_true(*n_rounds < 100);
        if (hit) best = fmax(best, search.lambda);
        goes_on = owi_lambda_next(&search, hit, halvings);
    }
    return best;
}

static void it_closes_in_on_the_largest_lambda_that_hits(void **state)
{
    (void)state;
    size_t n;
    for (double limit = 3e-6; limit < 1e4; limit *= 7.0) {
        const double got = search_for(0.1, limit, 10, &n);
        assert_true(got <= limit);
        assert_true(got > limit * (1.0 - 10.0 / 1024.0) - 1e-12);
    }
}

static void what_never_hits_and_what_always_does_ends_after_eight_rounds(void **state)
{
    (void)state;
    size_t n;
    assert_true(search_for(0.1, -1.0, 10, &n) == 0.0);
    assert_int_equal(n, 8);
    assert_true(search_for(0.1, INFINITY, 10, &n) > 1e5);
    assert_int_equal(n, 8);
}

static void lambda_is_never_negative_whatever_hits(void **state)
{
    (void)state;
    for (unsigned pattern = 0; pattern < 4096; pattern++) {
        owi_lambda_search search;
        owi_lambda_begin(&search, 0.1);
        for (unsigned round = 0; round < 24; round++) {
            if (!owi_lambda_next(&search, (pattern >> round % 12 & 1) != 0, 12)) break;
            assert_true(search.lambda > 0.0);
        }
    }
}

static void no_weight_at_all_is_tried_once(void **state)
{
    (void)state;
    size_t n;
    search_for(0.0, 1.0, 10, &n);
    assert_int_equal(n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_closes_in_on_the_largest_lambda_that_hits),
        cmocka_unit_test(what_never_hits_and_what_always_does_ends_after_eight_rounds),
        cmocka_unit_test(lambda_is_never_negative_whatever_hits),
        cmocka_unit_test(no_weight_at_all_is_tried_once),
    };
    return cmocka_run_group_tests_name("explain/lambda_search", tests, NULL, NULL);
}
