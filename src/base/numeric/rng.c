/* SPDX-License-Identifier: MIT */
/* The generator, and the distributions made from its words.
 *
 *     counter = (block, stream), low word first;  key = seed
 *
 * Two draws of different kinds may share a block; which words a draw takes depends only on
 * what was drawn from the same stream before. */
#include "base/numeric/rng.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* Multipliers and key increments (the golden ratio and sqrt(3) - 1, as fractions of 2^32)
 * are those of the paper. */
static const uint32_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
static const uint32_t increment_0 = 0x9E3779B9, increment_1 = 0xBB67AE85;
static const double two_pi = 6.28318530717958647692528676655900577;

void owi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < 10; round++) {
        const uint64_t product_0 = (uint64_t)multiplier_0 * c0;
        const uint64_t product_1 = (uint64_t)multiplier_1 * c2;
        c0 = (uint32_t)(product_1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)product_1;
        c2 = (uint32_t)(product_0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)product_0;
        k0 += increment_0;
        k1 += increment_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void owi_rng_init(owi_rng *rng, uint64_t seed, uint64_t stream)
{
    *rng = (owi_rng){.seed = seed, .stream = stream};
}

uint32_t owi_rng_u32(owi_rng *rng)
{
    if (rng->n_left == 0) {
        const uint32_t counter[] = {(uint32_t)rng->block, (uint32_t)(rng->block >> 32),
                                    (uint32_t)rng->stream, (uint32_t)(rng->stream >> 32)};
        const uint32_t key[] = {(uint32_t)rng->seed, (uint32_t)(rng->seed >> 32)};
        owi_philox(counter, key, rng->words);
        rng->block++;
        rng->n_left = 4;
    }
    return rng->words[4 - rng->n_left--];
}

uint64_t owi_rng_u64(owi_rng *rng)
{
    const uint64_t low = owi_rng_u32(rng);
    return (uint64_t)owi_rng_u32(rng) << 32 | low;
}

double owi_rng_uniform(owi_rng *rng)
{
    return (double)(owi_rng_u64(rng) >> 11) * 0x1p-53;
}

size_t owi_rng_below(owi_rng *rng, size_t n)
{
    assert(n > 0);
    /* 2^64 is rarely a multiple of n: numbers of the last, cut-off run of n are drawn
     * again, so that every remainder has as many numbers as the others. */
    for (;;) {
        const uint64_t number = owi_rng_u64(rng);
        const uint64_t remainder = number % n;
        if (number - remainder <= UINT64_MAX - (n - 1)) return (size_t)remainder;
    }
}

/* Uniform in (0, 1], whose logarithm is finite. */
static double uniform_above_zero(owi_rng *rng)
{
    return 1.0 - owi_rng_uniform(rng);
}

/* Box and Muller (1958).  The second number of the pair is given up, so that a stream has
 * no state but its position and a normal always takes one block's worth of words. */
double owi_rng_normal(owi_rng *rng)
{
    const double radius = sqrt(-2.0 * log(uniform_above_zero(rng)));
    return radius * cos(two_pi * owi_rng_uniform(rng));
}

/* The logarithm of a gamma variate.  For shape >= 1, Marsaglia and Tsang ("A simple method
 * for generating gamma variables", 2000): with d = shape - 1/3 and v = (1 + x / sqrt(9
 * d))^3, x normal, d v is accepted with probability exp(x^2/2 + d - d v + d log v).  Below
 * 1,
 *
 *     gamma(shape) = gamma(shape + 1) u^(1 / shape),   u uniform,
 *
 * which is 0 in floating point for most u when the shape is small; its logarithm is not. */
static double log_gamma_variate(owi_rng *rng, double shape)
{
    double log_boost = 0.0;
    if (shape < 1.0) {
        /* Below 1e-300 the quotient could overflow, and nobody can tell the shapes
         * apart. */
        log_boost = log(uniform_above_zero(rng)) / fmax(shape, 1e-300);
        shape += 1.0;
    }

    const double d = shape - 1.0 / 3.0;
    const double scale = 1.0 / sqrt(9.0 * d);
    for (;;) {
        const double x = owi_rng_normal(rng);
        const double root = 1.0 + scale * x;
        if (root <= 0.0) continue;
        const double v = root * root * root, log_v = 3.0 * log(root);
        if (log(uniform_above_zero(rng)) < 0.5 * x * x + d * (1.0 - v + log_v))
            return log(d) + log_v + log_boost;
    }
}

double owi_rng_gamma(owi_rng *rng, double shape)
{
    assert(shape > 0.0 && isfinite(shape));
    return exp(log_gamma_variate(rng, shape));
}

void owi_rng_dirichlet(owi_rng *rng, double concentration, size_t n, double *weights)
{
    assert(concentration > 0.0 && isfinite(concentration));
    double top = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        weights[i] = log_gamma_variate(rng, concentration);
        top = fmax(top, weights[i]);
    }
    for (size_t i = 0; i < n; i++) {
        weights[i] = exp(weights[i] - top);
        sum += weights[i]; /* at least 1: the largest is exp(0) */
    }
    for (size_t i = 0; i < n; i++) weights[i] = fmax(weights[i] / sum, DBL_MIN);
}

size_t owi_rng_categorical(owi_rng *rng, size_t n, const double *weights)
{
    double sum = 0.0, reached = 0.0;
    for (size_t i = 0; i < n; i++) sum += weights[i];
    assert(sum > 0.0 && isfinite(sum));

    /* The first weight at which the running sum passes the target.  Only among subnormal
     * numbers can rounding bring the target up to the sum itself; the last weight > 0 is
     * meant then. */
    const double target = owi_rng_uniform(rng) * sum;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        reached += weights[i];
        if (target < reached) return i;
        if (weights[i] > 0.0) last = i;
    }
    return last;
}

/* Fisher and Yates, from the back. */
void owi_rng_shuffle(owi_rng *rng, size_t n, size_t *items)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = owi_rng_below(rng, i), item = items[j];
        items[j] = items[i - 1];
        items[i - 1] = item;
    }
}
