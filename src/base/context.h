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
    ow_progress_fn progress;
    void *progress_user;
    size_t n_threads; /* as set; 0: all */
    uint64_t seed;
    char *temporary_folder; /* NULL: the usual one */
    owi_thread_pool pool;
};

/* Formats the message only if somebody listens at this level. */
void owi_log(const ow_context *ctx, ow_log_level level, const char *format, ...)
    OWI_PRINTF(3, 4);

/* Tells how far a call has come.  OW_ERR_CANCELLED if the listener wants to stop. */
ow_status owi_report_progress(const ow_context *ctx, const char *stage, uint64_t done,
                              uint64_t total, double start_seconds);

/* A call that is part of a longer work: units before + [0, length) of total.  Whoever makes
 * the calls sets these between them and gives owi_progress_in_part with the part to each as
 * its listener. */
typedef struct {
    const ow_context *ctx;
    ow_progress_fn outer; /* of the longer work; NULL: the context's */
    void *outer_user;
    double began;
    uint64_t before, length, total;
} owi_progress_part;

/* An ow_progress_fn that tells how far the longer work has come; user is an
 * owi_progress_part. */
bool owi_progress_in_part(void *user, const ow_progress *progress);

#endif
