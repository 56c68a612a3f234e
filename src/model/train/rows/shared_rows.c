/* SPDX-License-Identifier: MIT */
#include "model/train/rows/shared_rows.h"

#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/team.h"
#include "data/rows/reader.h"
#include "data/schema/schema_private.h"
#include "model/train/rows/packed_rows.h"

/* All ranges of a round are in memory together.  Short files have a few ranges for each
 * process all the same. */
enum {
    block_rows = 1024,
    ranges_each = 4,
    least_range = 4096, /* bytes */
    large_range = 512 << 10,
    most_of_round = 32 << 20 /* but a large range for each */
};

typedef struct {
    size_t file;
    uint64_t first, limit; /* rows that begin there, or behind, and before limit */
    bool is_first;         /* of its file */
} range;

/* What a process has found in its range; sent as it is. */
typedef struct {
    uint64_t first, end; /* where its first row begins, and the first one behind it */
    uint64_t n_bytes;    /* of its packed rows                                      */
    uint64_t is_unusual;
} finding;

struct owi_shared_rows {
    ow_context *ctx;
    const owi_call *call;
    const ow_reader *reader; /* of all files; borrowed */
    size_t n_columns;
    range *ranges;
    size_t n_ranges, capacity;
    size_t round;   /* the next one                               */
    uint64_t carry; /* where the last range of the round before has ended */
    bool gave_up;

    ow_context *quiet; /* what is said while ranges are read is only counted */
    size_t n_said;
    ow_reader *file;             /* the one that is open                       */
    size_t n_file;               /* its number; SIZE_MAX: none                 */
    uint64_t file_first, n_read; /* where its first row begins; bytes of earlier files */

    double *values; /* scratch: a block of rows */
    int32_t *classes;
    owi_packed own;     /* rows of the own range: blocks, each behind its number of rows */
    finding *findings;  /* (processes) of this round */
    size_t *sizes;      /* (processes) */
    unsigned char *all; /* packed rows of all */
    size_t all_capacity, all_size, all_at;
    size_t block_n, block_at; /* rows of the block at all_at; those given */
};

/* ---- Ranges ---- */

static ow_status cut_file(owi_shared_rows *s, size_t file, uint64_t size, uint64_t length)
{
    const uint64_t n = (size + length - 1) / length;
    OWI_TRY(owi_grow(s->ctx, &s->ranges, &s->capacity, s->n_ranges + n, sizeof *s->ranges));
    for (uint64_t i = 0; i < n; i++)
        s->ranges[s->n_ranges++] =
            (range){file, i * length, i + 1 < n ? (i + 1) * length : size, i == 0};
    return OW_OK;
}

/* Whether all of them are files that can be cut; *sum has their sizes in it. */
static ow_status cut(owi_shared_rows *s, size_t n_files, char *const *paths, bool *can,
                     uint64_t *sum)
{
    const uint64_t n = owi_team_size(s->call);
    uint64_t total = 0;
    *can = true;
    for (size_t i = 0; i < n_files; i++) {
        const uint64_t size = owi_reader_file_size(paths[i]);
        *can = *can && size > 0;
        total += size;
        *sum = (*sum ^ size) * 0x100000001b3;
    }
    uint64_t length = total / (n * ranges_each) + 1;
    length = owi_smaller(length, owi_larger(most_of_round / n, large_range));
    length = owi_larger(length, least_range);
    for (size_t i = 0; i < n_files && *can; i++)
        OWI_TRY(cut_file(s, i, owi_reader_file_size(paths[i]), length));
    return OW_OK;
}

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

static void count_said(void *user, ow_log_level level, const char *text)
{
    owi_shared_rows *s = user;
    (void)level;
    (void)text;
    s->n_said++;
}

static void close_file(owi_shared_rows *s)
{
    if (s->file != NULL) s->n_read += owi_reader_bytes_read(s->file);
    ow_reader_free(s->file);
    s->file = NULL;
    s->n_file = SIZE_MAX;
}

void owi_shared_rows_free(owi_shared_rows *s)
{
    if (s == NULL) return;
    ow_context *ctx = s->ctx;
    close_file(s);
    ow_context_free(s->quiet);
    owi_free(ctx, s->ranges);
    owi_free(ctx, s->values);
    owi_free(ctx, s->classes);
    owi_free(ctx, s->own.bytes);
    owi_free(ctx, s->findings);
    owi_free(ctx, s->sizes);
    owi_free(ctx, s->all);
    owi_free(ctx, s);
}

static ow_status init(owi_shared_rows *s, size_t n_files, char *const *paths, bool *can)
{
    const size_t n = owi_team_size(s->call);
    const ow_schema *schema = owi_reader_schema(s->reader);
    uint64_t sum = sum_of_schema(schema);
    s->n_columns = ow_schema_n_columns(schema);
    s->values = owi_alloc_array(s->ctx, block_rows * s->n_columns, sizeof *s->values);
    s->classes = owi_alloc_array(s->ctx, block_rows, sizeof *s->classes);
    s->findings = owi_alloc_array(s->ctx, n, sizeof *s->findings);
    s->sizes = owi_alloc_array(s->ctx, n, sizeof *s->sizes);
    if (s->values == NULL || s->classes == NULL || s->findings == NULL || s->sizes == NULL)
        return OW_ERR_MEMORY;
    OWI_TRY(cut(s, n_files, paths, can, &sum));
    OWI_TRY(owi_team_compare(s->call, "other rows", sum));
    if (!*can) return OW_OK;
    OWI_TRY(ow_context_new(&s->ctx->allocator, &s->quiet));
    ow_context_set_log(s->quiet, count_said, s, OW_LOG_INFO);
    return OW_OK;
}

ow_status owi_shared_rows_new(const owi_call *call, const ow_reader *reader,
                              owi_shared_rows **out)
{
    char *const *paths;
    const size_t n_files = owi_reader_files(reader, &paths);
    *out = NULL;
    if (owi_team_size(call) == 1 || n_files == 0) return OW_OK;
    owi_shared_rows *s = owi_alloc_zeroed(call->ctx, sizeof *s);
    if (s == NULL) return OW_ERR_MEMORY;
    s->ctx = call->ctx;
    s->call = call;
    s->reader = reader;
    s->n_file = SIZE_MAX;
    bool can = false;
    const ow_status status = init(s, n_files, paths, &can);
    if (status == OW_OK && can)
        *out = s;
    else
        owi_shared_rows_free(s);
    return status;
}

/* ---- The own range ---- */

static ow_status open_file(owi_shared_rows *s, size_t file)
{
    char *const *paths;
    if (s->n_file == file) return OW_OK;
    close_file(s);
    (void)owi_reader_files(s->reader, &paths);
    OWI_TRY(
        owi_reader_open_file(s->reader, s->quiet, paths[file], &s->file, &s->file_first));
    owi_reader_set_call(s->file, s->call);
    s->n_file = file;
    return OW_OK;
}

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

/* Reads a range, from a byte where a row is known to begin, or, with SIZE_MAX, from where
 * one seems to. */
static ow_status read_range(owi_shared_rows *s, const range *r, uint64_t from,
                            finding *found)
{
    OWI_TRY(open_file(s, r->file));
    if (r->is_first) from = s->file_first;
    s->own.n_bytes = 0;
    OWI_TRY(owi_reader_go_to(s->file, from != UINT64_MAX ? from : r->first,
                             from != UINT64_MAX, r->limit));
    found->first = owi_reader_at(s->file);
    for (size_t n = block_rows; n == block_rows;) {
        OWI_TRY(owi_reader_next(s->file, block_rows, s->values, s->classes, &n));
        if (n > 0) OWI_TRY(pack_block(s, n));
    }
    found->end = owi_reader_at(s->file);
    found->n_bytes = s->own.n_bytes;
    return OW_OK;
}

/* The same; errors other than those of all processes are something unusual. */
static ow_status find_rows(owi_shared_rows *s, const range *r, uint64_t from,
                           finding *found)
{
    *found = (finding){0};
    if (r == NULL) return OW_OK;
    s->n_said = 0;
    ow_status status = read_range(s, r, from, found);
    if (status == OW_OK && s->n_said == 0) return OW_OK;
    /* What has been said once is not said again by the same reader. */
    close_file(s);
    s->own.n_bytes = 0;
    *found = (finding){.first = from, .is_unusual = 1};
    return status == OW_ERR_MEMORY || status == OW_ERR_CANCELLED ? status : OW_OK;
}

/* ---- A round ---- */

static ow_status give_findings(owi_shared_rows *s, ow_status status, const finding *own)
{
    const size_t n = owi_team_size(s->call);
    for (size_t i = 0; i < n; i++) s->sizes[i] = sizeof *own;
    return owi_team_collect(s->call, status, s->sizes, own, s->findings);
}

/* The range of a process in this round; NULL: none is left for it. */
static const range *range_of(const owi_shared_rows *s, size_t rank)
{
    const size_t number = s->round * owi_team_size(s->call) + rank;
    return number < s->n_ranges ? &s->ranges[number] : NULL;
}

/* Where a range must begin: SIZE_MAX at the beginning of a file, which each process finds
 * by itself. */
static uint64_t begin_of(const owi_shared_rows *s, size_t rank)
{
    const range *r = range_of(s, rank);
    if (r == NULL || r->is_first) return UINT64_MAX;
    return rank > 0 ? s->findings[rank - 1].end : s->carry;
}

/* Whether a range was read from elsewhere than the one before it has ended at. */
static bool is_broken(const owi_shared_rows *s, size_t rank)
{
    const uint64_t begin = begin_of(s, rank);
    const bool follows = begin != UINT64_MAX;
    if (follows && rank > 0 && s->findings[rank - 1].is_unusual) return false;
    return follows && s->findings[rank].first != begin;
}

/* Ranges are read again until each begins where the one before has ended.  Those before the
 * first that does not are right, so that there are never more turns than processes.
 * Something unusual in one that is right is the end. */
static ow_status join_ranges(owi_shared_rows *s, ow_status status, finding *own)
{
    const size_t n = owi_team_size(s->call), rank = s->call->team->rank;
    for (;;) {
        OWI_TRY(give_findings(s, status, own));
        size_t right = 0;
        while (right < n && !is_broken(s, right) && !s->findings[right].is_unusual) right++;
        s->gave_up = right < n && !is_broken(s, right);
        if (right == n || s->gave_up) return OW_OK;
        if (is_broken(s, rank))
            status = find_rows(s, range_of(s, rank), begin_of(s, rank), own);
    }
}

static ow_status do_round(owi_shared_rows *s)
{
    const size_t n = owi_team_size(s->call), rank = s->call->team->rank;
    finding own;
    const ow_status found = find_rows(s, range_of(s, rank), UINT64_MAX, &own);
    OWI_TRY(join_ranges(s, found, &own));
    s->all_size = s->all_at = 0;
    for (size_t i = 0; i < n; i++) {
        s->sizes[i] = s->findings[i].n_bytes;
        s->all_size += s->sizes[i];
        if (range_of(s, i) != NULL) s->carry = s->findings[i].end;
    }
    s->round++;
    if (s->gave_up) return OW_OK;
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
    while (s->all_at == s->all_size && !s->gave_up && range_of(s, 0) != NULL)
        OWI_TRY(do_round(s));
    if (s->all_at == s->all_size || s->gave_up) return OW_OK;
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
    if (s->gave_up) *n_rows = 0;
    return OW_OK;
}

bool owi_shared_rows_gave_up(const owi_shared_rows *s)
{
    return s->gave_up;
}

uint64_t owi_shared_rows_bytes(const owi_shared_rows *s)
{
    return s->n_read + (s->file != NULL ? owi_reader_bytes_read(s->file) : 0);
}
