/* SPDX-License-Identifier: MIT */
#include "base/threads/thread_pool.h"

#include <signal.h>

void owi_thread_pool_init(owi_thread_pool *pool)
{
    *pool = (owi_thread_pool){.n_threads = 0};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
    pthread_cond_init(&pool->is_done, NULL);
}

void owi_thread_pool_clear(owi_thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->n_threads; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->is_done);
    pthread_cond_destroy(&pool->has_work);
    pthread_mutex_destroy(&pool->lock);
}

/* With the lock held: sleeps until there is a job after the last one that has a place for
 * this worker.  False: the pool ends. */
static bool wait_for_job(owi_thread_pool *pool, size_t worker, size_t *last)
{
    while (!pool->is_ending && (pool->job == *last || worker >= pool->n_workers))
        pthread_cond_wait(&pool->has_work, &pool->lock);
    *last = pool->job;
    return !pool->is_ending;
}

/* Whoever starts a thread holds the lock until its handle is in the list, where it finds
 * its number. */
static void *work(void *user)
{
    owi_thread_pool *pool = user;
    size_t worker = 0, last = 0;
    pthread_mutex_lock(&pool->lock);
    while (!pthread_equal(pool->threads[worker], pthread_self())) worker++;
    worker++;
    while (wait_for_job(pool, worker, &last)) {
        const owi_worker_fn run = pool->run;
        void *of_job = pool->user;
        pthread_mutex_unlock(&pool->lock);
        run(of_job, worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->n_running == 0) pthread_cond_signal(&pool->is_done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* With the lock held: so many threads, or as many as can be had.  Signals are the caller's
 * business. */
static void start_threads(owi_thread_pool *pool, size_t wanted)
{
    sigset_t all, before;
    if (pool->n_threads >= wanted) return;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (pool->n_threads < wanted &&
           pthread_create(&pool->threads[pool->n_threads], NULL, work, pool) == 0)
        pool->n_threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void owi_thread_pool_run(owi_thread_pool *pool, size_t n_workers, owi_worker_fn run,
                         void *user)
{
    bool is_mine = false;
    if (n_workers > owi_most_workers) n_workers = owi_most_workers;
    if (n_workers > 1) {
        pthread_mutex_lock(&pool->lock);
        is_mine = !pool->is_busy;
        if (is_mine) {
            start_threads(pool, n_workers - 1);
            pool->is_busy = true;
            pool->n_running =
                pool->n_threads < n_workers - 1 ? pool->n_threads : n_workers - 1;
            pool->n_workers = pool->n_running + 1;
            pool->run = run;
            pool->user = user;
            pool->job++;
            pthread_cond_broadcast(&pool->has_work);
        }
        pthread_mutex_unlock(&pool->lock);
    }
    run(user, 0);
    if (!is_mine) return;
    pthread_mutex_lock(&pool->lock);
    while (pool->n_running > 0) pthread_cond_wait(&pool->is_done, &pool->lock);
    pool->n_workers = 0;
    pool->is_busy = false;
    pthread_mutex_unlock(&pool->lock);
}
