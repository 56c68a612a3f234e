/* SPDX-License-Identifier: MIT */
/* Files small enough to be held in memory. */
#ifndef CLI_WHOLE_FILE_H
#define CLI_WHOLE_FILE_H

#include <stddef.h>

#include "otherwise/context.h"

/* All bytes of a file of at most `most` bytes; *bytes is for ow_bytes_free. */
ow_status whole_file_read(ow_context *ctx, const char *path, size_t most, char **bytes,
                          size_t *size);

#endif
