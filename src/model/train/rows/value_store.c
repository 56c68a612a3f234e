/* SPDX-License-Identifier: MIT */
/* A block of up to 1024 rows is packed by itself.  Most columns of most tables hold levels,
 * small whole numbers or floats, so each column takes the smallest form that gives back
 * every value of the block:
 *
 *     byte     0, 1, ..., 254, and 255 for NaN     1 byte
 *     single   a float                             4 bytes
 *     full     any double                          8 bytes
 *
 *     | form of each column | classes | row 0 | row 1 | ...      a row: its columns in turn
 *
 * An image of bytes thus takes as much as in its file.  Blocks stay in memory until they
 * exceed the limit; those that follow go to the temporary file.  What is remembered of a
 * block is where it is: 24 bytes for 1024 rows. */
#include "model/train/rows/value_store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/io/temporary_file.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

typedef enum { FORM_BYTE, FORM_SINGLE, FORM_FULL } form;
static const size_t form_size[] = {1, 4, 8};
enum { byte_nan = 255 };

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
    unsigned char *packed; /* a block on its way to or from the file          */
    size_t packed_capacity;
    size_t loaded; /* the block that it holds; SIZE_MAX: none            */
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
    owi_free(store->ctx, store->packed);
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

/* ---- Packing ---- */

/* A block of wide rows has millions of values: ticks every so many of them. */
enum { values_per_tick = 1 << 19 };

static ow_status tick_at_row(const owi_value_store *store, const owi_call *call, size_t row)
{
    const size_t rows_per_tick = values_per_tick / store->n_columns + 1;
    return row % rows_per_tick == 0 ? owi_call_tick(call) : OW_OK;
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* The smallest form of this value; -0.0 is no byte. */
static form form_of(double value)
{
    if (isnan(value)) return FORM_BYTE;
    if (value >= 0.0 && value < byte_nan && is_same((double)(int)value, value))
        return FORM_BYTE;
    if (fabs(value) < 1e30 && is_same((double)(float)value, value)) return FORM_SINGLE;
    return FORM_FULL;
}

static unsigned char *pack_value(unsigned char *to, form how, double value)
{
    const float single = (float)value;
    switch (how) {
    case FORM_BYTE:
        *to = isnan(value) ? byte_nan : (unsigned char)value;
        break;
    case FORM_SINGLE:
        memcpy(to, &single, sizeof single);
        break;
    case FORM_FULL:
        memcpy(to, &value, sizeof value);
        break;
    }
    return to + form_size[how];
}

static const unsigned char *unpack_value(const unsigned char *from, form how, double *value)
{
    float single;
    switch (how) {
    case FORM_BYTE:
        *value = *from == byte_nan ? NAN : (double)*from;
        break;
    case FORM_SINGLE:
        memcpy(&single, from, sizeof single);
        *value = (double)single;
        break;
    case FORM_FULL:
        memcpy(value, from, sizeof *value);
        break;
    }
    return from + form_size[how];
}

/* Chooses the forms at the head of the block, and with them the bytes of a row. */
static ow_status choose_forms(const owi_value_store *store, const owi_call *call, size_t n,
                              const double *values, unsigned char *forms, size_t *row_size)
{
    const size_t n_columns = store->n_columns;
    memset(forms, FORM_BYTE, n_columns);
    for (size_t i = 0; i < n; i++) {
        OWI_TRY(tick_at_row(store, call, i));
        for (size_t j = 0; j < n_columns; j++)
            if (forms[j] != FORM_FULL) {
                const form needed = form_of(values[i * n_columns + j]);
                if (needed > forms[j]) forms[j] = (unsigned char)needed;
            }
    }
    *row_size = 0;
    for (size_t j = 0; j < n_columns; j++) *row_size += form_size[forms[j]];
    return OW_OK;
}

/* Into store->packed; *size is what it takes. */
static ow_status pack(owi_value_store *store, const owi_call *call, size_t n,
                      const double *values, const int32_t *classes, size_t *size)
{
    const size_t n_columns = store->n_columns;
    size_t row_size;
    store->loaded = SIZE_MAX;
    OWI_TRY(owi_grow(store->ctx, &store->packed, &store->packed_capacity, n_columns, 1));
    OWI_TRY(choose_forms(store, call, n, values, store->packed, &row_size));
    *size = n_columns + n * (sizeof *classes + row_size); /* below that of the values */
    OWI_TRY(owi_grow(store->ctx, &store->packed, &store->packed_capacity, *size, 1));
    const unsigned char *forms = store->packed;
    unsigned char *to = store->packed + n_columns;
    memcpy(to, classes, n * sizeof *classes);
    to += n * sizeof *classes;
    for (size_t i = 0; i < n; i++) {
        OWI_TRY(tick_at_row(store, call, i));
        for (size_t j = 0; j < n_columns; j++)
            to = pack_value(to, (form)forms[j], values[i * n_columns + j]);
    }
    return OW_OK;
}

/* ---- Blocks ---- */

static ow_status write_block(owi_value_store *store, block *to)
{
    if (store->file == NULL) store->file = owi_temporary_open(store->ctx);
    if (store->file == NULL)
        return failed(store, "a temporary file for them cannot be made");
    if (fseeko(store->file, store->end, SEEK_SET) != 0 ||
        fwrite(store->packed, 1, to->size, store->file) != to->size ||
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
    OWI_TRY(pack(store, call, n, values, classes, &added.size));
    if (store->file == NULL && added.size <= store->most_bytes - store->n_bytes) {
        added.bytes = owi_alloc(store->ctx, added.size);
        if (added.bytes == NULL) return OW_ERR_MEMORY;
        memcpy(added.bytes, store->packed, added.size);
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
    *bytes = wanted->bytes != NULL ? wanted->bytes : store->packed;
    if (wanted->bytes != NULL || store->loaded == number) return OW_OK;
    store->loaded = SIZE_MAX;
    if (fseeko(store->file, wanted->offset, SEEK_SET) != 0 ||
        fread(store->packed, 1, wanted->size, store->file) != wanted->size)
        return failed(store, "the temporary file with them cannot be read");
    store->loaded = number;
    return OW_OK;
}

ow_status owi_value_store_read(owi_value_store *store, const owi_call *call, size_t first,
                               size_t max_rows, double *values, int32_t *classes,
                               size_t *n_rows)
{
    const size_t number = first / owi_store_block, within = first % owi_store_block;
    const size_t n_columns = store->n_columns;
    const unsigned char *bytes;
    size_t row_size = 0;
    *n_rows = 0;
    if (first >= store->n_rows || max_rows == 0) return OW_OK;
    OWI_TRY(load(store, number, &bytes));
    const size_t in_block =
        owi_smaller(store->n_rows - number * owi_store_block, owi_store_block);
    *n_rows = owi_smaller(in_block - within, max_rows);
    for (size_t j = 0; j < n_columns; j++) row_size += form_size[bytes[j]];
    const unsigned char *from = bytes + n_columns;
    memcpy(classes, from + within * sizeof *classes, *n_rows * sizeof *classes);
    from += in_block * sizeof *classes + within * row_size;
    for (size_t i = 0; i < *n_rows; i++) {
        OWI_TRY(tick_at_row(store, call, i));
        for (size_t j = 0; j < n_columns; j++)
            from = unpack_value(from, (form)bytes[j], &values[i * n_columns + j]);
    }
    return OW_OK;
}
