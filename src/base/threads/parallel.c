/* SPDX-License-Identifier: MIT */
#include "base/threads/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/team.h"

/* The failure of the lowest chunk so far.  Every chunk below it is still run, so in the end
 * this is the lowest of all, whichever thread failed first. */
typedef struct {
    pthread_mutex_t lock;
    _Atomic size_t chunk; /* SIZE_MAX: none */
    ow_status status;
    char message[owi_message_size];
} first_failure;

/* Sentences are kept per thread: this one has to be carried to the caller's. */
static void keep_if_first(first_failure *failure, size_t chunk, ow_status status)
{
    pthread_mutex_lock(&failure->lock);
    if (chunk < atomic_load(&failure->chunk)) {
        atomic_store(&failure->chunk, chunk);
        failure->status = status;
        snprintf(failure->message, sizeof failure->message, "%s", ow_error_message());
    }
    pthread_mutex_unlock(&failure->lock);
}

static size_t count_chunks(size_t n_rows, size_t chunk_rows)
{
    return n_rows / chunk_rows + (n_rows % chunk_rows != 0);
}

/* Enough for n_chunks, none of them idle. */
static size_t count_workers(const owi_call *call, size_t n_chunks)
{
    const size_t wanted = owi_smaller(call->threads, owi_most_workers);
    return owi_larger(1, owi_smaller(wanted, n_chunks));
}

size_t owi_parallel_workers(const owi_call *call, size_t n_rows, size_t chunk_rows)
{
    return count_workers(call, count_chunks(n_rows, chunk_rows));
}

/* One loop, shared by its workers. */
typedef struct {
    const owi_call *call;
    size_t n_rows, chunk_rows, end;
    _Atomic size_t next; /* chunk that nobody has taken yet */
    owi_chunk_fn body;
    void *user;
    first_failure failure;
} loop;

/* Takes chunks until there are no more.  Numbers only grow, so a worker fails at most once
 * and passes over the rest. */
static void take_chunks(void *user, size_t worker)
{
    loop *l = user;
    for (;;) {
        const size_t index = atomic_fetch_add(&l->next, 1);
        if (index >= l->end || index > atomic_load(&l->failure.chunk)) return;
        const size_t first = index * l->chunk_rows;
        const owi_chunk chunk = {.chunk = index,
                                 .first = first,
                                 .n = owi_smaller(l->chunk_rows, l->n_rows - first),
                                 .worker = worker};
        ow_status status = owi_call_tick(l->call);
        if (status == OW_OK) status = l->body(l->user, &chunk);
        if (status != OW_OK) keep_if_first(&l->failure, index, status);
    }
}

ow_status owi_parallel_range(const owi_call *call, size_t n_rows, size_t chunk_rows,
                             size_t begin, size_t end, owi_chunk_fn body, void *user)
{
    loop l = {.call = call,
              .n_rows = n_rows,
              .chunk_rows = chunk_rows,
              .end = end,
              .next = begin,
              .body = body,
              .user = user,
              .failure = {.chunk = SIZE_MAX, .status = OW_OK}};
    pthread_mutex_init(&l.failure.lock, NULL);
    owi_thread_pool_run(&call->ctx->pool, count_workers(call, end - begin), take_chunks,
                        &l);
    pthread_mutex_destroy(&l.failure.lock);
    if (l.failure.status == OW_OK) return OW_OK;
    /* Only this thread can say what was stopped. */
    if (l.failure.status == OW_ERR_CANCELLED) OWI_TRY(owi_call_tick(call));
    return owi_fail(l.failure.status, "%s", l.failure.message);
}

ow_status owi_parallel_rows(const owi_call *call, size_t n_rows, size_t chunk_rows,
                            owi_chunk_fn body, void *user)
{
    OWI_REQUIRE(chunk_rows > 0);
    return owi_parallel_range(call, n_rows, chunk_rows, 0, count_chunks(n_rows, chunk_rows),
                              body, user);
}

/* Sums are made in waves of so many chunks, each chunk into a line of its own; then the
 * lines are added to the total from the first to the last, every figure by itself.  That is
 * one addition after the other in chunk order, however long the waves are.  So they may be
 * as long as memory allows: 64 lines, fewer if those took more than 16 MB, but one for each
 * worker. */
enum { longest_wave = 64, wave_size = 16 << 20, figures_per_chunk = 4096 };

typedef struct {
    owi_sum_fn body;
    void *user;
    double *lines, *total;
    size_t stride; /* from one line to the next: workers never write to one cache line */
    size_t n_sums, first_chunk, n_lines;
} wave;

static ow_status sum_chunk(void *user, const owi_chunk *chunk)
{
    const wave *w = user;
    double *line = w->lines + (chunk->chunk - w->first_chunk) * w->stride;
    memset(line, 0, w->n_sums * sizeof *line);
    return w->body(w->user, chunk, line);
}

static ow_status add_lines(void *user, const owi_chunk *figures)
{
    const wave *w = user;
    for (size_t l = 0; l < w->n_lines; l++) {
        const double *line = w->lines + l * w->stride;
        for (size_t i = figures->first; i < figures->first + figures->n; i++)
            w->total[i] += line[i];
    }
    return OW_OK;
}

ow_status owi_parallel_sum(const owi_call *call, size_t n_rows, size_t chunk_rows,
                           owi_sum_fn body, void *user, size_t n_sums, double *total)
{
    OWI_REQUIRE(chunk_rows > 0);
    const size_t per_cache_line = owi_alignment / sizeof *total;
    wave w = {.body = body, .user = user, .total = total, .n_sums = n_sums};
    w.stride = (n_sums / per_cache_line + 1) * per_cache_line;

    const size_t n_chunks = count_chunks(n_rows, chunk_rows);
    const size_t fitting = owi_smaller(wave_size / sizeof *total / w.stride, longest_wave);
    const size_t most_lines =
        owi_smaller(n_chunks, owi_larger(fitting, count_workers(call, n_chunks)));
    w.lines = owi_alloc_aligned(call->ctx, most_lines, w.stride * sizeof *total);
    if (w.lines == NULL) return OW_ERR_MEMORY;

    ow_status status = OW_OK;
    for (; w.first_chunk < n_chunks && status == OW_OK; w.first_chunk += w.n_lines) {
        w.n_lines = owi_smaller(most_lines, n_chunks - w.first_chunk);
        const owi_share own = owi_team_own_share(call, w.n_lines);
        status = owi_parallel_range(call, n_rows, chunk_rows, w.first_chunk + own.first,
                                    w.first_chunk + own.end, sum_chunk, &w);
        status =
            owi_team_complete(call, status, w.n_lines, w.stride * sizeof *w.lines, w.lines);
        if (status == OW_OK)
            status = owi_parallel_rows(call, n_sums, figures_per_chunk, add_lines, &w);
    }
    owi_free_aligned(call->ctx, w.lines);
    return status;
}
