/* SPDX-License-Identifier: MIT */
/* The inside of ow_context, and how the library speaks through it. */
#ifndef OWI_CONTEXT_H
#define OWI_CONTEXT_H

#include "base/compiler.h"
#include "base/threads/thread_pool.h"
#include "otherwise/context.h"

struct ow_context {
    ow_allocator allocator;
    ow_log_fn log;
    void *log_user;
    ow_log_level log_level;
    char *temporary_folder; /* NULL: the usual one */
    owi_thread_pool pool;
};

/* Formats the message only if somebody listens at this level. */
void owi_log(const ow_context *ctx, ow_log_level level, const char *format, ...)
    OWI_PRINTF(3, 4);

#endif
