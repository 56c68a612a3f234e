/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[owi_message_size];

ow_status owi_fail(ow_status status, const char *format, ...)
{
    /* Formatted aside first: an argument may be the old message itself. */
    char text[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(message, text, sizeof message);
    return status;
}

ow_status owi_fail_errno(const char *verb, const char *path, int error_number)
{
    char reason[128];
    if (strerror_r(error_number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", error_number);
    return owi_fail(OW_ERR_IO, "cannot %s %s: %s", verb, path, reason);
}

ow_status ow_error_set(ow_status status, const char *sentence)
{
    return owi_fail(status, "%s", sentence == NULL ? "" : sentence);
}

const char *ow_error_message(void)
{
    return message;
}

const char *ow_status_text(ow_status status)
{
    switch (status) {
    case OW_OK:
        return "done";
    case OW_ERR_ARGUMENT:
        return "wrong argument";
    case OW_ERR_MEMORY:
        return "out of memory";
    case OW_ERR_IO:
        return "input or output failed";
    case OW_ERR_FORMAT:
        return "bad format";
    case OW_ERR_SCHEMA:
        return "data and schema disagree";
    case OW_ERR_NUMERIC:
        return "not a finite number";
    case OW_ERR_UNSUPPORTED:
        return "not supported";
    case OW_ERR_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

const char *ow_version(void)
{
    return OWI_VERSION;
}

ow_status owi_blame_file(ow_status status, const char *file)
{
    if (status == OW_OK || status == OW_ERR_MEMORY) return status;
    return owi_fail(OW_ERR_FORMAT, "%s: %s", file, ow_error_message());
}
