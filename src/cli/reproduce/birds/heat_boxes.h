/* SPDX-License-Identifier: MIT */
/* Does the heat lie on the bird?  The share of a method's heat inside the bird's box,
 * beside the share of the photograph that the box takes, which heat spread evenly would
 * have. */
#ifndef CLI_HEAT_BOXES_H
#define CLI_HEAT_BOXES_H

#include "otherwise/page.h"
#include "reproduce/birds/photo_list.h"

typedef struct {
    size_t n, n_on;    /* queries; those with more heat in the box than its area     */
    double heat, area; /* sums of the two shares                                     */
} heat_tally;

/* The share of the heat of (rows, columns) places inside the photo's box; NaN where there
 * is no heat. */
double heat_inside(const photo *p, size_t rows, size_t columns, const double *heat);

/* Counts a query whose photograph has a box. */
void heat_tally_add(heat_tally *tally, const photo *p, size_t rows, size_t columns,
                    const double *heat);

/* A table on the page, and heat.csv. */
ow_status heat_tallies_show(reproduction *r, size_t n, const char *const *names,
                            const heat_tally *tallies);

#endif
