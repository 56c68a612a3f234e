/* SPDX-License-Identifier: MIT */
/* Writing a file that is in memory already; piece by piece: otherwise/file.h. */
#ifndef OWI_FILE_WRITE_H
#define OWI_FILE_WRITE_H

#include "otherwise/file.h"

/* The whole file or none. */
ow_status owi_write_file(ow_context *ctx, const char *path, const void *bytes, size_t size);

#endif
