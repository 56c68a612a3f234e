/* SPDX-License-Identifier: MIT */
/* A context's threads: started when first wanted, asleep while there is nothing to do,
 * ended with the context, and shared by all calls on it.
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

/* A job that still has places for workers; it lies on the stack of the thread that wants it
 * done. */
typedef struct owi_pool_job owi_pool_job;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    pthread_t threads[owi_most_workers - 1];
    size_t n_threads;   /* started                                   */
    size_t n_asleep;    /* of those                                  */
    owi_pool_job *open; /* a list, the oldest first                  */
    bool is_ending;
} owi_thread_pool;

void owi_thread_pool_init(owi_thread_pool *pool);
/* Waits for the threads to end. */
void owi_thread_pool_clear(owi_thread_pool *pool);

/* Calls run for worker 0, here, and for as many of the workers 1 to n_workers - 1 as
 * threads have time for, all at once; returns when all of them are done.  So whatever is to
 * be done has to be shared out among those that come, and once one of them returns there
 * must be nothing left to begin.
 *
 * Several threads may have jobs at the same time, and a worker may have one of its own: a
 * thread that is free goes to the job with the fewest workers.  Nobody waits for a worker
 * that has not come, and whoever waits has done all that it can itself, so jobs inside jobs
 * come to an end on any number of threads. */
void owi_thread_pool_run(owi_thread_pool *pool, size_t n_workers, owi_worker_fn run,
                         void *user);

#endif
