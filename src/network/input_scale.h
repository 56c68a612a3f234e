/* SPDX-License-Identifier: MIT */
/* Shift and scale of a network's inputs, by the values that it learns from. */
#ifndef OWI_INPUT_SCALE_H
#define OWI_INPUT_SCALE_H

#include <stddef.h>

/* Sums over the values of one entry that are there. */
typedef struct {
    double n, mean, squares, low, high;
} owi_input_sums;

owi_input_sums owi_input_sums_of_none(void);
void owi_input_sums_add(owi_input_sums *sums, double x);
/* All n entries get the range of all: a pixel that was hardly ever lit, and then faintly,
 * may be bright in the next image. */
void owi_input_sums_share_range(size_t n, owi_input_sums *sums);

/* One over the standard deviation, or over the range where that is larger, up to a range of
 * 1: shares of levels and pixels stay as they are, as those that are rare would else be
 * huge when they do occur. */
double owi_input_scale(const owi_input_sums *sums);

#endif
