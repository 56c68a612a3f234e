/* SPDX-License-Identifier: MIT */
/* Loops over rows: every row once, the same bytes on any number of threads, one failure
 * told. */
#include "support/ow_test.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/numeric/rng.h"
#include "base/threads/parallel.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static const owi_call *call_of(ow_context *ctx)
{
    return ow_test_call(ctx, &how);
}

static const size_t thread_counts[] = {1, 2, 5};
enum { n_thread_counts = sizeof thread_counts / sizeof *thread_counts, most_rows = 5000 };

typedef struct {
    ow_context *ctx;
    size_t n_workers;
    _Atomic size_t n_calls;
    int visits[most_rows];
    size_t chunk_of[most_rows];
} visit_log;

static ow_status visit(void *user, const owi_chunk *chunk)
{
    visit_log *log = user;
    atomic_fetch_add(&log->n_calls, 1);
    if (chunk->worker >= log->n_workers)
        return owi_fail(OW_ERR_ARGUMENT, "worker %zu", chunk->worker);
    for (size_t row = chunk->first; row < chunk->first + chunk->n; row++) {
        log->visits[row]++;
        log->chunk_of[row] = chunk->chunk;
    }
    return OW_OK;
}

static void visit_rows(ow_context *ctx, visit_log *log, size_t n_rows, size_t chunk_rows)
{
    *log = (visit_log){.n_workers = owi_parallel_workers(call_of(ctx), n_rows, chunk_rows)};
    assert_ok(owi_parallel_rows(call_of(ctx), n_rows, chunk_rows, visit, log));
}

static ow_context *new_context(size_t n_threads)
{
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    how.threads = n_threads;
    return ctx;
}

static void every_row_is_visited_once_in_chunks_that_rows_alone_decide(void **state)
{
    (void)state;
    const size_t row_counts[] = {0, 1, 7, 8, 9, 64, 1000, most_rows};
    const size_t chunk_sizes[] = {1, 8, 64, SIZE_MAX};
    static visit_log log;
    for (size_t t = 0; t < n_thread_counts; t++) {
        ow_context *ctx = new_context(thread_counts[t]);
        for (size_t r = 0; r < sizeof row_counts / sizeof *row_counts; r++)
            for (size_t c = 0; c < sizeof chunk_sizes / sizeof *chunk_sizes; c++) {
                visit_rows(ctx, &log, row_counts[r], chunk_sizes[c]);
                for (size_t row = 0; row < most_rows; row++)
                    assert_int_equal(log.visits[row], row < row_counts[r]);
                for (size_t row = 0; row < row_counts[r]; row++)
                    assert_int_equal(log.chunk_of[row], row / chunk_sizes[c]);
            }
        ow_context_free(ctx);
    }
}

static void no_rows_mean_no_call(void **state)
{
    (void)state;
    static visit_log log;
    ow_context *ctx = new_context(2);
    visit_rows(ctx, &log, 0, 16);
    assert_int_equal(log.n_calls, 0);
    ow_context_free(ctx);
}

static void there_are_no_more_workers_than_threads_or_chunks(void **state)
{
    (void)state;
    ow_context *ctx = new_context(5);
    assert_int_equal(owi_parallel_workers(call_of(ctx), 0, 10), 1);
    assert_int_equal(owi_parallel_workers(call_of(ctx), 11, 10), 2);
    assert_int_equal(owi_parallel_workers(call_of(ctx), 1000, 10), 5);
    assert_int_equal(owi_parallel_workers(call_of(ctx), SIZE_MAX, 1), 5);
    how.threads = SIZE_MAX;
    assert_in_range(owi_parallel_workers(call_of(ctx), SIZE_MAX, 1), 5, 100000);
    how.threads = 0;
    assert_int_equal(owi_parallel_workers(call_of(ctx), SIZE_MAX, 1),
                     ow_call_threads(NULL));
    ow_context_free(ctx);
}

static void chunks_without_rows_break_a_rule(void **state)
{
    (void)state;
    static visit_log log;
    ow_context *ctx = new_context(1);
    assert_fails(owi_parallel_rows(call_of(ctx), 10, 0, visit, &log), OW_ERR_ARGUMENT,
                 "chunk_rows > 0");
    assert_fails(owi_parallel_sum(call_of(ctx), 10, 0, NULL, NULL, 0, NULL),
                 OW_ERR_ARGUMENT, "chunk_rows > 0");
    ow_context_free(ctx);
}

/* Keeps, for each worker, the chunk after its last one. */
static ow_status come_in_order(void *user, const owi_chunk *chunk)
{
    size_t *next = user;
    if (chunk->chunk < next[chunk->worker])
        return owi_fail(OW_ERR_ARGUMENT, "chunk %zu after %zu", chunk->chunk,
                        next[chunk->worker] - 1);
    next[chunk->worker] = chunk->chunk + 1;
    return OW_OK;
}

static void the_chunks_of_a_worker_come_in_increasing_order(void **state)
{
    (void)state;
    for (size_t t = 0; t < n_thread_counts; t++) {
        ow_context *ctx = new_context(thread_counts[t]);
        size_t next[5] = {0};
        assert_ok(owi_parallel_rows(call_of(ctx), 20000, 1, come_in_order, next));
        ow_context_free(ctx);
    }
}

static ow_status fail_from_100(void *user, const owi_chunk *chunk)
{
    visit_log *log = user;
    atomic_fetch_add(&log->n_calls, 1);
    if (chunk->chunk < 100) return OW_OK;
    return owi_fail(chunk->chunk == 100 ? OW_ERR_FORMAT : OW_ERR_NUMERIC,
                    "chunk %zu is odd", chunk->chunk);
}

static void chunks_above_a_failure_are_passed_over(void **state)
{
    (void)state;
    for (size_t t = 0; t < n_thread_counts; t++) {
        ow_context *ctx = new_context(thread_counts[t]);
        static visit_log log;
        log.n_calls = 0;
        assert_fails(owi_parallel_rows(call_of(ctx), 4000, 2, fail_from_100, &log),
                     OW_ERR_FORMAT, "chunk 100 is odd");
        /* All below 100, and at most one that fails for each worker. */
        assert_in_range(log.n_calls, 101, 100 + thread_counts[t]);
        ow_context_free(ctx);
    }
}

/* Two chunks that both fail, in a given order as far as the threads allow. */
typedef struct {
    size_t later; /* the one that fails second: 0 or 1 */
    _Atomic int has_begun[2], has_failed[2], never;
} race;

/* Gives up after a while: on one thread, what is waited for never comes. */
static void wait_for(_Atomic int *flag, double seconds)
{
    const double end = owi_clock_seconds() + seconds;
    while (atomic_load(flag) == 0 && owi_clock_seconds() < end) {
    }
}

static ow_status fail_in_turn(void *user, const owi_chunk *chunk)
{
    race *r = user;
    const size_t self = chunk->chunk, other = 1 - self;
    atomic_store(&r->has_begun[self], 1);
    wait_for(&r->has_begun[other], 0.005);
    if (self == r->later) {
        wait_for(&r->has_failed[other], 0.005);
        wait_for(&r->never, 0.005); /* that failure is to be kept by then */
    }
    const ow_status status = owi_fail(OW_ERR_FORMAT, "chunk %zu is odd", self);
    atomic_store(&r->has_failed[self], 1);
    return status;
}

static void the_caller_hears_of_the_lowest_chunk_whichever_fails_first(void **state)
{
    (void)state;
    for (size_t t = 0; t < n_thread_counts; t++)
        for (size_t later = 0; later < 2; later++) {
            ow_context *ctx = new_context(thread_counts[t]);
            race r = {.later = later};
            (void)owi_fail(OW_ERR_IO, "something older");
            assert_fails(owi_parallel_rows(call_of(ctx), 2, 1, fail_in_turn, &r),
                         OW_ERR_FORMAT, "chunk 0 is odd");
            ow_context_free(ctx);
        }
}

/* Each of two threads takes one chunk; the one that is not the caller's fails. */
static ow_status fail_elsewhere(void *user, const owi_chunk *chunk)
{
    race *r = user;
    atomic_store(&r->has_begun[chunk->chunk], 1);
    wait_for(&r->has_begun[1 - chunk->chunk], 600.0);
    if (chunk->worker == 0) return OW_OK;
    return owi_fail(OW_ERR_FORMAT, "said on another thread");
}

static void the_sentence_comes_over_from_another_thread(void **state)
{
    (void)state;
    ow_context *ctx = new_context(2);
    race r = {.later = 0};
    (void)owi_fail(OW_ERR_IO, "something older");
    assert_fails(owi_parallel_rows(call_of(ctx), 2, 1, fail_elsewhere, &r), OW_ERR_FORMAT,
                 "said on another thread");
    ow_context_free(ctx);
}

static ow_status fail_sum(void *user, const owi_chunk *chunk, double *sums)
{
    (void)sums;
    return fail_from_100(user, chunk);
}

static void a_sum_fails_as_its_lowest_chunk_does(void **state)
{
    (void)state;
    static visit_log log;
    double total = 0.0;
    for (size_t t = 0; t < n_thread_counts; t++) {
        ow_context *ctx = new_context(thread_counts[t]);
        assert_fails(owi_parallel_sum(call_of(ctx), 4000, 2, fail_sum, &log, 1, &total),
                     OW_ERR_FORMAT, "chunk 100 is odd");
        ow_context_free(ctx);
    }
}

/* Figures of very different size, so that every other order of adding shows. */
static double figure(size_t row, size_t i)
{
    owi_rng rng;
    owi_rng_init(&rng, row, i);
    return exp(10.0 * owi_rng_normal(&rng));
}

typedef struct {
    size_t n_sums;
} sum_job;

static ow_status add_figures(void *user, const owi_chunk *chunk, double *sums)
{
    const sum_job *job = user;
    for (size_t row = chunk->first; row < chunk->first + chunk->n; row++)
        for (size_t i = 0; i < job->n_sums; i++) sums[i] += figure(row, i);
    return OW_OK;
}

/* The definition, written out: chunk sums first, then chunk after chunk. */
static void add_plainly(size_t n_rows, size_t chunk_rows, size_t n_sums, double *total)
{
    for (size_t i = 0; i < n_sums; i++)
        for (size_t first = 0; first < n_rows; first += chunk_rows) {
            double sum = 0.0;
            for (size_t row = first; row < first + chunk_rows && row < n_rows; row++)
                sum += figure(row, i);
            total[i] += sum;
        }
}

static void sums_are_the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { most_sums = 9 };
    const size_t row_counts[] = {0, 1, 100, 3001}, sum_counts[] = {1, 8, most_sums};
    for (size_t r = 0; r < sizeof row_counts / sizeof *row_counts; r++)
        for (size_t s = 0; s < sizeof sum_counts / sizeof *sum_counts; s++) {
            sum_job job = {sum_counts[s]};
            double want[most_sums] = {0.5, 0.25}; /* totals are added to */
            add_plainly(row_counts[r], 7, job.n_sums, want);
            for (size_t t = 0; t < n_thread_counts; t++) {
                ow_context *ctx = new_context(thread_counts[t]);
                double got[most_sums] = {0.5, 0.25};
                assert_ok(owi_parallel_sum(call_of(ctx), row_counts[r], 7, add_figures,
                                           &job, job.n_sums, got));
                assert_memory_equal(got, want, sizeof got);
                ow_context_free(ctx);
            }
        }
}

static ow_status count_rows(void *user, const owi_chunk *chunk, double *sums)
{
    const sum_job *job = user;
    for (size_t i = 0; i < job->n_sums; i++) sums[i] += (double)(chunk->n * (i + 1));
    return OW_OK;
}

/* More figures than are added up at a time, and more than fit 64 lines into 16 MB. */
static void many_figures_are_summed_in_short_waves(void **state)
{
    (void)state;
    sum_job job = {300001};
    double *total = calloc(job.n_sums, sizeof *total);
    assert_non_null(total);
    ow_context *ctx = new_context(2);
    assert_ok(owi_parallel_sum(call_of(ctx), 200, 10, count_rows, &job, job.n_sums, total));
    for (size_t i = 0; i < job.n_sums; i++)
        assert_true(total[i] == 200.0 * (double)(i + 1));
    ow_context_free(ctx);
    free(total);
}

/* The largest block a sum asks for. */
static size_t largest_block;

static void *measure_allocate(void *user, size_t size)
{
    (void)user;
    if (size > largest_block) largest_block = size;
    return malloc(size);
}

static void *measure_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size > largest_block) largest_block = size;
    return realloc(block, size);
}

static void measure_release(void *user, void *block)
{
    (void)user;
    free(block);
}

static void the_memory_of_a_sum_does_not_grow_with_the_rows(void **state)
{
    (void)state;
    const ow_allocator allocator = {NULL, measure_allocate, measure_resize,
                                    measure_release};
    ow_context *ctx = NULL;
    sum_job job = {1};
    double total = 0.0;
    assert_ok(ow_context_new(&allocator, &ctx));
    how.threads = 2;
    assert_ok(owi_parallel_sum(call_of(ctx), 1000, 1, count_rows, &job, 1, &total));
    const size_t once = largest_block;
    assert_ok(owi_parallel_sum(call_of(ctx), 20000, 1, count_rows, &job, 1, &total));
    assert_int_equal(largest_block, once);
    assert_true(total == 21000.0);
    ow_context_free(ctx);
}

static ow_status sum_something(ow_context *ctx, void *user)
{
    sum_job job = {3};
    double total[3] = {0};
    (void)user;
    return owi_parallel_sum(call_of(ctx), 10, 2, count_rows, &job, 3, total);
}

static void a_sum_survives_any_failing_allocation(void **state)
{
    (void)state;
    ow_test_sweep(sum_something, NULL);
}

/* Every chunk of the outer loop runs a loop, a failing loop and a sum of its own. */
static ow_status run_inner_loops(void *user, const owi_chunk *chunk)
{
    visit_log *outer = user;
    visit_log *inner = calloc(1, sizeof *inner);
    if (inner == NULL) return owi_fail(OW_ERR_MEMORY, "no memory for the test");
    inner->n_workers = owi_parallel_workers(call_of(outer->ctx), 300, 7);
    ow_status status = owi_parallel_rows(call_of(outer->ctx), 300, 7, visit, inner);
    for (size_t row = 0; row < 300 && status == OW_OK; row++)
        if (inner->visits[row] != 1) status = owi_fail(OW_ERR_ARGUMENT, "row %zu", row);

    if (status == OW_OK && owi_parallel_rows(call_of(outer->ctx), 4000, 2, fail_from_100,
                                             inner) != OW_ERR_FORMAT)
        status = owi_fail(OW_ERR_ARGUMENT, "did not fail");

    sum_job job = {2};
    double got[2] = {0}, want[2] = {0};
    add_plainly(100, 7, 2, want);
    if (status == OW_OK)
        status = owi_parallel_sum(call_of(outer->ctx), 100, 7, add_figures, &job, 2, got);
    if (status == OW_OK && memcmp(got, want, sizeof got) != 0)
        status = owi_fail(OW_ERR_ARGUMENT, "sums differ");
    if (status == OW_OK) status = visit(outer, chunk);
    free(inner);
    return status;
}

static void loops_work_inside_loops(void **state)
{
    (void)state;
    static visit_log log;
    ow_context *ctx = new_context(2);
    log = (visit_log){.n_workers = owi_parallel_workers(call_of(ctx), 12, 3), .ctx = ctx};
    assert_ok(owi_parallel_rows(call_of(ctx), 12, 3, run_inner_loops, &log));
    for (size_t row = 0; row < 12; row++) assert_int_equal(log.visits[row], 1);
    ow_context_free(ctx);
}

/* Several threads share a context: one of them has the pool at a time, the others go on
 * alone. */
static void *many_loops(void *user)
{
    visit_log *log = user;
    for (int i = 0; i < 200; i++) {
        memset(log->visits, 0, sizeof log->visits);
        if (owi_parallel_rows(call_of(log->ctx), 100, 3, visit, log) != OW_OK) return log;
        for (size_t row = 0; row < 100; row++)
            if (log->visits[row] != 1) return log;
    }
    return NULL;
}

static void threads_may_share_a_context(void **state)
{
    (void)state;
    enum { n = 4 };
    static visit_log logs[n];
    pthread_t threads[n];
    ow_context *ctx = new_context(3);
    for (int i = 0; i < n; i++) {
        logs[i] = (visit_log){.n_workers = owi_parallel_workers(call_of(ctx), 100, 3),
                              .ctx = ctx};
        assert_int_equal(pthread_create(&threads[i], NULL, many_loops, &logs[i]), 0);
    }
    for (int i = 0; i < n; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    ow_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_visited_once_in_chunks_that_rows_alone_decide),
        cmocka_unit_test(no_rows_mean_no_call),
        cmocka_unit_test(there_are_no_more_workers_than_threads_or_chunks),
        cmocka_unit_test(chunks_without_rows_break_a_rule),
        cmocka_unit_test(the_chunks_of_a_worker_come_in_increasing_order),
        cmocka_unit_test(chunks_above_a_failure_are_passed_over),
        cmocka_unit_test(the_caller_hears_of_the_lowest_chunk_whichever_fails_first),
        cmocka_unit_test(the_sentence_comes_over_from_another_thread),
        cmocka_unit_test(a_sum_fails_as_its_lowest_chunk_does),
        cmocka_unit_test(sums_are_the_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(many_figures_are_summed_in_short_waves),
        cmocka_unit_test(the_memory_of_a_sum_does_not_grow_with_the_rows),
        cmocka_unit_test(a_sum_survives_any_failing_allocation),
        cmocka_unit_test(loops_work_inside_loops),
        cmocka_unit_test(threads_may_share_a_context),
    };
    return cmocka_run_group_tests_name("base/parallel", tests, NULL, NULL);
}
