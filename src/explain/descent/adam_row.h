/* SPDX-License-Identifier: MIT */
/* Adam (Kingma and Ba, 2015) on the entries of one row. */
#ifndef OWI_ADAM_ROW_H
#define OWI_ADAM_ROW_H

#include <stddef.h>
#include <stdint.h>

/* By how much the moments are too small at a step, from 1 on: 1 - beta1^t, and the root of
 * 1 - beta2^t. */
typedef struct {
    double first, root_of_second;
} owi_adam_bias;
owi_adam_bias owi_adam_bias_of(uint64_t step);

/* A step downhill: first and second are the moments, 0 before the first step.  An entry
 * whose gradient is 0 from the beginning does not move. */
void owi_adam_row(size_t n, const float *gradient, double rate, const owi_adam_bias *bias,
                  float *first, float *second, float *x);

#endif
