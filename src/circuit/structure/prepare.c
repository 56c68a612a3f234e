/* SPDX-License-Identifier: MIT */
/* From the parameters that people understand (means, variances, log-probabilities) to those
 * that the leaf product uses.  With z = x - shift and m = mean - shift:
 *
 *     log N(x; mean, v) + log cell
 *         = z m/v - z^2 / (2v) - (m^2/v + log(2 pi v)) / 2 + log cell
 *
 * so theta is m/v for z, -1/(2v) for z^2, and the rest is the constant.  With a fixed
 * variance z^2 and log(2 pi v) are the same for every component: the row's constant has
 * them (leaf_features.h), and the constant here is -m^2/(2v). */
#include <math.h>
#include <stdatomic.h>

#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "circuit/structure/circuit.h"

/* Parameters that one worker takes at a time, about. */
enum { parameters_at_a_time = 1 << 13 };

static const double log_2_pi = 1.8378770664093454836;

/* Component k of one region: theta for its features, gap_theta for its plain Gaussians;
 * returns the sum of the constants of the latter. */
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
            constant = -0.5 * mean * mean / fixed;
            *gap_theta++ = (float)constant;
            bias += constant;
            break;
        case OWI_FEATURE_MEAN: { /* its variance is the next feature */
            const double v = parameter[f + 1];
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

/* The same where all features are numbers with a fixed variance. */
static double prepare_means(const ow_circuit *circuit, const uint32_t *scope, size_t width,
                            const float *parameter, float *restrict theta,
                            float *restrict gap_theta)
{
    const double precision = 1.0 / circuit->spec.variance;
    double bias[4] = {0}; /* four, because additions to one wait for each other */

    for (size_t f = 0; f < width; f++) {
        const double mean = (double)parameter[f] - circuit->shift[scope[f]];
        const double constant = -0.5 * precision * mean * mean;
        theta[f] = (float)(precision * mean);
        gap_theta[f] = (float)constant;
        bias[f % 4] += constant;
    }
    return (bias[0] + bias[1]) + (bias[2] + bias[3]);
}

/* ---- How far numbers may be ---- */

/* Numbers are never farther from the shift than this, in any circuit. */
static const float farthest = 1e15f;
/* No product of a natural parameter and its feature may exceed this: a thousand of them fit
 * a float. */
static const double most_product = 1e33;
/* Natural parameters up to this need nothing: 1e3 (1e15)^2 = 1e33. */
static const float usual_parameter = 1e3f;

static bool is_usual(size_t n, const float *theta)
{
    bool beyond = false;
    for (size_t i = 0; i < n; i++) beyond |= !(fabsf(theta[i]) <= usual_parameter);
    return !beyond;
}

/* Features z and z^2 (if there is one) of a column with these parameters: both products
 * stay below most_product. */
static void limit_column(ow_circuit *circuit, size_t column, double theta,
                         double half_precision)
{
    const double by_square = sqrt(most_product / half_precision);
    const double by_mean = theta != 0.0 ? most_product / fabs(theta) : by_square;
    const double least = fmin(by_square, by_mean);
    if (least < (double)circuit->farthest[column]) circuit->farthest[column] = (float)least;
}

/* Where parameters are unusual.  With one variance for all, one limit for all is no
 * narrower than any mean. */
static void limit_numbers(ow_circuit *circuit)
{
    const size_t n_regions = circuit->regions.n_copies * circuit->regions.n_regions;
    const size_t d = circuit->spec.n_columns;
    const double fixed = circuit->spec.variance;

    for (size_t r = 0; r < n_regions; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        const float *theta = circuit->theta + circuit->spec.inputs * start;
        for (size_t i = 0; i < circuit->spec.inputs * width; i++) {
            const owi_feature *feature =
                &circuit->features[circuit->scope[start + i % width]];
            if (feature->kind == OWI_FEATURE_NUMBER)
                limit_column(circuit, feature->column, theta[i], 0.5 / fixed);
            if (feature->kind == OWI_FEATURE_MEAN)
                limit_column(circuit, feature->column, theta[i], -(double)theta[i + 1]);
        }
    }
    if (fixed == 0.0) return;
    for (size_t j = 1; j < d; j++)
        circuit->farthest[0] = fminf(circuit->farthest[0], circuit->farthest[j]);
    for (size_t j = 1; j < d; j++) circuit->farthest[j] = circuit->farthest[0];
}

/* ---- All of it ---- */

typedef struct {
    ow_circuit *circuit;
    atomic_bool unusual; /* some natural parameter is */
} preparation;

static ow_status prepare_regions(void *user, const owi_chunk *regions)
{
    preparation *all = user;
    ow_circuit *circuit = all->circuit;
    const size_t I = circuit->spec.inputs;
    double (*prepare)(const ow_circuit *, const uint32_t *, size_t, const float *, float *,
                      float *) =
        owi_circuit_is_plain(circuit) ? prepare_means : prepare_component;

    for (size_t r = regions->first; r < regions->first + regions->n; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        const size_t gaps = circuit->gap_start[r],
                     n_gaps = circuit->gap_start[r + 1] - gaps;
        for (size_t i = 0; i < I; i++)
            circuit->bias[r * I + i] =
                (float)prepare(circuit, circuit->scope + start, width,
                               circuit->leaf + I * start + i * width,
                               circuit->theta + I * start + i * width,
                               circuit->gap_theta + I * gaps + i * n_gaps);
        if (!is_usual(I * width, circuit->theta + I * start))
            atomic_store(&all->unusual, true);
    }
    return OW_OK;
}

static ow_status prepare_weights(void *user, const owi_chunk *weights)
{
    ow_circuit *circuit = ((preparation *)user)->circuit;
    for (size_t i = weights->first; i < weights->first + weights->n; i++)
        circuit->linear_weight[i] = expf(circuit->log_weight[i]);
    return OW_OK;
}

void owi_circuit_prepare(const owi_call *call, ow_circuit *circuit)
{
    owi_call whole; /* a circuit is never left half prepared */
    if (call != NULL)
        owi_call_begin_unheard(&whole, call);
    else
        (void)owi_call_begin(&whole, circuit->ctx, NULL);
    const size_t n_regions = circuit->regions.n_copies * circuit->regions.n_regions;
    const size_t each = circuit->n_leaf / n_regions + 1;
    preparation all = {.circuit = circuit};
    circuit->version++;
    /* One variance for all may be unusual itself. */
    atomic_init(&all.unusual, circuit->spec.variance > 0.0 &&
                                  0.5 / circuit->spec.variance > (double)usual_parameter);
    /* Nothing in them can fail. */
    (void)owi_parallel_rows(&whole, n_regions, owi_larger(1, parameters_at_a_time / each),
                            prepare_regions, &all);
    (void)owi_parallel_rows(&whole, circuit->n_weights, parameters_at_a_time,
                            prepare_weights, &all);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) circuit->farthest[j] = farthest;
    if (atomic_load(&all.unusual)) limit_numbers(circuit);
}
