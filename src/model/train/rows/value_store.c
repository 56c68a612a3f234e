/* SPDX-License-Identifier: MIT */
/* A block of up to 1024 rows is packed by itself (packed_rows.h).  Blocks stay in memory
 * until they exceed the limit; those that follow go to the temporary file.  What is
 * remembered of a block is where it is: 24 bytes for 1024 rows. */
#include "model/train/rows/value_store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/io/temporary_file.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "model/train/rows/packed_rows.h"

typedef struct {
    unsigned char *bytes; /* NULL: in the file, at `offset` */
    size_t size;
    off_t offset;
} block;

struct owi_value_store {
    ow_context *ctx;
    size_t n_columns, n_rows;
    size_t most_bytes, n_bytes; /* of blocks in memory                        */
    block *blocks;
    size_t n_blocks, capacity;
    FILE *file; /* NULL: not needed so far                               */
    off_t end;  /* of what was written                                   */
    bool failed;
    owi_packed packed; /* a block on its way to or from the file             */
    size_t loaded;     /* the block that it holds; SIZE_MAX: none            */
};

ow_status owi_value_store_new(ow_context *ctx, size_t n_columns, size_t most_bytes,
                              owi_value_store **out)
{
    *out = owi_alloc_zeroed(ctx, sizeof **out);
    if (*out == NULL) return OW_ERR_MEMORY;
    (*out)->ctx = ctx;
    (*out)->n_columns = n_columns;
    (*out)->most_bytes = most_bytes;
    (*out)->loaded = SIZE_MAX;
    return OW_OK;
}

void owi_value_store_free(owi_value_store *store)
{
    if (store == NULL) return;
    for (size_t b = 0; b < store->n_blocks; b++)
        owi_free(store->ctx, store->blocks[b].bytes);
    if (store->file != NULL) (void)fclose(store->file);
    owi_free(store->ctx, store->blocks);
    owi_free(store->ctx, store->packed.bytes);
    owi_free(store->ctx, store);
}

bool owi_value_store_failed(const owi_value_store *store)
{
    return store->failed;
}

void owi_value_store_size(const owi_value_store *store, size_t *in_memory, size_t *in_file)
{
    *in_memory = store->n_bytes;
    *in_file = (size_t)store->end;
}

static ow_status failed(owi_value_store *store, const char *what)
{
    store->failed = true;
    return owi_fail(OW_ERR_IO, "the rows do not fit into memory, and %s: %s", what,
                    store->file != NULL ? owi_temporary_reason(store->file)
                                        : strerror(errno));
}

/* ---- Blocks ---- */

static ow_status write_block(owi_value_store *store, block *to)
{
    if (store->file == NULL) store->file = owi_temporary_open(store->ctx);
    if (store->file == NULL)
        return failed(store, "a temporary file for them cannot be made");
    if (fseeko(store->file, store->end, SEEK_SET) != 0 ||
        fwrite(store->packed.bytes, 1, to->size, store->file) != to->size ||
        fflush(store->file) != 0)
        return failed(store, "a temporary file for them cannot be written");
    to->offset = store->end;
    store->end += (off_t)to->size;
    return OW_OK;
}

ow_status owi_value_store_add(owi_value_store *store, const owi_call *call, size_t n,
                              const double *values, const int32_t *classes)
{
    block added = {0};
    if (n == 0) return OW_OK;
    OWI_REQUIRE(n <= owi_store_block && store->n_rows % owi_store_block == 0);
    OWI_TRY(owi_grow(store->ctx, &store->blocks, &store->capacity, store->n_blocks + 1,
                     sizeof *store->blocks));
    store->loaded = SIZE_MAX;
    store->packed.n_bytes = 0;
    OWI_TRY(owi_pack_rows(&store->packed, call, store->n_columns, n, values, classes));
    added.size = store->packed.n_bytes;
    if (store->file == NULL && added.size <= store->most_bytes - store->n_bytes) {
        added.bytes = owi_alloc(store->ctx, added.size);
        if (added.bytes == NULL) return OW_ERR_MEMORY;
        memcpy(added.bytes, store->packed.bytes, added.size);
        store->n_bytes += added.size;
    } else {
        OWI_TRY(write_block(store, &added));
    }
    store->blocks[store->n_blocks++] = added;
    store->n_rows += n;
    return OW_OK;
}

/* A block's bytes, from the file if need be. */
static ow_status load(owi_value_store *store, size_t number, const unsigned char **bytes)
{
    const block *wanted = &store->blocks[number];
    *bytes = wanted->bytes != NULL ? wanted->bytes : store->packed.bytes;
    if (wanted->bytes != NULL || store->loaded == number) return OW_OK;
    store->loaded = SIZE_MAX;
    if (fseeko(store->file, wanted->offset, SEEK_SET) != 0 ||
        fread(store->packed.bytes, 1, wanted->size, store->file) != wanted->size)
        return failed(store, "the temporary file with them cannot be read");
    store->loaded = number;
    return OW_OK;
}

ow_status owi_value_store_read(owi_value_store *store, const owi_call *call, size_t first,
                               size_t max_rows, double *values, int32_t *classes,
                               size_t *n_rows)
{
    const size_t number = first / owi_store_block, within = first % owi_store_block;
    const unsigned char *bytes;
    *n_rows = 0;
    if (first >= store->n_rows || max_rows == 0) return OW_OK;
    OWI_TRY(load(store, number, &bytes));
    const size_t in_block =
        owi_smaller(store->n_rows - number * owi_store_block, owi_store_block);
    *n_rows = owi_smaller(in_block - within, max_rows);
    return owi_unpack_rows(call, store->n_columns, in_block, bytes, within, *n_rows, values,
                           classes);
}
