/* SPDX-License-Identifier: MIT */
/* The inside of a call: made once where the public function begins, handed on to everything
 * that works for it, gone when the function returns.
 *
 *     owi_call call;
 *     OWI_TRY(owi_call_begin(&call, ctx, given));
 *     for (...) {
 *         OWI_TRY(owi_call_tick(&call));
 *         ...
 *     }
 *
 * Every loop that may take longer than a few milliseconds ticks; loops on several threads
 * (threads/parallel.h) do so before every chunk.  The functions may be called on any thread
 * that works for the call.  The listener is called on the caller's own thread alone. */
#ifndef OWI_CALL_H
#define OWI_CALL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/context.h"
#include "otherwise/call.h"
#include "otherwise/team.h"

/* What a call and all its parts share.  Without a star: the caller's thread only. */
typedef struct {
    pthread_t caller;
    const ow_cancel *cancel;
    ow_progress_fn progress;
    void *progress_user;
    atomic_bool stopped; /* for good: the flag was seen, or the listener said no */
    double told;         /* when the listener was called last                    */
    ow_progress latest;  /* what it was told; seconds is when the stage began    */
    char stage[160];     /* what latest points to                                */
} owi_call_state;

typedef struct owi_call owi_call;
struct owi_call {
    ow_context *ctx;
    uint64_t seed;
    size_t threads;      /* at least 1                                 */
    double deadline;     /* owi_clock seconds; infinity: none          */
    bool is_lenient;     /* ticks do not look at the deadline          */
    const ow_team *team; /* the processes that work for it (threads/team.h); NULL: one */

    /* A part of a longer work: units before + [0, length) of total. */
    const owi_call *whole; /* NULL: it is the whole                */
    uint64_t before, length, total;

    owi_call_state *state, own; /* state: own, or that of the whole */
};

/* call may be NULL.  Fails with OW_ERR_ARGUMENT for one that cannot be.  *out must not be
 * moved: its parts point to it. */
ow_status owi_call_begin(owi_call *out, ow_context *ctx, const ow_call *call);

/* From now on the call works with these processes; NULL: alone.  A time limit would end
 * them at different moments, and is refused. */
ow_status owi_call_join(owi_call *call, const ow_team *team);

/* One that nobody hears and nothing stops, for what has to be finished, with the same seed
 * and threads. */
void owi_call_begin_unheard(owi_call *out, const owi_call *call);

/* A call inside a longer one, whose listener is told how far the whole has come. */
owi_call owi_call_part(const owi_call *whole, uint64_t before, uint64_t length,
                       uint64_t total);

/* The same call with another seed, or one whose ticks do not fail when its time is up: for
 * those that look at owi_call_is_late themselves and end with what they have. */
owi_call owi_call_with_seed(const owi_call *call, uint64_t seed);
owi_call owi_call_lenient(const owi_call *call);
/* The same call without its team: for what the others do not do, or do elsewhere. */
owi_call owi_call_alone(const owi_call *call);
/* The same call, with no more than so many seconds from now; 0: as it is. */
owi_call owi_call_with_limit(const owi_call *call, double seconds);

/* OW_ERR_CANCELLED if the call is to stop, or its time is up. */
ow_status owi_call_tick(const owi_call *call);

/* The same, and tells the listener: so many units of a stage are done.  A stage begins when
 * it is named first, or when fewer are done than before; so 0 is told where it begins. */
ow_status owi_call_progress(const owi_call *call, const char *stage, uint64_t done,
                            uint64_t total);

/* Whether its time is up. */
bool owi_call_is_late(const owi_call *call);

/* Whether somebody asked it to stop: no sentence is written. */
bool owi_call_is_stopped(const owi_call *call);

#endif
