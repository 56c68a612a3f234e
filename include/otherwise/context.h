/* SPDX-License-Identifier: MIT */
/* What calls share: where memory comes from, who hears messages, and the threads that they
 * work on.  What belongs to one call alone is in call.h.
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
 * share it as long as nobody calls a setter, and the log then has to stand being
 * called from several threads.  The library itself never calls one. */
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

/* allocator is copied; NULL means malloc, realloc and free. */
OW_API OW_MUST_CHECK ow_status ow_context_new(const ow_allocator *allocator,
                                              ow_context **out);

/* Does nothing for NULL. */
OW_API void ow_context_free(ow_context *ctx);

/* Messages below the given level are not made.  fn may be NULL: silence. */
OW_API void ow_context_set_log(ow_context *ctx, ow_log_fn fn, void *user,
                               ow_log_level level);

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
