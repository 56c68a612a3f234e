/* SPDX-License-Identifier: MIT */
#include "terminal/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ow_status failure(ow_status status, const char *format, ...)
{
    char text[1024]; /* as much as the library keeps */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ow_error_set(status, text);
}

ow_status failure_of_file(const char *verb, const char *path)
{
    return failure(OW_ERR_IO, "cannot %s %s: %s", verb, path, strerror(errno));
}
