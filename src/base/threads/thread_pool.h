/* SPDX-License-Identifier: MIT */
/* A context's threads: started when first wanted, asleep while there is nothing to do,
 * ended with the context.
 *
 * They never spin.  OpenMP's do, for milliseconds, between two loops: where other programs
 * want the processors too that made training twenty times slower
 * (doc/decisions/0013-threads-of-our-own.md). */
#ifndef OWI_THREAD_POOL_H
#define OWI_THREAD_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { owi_most_workers = 256 };

/* What a worker does; worker 0 is the caller's own thread. */
typedef void (*owi_worker_fn)(void *user, size_t worker);

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t has_work, is_done;
    pthread_t threads[owi_most_workers - 1]; /* thread i is worker i + 1       */
    size_t n_threads;                        /* started                         */
    bool is_busy, is_ending;

    /* The current job. */
    size_t job;       /* its number: a thread takes part in each at most once   */
    size_t n_workers; /* the caller included                                    */
    size_t n_running; /* threads that have not finished it                      */
    owi_worker_fn run;
    void *user;
} owi_thread_pool;

void owi_thread_pool_init(owi_thread_pool *pool);
/* Waits for the threads to end. */
void owi_thread_pool_clear(owi_thread_pool *pool);

/* Calls run for the workers 0 to n_workers - 1 at once, or for fewer: only for 0 where the
 * pool is at work already (a loop in a loop, or another thread of the same context), and as
 * many as there are where the system gives no more threads.  So whatever is to be done has
 * to be shared out among those that come.  Returns when all are done. */
void owi_thread_pool_run(owi_thread_pool *pool, size_t n_workers, owi_worker_fn run,
                         void *user);

#endif
