/* SPDX-License-Identifier: MIT */
/* Files of a report. */
#include <stdarg.h>
#include <stdlib.h>

#include "output/make_folder.h"
#include "reproduce/reproduce.h"
#include "terminal/text_build.h"

char *reproduce_path(const reproduction *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *path = text_add(NULL, "%s/", r->out);
    path = text_add_arguments(path, format, arguments);
    va_end(arguments);
    return path;
}

ow_status reproduce_work_folder(reproduction *r)
{
    char *work = reproduce_path(r, "work");
    r->complained = r->cannot_write = !make_folder(work);
    free(work);
    return r->complained ? OW_ERR_IO : OW_OK;
}

ow_status reproduce_save(const reproduction *r, const char *name, const char *bytes,
                         size_t size)
{
    char *path = reproduce_path(r, "%s", name);
    ow_file_writer *writer = NULL;
    ow_status status = ow_file_writer_open(r->ctx, path, &writer);
    if (status == OW_OK) status = ow_file_writer_write(writer, bytes, size);
    if (status == OW_OK)
        status = ow_file_writer_commit(writer);
    else
        ow_file_writer_abort(writer);
    free(path);
    return status;
}
