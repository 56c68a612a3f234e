/* SPDX-License-Identifier: MIT */
#include "data/shared/file_ranges.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/team.h"

/* Short files have a few ranges for each process all the same. */
enum { ranges_each = 4, least_range = 4096, row_bytes = 4096 };

/* ---- Ranges ---- */

static ow_status cut_file(owi_file_ranges *r, size_t file, uint64_t size, uint64_t length)
{
    const uint64_t n = (size + length - 1) / length;
    OWI_TRY(owi_grow(r->ctx, &r->ranges, &r->capacity, r->n_ranges + n, sizeof *r->ranges));
    for (uint64_t i = 0; i < n; i++)
        r->ranges[r->n_ranges++] =
            (owi_file_range){file, i * length, i + 1 < n ? (i + 1) * length : size, i == 0};
    return OW_OK;
}

/* Whether all of them are files that can be cut; *sum has their sizes in it. */
static ow_status cut(owi_file_ranges *r, uint64_t most, bool *can, uint64_t *sum)
{
    char *const *paths;
    const size_t n_files = owi_reader_files(r->reader, &paths);
    uint64_t total = 0;
    *can = true;
    for (size_t i = 0; i < n_files; i++) {
        const uint64_t size = owi_reader_file_size(paths[i]);
        *can = *can && size > 0;
        total += size;
        *sum = (*sum ^ size) * 0x100000001b3;
    }
    const uint64_t even = total / (owi_team_size(r->call) * ranges_each) + 1;
    const uint64_t length = owi_larger(owi_smaller(even, most), least_range);
    for (size_t i = 0; i < n_files && *can; i++)
        OWI_TRY(cut_file(r, i, owi_reader_file_size(paths[i]), length));
    return OW_OK;
}

/* ---- Making and unmaking ---- */

static void count_said(void *user, ow_log_level level, const char *text)
{
    owi_file_ranges *r = user;
    (void)level;
    (void)text;
    r->n_said++;
}

static void close_file(owi_file_ranges *r)
{
    if (r->file != NULL) r->n_read += owi_reader_bytes_read(r->file);
    ow_reader_free(r->file);
    r->file = NULL;
    r->n_file = SIZE_MAX;
}

void owi_file_ranges_free(owi_file_ranges *r)
{
    if (r == NULL) return;
    close_file(r);
    ow_context_free(r->quiet);
    owi_free(r->ctx, r->ranges);
    owi_free(r->ctx, r->findings);
    owi_free(r->ctx, r);
}

static ow_status init(owi_file_ranges *r, uint64_t most, uint64_t sum, bool *can)
{
    r->findings = owi_alloc_array(r->ctx, owi_team_size(r->call), sizeof *r->findings);
    if (r->findings == NULL) return OW_ERR_MEMORY;
    OWI_TRY(cut(r, most, can, &sum));
    OWI_TRY(owi_team_compare(r->call, "other rows", sum));
    if (!*can) return OW_OK;
    OWI_TRY(ow_context_new(&r->ctx->allocator, &r->quiet));
    ow_context_set_log(r->quiet, count_said, r, OW_LOG_INFO);
    return OW_OK;
}

ow_status owi_file_ranges_new(const owi_call *call, const ow_reader *reader, uint64_t most,
                              uint64_t sum, owi_file_ranges **out)
{
    char *const *paths;
    *out = NULL;
    if (owi_team_size(call) == 1 || owi_reader_files(reader, &paths) == 0) return OW_OK;
    owi_file_ranges *r = owi_alloc_zeroed(call->ctx, sizeof *r);
    if (r == NULL) return OW_ERR_MEMORY;
    r->ctx = call->ctx;
    r->call = call;
    r->reader = reader;
    r->n_file = SIZE_MAX;
    bool can = false;
    const ow_status status = init(r, most, sum, &can);
    if (status == OW_OK && can)
        *out = r;
    else
        owi_file_ranges_free(r);
    return status;
}

/* ---- One range ---- */

/* What is said of the lines above the first row of the first file has been said when the
 * reader was opened. */
static ow_status open_file(owi_file_ranges *r, size_t file)
{
    char *const *paths;
    const owi_cell *cells;
    bool at_end;
    if (r->n_file == file) return OW_OK;
    close_file(r);
    (void)owi_reader_files(r->reader, &paths);
    OWI_TRY(
        owi_reader_open_file(r->reader, r->quiet, paths[file], &r->file, &r->file_first));
    if (file == 0) r->n_said = 0;
    owi_reader_set_call(r->file, r->call);
    r->n_file = file;
    return owi_reader_next_cells(r->file, &cells, &at_end);
}

/* From a byte where a row is known to begin, or, with UINT64_MAX, from where one seems
 * to. */
static ow_status read_range(owi_file_ranges *r, const owi_range_reader *how,
                            const owi_file_range *range, uint64_t from,
                            owi_range_finding *found)
{
    OWI_TRY(open_file(r, range->file));
    if (range->is_first) from = r->file_first;
    OWI_TRY(owi_reader_go_to(r->file, from != UINT64_MAX ? from : range->first,
                             from != UINT64_MAX, range->limit));
    found->first = r->began = owi_reader_at(r->file);
    r->has_lines = false;
    OWI_TRY(how->read(how->user, r->file, found->notes));
    found->end = owi_reader_at(r->file);
    return OW_OK;
}

/* The same; errors other than those of all processes are something unusual. */
static ow_status find_rows(owi_file_ranges *r, const owi_range_reader *how, size_t number,
                           uint64_t from, owi_range_finding *found)
{
    *found = (owi_range_finding){0};
    if (number >= r->n_ranges) return OW_OK;
    r->n_said = 0;
    const ow_status status = read_range(r, how, &r->ranges[number], from, found);
    if (status == OW_OK && r->n_said == 0) return OW_OK;
    /* What has been said once is not said again by the same reader. */
    close_file(r);
    *found = (owi_range_finding){.first = from, .is_unusual = 1};
    return status == OW_ERR_MEMORY || status == OW_ERR_CANCELLED ? status : OW_OK;
}

/* ---- A round ---- */

static ow_status give_findings(owi_file_ranges *r, ow_status status,
                               const owi_range_finding *own)
{
    const size_t n = owi_team_size(r->call);
    size_t *sizes = owi_alloc_array(r->ctx, n, sizeof *sizes);
    if (sizes == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) sizes[i] = sizeof *own;
    status = owi_team_collect(r->call, status, sizes, own, r->findings);
    owi_free(r->ctx, sizes);
    return status;
}

size_t owi_file_ranges_left(const owi_file_ranges *r)
{
    return owi_smaller(r->n_ranges - r->next, owi_team_size(r->call));
}

/* Where a range of the round must begin: UINT64_MAX at the beginning of a file, which each
 * process finds by itself. */
static uint64_t begin_of(const owi_file_ranges *r, size_t i)
{
    if (r->ranges[r->next + i].is_first) return UINT64_MAX;
    return i > 0 ? r->findings[i - 1].end : r->carry;
}

/* Whether a range was read from elsewhere than the one before it has ended at. */
static bool is_broken(const owi_file_ranges *r, size_t i)
{
    if (i >= owi_file_ranges_left(r)) return false;
    const uint64_t begin = begin_of(r, i);
    const bool follows = begin != UINT64_MAX;
    if (follows && i > 0 && r->findings[i - 1].is_unusual) return false;
    return follows && r->findings[i].first != begin;
}

/* Ranges are read again until each begins where the one before has ended.  Those before the
 * first that does not are right, so that there are never more turns than processes.
 * Something unusual in one that is right is the end. */
ow_status owi_file_ranges_round(owi_file_ranges *r, const owi_range_reader *how)
{
    const size_t n = owi_team_size(r->call), rank = r->call->team->rank;
    owi_range_finding own;
    ow_status status = find_rows(r, how, r->next + rank, UINT64_MAX, &own);
    for (;;) {
        OWI_TRY(give_findings(r, status, &own));
        size_t right = 0;
        while (right < n && !is_broken(r, right) && !r->findings[right].is_unusual) right++;
        r->gave_up = right < n && !is_broken(r, right);
        if (right == n || r->gave_up) return OW_OK;
        status = OW_OK;
        if (is_broken(r, rank))
            status = find_rows(r, how, r->next + rank, begin_of(r, rank), &own);
    }
}

ow_status owi_file_ranges_all_read(owi_file_ranges *r, const owi_range_reader *how)
{
    owi_range_finding own;
    const ow_status status = find_rows(r, how, r->next, begin_of(r, 0), &own);
    OWI_TRY(give_findings(r, status, &own));
    for (size_t i = 0; i < owi_team_size(r->call); i++)
        r->gave_up = r->gave_up || r->findings[i].is_unusual;
    return OW_OK;
}

void owi_file_ranges_accept(owi_file_ranges *r, size_t n)
{
    if (n > 0) r->carry = r->findings[n - 1].end;
    r->next += n;
}

ow_status owi_file_ranges_number_lines(owi_file_ranges *r)
{
    if (r->has_lines) return OW_OK;
    r->has_lines = true;
    return owi_reader_number_lines(r->file, r->began);
}

ow_status owi_file_ranges_row(owi_file_ranges *r, uint64_t at, const owi_cell **cells)
{
    bool at_end;
    OWI_TRY(owi_reader_go_to(r->file, at, true, at + row_bytes));
    OWI_TRY(owi_reader_next_cells(r->file, cells, &at_end));
    return at_end ? owi_fail(OW_ERR_IO, "a file has changed while it was read") : OW_OK;
}

uint64_t owi_file_ranges_bytes(const owi_file_ranges *r)
{
    return r->n_read + (r->file != NULL ? owi_reader_bytes_read(r->file) : 0);
}
