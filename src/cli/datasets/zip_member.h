/* SPDX-License-Identifier: MIT */
/* One file out of a zip archive in memory: stored or deflated, as publishers of data make
 * them.  Archives of several parts, encrypted ones and those over 4 GB (zip64) are
 * refused. */
#ifndef CLI_ZIP_MEMBER_H
#define CLI_ZIP_MEMBER_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"

/* The member whose path ends in this name.  *out (size bytes) is the caller's, for
 * ow_bytes_free.  archive stands for the file in errors: OW_ERR_FORMAT, also where the
 * bytes that come out are not as many, or have not the CRC, that the archive says. */
ow_status zip_member(ow_context *ctx, const uint8_t *bytes, size_t n_bytes,
                     const char *archive, const char *name, uint8_t **out, size_t *size);

#endif
