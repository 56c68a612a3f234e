/* SPDX-License-Identifier: MIT */
/* One call and its own life: who hears how far it has come, who may stop it, how long it
 * may take, its random numbers and its threads.
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
 * Every function that may take long takes an ow_call as the last of its inputs; NULL stands
 * for one that is all zero but its size.  The struct is read when the call begins.  Calls
 * know nothing of each other: any number of threads may work with one context and one model
 * at the same time, each with a call of its own, and they share the context's threads.
 *
 * A call that is stopped returns OW_ERR_CANCELLED, usually within a few milliseconds.
 * Where a function says so it also gives what was finished before. */
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

/* How far a long call has come. */
typedef struct {
    const char *stage; /* what is being done, e.g. "reading rows"               */
    uint64_t done;     /* units of this stage done so far                       */
    uint64_t total;    /* units in all; 0 when that is not known                */
    double seconds;    /* since the stage began                                 */
} ow_progress;

/* Called on the thread that made the call, and on no other: when there is news, and every
 * few milliseconds while there is none.  Returning false asks the call to stop. */
typedef bool (*ow_progress_fn)(void *user, const ow_progress *progress);

/* A flag that asks calls to stop.  It is set from any thread, or from a signal handler, and
 * stays set until it is reset; one flag may serve several calls. */
typedef struct ow_cancel ow_cancel;
OW_API OW_MUST_CHECK ow_status ow_cancel_new(ow_context *ctx, ow_cancel **out);
/* Does nothing for NULL.  No call may be using the flag. */
OW_API void ow_cancel_free(ow_cancel *cancel);
OW_API void ow_cancel_request(ow_cancel *cancel);
OW_API void ow_cancel_reset(ow_cancel *cancel);
OW_API bool ow_cancel_requested(const ow_cancel *cancel);

/* All zero but the size is the default. */
typedef struct {
    size_t size;             /* sizeof(ow_call)                                       */
    ow_progress_fn progress; /* NULL: nobody listens                                  */
    void *progress_user;
    const ow_cancel *cancel; /* NULL: nobody stops it                                 */
    double time_limit;       /* seconds, after which it stops by itself; 0: none      */
    uint64_t seed;           /* of everything random in the call                      */
    size_t threads;          /* 0: as many as the machine has.  Results are the same  *
                              * bytes on any number of threads.                       */
} ow_call;

/* How many threads such a call works on, its own included. */
OW_API size_t ow_call_threads(const ow_call *call);

#ifdef __cplusplus
}
#endif
#endif
