/* SPDX-License-Identifier: MIT */
#include "model/train/calibration.h"

#include <math.h>

void owi_calibration_add(ow_calibration_bin *bins, double probability, bool right)
{
    if (isnan(probability)) return;
    size_t b = OW_CALIBRATION_BINS - 1; /* a probability of 1 belongs to the last bin */
    if (probability < 1.0) b = (size_t)(fmax(probability, 0.0) * OW_CALIBRATION_BINS);
    bins[b].n_rows++;
    bins[b].n_right += right;
    bins[b].probability += probability;
}

void owi_calibration_finish(ow_calibration_bin *bins)
{
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++)
        if (bins[b].n_rows > 0) bins[b].probability /= (double)bins[b].n_rows;
}

double ow_calibration_error(const ow_calibration_bin bins[OW_CALIBRATION_BINS])
{
    double error = 0.0, n = 0.0;
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) {
        const double rows = (double)bins[b].n_rows;
        n += rows;
        error += fabs((double)bins[b].n_right - rows * bins[b].probability);
    }
    return n > 0.0 ? error / n : 0.0;
}
