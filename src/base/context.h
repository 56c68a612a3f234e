/* SPDX-License-Identifier: MIT */
/* The inside of ow_context, and how the library speaks through it. */
#ifndef OWI_CONTEXT_H
#define OWI_CONTEXT_H

#include "base/compiler.h"
#include "otherwise/context.h"

struct ow_context {
    ow_allocator allocator;
    ow_log_fn log;
    void *log_user;
    ow_log_level log_level;
    ow_progress_fn progress;
    void *progress_user;
    size_t n_threads; /* as set; 0: all */
    uint64_t seed;
};

/* Formats the message only if somebody listens at this level. */
void owi_log(const ow_context *ctx, ow_log_level level, const char *format, ...)
    OWI_PRINTF(3, 4);

/* Tells how far a call has come.  OW_ERR_CANCELLED if the listener wants to stop. */
ow_status owi_report_progress(const ow_context *ctx, const char *stage, uint64_t done,
                              uint64_t total, double start_seconds);

#endif
