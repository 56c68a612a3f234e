/* SPDX-License-Identifier: MIT */
#include "models/row_parts.h"

#include <glob.h>
#include <string.h>
#include <unistd.h>

ow_status row_parts_open(ow_context *ctx, const char *path, const ow_read_options *options,
                         const ow_call *how, ow_reader **out)
{
    glob_t found;
    if (strpbrk(path, "*?[") == NULL || access(path, F_OK) == 0 ||
        glob(path, GLOB_ERR, NULL, &found) != 0)
        return ow_reader_open(ctx, path, options, how, out);
    const ow_status status =
        ow_reader_open_parts(ctx, found.gl_pathc, (const char *const *)found.gl_pathv, path,
                             options, how, out);
    globfree(&found);
    return status;
}
