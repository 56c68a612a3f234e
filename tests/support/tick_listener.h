/* SPDX-License-Identifier: MIT */
/* A listener of calls that stops them at its n-th question, and measures the processor time
 * of the calling thread between two questions.  The library asks at most every 5 ms, so
 * that two ticks are never farther apart than two questions.
 *
 *     ow_test_listener l = ow_test_listen(3);
 *     const ow_call call = ow_test_heard_by(&l, 1);
 *     status = ow_model_train(reader, schema, &options, &call, &model);
 */
#ifndef OW_TICK_LISTENER_H
#define OW_TICK_LISTENER_H

#include "support/ow_test.h"

typedef struct {
    size_t n_left; /* questions answered with yes from now on; SIZE_MAX: all */
    size_t n_calls;
    double last, longest; /* seconds of processor time                          */
    char before[160];     /* the stage of the last question                     */
    char where[400];      /* the stages around the longest gap                  */
} ow_test_listener;

ow_test_listener ow_test_listen(size_t n_left);
ow_call ow_test_heard_by(ow_test_listener *l, size_t threads);

typedef ow_status (*ow_test_work)(const void *user, const ow_call *call);

/* Fails where `work` has a gap of more than 20 ms, or of more than 1 s where the build is
 * not optimised or has a sanitizer, which takes many times as long.  With one thread all
 * work of the call is the calling thread's, so that nothing is missed.
 *
 * The clock of a virtual machine also counts what its host takes away, and caches are
 * shared with whatever else runs: work that has such a gap is done again, and fails where
 * it has one every time. */
void ow_test_assert_ticks(const char *what, size_t threads, ow_test_work work,
                          const void *user);

#endif
