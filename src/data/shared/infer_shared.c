/* SPDX-License-Identifier: MIT */
/* Inference by the processes of a team, each of which reads its ranges of the files.  All
 * have the same knowledge of the rows before a round.  Then each looks at its range:
 *
 *     nothing new     it counts, for itself
 *     fresh values    are told to all (column_part.h), in the order of the ranges
 *     an event        the ranges up to it are taken; then all put their counts together,
 *                     and read the range of the event as a process alone does; the ranges
 *                     behind it are read again
 *
 * So each process goes through the states of a single one, leaving out only what does not
 * depend on the order of rows, and ends with the same.  Events become rare after the first
 * ranges: a column has one where it gets its first value, or its first text, where its
 * format is settled, or where it ceases to be linked with another. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/byte_list.h"
#include "base/memory/sizes.h"
#include "base/threads/team.h"
#include "data/infer/inference.h"
#include "data/shared/column_part.h"

enum { largest_range = 8 << 20 };

typedef struct {
    owi_inference *in;
    owi_file_ranges *ranges;
    owi_column_part *parts;    /* (n_columns) of the range at hand                */
    owi_column_counts *counts; /* (n_columns) of ranges taken and not told of yet */
    owi_indicators *ones[2];   /* the same two                                    */
    uint64_t *pair_rows[2];    /* the same, of each pair of links                 */
    size_t pair_capacity[2];
    uint64_t n_rows, n_used; /* of the range at hand                            */
    bool has_counts;         /* some range was taken                            */
    size_t n_links;          /* rows of ranges taken by anybody, for the links  */
    uint64_t *starts;        /* (n_used) where each of its used rows begins     */
    size_t start_capacity;
    owi_byte_list own;
    owi_team_letters all;
} sharing;

enum { at_hand, taken };

static void clear(sharing *s)
{
    ow_context *ctx = s->in->ctx;
    for (size_t j = 0; j < s->in->n_columns; j++) {
        if (s->parts != NULL) owi_column_part_clear(&s->parts[j]);
        if (s->counts != NULL) owi_column_counts_clear(&s->counts[j], ctx);
    }
    for (size_t k = 0; k < 2; k++) {
        owi_indicators_free(s->ones[k]);
        owi_free(ctx, s->pair_rows[k]);
    }
    owi_free(ctx, s->parts);
    owi_free(ctx, s->counts);
    owi_free(ctx, s->starts);
    owi_free(ctx, s->own.bytes);
    owi_team_letters_clear(&s->all);
    owi_file_ranges_free(s->ranges);
}

static ow_status init(sharing *s)
{
    owi_inference *in = s->in;
    s->parts = owi_alloc_array(in->ctx, in->n_columns, sizeof *s->parts);
    s->counts = owi_alloc_array(in->ctx, in->n_columns, sizeof *s->counts);
    if (s->parts == NULL || s->counts == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < in->n_columns; j++) s->parts[j].ctx = in->ctx;
    for (size_t k = 0; k < 2; k++)
        OWI_TRY(owi_indicators_copy(in->links.indicators, &s->ones[k]));
    return OW_OK;
}

/* ---- Looking at a range ---- */

static ow_status begin_pair_rows(sharing *s, int which)
{
    const size_t n = owi_links_n_pairs(s->in->links.pairs);
    OWI_TRY(owi_grow(s->in->ctx, &s->pair_rows[which], &s->pair_capacity[which], n + 1,
                     sizeof *s->pair_rows[which]));
    memset(s->pair_rows[which], 0, n * sizeof *s->pair_rows[which]);
    return OW_OK;
}

static ow_status begin_range(sharing *s)
{
    s->n_rows = s->n_used = 0;
    owi_indicators_restart(s->ones[at_hand]);
    for (size_t j = 0; j < s->in->n_columns; j++)
        OWI_TRY(owi_column_part_begin(&s->parts[j], &s->in->stats[j]));
    return begin_pair_rows(s, at_hand);
}

static ow_status add_cells(sharing *s, const owi_cell *cells, bool is_used, bool *is_event)
{
    owi_inference *in = s->in;
    for (size_t j = 0; j < in->n_columns; j++) {
        const bool is_feature = in->plan[j].role == OWI_ROLE_FEATURE;
        int32_t id;
        in->ids[j] = owi_id_lost;
        if (!owi_infer_looks_at(in, j)) continue;
        if (is_feature && !is_used) {
            OWI_TRY(owi_column_part_add_outside(&s->parts[j], &in->stats[j], &cells[j]));
            continue;
        }
        OWI_TRY(owi_column_part_add(&s->parts[j], &in->stats[j],
                                    owi_infer_seen_cell(in, &cells[j]), &id));
        if (is_feature) in->ids[j] = id;
        *is_event = *is_event || s->parts[j].is_event;
    }
    return OW_OK;
}

/* notes: how many rows are used; whether there is an event. */
static ow_status look_at_range(void *user, ow_reader *file, uint64_t notes[2])
{
    sharing *s = user;
    const owi_cell *cells;
    bool is_event = false;
    OWI_TRY(begin_range(s));
    for (;;) {
        bool at_end;
        const uint64_t start = owi_reader_at(file);
        OWI_TRY(owi_reader_next_cells(file, &cells, &at_end));
        if (at_end) break;
        if (is_event) continue; /* only the range's end is looked for */
        const bool is_used = owi_infer_uses_row(s->in, cells);
        OWI_TRY(add_cells(s, cells, is_used, &is_event));
        s->n_rows++;
        if (!is_used) continue;
        owi_indicators_add_row(s->ones[at_hand], cells);
        if (!owi_links_agree(s->in->links.pairs, s->in->ids, s->pair_rows[at_hand]))
            is_event = true;
        OWI_TRY(owi_grow(s->in->ctx, &s->starts, &s->start_capacity, s->n_used + 1,
                         sizeof *s->starts));
        s->starts[s->n_used++] = start;
    }
    notes[0] = s->n_used;
    notes[1] = is_event;
    return OW_OK;
}

/* ---- Telling the others ---- */

/* Those rows of the range that the sample wants, of which `before` were seen before it. */
static ow_status write_sample(sharing *s, size_t before)
{
    const size_t stride = owi_larger(s->in->sample.stride, 1);
    for (size_t i = (stride - before % stride) % stride; i < s->n_used; i += stride) {
        const owi_cell *cells;
        OWI_TRY(owi_file_ranges_row(s->ranges, s->starts[i], &cells));
        OWI_TRY(owi_byte_list_add(&s->own, &i, sizeof i));
        for (size_t j = 0; j < s->in->n_columns; j++) {
            const bool is_text = cells[j].text != NULL;
            OWI_TRY(owi_byte_list_add(&s->own, &cells[j], sizeof cells[j]));
            OWI_TRY(
                owi_byte_list_add(&s->own, cells[j].text, is_text ? cells[j].length : 0));
        }
    }
    const size_t end = SIZE_MAX;
    return owi_byte_list_add(&s->own, &end, sizeof end);
}

static ow_status write_range(sharing *s, size_t before)
{
    s->own.n = 0;
    OWI_TRY(owi_byte_list_add(&s->own, &s->n_rows, sizeof s->n_rows));
    for (size_t j = 0; j < s->in->n_columns; j++)
        OWI_TRY(owi_column_part_write(&s->parts[j], &s->own));
    return s->in->samples ? write_sample(s, before) : OW_OK;
}

/* Adds the rows to the sample as it would have met them. */
static ow_status apply_sample(sharing *s, const unsigned char **from, size_t n_used)
{
    owi_cell_sample *sample = &s->in->sample;
    const size_t before = sample->n_seen, d = s->in->n_columns;
    owi_cell *cells = owi_alloc_array(s->in->ctx, d, sizeof *cells);
    ow_status status = cells != NULL ? OW_OK : OW_ERR_MEMORY;
    while (status == OW_OK) {
        size_t i;
        owi_bytes_take(from, &i, sizeof i);
        if (i == SIZE_MAX) break;
        for (size_t j = 0; j < d; j++) {
            owi_bytes_take(from, &cells[j], sizeof cells[j]);
            if (cells[j].text != NULL)
                cells[j].text = owi_bytes_pass(from, cells[j].length);
        }
        sample->n_seen = before + i;
        status = owi_cell_sample_add(sample, cells);
    }
    sample->n_seen = before + n_used;
    owi_free(s->in->ctx, cells);
    return status;
}

static ow_status apply_range(sharing *s, const unsigned char *from, size_t n_used,
                             bool *fits)
{
    owi_inference *in = s->in;
    uint64_t n_rows;
    *fits = true;
    owi_bytes_take(&from, &n_rows, sizeof n_rows);
    const unsigned char *again = from;
    for (size_t j = 0; j < in->n_columns; j++)
        owi_column_part_check(&again, &in->stats[j], fits);
    if (!*fits) return OW_OK;
    for (size_t j = 0; j < in->n_columns; j++) {
        OWI_TRY(owi_call_tick(in->call));
        OWI_TRY(owi_column_part_apply(&from, &in->stats[j]));
    }
    in->n_rows += n_rows;
    s->n_links += n_used;
    return in->samples ? apply_sample(s, &from, n_used) : OW_OK;
}

/* The own range becomes one of those taken. */
static ow_status take_range(sharing *s)
{
    const size_t n_pairs = owi_links_n_pairs(s->in->links.pairs);
    s->has_counts = true;
    for (size_t j = 0; j < s->in->n_columns; j++)
        OWI_TRY(owi_column_counts_join(&s->counts[j], s->in->ctx, &s->parts[j].counts));
    owi_indicators_join(s->ones[taken], s->ones[at_hand]);
    for (size_t i = 0; i < n_pairs; i++) s->pair_rows[taken][i] += s->pair_rows[at_hand][i];
    return OW_OK;
}

/* ---- Putting counts together ---- */

static ow_status begin_counts(sharing *s)
{
    s->has_counts = false;
    s->n_links = 0;
    owi_indicators_restart(s->ones[taken]);
    for (size_t j = 0; j < s->in->n_columns; j++)
        OWI_TRY(owi_column_counts_begin(&s->counts[j], s->in->ctx, &s->in->stats[j]));
    OWI_TRY(begin_pair_rows(s, at_hand)); /* others' are read into it */
    return begin_pair_rows(s, taken);
}

static ow_status write_counts(sharing *s)
{
    s->own.n = 0;
    if (!s->has_counts) return OW_OK;
    for (size_t j = 0; j < s->in->n_columns; j++)
        OWI_TRY(owi_column_counts_write(&s->counts[j], &s->own));
    OWI_TRY(owi_indicators_write(s->ones[taken], &s->own));
    return owi_byte_list_add(&s->own, s->pair_rows[taken],
                             owi_links_n_pairs(s->in->links.pairs) *
                                 sizeof *s->pair_rows[taken]);
}

static ow_status join_counts(sharing *s)
{
    owi_inference *in = s->in;
    const size_t n_pairs = owi_links_n_pairs(in->links.pairs);
    const ow_status written = write_counts(s);
    OWI_TRY(owi_team_exchange(in->call, written, s->own.bytes, s->own.n, &s->all));
    OWI_TRY(begin_pair_rows(s, at_hand));
    owi_links_add_counts(in->links.pairs, s->n_links, s->pair_rows[at_hand]);
    for (size_t i = 0; i < owi_team_size(in->call); i++) {
        const unsigned char *from = s->all.bytes + s->all.starts[i];
        if (s->all.starts[i] == s->all.starts[i + 1]) continue;
        for (size_t j = 0; j < in->n_columns; j++)
            owi_column_counts_apply(&from, &in->stats[j]);
        owi_indicators_read(&from, s->ones[at_hand]);
        owi_indicators_join(in->links.indicators, s->ones[at_hand]);
        owi_bytes_take(&from, s->pair_rows[at_hand],
                       n_pairs * sizeof *s->pair_rows[at_hand]);
        owi_links_add_counts(in->links.pairs, 0, s->pair_rows[at_hand]);
    }
    return begin_counts(s);
}

/* ---- Rounds ---- */

/* As a process alone does. */
static ow_status read_rows(void *user, ow_reader *file, uint64_t notes[2])
{
    sharing *s = user;
    (void)notes;
    for (;;) {
        const owi_cell *cells;
        bool at_end;
        OWI_TRY(owi_reader_next_cells(file, &cells, &at_end));
        if (at_end) return OW_OK;
        OWI_TRY(owi_infer_add_row(s->in, cells));
    }
}

static ow_status all_read(sharing *s)
{
    const owi_range_reader how = {s, read_rows};
    OWI_TRY(join_counts(s));
    OWI_TRY(owi_file_ranges_all_read(s->ranges, &how));
    if (s->ranges->gave_up) return OW_OK;
    owi_file_ranges_accept(s->ranges, 1);
    return begin_counts(s);
}

/* Takes ranges of the round as long as nothing stands against it. */
static ow_status take_ranges(sharing *s, size_t n, size_t *n_taken)
{
    const size_t rank = s->in->call->team->rank;
    const owi_range_finding *found = s->ranges->findings;
    size_t n_calm = 0, before = s->in->sample.n_seen;
    while (n_calm < n && !found[n_calm].notes[1]) n_calm++;
    for (size_t i = 0; i < rank && i < n_calm; i++) before += found[i].notes[0];
    s->own.n = 0;
    const ow_status written = rank < n_calm ? write_range(s, before) : OW_OK;
    OWI_TRY(owi_team_exchange(s->in->call, written, s->own.bytes, s->own.n, &s->all));
    for (*n_taken = 0; *n_taken < n_calm; ++*n_taken) {
        bool fits;
        OWI_TRY(apply_range(s, s->all.bytes + s->all.starts[*n_taken],
                            found[*n_taken].notes[0], &fits));
        if (!fits) return OW_OK;
        if (*n_taken == rank) OWI_TRY(take_range(s));
    }
    return OW_OK;
}

static ow_status do_round(sharing *s)
{
    const owi_range_reader how = {s, look_at_range};
    const size_t n = owi_file_ranges_left(s->ranges);
    size_t n_taken;
    OWI_TRY(owi_file_ranges_round(s->ranges, &how));
    if (s->ranges->gave_up) return OW_OK;
    OWI_TRY(take_ranges(s, n, &n_taken));
    owi_file_ranges_accept(s->ranges, n_taken);
    return n_taken < n ? all_read(s) : OW_OK;
}

static ow_status read_all(sharing *s)
{
    OWI_TRY(init(s));
    OWI_TRY(begin_counts(s));
    OWI_TRY(all_read(s)); /* nothing but events */
    while (owi_file_ranges_left(s->ranges) > 0 && !s->ranges->gave_up) OWI_TRY(do_round(s));
    return s->ranges->gave_up ? OW_OK : join_counts(s);
}

ow_status owi_infer_read_shared(owi_inference *in, bool *done)
{
    sharing s = {.in = in, .own.ctx = in->ctx, .all.ctx = in->ctx};
    *done = false;
    if (in->is_picture) return OW_OK;
    OWI_TRY(owi_file_ranges_new(in->call, in->reader, largest_range, 0, &s.ranges));
    if (s.ranges == NULL) return OW_OK;
    in->ranges = s.ranges;
    const ow_status status = read_all(&s);
    *done = status == OW_OK && !s.ranges->gave_up;
    in->ranges = NULL;
    clear(&s);
    return status;
}
