/* SPDX-License-Identifier: MIT */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

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
