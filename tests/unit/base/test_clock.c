/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include <time.h>

#include "base/clock.h"

static void the_clock_never_goes_back(void **state)
{
    (void)state;
    double last = owi_clock_seconds();
    for (int i = 0; i < 10000; i++) {
        const double now = owi_clock_seconds();
        assert_true(now >= last);
        last = now;
    }
}

static void it_counts_in_seconds(void **state)
{
    (void)state;
    const struct timespec nap = {.tv_nsec = 20000000};
    const double start = owi_clock_seconds();
    assert_int_equal(nanosleep(&nap, NULL), 0);
    const double slept = owi_clock_seconds() - start;
    assert_true(slept >= 0.0199 && slept < 60.0); /* a busy machine may oversleep */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(it_counts_in_seconds),
    };
    return cmocka_run_group_tests_name("base/clock", tests, NULL, NULL);
}
