/* SPDX-License-Identifier: MIT */
/* Bytes from a file, standard input or memory, unpacked on the way if gzipped.  What is
 * read from files is reported as progress, in bytes of the file ("reading NAME"), and may
 * end with OW_ERR_CANCELLED. */
#ifndef OWI_BYTE_SOURCE_H
#define OWI_BYTE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/call.h"

typedef struct owi_byte_source owi_byte_source;

/* "-" is standard input.  A folder or anything else that cannot be read fails with
 * OW_ERR_IO.  call, which may be NULL, is that of all reading until another is set. */
ow_status owi_byte_source_open(ow_context *ctx, const char *path, const owi_call *call,
                               owi_byte_source **out);

/* The bytes are borrowed; name stands for them in errors and is copied. */
ow_status owi_byte_source_open_memory(ow_context *ctx, const void *bytes, size_t size,
                                      const char *name, owi_byte_source **out);
/* The same for bytes that are no file: they are not unpacked, whatever they begin with. */
ow_status owi_byte_source_open_plain(ow_context *ctx, const void *bytes, size_t size,
                                     const char *name, owi_byte_source **out);

void owi_byte_source_free(owi_byte_source *source);

/* Fills the buffer as far as the source goes: *n_read < size means that it has ended.  A
 * gzip stream that is cut off or damaged fails with OW_ERR_FORMAT.  Several gzip members
 * one after the other read as one. */
ow_status owi_byte_source_read(owi_byte_source *source, void *buffer, size_t size,
                               size_t *n_read);

/* The next bytes (at most 16, fewer at the end) without taking them. */
ow_status owi_byte_source_peek(owi_byte_source *source, void *buffer, size_t size,
                               size_t *n_read);

/* Back to the first byte; OW_ERR_IO for what cannot (pipes). */
ow_status owi_byte_source_rewind(owi_byte_source *source);

/* The size of a plain file that can be read from any place; 0 for what is packed, in
 * memory, or a pipe. */
uint64_t owi_byte_source_size(const owi_byte_source *source);
/* To byte `at` of such a file; OW_ERR_IO for others. */
ow_status owi_byte_source_seek(owi_byte_source *source, uint64_t at);

/* How much of the file has been used, 0 to 1, where the caller has not looked at the last
 * n_unused bytes yet (which cannot be told apart in a gzipped file); NaN where the size is
 * not known, as of a pipe. */
double owi_byte_source_share(const owi_byte_source *source, size_t n_unused);

/* Bytes read from the file since it was opened, every pass over it counted; 0 for memory.
 * For tests of how often a file is read. */
uint64_t owi_byte_source_bytes_read(const owi_byte_source *source);

/* The call that reads from now on; NULL: one that nobody hears, and nothing stops. */
void owi_byte_source_set_call(owi_byte_source *source, const owi_call *call);

/* Its name for messages: the path, "standard input" or the name given. */
const char *owi_byte_source_name(const owi_byte_source *source);

/* Everything that is left, at most limit bytes (more: OW_ERR_FORMAT), with a NUL behind;
 * the caller frees *bytes with owi_free. */
ow_status owi_byte_source_read_all(owi_byte_source *source, size_t limit, char **bytes,
                                   size_t *size);

#endif
