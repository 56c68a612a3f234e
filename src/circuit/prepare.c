/* SPDX-License-Identifier: MIT */
/* From the parameters that people understand (means, variances, log-probabilities) to those that the
 * leaf product uses.  With z = x - shift and m = mean - shift:
 *
 *     log N(x; mean, v) + log cell = z m/v - z^2 / (2v) - (m^2/v + log(2 pi v)) / 2 + log cell
 *
 * so theta is m/v for z, -1/(2v) for z^2, and the rest is the constant.  With a fixed variance z^2 and
 * log(2 pi v) are the same for every component: the row's constant has them (leaf_features.h), and
 * the constant here is -m^2/(2v). */
#include <math.h>

#include "circuit/circuit.h"

static const double log_2_pi = 1.8378770664093454836;

/* Numbers are never farther from the shift than this, in any circuit. */
static const float farthest = 1e15f;
/* No product of a natural parameter and its feature may exceed this: a thousand of them fit a float. */
static const double most_product = 1e33;

/* A leaf of this mean (from the shift) and variance keeps |z| mean / v and z^2 / (2 v) below most_product. */
static void limit_numbers(const ow_circuit *circuit, size_t column, double mean, double v)
{
    const double by_square = sqrt(2.0 * v * most_product);
    const double by_mean = mean != 0.0 ? v * most_product / fabs(mean) : by_square;
    const double least = fmin(by_square, by_mean);
    if (least < (double)circuit->farthest[column]) circuit->farthest[column] = (float)least;
}

/* Component k of one region: theta for its features, gap_theta for its plain Gaussians; returns the sum
 * of the constants of the latter. */
static double prepare_component(const ow_circuit *circuit, const uint32_t *scope,
                                size_t width, const float *parameter, float *theta,
                                float *gap_theta)
{
    const double fixed = circuit->spec.variance;
    double bias = 0.0;

    for (size_t f = 0; f < width; f++) {
        const owi_feature *feature = &circuit->features[scope[f]];
        const ow_leaf *leaf = &circuit->leaves[feature->column];
        const double mean = (double)parameter[f] - circuit->shift[feature->column];
        double constant;
        switch (feature->kind) {
        case OWI_FEATURE_LEVEL:
        case OWI_FEATURE_MASS:
        case OWI_FEATURE_SLAB:
            theta[f] = parameter[f];
            break;
        case OWI_FEATURE_NUMBER:
            theta[f] = (float)(mean / fixed);
            limit_numbers(circuit, feature->column, mean, fixed);
            constant = -0.5 * mean * mean / fixed;
            *gap_theta++ = (float)constant;
            bias += constant;
            break;
        case OWI_FEATURE_MEAN: { /* its variance is the next feature */
            const double v = parameter[f + 1];
            limit_numbers(circuit, feature->column, mean, v);
            theta[f] = (float)(mean / v);
            theta[f + 1] = (float)(-0.5 / v);
            constant = -0.5 * (mean * mean / v + log(v) + log_2_pi) + leaf->log_cell;
            if (leaf->kind == OW_LEAF_POINT_MASSES)
                theta[f - 1] += (float)constant; /* the slab is there when z is */
            else {
                *gap_theta++ = (float)constant;
                bias += constant;
            }
            break;
        }
        case OWI_FEATURE_VARIANCE:
            break;
        }
    }
    return bias;
}

void owi_circuit_prepare(ow_circuit *circuit)
{
    const size_t n_regions = circuit->regions.n_copies * circuit->regions.n_regions;
    const size_t I = circuit->spec.inputs, d = circuit->spec.n_columns;

    for (size_t j = 0; j < d; j++) circuit->farthest[j] = farthest;
    for (size_t r = 0; r < n_regions; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        const size_t gaps = circuit->gap_start[r],
                     n_gaps = circuit->gap_start[r + 1] - gaps;
        for (size_t i = 0; i < I; i++)
            circuit->bias[r * I + i] =
                (float)prepare_component(circuit, circuit->scope + start, width,
                                         circuit->leaf + I * start + i * width,
                                         circuit->theta + I * start + i * width,
                                         circuit->gap_theta + I * gaps + i * n_gaps);
    }
    /* With one variance for all, one limit for all is no narrower than any mean. */
    for (size_t j = 0; j < d && circuit->spec.variance > 0.0; j++)
        circuit->farthest[0] = fminf(circuit->farthest[0], circuit->farthest[j]);
    for (size_t j = 1; j < d && circuit->spec.variance > 0.0; j++)
        circuit->farthest[j] = circuit->farthest[0];
    for (size_t i = 0; i < circuit->n_weights; i++)
        circuit->linear_weight[i] = (float)exp((double)circuit->log_weight[i]);
}
