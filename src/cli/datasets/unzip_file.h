/* SPDX-License-Identifier: MIT */
/* One file out of a zip archive on disk. */
#ifndef CLI_UNZIP_FILE_H
#define CLI_UNZIP_FILE_H

#include "otherwise/context.h"

/* Takes the member whose path ends in this name out of a zip archive and writes it to path,
 * whole or not at all. */
ow_status unzip_file(ow_context *ctx, const char *archive, const char *name,
                     const char *path);

#endif
