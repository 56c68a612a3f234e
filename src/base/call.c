/* SPDX-License-Identifier: MIT */
#include "base/call.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "base/threads/processor.h"

/* ---- The flag ---- */

struct ow_cancel {
    ow_context *ctx;
    atomic_bool requested; /* lock-free, and so safe in a signal handler */
};

#if ATOMIC_BOOL_LOCK_FREE != 2
#error "ow_cancel_request would not be safe in a signal handler"
#endif

ow_status ow_cancel_new(ow_context *ctx, ow_cancel **out)
{
    OWI_REQUIRE(ctx != NULL && out != NULL);
    *out = owi_alloc(ctx, sizeof **out);
    if (*out == NULL) return OW_ERR_MEMORY;
    (*out)->ctx = ctx;
    atomic_init(&(*out)->requested, false);
    return OW_OK;
}

void ow_cancel_free(ow_cancel *cancel)
{
    if (cancel != NULL) owi_free(cancel->ctx, cancel);
}

void ow_cancel_request(ow_cancel *cancel)
{
    atomic_store_explicit(&cancel->requested, true, memory_order_release);
}

void ow_cancel_reset(ow_cancel *cancel)
{
    atomic_store_explicit(&cancel->requested, false, memory_order_release);
}

bool ow_cancel_requested(const ow_cancel *cancel)
{
    return atomic_load_explicit(&cancel->requested, memory_order_acquire);
}

/* ---- Beginning ---- */

static ow_status take(const ow_call *given, ow_call *own)
{
    *own = (ow_call){0};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_call, given, own));
    if (own->time_limit >= 0.0) return OW_OK; /* NaN is not */
    return owi_fail(OW_ERR_ARGUMENT, "a time limit of %g seconds; expected 0 or more",
                    own->time_limit);
}

size_t ow_call_threads(const ow_call *call)
{
    const size_t at_end = offsetof(ow_call, threads) + sizeof call->threads;
    if (call == NULL || call->size < at_end || call->threads == 0)
        return owi_processor_count();
    return call->threads;
}

ow_status owi_call_begin(owi_call *out, ow_context *ctx, const ow_call *given)
{
    ow_call call;
    const double now = owi_clock_seconds();
    *out = (owi_call){.ctx = ctx};
    OWI_TRY(take(given, &call));
    out->seed = call.seed;
    out->threads = ow_call_threads(&call);
    out->deadline = call.time_limit > 0.0 ? now + call.time_limit : INFINITY;
    out->state = &out->own;
    out->own.caller = pthread_self();
    out->own.cancel = call.cancel;
    out->own.progress = call.progress;
    out->own.progress_user = call.progress_user;
    out->own.told = now;
    snprintf(out->own.stage, sizeof out->own.stage, "preparing");
    out->own.latest = (ow_progress){.stage = out->own.stage, .seconds = now};
    return OW_OK;
}

ow_status owi_call_join(owi_call *call, const ow_team *team)
{
    if (team == NULL || team->n <= 1) return OW_OK;
    OWI_REQUIRE(team->size >= sizeof *team && team->rank < team->n && team->gather != NULL);
    if (call->deadline < INFINITY)
        return owi_fail(OW_ERR_ARGUMENT,
                        "several processes cannot stop at the same moment: no time limit");
    call->team = team;
    return OW_OK;
}

void owi_call_begin_unheard(owi_call *out, const owi_call *call)
{
    *out = (owi_call){.ctx = call->ctx,
                      .seed = call->seed,
                      .threads = call->threads,
                      .deadline = INFINITY};
    out->state = &out->own;
    out->own.caller = pthread_self();
    out->own.latest = (ow_progress){.stage = out->own.stage};
}

/* A copy shares the state; that of its own stays unused. */
static owi_call copy(const owi_call *call)
{
    return (owi_call){.ctx = call->ctx,
                      .seed = call->seed,
                      .threads = call->threads,
                      .deadline = call->deadline,
                      .is_lenient = call->is_lenient,
                      .team = call->team,
                      .whole = call->whole,
                      .before = call->before,
                      .length = call->length,
                      .total = call->total,
                      .state = call->state};
}

owi_call owi_call_part(const owi_call *whole, uint64_t before, uint64_t length,
                       uint64_t total)
{
    owi_call part = copy(whole);
    part.whole = whole;
    part.before = before;
    part.length = length;
    part.total = total;
    return part;
}

owi_call owi_call_with_seed(const owi_call *call, uint64_t seed)
{
    owi_call other = copy(call);
    other.seed = seed;
    return other;
}

owi_call owi_call_lenient(const owi_call *call)
{
    owi_call other = copy(call);
    other.is_lenient = true;
    return other;
}

owi_call owi_call_alone(const owi_call *call)
{
    owi_call other = copy(call);
    other.team = NULL;
    return other;
}

owi_call owi_call_with_limit(const owi_call *call, double seconds)
{
    owi_call other = copy(call);
    if (seconds > 0.0) other.deadline = fmin(call->deadline, owi_clock_seconds() + seconds);
    return other;
}

/* ---- Going on, or not ---- */

bool owi_call_is_late(const owi_call *call)
{
    return call->deadline < INFINITY && owi_clock_seconds() >= call->deadline;
}

bool owi_call_is_stopped(const owi_call *call)
{
    owi_call_state *state = call->state;
    if (atomic_load_explicit(&state->stopped, memory_order_relaxed)) return true;
    if (state->cancel == NULL || !ow_cancel_requested(state->cancel)) return false;
    atomic_store_explicit(&state->stopped, true, memory_order_relaxed);
    return true;
}

static bool is_caller(const owi_call *call)
{
    return pthread_equal(call->state->caller, pthread_self()) != 0;
}

/* Only the caller's thread knows the stage; a failure of another comes to it in the end. */
static ow_status stop(const owi_call *call)
{
    return owi_fail(OW_ERR_CANCELLED, "stopped while %s",
                    is_caller(call) ? call->state->latest.stage : "working");
}

static ow_status check(const owi_call *call)
{
    if (owi_call_is_stopped(call)) return stop(call);
    if (call->is_lenient || !owi_call_is_late(call)) return OW_OK;
    return owi_fail(OW_ERR_CANCELLED, "the time limit has passed");
}

/* What the listener of the whole hears of a part's progress. */
static ow_progress of_whole(const owi_call *part, ow_progress progress)
{
    enum { fine = 1000 }; /* what a unit is divided into */
    for (; part->whole != NULL; part = part->whole) {
        const double share =
            progress.total > 0 ? (double)progress.done / (double)progress.total : 0.0;
        progress.done =
            part->before * fine + (uint64_t)(share * fine * (double)part->length);
        progress.total = part->total * fine;
    }
    return progress;
}

static ow_status tell(const owi_call *call, double now)
{
    owi_call_state *state = call->state;
    ow_progress progress = state->latest;
    state->told = now;
    progress.seconds = now - progress.seconds;
    if (state->progress(state->progress_user, &progress)) return OW_OK;
    atomic_store_explicit(&state->stopped, true, memory_order_relaxed);
    return stop(call);
}

ow_status owi_call_tick(const owi_call *call)
{
    static const double at_least = 5e-3; /* seconds between two calls without news */
    OWI_TRY(check(call));
    if (call->state->progress == NULL || !is_caller(call)) return OW_OK;
    const double now = owi_clock_seconds();
    return now - call->state->told >= at_least ? tell(call, now) : OW_OK;
}

ow_status owi_call_progress(const owi_call *call, const char *stage, uint64_t done,
                            uint64_t total)
{
    OWI_TRY(check(call));
    if (!is_caller(call)) return OW_OK;
    ow_progress *latest = &call->state->latest;
    const double now = owi_clock_seconds();
    ow_progress progress =
        of_whole(call, (ow_progress){.stage = stage, .done = done, .total = total});
    /* The parts of a whole have stages of several names. */
    const bool is_same = call->whole != NULL ? progress.total == latest->total
                                             : strcmp(stage, latest->stage) == 0;
    progress.seconds = is_same && progress.done >= latest->done ? latest->seconds : now;
    if (progress.stage != call->state->stage)
        snprintf(call->state->stage, sizeof call->state->stage, "%s", stage);
    progress.stage = call->state->stage;
    *latest = progress;
    return call->state->progress != NULL ? tell(call, now) : OW_OK;
}
