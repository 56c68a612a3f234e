/* SPDX-License-Identifier: MIT */
#include "data/infer/pixel_stats.h"

#include <math.h>

#include "base/memory/alloc.h"

ow_status owi_pixel_stats_begin(owi_pixel_stats *stats, ow_context *ctx, size_t n)
{
    *stats = (owi_pixel_stats){
        .ctx = ctx, .n = n, .low = INFINITY, .high = -INFINITY, .all_whole = true};
    stats->n_missing = owi_alloc_array(ctx, n, sizeof *stats->n_missing);
    stats->numbers = owi_alloc_array(ctx, n, sizeof *stats->numbers);
    return stats->n_missing != NULL && stats->numbers != NULL ? OW_OK : OW_ERR_MEMORY;
}

void owi_pixel_stats_clear(owi_pixel_stats *stats)
{
    if (stats->ctx == NULL) return;
    owi_free(stats->ctx, stats->n_missing);
    owi_free(stats->ctx, stats->numbers);
    *stats = (owi_pixel_stats){0};
}

/* The numbers of a row, put side by side. */
static size_t gather(owi_pixel_stats *stats, const owi_cell *cells)
{
    size_t n = 0;
    for (size_t j = 0; j < stats->n; j++) {
        double number;
        if (owi_cell_number(&cells[j], &number, NULL))
            stats->numbers[n++] = number;
        else
            stats->n_missing[j]++;
    }
    return n;
}

void owi_pixel_stats_add(owi_pixel_stats *stats, const owi_cell *cells)
{
    double *numbers = stats->numbers;
    const size_t n = gather(stats, cells);
    for (size_t i = 0; i < n; i++) {
        stats->low = fmin(stats->low, numbers[i]);
        stats->high = fmax(stats->high, numbers[i]);
        if (!owi_is_whole(numbers[i])) stats->all_whole = false;
    }
    owi_moments_add_all(&stats->moments, numbers, n);
    if (stats->low < 0.0) return;
    for (size_t i = 0; i < n; i++) numbers[i] = log1p(numbers[i]);
    owi_moments_add_all(&stats->log_moments, numbers, n);
}
