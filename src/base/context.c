/* SPDX-License-Identifier: MIT */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/threads/processor.h"

static void *standard_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void *standard_resize(void *user, void *block, size_t size)
{
    (void)user;
    return realloc(block, size);
}

static void standard_release(void *user, void *block)
{
    (void)user;
    free(block);
}

ow_status ow_context_new(const ow_allocator *allocator, ow_context **out)
{
    static const ow_allocator standard = {NULL, standard_allocate, standard_resize,
                                          standard_release};
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    if (allocator == NULL) allocator = &standard;
    OWI_REQUIRE(allocator->allocate != NULL && allocator->resize != NULL &&
                allocator->release != NULL);

    ow_context *ctx = allocator->allocate(allocator->user, sizeof *ctx);
    if (ctx == NULL) return owi_fail(OW_ERR_MEMORY, "out of memory: no room for a context");
    *ctx = (ow_context){.allocator = *allocator, .log_level = OW_LOG_WARN};
    owi_thread_pool_init(&ctx->pool);
    *out = ctx;
    return OW_OK;
}

void ow_context_free(ow_context *ctx)
{
    if (ctx == NULL) return;
    const ow_allocator allocator = ctx->allocator;
    owi_thread_pool_clear(&ctx->pool);
    allocator.release(allocator.user, ctx->temporary_folder);
    allocator.release(allocator.user, ctx);
}

void ow_context_set_log(ow_context *ctx, ow_log_fn fn, void *user, ow_log_level level)
{
    ctx->log = fn;
    ctx->log_user = user;
    ctx->log_level = level;
}

void ow_context_set_progress(ow_context *ctx, ow_progress_fn fn, void *user)
{
    ctx->progress = fn;
    ctx->progress_user = user;
}

void ow_context_set_threads(ow_context *ctx, size_t n_threads)
{
    ctx->n_threads = n_threads;
}

size_t ow_context_threads(const ow_context *ctx)
{
    return ctx->n_threads != 0 ? ctx->n_threads : owi_processor_count();
}

void ow_context_set_seed(ow_context *ctx, uint64_t seed)
{
    ctx->seed = seed;
}

uint64_t ow_context_seed(const ow_context *ctx)
{
    return ctx->seed;
}

ow_status ow_context_set_temporary_folder(ow_context *ctx, const char *folder)
{
    char *copy = NULL;
    OWI_REQUIRE(ctx != NULL);
    if (folder != NULL && (copy = owi_copy_text(ctx, folder, strlen(folder))) == NULL)
        return OW_ERR_MEMORY;
    owi_free(ctx, ctx->temporary_folder);
    ctx->temporary_folder = copy;
    return OW_OK;
}

const char *ow_context_temporary_folder(const ow_context *ctx)
{
    return ctx->temporary_folder != NULL ? ctx->temporary_folder : "/var/tmp";
}

void owi_log(const ow_context *ctx, ow_log_level level, const char *format, ...)
{
    if (ctx->log == NULL || level < ctx->log_level) return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ctx->log(ctx->log_user, level, text);
}

ow_status owi_report_progress(const ow_context *ctx, const char *stage, uint64_t done,
                              uint64_t total, double start_seconds)
{
    if (ctx->progress == NULL) return OW_OK;
    const ow_progress progress = {stage, done, total, owi_clock_seconds() - start_seconds};
    if (ctx->progress(ctx->progress_user, &progress)) return OW_OK;
    return owi_fail(OW_ERR_CANCELLED, "stopped while %s", stage);
}

bool owi_progress_in_part(void *user, const ow_progress *progress)
{
    enum { fine = 1000 }; /* what a unit is divided into */
    const owi_progress_part *part = user;
    const double share =
        progress->total > 0 ? (double)progress->done / (double)progress->total : 0.0;
    const ow_progress whole = {
        .stage = progress->stage,
        .done = part->before * fine + (uint64_t)(share * fine * (double)part->length),
        .total = part->total * fine,
        .seconds = owi_clock_seconds() - part->began,
    };
    if (part->outer != NULL) return part->outer(part->outer_user, &whole);
    return part->ctx->progress == NULL ||
           part->ctx->progress(part->ctx->progress_user, &whole);
}
