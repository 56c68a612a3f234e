/* SPDX-License-Identifier: MIT */
/* The progress line, and stopping. */
#include "support/ow_test.h"

#include <signal.h>

#include "terminal/interrupt.h"
#include "terminal/progress.h"

static void assert_text(uint64_t done, uint64_t total, double seconds, const char *want)
{
    char text[128];
    progress_text(&(ow_progress){"reading rows", done, total, seconds}, text, sizeof text);
    assert_string_equal(text, want);
}

static void the_time_left_is_what_the_rest_would_take_at_this_speed(void **state)
{
    (void)state;
    assert_text(25, 100, 10.0, "reading rows: 25 %, 30 s left");
    assert_text(1, 3, 60.0, "reading rows: 33 %, 2 min 0 s left");
    assert_text(1, 1000, 10.0, "reading rows: 0 %, 2 h 46 min left");
    assert_text(100, 100, 10.0, "reading rows: 100 %, 0 s left");
    assert_text(120, 100, 10.0, "reading rows: 100 %, 0 s left"); /* the file has grown */
}

static void without_a_total_the_time_so_far_is_told(void **state)
{
    (void)state;
    assert_text(100, 0, 61.5, "reading rows: 1 min 2 s so far");
    assert_text(0, 100, 2.0, "reading rows: 2 s so far");
}

static void a_signal_stops_at_the_next_report(void **state)
{
    (void)state;
    bool shown = false;
    const ow_progress report = {"reading rows", 1, 2, 5.0};
    interrupt_start();
    assert_true(progress_report(&shown, &report));
    assert_int_equal(interrupt_signal(), 0);
    raise(SIGINT);
    assert_int_equal(interrupt_signal(), SIGINT);
    assert_false(progress_report(&shown, &report));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_left_is_what_the_rest_would_take_at_this_speed),
        cmocka_unit_test(without_a_total_the_time_so_far_is_told),
        cmocka_unit_test(a_signal_stops_at_the_next_report),
    };
    return cmocka_run_group_tests_name("cli/progress", tests, NULL, NULL);
}
