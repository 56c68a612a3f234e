/* SPDX-License-Identifier: MIT */
/* A context's threads: every worker has a number of its own, jobs of several threads and
 * jobs inside jobs come to an end, and nobody waits for a worker that never comes. */
#include "support/ow_test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/threads/thread_pool.h"

enum { n_units = 1000 };

/* Units of work, taken one by one by whoever comes. */
typedef struct {
    owi_thread_pool *pool;
    size_t n_workers;
    _Atomic size_t next, n_running;
    _Atomic int done[n_units];
    _Atomic int came[owi_most_workers]; /* how often each number */
} job;

static void take_units(void *user, size_t worker)
{
    job *j = user;
    atomic_fetch_add(&j->n_running, 1);
    if (worker < owi_most_workers) atomic_fetch_add(&j->came[worker], 1);
    for (size_t i; (i = atomic_fetch_add(&j->next, 1)) < n_units;)
        atomic_fetch_add(&j->done[i], 1);
    atomic_fetch_sub(&j->n_running, 1);
}

/* Everything was done once, by workers below n_workers, each at most once, the caller among
 * them, and all of them have left. */
static void assert_done(const job *j)
{
    for (size_t i = 0; i < n_units; i++) assert_int_equal(j->done[i], 1);
    assert_int_equal(j->came[0], 1);
    for (size_t w = 0; w < owi_most_workers; w++)
        assert_true(j->came[w] <= (w < j->n_workers ? 1 : 0));
    assert_int_equal(j->n_running, 0);
}

static void every_worker_comes_at_most_once_and_all_is_done(void **state)
{
    (void)state;
    const size_t counts[] = {1, 2, 3, 8, 2, 1, 8};
    owi_thread_pool pool;
    static job j;
    owi_thread_pool_init(&pool);
    for (size_t round = 0; round < 50; round++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            j = (job){.n_workers = counts[i]};
            owi_thread_pool_run(&pool, counts[i], take_units, &j);
            assert_done(&j);
        }
    assert_true(pool.n_threads <= 7); /* no more than anybody asked for */
    owi_thread_pool_clear(&pool);
}

static void one_worker_needs_no_thread(void **state)
{
    (void)state;
    owi_thread_pool pool;
    static job j;
    owi_thread_pool_init(&pool);
    j = (job){.n_workers = 1};
    owi_thread_pool_run(&pool, 1, take_units, &j);
    assert_done(&j);
    assert_int_equal(pool.n_threads, 0);
    owi_thread_pool_clear(&pool);
}

static void more_workers_than_there_may_be_are_as_many_as_there_may(void **state)
{
    (void)state;
    owi_thread_pool pool;
    static job j;
    owi_thread_pool_init(&pool);
    j = (job){.n_workers = owi_most_workers};
    owi_thread_pool_run(&pool, SIZE_MAX, take_units, &j);
    assert_done(&j);
    assert_true(pool.n_threads < owi_most_workers);
    owi_thread_pool_clear(&pool);
}

/* ---- Workers that meet ---- */

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    size_t n_here;
} meeting;

/* Goes on when two have come. */
static void meet(void *user, size_t worker)
{
    meeting *m = user;
    (void)worker;
    pthread_mutex_lock(&m->lock);
    m->n_here++;
    pthread_cond_broadcast(&m->change);
    while (m->n_here < 2) pthread_cond_wait(&m->change, &m->lock);
    pthread_mutex_unlock(&m->lock);
}

/* Would hang for ever if workers came one after the other. */
static void two_workers_are_there_at_once(void **state)
{
    (void)state;
    owi_thread_pool pool;
    owi_thread_pool_init(&pool);
    for (size_t round = 0; round < 20; round++) {
        meeting m = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
        owi_thread_pool_run(&pool, 2, meet, &m);
        assert_int_equal(m.n_here, 2);
    }
    owi_thread_pool_clear(&pool);
}

/* ---- Jobs inside jobs, and of several threads ---- */

static void job_in_job(void *user, size_t worker)
{
    job *outer = user;
    job *inner = calloc(1, sizeof *inner);
    inner->n_workers = outer->n_workers;
    owi_thread_pool_run(outer->pool, outer->n_workers, take_units, inner);
    for (size_t i = 0; i < n_units; i++)
        if (inner->done[i] != 1) atomic_fetch_add(&outer->done[0], 1000);
    if (inner->n_running != 0) atomic_fetch_add(&outer->done[0], 1000);
    free(inner);
    take_units(outer, worker);
}

static void jobs_inside_jobs_come_to_an_end(void **state)
{
    (void)state;
    owi_thread_pool pool;
    static job j;
    owi_thread_pool_init(&pool);
    for (size_t n_workers = 1; n_workers < 6; n_workers++) {
        j = (job){.pool = &pool, .n_workers = n_workers};
        owi_thread_pool_run(&pool, n_workers, job_in_job, &j);
        assert_done(&j);
    }
    owi_thread_pool_clear(&pool);
}

static void *run_many(void *user)
{
    owi_thread_pool *pool = user;
    job *j = calloc(1, sizeof *j);
    size_t n_wrong = 0;
    for (size_t round = 0; round < 30; round++) {
        *j = (job){.pool = pool, .n_workers = 1 + round % 4};
        owi_thread_pool_run(pool, j->n_workers, round % 3 == 0 ? job_in_job : take_units,
                            j);
        for (size_t i = 0; i < n_units; i++) n_wrong += j->done[i] != 1;
        n_wrong += j->n_running != 0 || j->came[0] != 1;
    }
    free(j);
    return n_wrong == 0 ? NULL : user;
}

static void threads_of_the_caller_share_the_pool(void **state)
{
    (void)state;
    enum { n_callers = 6 };
    owi_thread_pool pool;
    pthread_t callers[n_callers];
    owi_thread_pool_init(&pool);
    for (size_t i = 0; i < n_callers; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, run_many, &pool), 0);
    for (size_t i = 0; i < n_callers; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(callers[i], &wrong), 0);
        assert_null(wrong);
    }
    owi_thread_pool_clear(&pool);
}

/* ---- Signals ---- */

static void note_mask(void *user, size_t worker)
{
    _Atomic int *n_open = user;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (worker > 0 && sigismember(&mask, SIGINT) == 0) atomic_fetch_add(n_open, 1);
}

static void signals_are_left_to_the_caller(void **state)
{
    (void)state;
    owi_thread_pool pool;
    _Atomic int n_open = 0;
    sigset_t mask;
    owi_thread_pool_init(&pool);
    owi_thread_pool_run(&pool, 4, note_mask, &n_open);
    owi_thread_pool_clear(&pool);
    assert_int_equal(n_open, 0);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGINT), 0); /* and here nothing has changed */
}

static void a_pool_that_was_never_used_ends(void **state)
{
    (void)state;
    owi_thread_pool pool;
    owi_thread_pool_init(&pool);
    owi_thread_pool_clear(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_worker_comes_at_most_once_and_all_is_done),
        cmocka_unit_test(one_worker_needs_no_thread),
        cmocka_unit_test(more_workers_than_there_may_be_are_as_many_as_there_may),
        cmocka_unit_test(two_workers_are_there_at_once),
        cmocka_unit_test(jobs_inside_jobs_come_to_an_end),
        cmocka_unit_test(threads_of_the_caller_share_the_pool),
        cmocka_unit_test(signals_are_left_to_the_caller),
        cmocka_unit_test(a_pool_that_was_never_used_ends),
    };
    return cmocka_run_group_tests_name("base/thread_pool", tests, NULL, NULL);
}
