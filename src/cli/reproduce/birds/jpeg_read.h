/* SPDX-License-Identifier: MIT */
/* Photographs, as small as they are shown. */
#ifndef CLI_JPEG_READ_H
#define CLI_JPEG_READ_H

#include "otherwise/report.h"

/* A JPEG file as red, green and blue, its longer side most_side pixels if it is longer in
 * the file; full_width and full_height say what it is there.  A file that is no JPEG, or is
 * cut off, fails with OW_ERR_FORMAT.  The pixels are freed with ow_pixels_clear. */
ow_status jpeg_read(ow_context *ctx, const char *path, size_t most_side, ow_pixels *picture,
                    size_t *full_width, size_t *full_height);

#endif
