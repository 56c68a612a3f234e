/* SPDX-License-Identifier: MIT */
/* The lane arithmetic in plain C, written so that a compiler turns it into vector code for
 * whatever it is told to compile for: fixed trip counts, no calls, no branches.  Each tile_*.c
 * includes this and fills its table from it, replacing what it does better by hand.
 *
 * exp and log are polynomials after the usual range reductions, good to about 1.5 units in the
 * last place:  exp(x) = 2^n exp(r), |r| <= log(2)/2;  log(x) = e log 2 + log m, m in
 * [sqrt(1/2), sqrt(2)). */
#ifndef OWI_TILE_LOOPS_H
#define OWI_TILE_LOOPS_H

#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/cpu/tile_ops.h"
#include "base/compiler.h"

/* exp(x) for x <= 88; 0 below -87, where a float would be subnormal, and for NaN. */
static OWI_INLINE float owi_lane_exp(float x)
{
    const float clamped = x > -87.0f ? x : -87.0f;
    /* Adding 1.5 * 2^23 rounds to the nearest integer and leaves it in the low bits. */
    const float shifted = clamped * 1.44269504f + 12582912.0f;
    const float n = shifted - 12582912.0f;
    const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127u) << 23; /* 2^n; the rounding constant's own bits are shifted out */
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return x > -87.0f ? p * scale : 0.0f;
}

/* log(x) for normal x > 0. */
static OWI_INLINE double owi_lane_log(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* The exponent such that the mantissa falls into [sqrt(1/2), sqrt(2)). */
    const uint32_t e = (bits - 0x3f3504f3u) >> 23;
    const int32_t exponent = (int32_t)(e << 23) >> 23;
    const uint32_t mantissa_bits = bits - (e << 23);
    float m;
    memcpy(&m, &mantissa_bits, sizeof m);
    const float f = m - 1.0f, z = f * f;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    return (double)exponent * 0.69314718055994531 + (double)(f + (p * f * z - 0.5f * z));
}

/* Each loop is compiled once for the constant owi_tile_lanes and once for any number. */
static OWI_INLINE void owi_normalize_lanes(size_t L, size_t n, const float *log_value,
                                           float *value, float *top)
{
    for (size_t lane = 0; lane < L; lane++) top[lane] = -INFINITY;
    for (size_t k = 0; k < n; k++)
        for (size_t lane = 0; lane < L; lane++) {
            const float x = log_value[k * L + lane];
            top[lane] = x > top[lane] ? x : top[lane];
        }
    for (size_t k = 0; k < n; k++)
        for (size_t lane = 0; lane < L; lane++) {
            /* Where all is impossible -inf - -inf is NaN, and NaN compares as not above -87. */
            value[k * L + lane] = owi_lane_exp(log_value[k * L + lane] - top[lane]);
        }
}

static void owi_tile_normalize(size_t L, size_t n_regions, size_t n, const float *log_value,
                               float *value, float *top)
{
    for (size_t r = 0; r < n_regions; r++) {
        const size_t at = r * n * L;
        if (L == owi_tile_lanes)
            owi_normalize_lanes(owi_tile_lanes, n, log_value + at, value + at, top + r * L);
        else
            owi_normalize_lanes(L, n, log_value + at, value + at, top + r * L);
    }
}

static OWI_INLINE void owi_scale_lanes(size_t L, size_t n, const float *a,
                                       const float *scale, float *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t lane = 0; lane < L; lane++)
            out[i * L + lane] = a[i * L + lane] * scale[lane];
}

static void owi_tile_scale(size_t L, size_t n, const float *a, const float *scale,
                           float *out)
{
    if (L == owi_tile_lanes)
        owi_scale_lanes(owi_tile_lanes, n, a, scale, out);
    else
        owi_scale_lanes(L, n, a, scale, out);
}

static void owi_tile_exponents(size_t n, const float *left, const float *right,
                               const double *offset, float *out)
{
    for (size_t i = 0; i < n; i++) out[i] = (float)((double)left[i] + right[i] - offset[i]);
}

static void owi_tile_times_exp(size_t n, const float *a, const float *exponent, float *out)
{
    for (size_t i = 0; i < n; i++) out[i] = a[i] * owi_lane_exp(exponent[i]);
}

static void owi_tile_log(size_t n, const float *in, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = owi_lane_log(in[i]);
}

/* The table of an instruction set; products are those of tile_product.h. */
#define OWI_TILE_OPS(set)                                                                  \
    {                                                                                      \
        .name = set, .multiply = multiply, .multiply_times = multiply_times,               \
        .bilinear = bilinear, .dots = dots, .normalize = owi_tile_normalize,               \
        .scale = owi_tile_scale, .exponents = owi_tile_exponents,                          \
        .times_exp = owi_tile_times_exp, .log = owi_tile_log,                              \
    }

#endif
