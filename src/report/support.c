/* SPDX-License-Identifier: MIT */
#include "report/support.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/options_copy.h"

ow_status owi_report_fail(ow_status status, const char *format, ...)
{
    char text[1024]; /* as much as ow_error_set keeps */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ow_error_set(status, text);
}

ow_status owi_report_take(const char *type, const void *given, void *own, size_t own_size)
{
    char sentence[owi_options_sentence_size];
    if (given == NULL)
        return owi_report_fail(OW_ERR_ARGUMENT, "%s: expected one, got NULL", type);
    if (owi_options_copy(type, given, own, own_size, sentence)) return OW_OK;
    return owi_report_fail(OW_ERR_ARGUMENT, "%s", sentence);
}

void *owi_report_alloc(ow_context *ctx, size_t count, size_t size)
{
    size_t total;
    if (owi_size_multiply(count, size, &total)) return ow_bytes_new(ctx, total);
    (void)owi_report_fail(OW_ERR_MEMORY,
                          "out of memory: no machine holds %zu times %zu bytes", count,
                          size);
    return NULL;
}

ow_status owi_report_grow(ow_context *ctx, char **bytes, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity) return OW_OK;
    size_t larger = owi_larger(*capacity, 64);
    if (!owi_size_multiply(larger, 2, &larger) || larger < wanted) larger = wanted;
    char *block = ow_bytes_resize(ctx, *bytes, larger);
    if (block == NULL) return OW_ERR_MEMORY;
    *bytes = block;
    *capacity = larger;
    return OW_OK;
}

char *owi_report_text(ow_context *ctx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments); /* below 0: over INT_MAX */
    va_end(arguments);
    const size_t size = length < 0 ? SIZE_MAX : (size_t)length + 1;
    char *text = ow_bytes_new(ctx, size);
    if (text == NULL) return NULL;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}
