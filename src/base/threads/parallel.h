/* SPDX-License-Identifier: MIT */
/* Loops over rows in fixed chunks, on the context's threads, as many of them as the call
 * may use.  Chunks depend on the number
 * of rows alone, and sums are added in chunk order: the same bytes on any number of
 * threads. */
#ifndef OWI_PARALLEL_H
#define OWI_PARALLEL_H

#include <stddef.h>

#include "base/call.h"

/* Rows [first, first + n) are chunk number `chunk`; worker is the thread's number, below
 * owi_parallel_workers(), for scratch of its own. */
typedef struct {
    size_t chunk, first, n, worker;
} owi_chunk;

/* How many workers will run for so many rows in such chunks; at least 1. */
size_t owi_parallel_workers(const owi_call *call, size_t n_rows, size_t chunk_rows);

/* Calls body for every chunk; those of one worker come in increasing order.  The failure of
 * the lowest-numbered chunk that fails is returned, with its sentence on the calling
 * thread; chunks above it that have not begun are passed over.  Every worker ticks before
 * each chunk, so the loop ends with OW_ERR_CANCELLED when the call is to stop.  May be
 * called inside a chunk of another loop. */
typedef ow_status (*owi_chunk_fn)(void *user, const owi_chunk *chunk);
ow_status owi_parallel_rows(const owi_call *call, size_t n_rows, size_t chunk_rows,
                            owi_chunk_fn body, void *user);

/* The same for chunks [begin, end) of them alone. */
ow_status owi_parallel_range(const owi_call *call, size_t n_rows, size_t chunk_rows,
                             size_t begin, size_t end, owi_chunk_fn body, void *user);

/* Adds up n_sums figures over all rows: body fills `sums` (zeroed for it) for one chunk,
 * and total += sums in chunk order; a team
 * (team.h) divides the chunks.  After a failure total holds part of it.  Memory does
 * not depend on the number of rows: n_sums for each worker, or more where that is
 * little. */
typedef ow_status (*owi_sum_fn)(void *user, const owi_chunk *chunk, double *sums);
ow_status owi_parallel_sum(const owi_call *call, size_t n_rows, size_t chunk_rows,
                           owi_sum_fn body, void *user, size_t n_sums, double *total);

#endif
