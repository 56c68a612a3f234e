/* SPDX-License-Identifier: MIT */
/* Files without a name, for rows that do not fit into memory. */
#ifndef OWI_TEMPORARY_FILE_H
#define OWI_TEMPORARY_FILE_H

#include <stdio.h>

#include "otherwise/context.h"

/* A new file in the context's temporary folder, open for writing and reading.  It has no
 * name any more, so that it is gone when it is closed, whatever happens to the process.
 * NULL with errno set where none can be made. */
FILE *owi_temporary_open(const ow_context *ctx);

/* Why the last fread or fwrite of this file did less than it was asked for: errno's text,
 * or, since the end of the file is no error of errno, that the file has become shorter. */
const char *owi_temporary_reason(FILE *file);

#endif
