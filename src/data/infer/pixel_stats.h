/* SPDX-License-Identifier: MIT */
/* The figures that all cells of images or maps share, so that whole pictures are scaled
 * alike. */
#ifndef OWI_PIXEL_STATS_H
#define OWI_PIXEL_STATS_H

#include "data/infer/moments.h"
#include "data/rows/reader.h"

typedef struct {
    ow_context *ctx;
    size_t n;          /* cells in a row                              */
    size_t *n_missing; /* in each of them                             */
    double *numbers;   /* scratch: those of a row                     */
    double low, high;  /* of all; low > high: none yet                */
    bool all_whole;    /* and not beyond 2^53                         */
    owi_moments moments;
    owi_moments log_moments; /* of log(1 + x) while no number is below 0 */
} owi_pixel_stats;

/* All zero can be cleared. */
ow_status owi_pixel_stats_begin(owi_pixel_stats *stats, ow_context *ctx, size_t n);
void owi_pixel_stats_clear(owi_pixel_stats *stats);
/* A row's cells; one that is no number counts as missing. */
void owi_pixel_stats_add(owi_pixel_stats *stats, const owi_cell *cells);

#endif
