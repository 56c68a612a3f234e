/* SPDX-License-Identifier: MIT */
#include "data/shared/column_counts.h"

#include <math.h>

#include "base/memory/sizes.h"

void owi_column_counts_clear(owi_column_counts *counts, ow_context *ctx)
{
    owi_free(ctx, counts->counts);
    owi_free(ctx, counts->sums);
    *counts = (owi_column_counts){0};
}

static ow_status make_room(owi_column_counts *counts, ow_context *ctx, size_t n)
{
    OWI_TRY(owi_grow(ctx, &counts->counts, &counts->capacity, n, sizeof *counts->counts));
    for (; counts->n_counts < n; counts->n_counts++) counts->counts[counts->n_counts] = 0;
    return OW_OK;
}

ow_status owi_column_counts_begin(owi_column_counts *counts, ow_context *ctx,
                                  const owi_column_stats *whole)
{
    const size_t n = whole->texts != NULL ? owi_string_map_count(whole->texts) : 0;
    owi_free(ctx, counts->sums);
    *counts = (owi_column_counts){.capacity = counts->capacity, .counts = counts->counts};
    return make_room(counts, ctx, n);
}

/* ---- Numbers ---- */

/* Around the centre of the column. */
static ow_status begin_sums(owi_column_counts *counts, ow_context *ctx,
                            const owi_number_sums *like)
{
    if (counts->sums != NULL) return OW_OK;
    counts->sums = owi_alloc_zeroed(ctx, sizeof *counts->sums);
    if (counts->sums == NULL) return OW_ERR_MEMORY;
    counts->sums->plain.centre = like->plain.centre;
    counts->sums->log.centre = like->log.centre;
    return OW_OK;
}

ow_status owi_column_counts_add_number(owi_column_counts *counts, ow_context *ctx,
                                       const owi_column_stats *whole, double number,
                                       int decimals)
{
    if (counts->sums == NULL) OWI_TRY(begin_sums(counts, ctx, whole->sums));
    if (!owi_is_whole(number)) counts->is_broken = true;
    owi_join_decimals(&counts->decimals, decimals);
    owi_extremes_add(&counts->extremes, number, 1);
    owi_number_sums_add(counts->sums, number, counts->extremes.low[0].number >= 0.0);
    counts->n_present++;
    return OW_OK;
}

static void join_sums(owi_number_sums *a, const owi_number_sums *b)
{
    owi_moment_sums_join(&a->plain, &b->plain);
    owi_moment_sums_join(&a->log, &b->log);
}

/* ---- Together ---- */

ow_status owi_column_counts_join(owi_column_counts *a, ow_context *ctx,
                                 const owi_column_counts *b)
{
    OWI_TRY(make_room(a, ctx, owi_larger(a->n_counts, b->n_counts)));
    for (size_t i = 0; i < b->n_counts; i++) a->counts[i] += b->counts[i];
    a->n_missing += b->n_missing;
    a->n_present += b->n_present;
    a->n_stray += b->n_stray;
    a->is_broken = a->is_broken || b->is_broken;
    owi_join_decimals(&a->decimals, b->decimals);
    owi_extremes_join(&a->extremes, &b->extremes);
    if (b->sums == NULL) return OW_OK;
    OWI_TRY(begin_sums(a, ctx, b->sums));
    join_sums(a->sums, b->sums);
    return OW_OK;
}

ow_status owi_column_counts_write(const owi_column_counts *counts, owi_byte_list *to)
{
    OWI_TRY(owi_byte_list_add(to, counts, sizeof *counts));
    OWI_TRY(
        owi_byte_list_add(to, counts->counts, counts->n_counts * sizeof *counts->counts));
    if (counts->sums == NULL) return OW_OK;
    return owi_byte_list_add(to, counts->sums, sizeof *counts->sums);
}

static void apply_counts(owi_column_stats *whole, size_t n, const unsigned char **from)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t count;
        size_t length;
        owi_bytes_take(from, &count, sizeof count);
        owi_value *value = &whole->values[i];
        value->count += count;
        whole->n_present += count;
        if (!isnan(value->number) || count == 0) continue;
        (void)owi_string_map_text(whole->texts, i, &length);
        whole->n_texts += count;
        whole->n_text_bytes += count * length;
    }
}

void owi_column_counts_apply(const unsigned char **from, owi_column_stats *whole)
{
    owi_column_counts theirs;
    owi_number_sums sums;
    owi_bytes_take(from, &theirs, sizeof theirs);
    whole->n_missing += theirs.n_missing;
    whole->n_present += theirs.n_present;
    whole->n_stray += theirs.n_stray;
    whole->all_whole = whole->all_whole && !theirs.is_broken;
    owi_join_decimals(&whole->decimals, theirs.decimals);
    owi_extremes_join(&whole->extremes, &theirs.extremes);
    apply_counts(whole, theirs.n_counts, from);
    if (theirs.sums == NULL) return; /* an address of theirs: only whether there is one */
    owi_bytes_take(from, &sums, sizeof sums);
    join_sums(whole->sums, &sums);
}
