/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all: written under a temporary name in the same folder,
 * synced, renamed.
 *
 *     ow_file_writer *writer = NULL;
 *     ow_status st = ow_file_writer_open(ctx, "rows.csv", &writer);
 *     if (st == OW_OK) st = ow_file_writer_write(writer, "a,b\n", 4);
 *     if (st == OW_OK)
 *         st = ow_file_writer_commit(writer);
 *     else
 *         ow_file_writer_abort(writer);
 *
 * A target that is not a regular file (a pipe, /dev/null) is written directly; a symbolic
 * link is followed, so that the file it points to is replaced.  Threads: one thread for
 * each writer. */
#ifndef OTHERWISE_FILE_H
#define OTHERWISE_FILE_H

#include <stddef.h>

#include "otherwise/context.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_file_writer ow_file_writer;

OW_API OW_MUST_CHECK ow_status ow_file_writer_open(ow_context *ctx, const char *path,
                                                   ow_file_writer **out);

/* Buffered.  A failure (disk full) is OW_ERR_IO, now or at commit. */
OW_API OW_MUST_CHECK ow_status ow_file_writer_write(ow_file_writer *writer,
                                                    const void *bytes, size_t size);

/* Where the bytes are until commit, for a program that has to tidy up without coming back
 * here; NULL: in the target itself. Lent. */
OW_API const char *ow_file_writer_temporary(const ow_file_writer *writer);

/* Flushes, syncs and renames; on failure the old file is untouched.  Frees the writer
 * either way. */
OW_API OW_MUST_CHECK ow_status ow_file_writer_commit(ow_file_writer *writer);

/* Gives up: removes the temporary file.  Does nothing for NULL. */
OW_API void ow_file_writer_abort(ow_file_writer *writer);

/* A file whose bytes are all in memory already, whole or not at all. */
OW_API OW_MUST_CHECK ow_status ow_file_write(ow_context *ctx, const char *path,
                                             const void *bytes, size_t size);

/* The sha256 of a file's bytes (gzip is not unpacked) as 64 hexadecimal digits and a NUL:
 * to be compared with ow_model_sha256, or with what the publisher of a file says. */
enum { OW_SHA256_SIZE = 65 };
OW_API OW_MUST_CHECK ow_status ow_file_sha256(const char *path, char sum[OW_SHA256_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
