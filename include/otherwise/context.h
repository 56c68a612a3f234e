/* SPDX-License-Identifier: MIT */
/* Contexts: the memory allocator, the log, the folder for temporary files and the worker
 * threads, which all calls share.  The settings of a single call are in call.h.
 *
 *     ow_context *ctx = NULL;
 *     if (ow_context_new(NULL, &ctx) != OW_OK) return 1;
 *     ow_context_set_log(ctx, print_line, NULL, OW_LOG_WARN);
 *     ...
 *     ow_context_free(ctx);
 *
 * A context must outlive every object that was made with it.  The library never prints,
 * never exits, does not read the environment and has no mutable globals.  Its messages go
 * to the log callback; without one it is silent.
 *
 * Threads: set up a context on one thread.  Afterwards any number of threads may share it,
 * provided that no thread calls a setter; the log callback may then be called from several
 * threads at once.  The library itself never calls a setter. */
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

/* A memory allocator.  allocate and resize return NULL if there is no memory, and blocks
 * aligned as those of malloc; release accepts NULL.  All three may be called from several
 * threads at once. */
typedef struct {
    void *user;
    void *(*allocate)(void *user, size_t size);
    void *(*resize)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block);
} ow_allocator;

typedef enum { OW_LOG_DEBUG, OW_LOG_INFO, OW_LOG_WARN, OW_LOG_ERROR } ow_log_level;

/* Receives one message: a sentence without a final newline. */
typedef void (*ow_log_fn)(void *user, ow_log_level level, const char *text);

/* Makes a context.  allocator is copied; NULL: malloc, realloc and free. */
OW_API OW_MUST_CHECK ow_status ow_context_new(const ow_allocator *allocator,
                                              ow_context **out);

/* Does nothing for NULL. */
OW_API void ow_context_free(ow_context *ctx);

/* Sets the log callback, which gets messages of the given level and above.  fn NULL: no
 * messages. */
OW_API void ow_context_set_log(ow_context *ctx, ow_log_fn fn, void *user,
                               ow_log_level level);

/* The folder for temporary files, which are deleted at the end of the call: training rows
 * that do not fit into memory.  The name is copied.  NULL: /var/tmp, the default, since
 * /tmp may be a file system in memory. */
OW_API OW_MUST_CHECK ow_status ow_context_set_temporary_folder(ow_context *ctx,
                                                               const char *folder);
OW_API const char *ow_context_temporary_folder(const ow_context *ctx);

/* ---- Memory that the library hands out ---- */

/* Frees a text, a file in memory or a picture that a function of the library has returned.
 * Such a block comes from the context's allocator and remembers it, so that freeing it
 * needs no context and is allowed after the context has been freed.  Does nothing for
 * NULL. */
OW_API void ow_bytes_free(void *bytes);
/* For libraries built on this one (such as libotherwise-report) that return blocks of the
 * same kind.  ow_bytes_new: size bytes, all zero, aligned as those of malloc.
 * ow_bytes_resize: changes the size of a block (NULL: makes one); additional bytes are
 * undefined.  If there is no memory, both return NULL and record the message for
 * OW_ERR_MEMORY; the block given to ow_bytes_resize is then unchanged. */
OW_API void *ow_bytes_new(ow_context *ctx, size_t size);
OW_API void *ow_bytes_resize(ow_context *ctx, void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
