/* SPDX-License-Identifier: MIT */
#include "support/tick_listener.h"

#include <time.h>

#include "support/sanitizers.h"

#if !defined(__OPTIMIZE__) || defined(OW_TEST_ASAN) || defined(OW_TEST_TSAN)
static const double most_seconds = 1.0;
#else
static const double most_seconds = 0.020;
#endif

enum { n_tries = 8 };

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void note(ow_test_listener *l, const char *stage)
{
    const double now = processor_seconds();
    if (now - l->last > l->longest) {
        l->longest = now - l->last;
        snprintf(l->where, sizeof l->where, "%s -> %s", l->before, stage);
    }
    snprintf(l->before, sizeof l->before, "%s", stage);
    l->last = now;
}

static bool listen(void *user, const ow_progress *progress)
{
    ow_test_listener *l = user;
    note(l, progress->stage);
    l->n_calls++;
    return l->n_left == SIZE_MAX || l->n_left-- > 0;
}

ow_test_listener ow_test_listen(size_t n_left)
{
    return (ow_test_listener){.n_left = n_left,
                              .last = processor_seconds(),
                              .before = "its beginning"};
}

ow_call ow_test_heard_by(ow_test_listener *l, size_t threads)
{
    return (ow_call){.size = sizeof(ow_call),
                     .progress = listen,
                     .progress_user = l,
                     .threads = threads};
}

void ow_test_assert_ticks(const char *what, size_t threads, ow_test_work work,
                          const void *user)
{
    ow_test_listener l;
    for (size_t i = 0; i < n_tries; i++) {
        l = ow_test_listen(SIZE_MAX);
        const ow_call call = ow_test_heard_by(&l, threads);
        assert_ok(work(user, &call));
        note(&l, "its end");
        if (l.longest <= most_seconds) return;
    }
    fail_msg("%s: %.1f ms of processor time between two ticks (%s)", what, 1e3 * l.longest,
             l.where);
}
