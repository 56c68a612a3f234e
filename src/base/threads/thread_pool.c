/* SPDX-License-Identifier: MIT */
#include "base/threads/thread_pool.h"

#include <signal.h>

struct owi_pool_job {
    owi_worker_fn run;
    void *user;
    size_t n_workers; /* places, the first of them its owner's         */
    size_t n_joined;  /* places taken                                  */
    size_t n_running; /* threads of the pool that are at work on it    */
    pthread_cond_t is_done;
    owi_pool_job *next;
};

void owi_thread_pool_init(owi_thread_pool *pool)
{
    *pool = (owi_thread_pool){.n_threads = 0};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
}

void owi_thread_pool_clear(owi_thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->n_threads; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->has_work);
    pthread_mutex_destroy(&pool->lock);
}

/* With the lock held, as all of these. */

static void open_job(owi_thread_pool *pool, owi_pool_job *job)
{
    owi_pool_job **end = &pool->open;
    while (*end != NULL) end = &(*end)->next;
    *end = job;
}

/* Does nothing if it is closed already. */
static void close_job(owi_thread_pool *pool, const owi_pool_job *job)
{
    owi_pool_job **at = &pool->open;
    while (*at != NULL && *at != job) at = &(*at)->next;
    if (*at != NULL) *at = job->next;
}

/* The oldest of those with the fewest workers; NULL: there is none. */
static owi_pool_job *choose_job(const owi_thread_pool *pool)
{
    owi_pool_job *best = pool->open;
    for (owi_pool_job *job = best; job != NULL; job = job->next)
        if (job->n_running < best->n_running) best = job;
    return best;
}

/* Whoever returns from a job has found nothing left to begin, and nor would others. */
static void join_job(owi_thread_pool *pool, owi_pool_job *job)
{
    const size_t worker = job->n_joined++;
    if (job->n_joined == job->n_workers) close_job(pool, job);
    job->n_running++;
    pthread_mutex_unlock(&pool->lock);
    job->run(job->user, worker);
    pthread_mutex_lock(&pool->lock);
    close_job(pool, job);
    if (--job->n_running == 0) pthread_cond_signal(&job->is_done);
}

static void *work(void *user)
{
    owi_thread_pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    while (!pool->is_ending) {
        owi_pool_job *job = choose_job(pool);
        if (job != NULL) {
            join_job(pool, job);
            continue;
        }
        pool->n_asleep++;
        pthread_cond_wait(&pool->has_work, &pool->lock);
        pool->n_asleep--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* So many threads, or as many as can be had.  Signals are the caller's business. */
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
    if (n_workers > owi_most_workers) n_workers = owi_most_workers;
    if (n_workers <= 1) {
        run(user, 0);
        return;
    }
    owi_pool_job job = {.run = run, .user = user, .n_workers = n_workers, .n_joined = 1};
    pthread_cond_init(&job.is_done, NULL);

    pthread_mutex_lock(&pool->lock);
    start_threads(pool, n_workers - 1);
    open_job(pool, &job);
    for (size_t i = 1; i < n_workers && i <= pool->n_asleep; i++)
        pthread_cond_signal(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);

    run(user, 0);

    pthread_mutex_lock(&pool->lock);
    close_job(pool, &job);
    while (job.n_running > 0) pthread_cond_wait(&job.is_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&job.is_done);
}
