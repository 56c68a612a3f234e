/* SPDX-License-Identifier: MIT */
/* Adam (Kingma and Ba, 2015) on the entries of one row. */
#ifndef OWI_ADAM_ROW_H
#define OWI_ADAM_ROW_H

#include <stddef.h>
#include <stdint.h>

/* Step number `step`, from 1 on, downhill: first and second are the moments, 0 before the first step.  An entry whose
 * gradient is 0 from the beginning does not move. */
void owi_adam_row(size_t n, const float *gradient, double rate, uint64_t step, float *first,
                  float *second, float *x);

#endif
