/* SPDX-License-Identifier: MIT */
#include "model/train/rows/shared_rows.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/team.h"
#include "data/rows/reader.h"
#include "data/schema/schema_private.h"
#include "data/shared/file_ranges.h"
#include "model/train/rows/packed_rows.h"

/* All ranges of a round are in memory together. */
enum {
    block_rows = 1024,
    large_range = 512 << 10,
    most_of_round = 32 << 20 /* but a large range for each */
};

struct owi_shared_rows {
    ow_context *ctx;
    const owi_call *call;
    size_t n_columns;
    owi_file_ranges *ranges;

    double *values; /* scratch: a block of rows */
    int32_t *classes;
    owi_packed own;     /* rows of the own range: blocks, each behind its number of rows */
    size_t *sizes;      /* (processes) */
    unsigned char *all; /* packed rows of all */
    size_t all_capacity, all_size, all_at;
    size_t block_n, block_at; /* rows of the block at all_at; those given */
};

static void add_bits(uint64_t *sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *sum = (*sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
}

/* What a process knows of the rows before it reads them again. */
static uint64_t sum_of_schema(const ow_schema *schema)
{
    uint64_t sum = 0xcbf29ce484222325;
    add_bits(&sum, &schema->n_rows, sizeof schema->n_rows);
    for (size_t j = 0; j < schema->n_columns; j++) {
        const ow_column *column = &schema->columns[j];
        const double figures[] = {column->low, column->high, (double)column->n_missing,
                                  (double)column->n_levels};
        add_bits(&sum, column->name, strlen(column->name));
        add_bits(&sum, figures, sizeof figures);
    }
    for (size_t c = 0; c < ow_schema_n_classes(schema); c++)
        add_bits(&sum, &schema->class_counts[c], sizeof schema->class_counts[c]);
    return sum;
}

/* ---- Making and unmaking ---- */

void owi_shared_rows_free(owi_shared_rows *s)
{
    if (s == NULL) return;
    ow_context *ctx = s->ctx;
    owi_file_ranges_free(s->ranges);
    owi_free(ctx, s->values);
    owi_free(ctx, s->classes);
    owi_free(ctx, s->own.bytes);
    owi_free(ctx, s->sizes);
    owi_free(ctx, s->all);
    owi_free(ctx, s);
}

static ow_status init(owi_shared_rows *s, const ow_reader *reader)
{
    const size_t n = owi_team_size(s->call);
    const ow_schema *schema = owi_reader_schema(reader);
    s->n_columns = ow_schema_n_columns(schema);
    s->values = owi_alloc_array(s->ctx, block_rows * s->n_columns, sizeof *s->values);
    s->classes = owi_alloc_array(s->ctx, block_rows, sizeof *s->classes);
    s->sizes = owi_alloc_array(s->ctx, n, sizeof *s->sizes);
    if (s->values == NULL || s->classes == NULL || s->sizes == NULL) return OW_ERR_MEMORY;
    return owi_file_ranges_new(s->call, reader, owi_larger(most_of_round / n, large_range),
                               sum_of_schema(schema), &s->ranges);
}

ow_status owi_shared_rows_new(const owi_call *call, const ow_reader *reader,
                              owi_shared_rows **out)
{
    *out = NULL;
    if (owi_team_size(call) == 1) return OW_OK;
    owi_shared_rows *s = owi_alloc_zeroed(call->ctx, sizeof *s);
    if (s == NULL) return OW_ERR_MEMORY;
    s->ctx = call->ctx;
    s->call = call;
    const ow_status status = init(s, reader);
    if (status == OW_OK && s->ranges != NULL)
        *out = s;
    else
        owi_shared_rows_free(s);
    return status;
}

/* ---- A round ---- */

/* A block of rows behind its number. */
static ow_status pack_block(owi_shared_rows *s, size_t n)
{
    const uint32_t head = (uint32_t)n;
    OWI_TRY(
        owi_grow(s->ctx, &s->own.bytes, &s->own.capacity, s->own.n_bytes + sizeof head, 1));
    memcpy(s->own.bytes + s->own.n_bytes, &head, sizeof head);
    s->own.n_bytes += sizeof head;
    return owi_pack_rows(&s->own, s->call, s->n_columns, n, s->values, s->classes);
}

/* The rows of a range, packed; notes[0] is how many bytes that are. */
static ow_status read_range(void *user, ow_reader *file, uint64_t notes[2])
{
    owi_shared_rows *s = user;
    s->own.n_bytes = 0;
    for (size_t n = block_rows; n == block_rows;) {
        OWI_TRY(owi_reader_next(file, block_rows, s->values, s->classes, &n));
        if (n > 0) OWI_TRY(pack_block(s, n));
    }
    notes[0] = s->own.n_bytes;
    return OW_OK;
}

static ow_status do_round(owi_shared_rows *s)
{
    const size_t n = owi_team_size(s->call), left = owi_file_ranges_left(s->ranges);
    OWI_TRY(owi_file_ranges_round(s->ranges,
                                  &(owi_range_reader){.user = s, .read = read_range}));
    if (s->ranges->gave_up) return OW_OK;
    s->all_size = s->all_at = 0;
    for (size_t i = 0; i < n; i++) {
        s->sizes[i] = s->ranges->findings[i].notes[0];
        s->all_size += s->sizes[i];
    }
    owi_file_ranges_accept(s->ranges, left);
    const ow_status room = owi_grow(s->ctx, &s->all, &s->all_capacity, s->all_size + 1, 1);
    return owi_team_collect(s->call, room, s->sizes, s->own.bytes, s->all);
}

/* ---- Giving them ---- */

/* Goes on to a block with rows that have not been given; block_n is 0 at the end. */
static ow_status find_block(owi_shared_rows *s)
{
    uint32_t head;
    if (s->block_at < s->block_n) return OW_OK;
    if (s->block_n > 0)
        s->all_at += owi_packed_size(s->n_columns, s->block_n, s->all + s->all_at);
    s->block_n = s->block_at = 0;
    while (s->all_at == s->all_size && !s->ranges->gave_up &&
           owi_file_ranges_left(s->ranges) > 0)
        OWI_TRY(do_round(s));
    if (s->all_at == s->all_size || s->ranges->gave_up) return OW_OK;
    memcpy(&head, s->all + s->all_at, sizeof head);
    s->all_at += sizeof head;
    s->block_n = head;
    return OW_OK;
}

ow_status owi_shared_rows_next(owi_shared_rows *s, size_t max_rows, double *values,
                               int32_t *classes, size_t *n_rows)
{
    for (*n_rows = 0; *n_rows < max_rows;) {
        OWI_TRY(find_block(s));
        if (s->block_n == 0) break;
        const size_t n = owi_smaller(max_rows - *n_rows, s->block_n - s->block_at);
        OWI_TRY(owi_unpack_rows(s->call, s->n_columns, s->block_n, s->all + s->all_at,
                                s->block_at, n, values + *n_rows * s->n_columns,
                                classes + *n_rows));
        s->block_at += n;
        *n_rows += n;
    }
    if (s->ranges->gave_up) *n_rows = 0;
    return OW_OK;
}

bool owi_shared_rows_gave_up(const owi_shared_rows *s)
{
    return s->ranges->gave_up;
}

uint64_t owi_shared_rows_bytes(const owi_shared_rows *s)
{
    return owi_file_ranges_bytes(s->ranges);
}
