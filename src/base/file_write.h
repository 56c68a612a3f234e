/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all: written under a temporary name in the same folder,
 * synced, renamed.  A target that is not a regular file (a pipe, /dev/null) is written
 * directly; a symbolic link is followed, so that the file it points to is replaced. */
#ifndef OWI_FILE_WRITE_H
#define OWI_FILE_WRITE_H

#include <stddef.h>

#include "otherwise/context.h"

typedef struct owi_file_writer owi_file_writer;

ow_status owi_file_writer_open(ow_context *ctx, const char *path, owi_file_writer **out);

/* Buffered.  A failure (disk full) is OW_ERR_IO, now or at commit. */
ow_status owi_file_writer_write(owi_file_writer *writer, const void *bytes, size_t size);

/* Flushes, syncs and renames; on failure the old file is untouched.  Frees the writer
 * either way. */
ow_status owi_file_writer_commit(owi_file_writer *writer);

/* Gives up: removes the temporary file.  Does nothing for NULL. */
void owi_file_writer_abort(owi_file_writer *writer);

/* The three together. */
ow_status owi_write_file(ow_context *ctx, const char *path, const void *bytes, size_t size);

#endif
