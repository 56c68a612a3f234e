/* SPDX-License-Identifier: MIT */
/* What a caller may give as an ow_call, and the flag that stops calls. */
#include "base/call.h"
#include "support/ow_test.h"

static void nothing_given_is_the_default(void **state)
{
    owi_call call;
    assert_ok(owi_call_begin(&call, ow_test_context(state), NULL));
    assert_int_equal(call.seed, 0);
    assert_true(call.threads >= 1);
    assert_false(owi_call_is_late(&call));
    assert_ok(owi_call_tick(&call));
}

static void a_size_that_cannot_be_is_a_sentence(void **state)
{
    static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, (size_t)1 << 20, SIZE_MAX};
    owi_call call;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_fails(owi_call_begin(&call, ow_test_context(state),
                                    &(ow_call){.size = sizes[i]}),
                     OW_ERR_ARGUMENT, "it must be sizeof(ow_call)");
}

static void an_older_call_ends_before_fields_that_it_does_not_have(void **state)
{
    owi_call call;
    const ow_call older = {
        .size = offsetof(ow_call, seed), .time_limit = 1e6, .seed = 7, .threads = 3};
    assert_ok(owi_call_begin(&call, ow_test_context(state), &older));
    assert_true(isfinite(call.deadline));
    assert_int_equal(call.seed, 0);
    assert_int_equal(call.threads, ow_call_threads(NULL));
    assert_int_equal(ow_call_threads(&older), ow_call_threads(NULL));
}

static void a_newer_call_is_taken_if_the_rest_is_zero(void **state)
{
    struct {
        ow_call known;
        uint64_t later[2];
    } newer = {.known = {.size = sizeof newer, .seed = 7, .threads = 3}};
    owi_call call;
    assert_ok(owi_call_begin(&call, ow_test_context(state), &newer.known));
    assert_int_equal(call.seed, 7);
    assert_int_equal(call.threads, 3);
    newer.later[1] = 1;
    assert_fails(owi_call_begin(&call, ow_test_context(state), &newer.known),
                 OW_ERR_ARGUMENT, "ow_call: an option is set that version ");
}

static void a_time_limit_is_no_less_than_0(void **state)
{
    static const double limits[] = {-1.0, -INFINITY, NAN};
    owi_call call;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        assert_fails(owi_call_begin(&call, ow_test_context(state),
                                    &(ow_call){.size = sizeof(ow_call),
                                               .time_limit = limits[i]}),
                     OW_ERR_ARGUMENT, "expected 0 or more");
    assert_ok(owi_call_begin(&call, ow_test_context(state),
                             &(ow_call){.size = sizeof(ow_call), .time_limit = INFINITY}));
    assert_ok(owi_call_tick(&call));
}

static void a_passed_time_limit_stops_all_but_lenient_calls(void **state)
{
    owi_call call;
    assert_ok(owi_call_begin(&call, ow_test_context(state),
                             &(ow_call){.size = sizeof(ow_call), .time_limit = 1e-9}));
    while (!owi_call_is_late(&call)) continue;
    assert_fails(owi_call_tick(&call), OW_ERR_CANCELLED, "time limit");
    assert_false(owi_call_is_stopped(&call));
    const owi_call lenient = owi_call_lenient(&call);
    assert_ok(owi_call_tick(&lenient));
    assert_true(owi_call_is_late(&lenient));
}

/* The flag is set until it is reset; a call that has seen it stays stopped, with all that
 * share its state. */
static void a_flag_stops_the_calls_that_see_it_set(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_cancel *cancel = NULL;
    owi_call first, second, unheard;
    assert_ok(ow_cancel_new(ctx, &cancel));
    assert_false(ow_cancel_requested(cancel));
    const ow_call given = {.size = sizeof given, .cancel = cancel};
    assert_ok(owi_call_begin(&first, ctx, &given));
    assert_ok(owi_call_tick(&first));

    ow_cancel_request(cancel);
    assert_true(ow_cancel_requested(cancel));
    const owi_call part = owi_call_part(&first, 0, 1, 2);
    const owi_call lenient = owi_call_lenient(&first);
    owi_call_begin_unheard(&unheard, &first);
    assert_fails(owi_call_tick(&part), OW_ERR_CANCELLED, "stopped while preparing");
    assert_fails(owi_call_tick(&lenient), OW_ERR_CANCELLED, "stopped while");
    assert_ok(owi_call_tick(&unheard));

    ow_cancel_reset(cancel);
    assert_false(ow_cancel_requested(cancel));
    assert_fails(owi_call_tick(&first), OW_ERR_CANCELLED, "stopped while");
    assert_ok(owi_call_begin(&second, ctx, &given));
    assert_ok(owi_call_tick(&second));
    ow_cancel_free(cancel);
    ow_cancel_free(NULL);
}

static ow_status make_flag(ow_context *ctx, void *user)
{
    ow_cancel *cancel = NULL;
    (void)user;
    const ow_status status = ow_cancel_new(ctx, &cancel);
    assert_true((cancel != NULL) == (status == OW_OK));
    ow_cancel_free(cancel);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    ow_test_sweep(make_flag, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(nothing_given_is_the_default),
        ow_test_on_heap(a_size_that_cannot_be_is_a_sentence),
        ow_test_on_heap(an_older_call_ends_before_fields_that_it_does_not_have),
        ow_test_on_heap(a_newer_call_is_taken_if_the_rest_is_zero),
        ow_test_on_heap(a_time_limit_is_no_less_than_0),
        ow_test_on_heap(a_passed_time_limit_stops_all_but_lenient_calls),
        ow_test_on_heap(a_flag_stops_the_calls_that_see_it_set),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("base/call", tests, NULL, NULL);
}
