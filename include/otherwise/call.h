/* SPDX-License-Identifier: MIT */
/* Settings of a single call: progress, cancelling, time limit, random seed and threads.
 *
 *     ow_cancel *cancel = NULL;
 *     ow_model *loaded = NULL;
 *     ow_status st = ow_cancel_new(ctx, &cancel);
 *     const ow_call call = {.size = sizeof call, .cancel = cancel, .seed = 7};
 *     if (st == OW_OK) st = ow_model_load(ctx, "credit.ow", &call, &loaded);
 *     ...
 *     ow_model_free(loaded);
 *     ow_cancel_free(cancel);
 *
 * Every function that may take long takes an ow_call as the last of its inputs; NULL means
 * the defaults, all zero.  The struct is read when the call begins and need not outlive it.
 * Calls are independent of each other: any number of threads may use one context and one
 * model at the same time, each with a call of its own; they share the context's worker
 * threads.
 *
 * A call that is stopped returns OW_ERR_CANCELLED, usually within a few milliseconds.  Some
 * functions then also return the part of the result that was finished; they say so. */
#ifndef OTHERWISE_CALL_H
#define OTHERWISE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far a call has come.  Valid while the callback runs. */
typedef struct {
    const char *stage; /* what is being done, such as "reading rows"            */
    uint64_t done;     /* units of this stage that are done                     */
    uint64_t total;    /* units of this stage in all; 0 if that is not known    */
    double seconds;    /* time since the stage began                            */
} ow_progress;

/* Reports progress.  It is called only on the thread that made the call: when something has
 * changed, and otherwise every few milliseconds.  Return false to stop the call. */
typedef bool (*ow_progress_fn)(void *user, const ow_progress *progress);

/* A flag that stops calls.  It may be set from any thread and from a signal handler, and
 * stays set until it is reset.  Several calls may use the same flag. */
typedef struct ow_cancel ow_cancel;
OW_API OW_MUST_CHECK ow_status ow_cancel_new(ow_context *ctx, ow_cancel **out);
/* Does nothing for NULL.  No call may be using the flag. */
OW_API void ow_cancel_free(ow_cancel *cancel);
OW_API void ow_cancel_request(ow_cancel *cancel);
OW_API void ow_cancel_reset(ow_cancel *cancel);
OW_API bool ow_cancel_requested(const ow_cancel *cancel);

/* The settings.  All zero, but for size, is the default. */
typedef struct {
    size_t size;             /* sizeof(ow_call)                                       */
    ow_progress_fn progress; /* NULL: no progress is reported                         */
    void *progress_user;     /* passed to progress                                    */
    const ow_cancel *cancel; /* NULL: no flag                                         */
    double time_limit;       /* the call stops after so many seconds; 0: no limit     */
    uint64_t seed;           /* of all random numbers of the call                     */
    /* The number of threads; 0: one for each processor.  Results are the same, byte for
     * byte, with any number of threads. */
    size_t threads;
} ow_call;

/* The number of threads that a call with these settings uses, its own included. */
OW_API size_t ow_call_threads(const ow_call *call);

#ifdef __cplusplus
}
#endif
#endif
