/* SPDX-License-Identifier: MIT */
/* Rows by the probability of the class that each is called (ow_calibration_bin), counted
 * one by one. */
#ifndef OWI_CALIBRATION_H
#define OWI_CALIBRATION_H

#include <stdbool.h>

#include "otherwise/model.h"

/* While counting, a bin's probability is the sum; finish makes it the mean. */
void owi_calibration_add(ow_calibration_bin *bins, double probability, bool right);
void owi_calibration_finish(ow_calibration_bin *bins);

#endif
