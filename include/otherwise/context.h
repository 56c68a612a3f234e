/* SPDX-License-Identifier: MIT */
/* What every call needs to know about its surroundings: where memory comes
 * from, who hears messages and progress, how many threads, which seed.
 *
 *     ow_context *ctx = NULL;
 *     if (ow_context_new(NULL, &ctx) != OW_OK) return 1;
 *     ow_context_set_log(ctx, print_line, NULL, OW_LOG_WARN);
 *     ...
 *     ow_context_free(ctx);
 *
 * A context outlives everything made with it.  The library never prints, exits,
 * reads the environment or keeps mutable globals: what it has to say goes
 * through these callbacks, and without them it is silent.
 *
 * Threads: set a context up on one thread; afterwards any number of threads may
 * share it as long as nobody calls a setter, and the callbacks then have to
 * stand being called from several threads. */
#ifndef OTHERWISE_CONTEXT_H
#define OTHERWISE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_context ow_context;

/* Where memory comes from.  allocate and resize return NULL when there is none;
 * blocks are aligned as malloc's are; release accepts NULL.  All three may be
 * called from several threads at once. */
typedef struct {
    void *user;
    void *(*allocate)(void *user, size_t size);
    void *(*resize)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block);
} ow_allocator;

typedef enum { OW_LOG_DEBUG, OW_LOG_INFO, OW_LOG_WARN, OW_LOG_ERROR } ow_log_level;

/* One message, one sentence, no final newline. */
typedef void (*ow_log_fn)(void *user, ow_log_level level, const char *text);

/* How far a long call has come. */
typedef struct {
    const char *stage; /* what is being done, e.g. "reading rows"             */
    uint64_t done;     /* units done so far                                   */
    uint64_t total;    /* units in all; 0 when that is not known              */
    double seconds;    /* since the call began                                */
} ow_progress;

/* Returning false asks the call to stop: it ends with OW_ERR_CANCELLED. */
typedef bool (*ow_progress_fn)(void *user, const ow_progress *progress);

/* allocator is copied; NULL means malloc, realloc and free. */
OW_API OW_MUST_CHECK ow_status ow_context_new(const ow_allocator *allocator,
                                              ow_context **out);

/* Does nothing for NULL. */
OW_API void ow_context_free(ow_context *ctx);

/* Messages below the given level are not made.  fn may be NULL: silence. */
OW_API void ow_context_set_log(ow_context *ctx, ow_log_fn fn, void *user,
                               ow_log_level level);

/* fn may be NULL: no progress, no cancelling. */
OW_API void ow_context_set_progress(ow_context *ctx, ow_progress_fn fn, void *user);

/* 0 means as many as the machine has.  Results do not depend on the number. */
OW_API void ow_context_set_threads(ow_context *ctx, size_t n_threads);
OW_API size_t ow_context_threads(const ow_context *ctx);

/* The seed of everything random that is not given a seed of its own; 0 until set. */
OW_API void ow_context_set_seed(ow_context *ctx, uint64_t seed);
OW_API uint64_t ow_context_seed(const ow_context *ctx);

/* Where files go that nobody else should see and that are gone after the call: training
 * rows beyond memory.  The name is copied; NULL brings back /var/tmp, which, unlike
 * /tmp, is never memory itself. */
OW_API OW_MUST_CHECK ow_status ow_context_set_temporary_folder(ow_context *ctx,
                                                               const char *folder);
OW_API const char *ow_context_temporary_folder(const ow_context *ctx);

/* ---- Memory that the library hands out ---- */

/* Texts, files in memory and pictures that a function of the library gives to its caller
 * are blocks of this kind.  They come from the context's allocator, and remember it:
 * freeing one needs no context, and may come after the context's end.  Does nothing for
 * NULL. */
OW_API void ow_bytes_free(void *bytes);
/* For code that is built on the library and hands out blocks of the same kind: size bytes,
 * all zero, aligned as malloc's are; and a block made larger or smaller (NULL: a new one),
 * which leaves additional bytes undefined.  NULL where there is no memory, with the
 * sentence for OW_ERR_MEMORY recorded; a block that could not be resized is unchanged. */
OW_API void *ow_bytes_new(ow_context *ctx, size_t size);
OW_API void *ow_bytes_resize(ow_context *ctx, void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
