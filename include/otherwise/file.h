/* SPDX-License-Identifier: MIT */
/* Writing files so that they appear complete or not at all: the bytes go to a temporary
 * file in the same folder, which is synced and then renamed.
 *
 *     ow_file_writer *writer = NULL;
 *     ow_status st = ow_file_writer_open(ctx, "rows.csv", &writer);
 *     if (st == OW_OK) st = ow_file_writer_write(writer, "a,b\n", 4);
 *     if (st == OW_OK)
 *         st = ow_file_writer_commit(writer);
 *     else
 *         ow_file_writer_abort(writer);
 *
 * A path that is not a regular file (a pipe, /dev/null) is written to directly.  If it is a
 * symbolic link, the file that it points to is replaced.  Threads: only one thread at a
 * time may use a writer. */
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

/* Appends bytes.  Writing is buffered, so a failure such as a full disk (OW_ERR_IO) may be
 * reported only by ow_file_writer_commit. */
OW_API OW_MUST_CHECK ow_status ow_file_writer_write(ow_file_writer *writer,
                                                    const void *bytes, size_t size);

/* The path of the temporary file, for a program that must delete it in a signal handler;
 * NULL if the path is written to directly.  Owned by the writer. */
OW_API const char *ow_file_writer_temporary(const ow_file_writer *writer);

/* Completes the file: flushes, syncs and renames.  On failure a file that existed before is
 * unchanged.  Frees the writer in both cases. */
OW_API OW_MUST_CHECK ow_status ow_file_writer_commit(ow_file_writer *writer);

/* Gives up: removes the temporary file and frees the writer.  Does nothing for NULL. */
OW_API void ow_file_writer_abort(ow_file_writer *writer);

/* Writes a file whose bytes are in memory, in the same way. */
OW_API OW_MUST_CHECK ow_status ow_file_write(ow_context *ctx, const char *path,
                                             const void *bytes, size_t size);

/* The SHA-256 of a file's bytes (gzip is not decompressed), as 64 hexadecimal digits and a
 * NUL, for comparison with ow_model_sha256 or with a published sum. */
enum { OW_SHA256_SIZE = 65 };
OW_API OW_MUST_CHECK ow_status ow_file_sha256(const char *path, char sum[OW_SHA256_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
