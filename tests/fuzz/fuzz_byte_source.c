/* SPDX-License-Identifier: MIT */
/* Bytes, gzipped or not: read in small pieces and at once they are the same, or fail
 * alike. */
#include "base/io/byte_source.h"

#include <string.h>

#include "base/memory/alloc.h"
#include "fuzz_target.h"

enum { most_unpacked = 1 << 22 };

/* Reads size bytes or until the end, in pieces of 1, 2, 3, ... bytes, peeking before
 * each. */
static ow_status read_in_pieces(owi_byte_source *source, char *buffer, size_t size,
                                size_t *n_read)
{
    ow_status status = OW_OK;
    *n_read = 0;
    for (size_t want = 1; *n_read < size; want++) {
        char ahead[16];
        size_t n_ahead = 0, n = 0;
        if (want > size - *n_read) want = size - *n_read;
        status = owi_byte_source_peek(source, ahead, sizeof ahead, &n_ahead);
        if (status == OW_OK)
            status = owi_byte_source_read(source, buffer + *n_read, want, &n);
        if (status != OW_OK) break;
        expect(memcmp(ahead, buffer + *n_read, n < n_ahead ? n : n_ahead) == 0);
        *n_read += n;
        if (n < want) break;
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ow_context *ctx = NULL;
    owi_byte_source *source = NULL;
    char *whole = NULL;
    size_t whole_size = 0, n_read = 0;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    expect(owi_byte_source_open_memory(ctx, bytes, size, "bytes", &source) == OW_OK);

    const ow_status status =
        owi_byte_source_read_all(source, most_unpacked, &whole, &whole_size);
    expect(status == OW_OK || status == OW_ERR_FORMAT);
    if (status == OW_OK) {
        char *pieces = malloc(whole_size + 1);
        expect(pieces != NULL);
        expect(owi_byte_source_rewind(source) == OW_OK);
        expect(read_in_pieces(source, pieces, whole_size + 1, &n_read) == OW_OK);
        expect(n_read == whole_size && memcmp(whole, pieces, whole_size) == 0);
        free(pieces);
    }

    owi_free(ctx, whole);
    owi_byte_source_free(source);
    ow_context_free(ctx);
    return 0;
}
