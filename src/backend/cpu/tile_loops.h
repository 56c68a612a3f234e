/* SPDX-License-Identifier: MIT */
/* The lane arithmetic in plain C, written so that a compiler turns it into vector code for
 * whatever it is told to compile for: no calls, no branches.  Each tile_*.c includes this
 * and fills its table from it.
 *
 * exp and log reduce their range,
 *
 *     exp(x) = 2^n exp(r), |r| <= log(2)/2;
 *     log(x) = n log 2 + log(1 + f), 1 + f in [sqrt(1/2), sqrt(2)),
 *
 * and go on with polynomials,  exp(r) = 1 + r + r^2 q(r)  and  log(1 + f) = f - f^2/2 + f^3
 * q(f), whose coefficients are those of least largest relative error (Remez' exchange):
 * 3e-9 and 6e-9.  What is left is the rounding of floats, one or two units in the last
 * place.  A file that divides in another way defines OWI_TILE_DIVIDE before. */
#ifndef OWI_TILE_LOOPS_H
#define OWI_TILE_LOOPS_H

#include <math.h>
#include <stdbool.h>
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
    /* log 2 in two parts, the first short enough for n times it to be exact. */
    const float r = (clamped - n * 0.693145751953125f) - n * 1.42860682e-6f;
    float q = 1.38145402e-3f;
    q = q * r + 8.36874511e-3f;
    q = q * r + 4.16683908e-2f;
    q = q * r + 1.66665204e-1f;
    q = q * r + 4.99999934e-1f;
    const float p = q * r * r + r + 1.0f;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127u) << 23; /* 2^n; the rounding constant's own bits are shifted out */
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return x > -87.0f ? p * scale : 0.0f;
}

/* log(x) = n log 2 + part for normal x > 0. */
typedef struct {
    int32_t n;
    float part;
} owi_log_parts;

static OWI_INLINE owi_log_parts owi_lane_log_parts(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* 0x3f3504f3 is sqrt(1/2): what is above it, in steps of the exponent. */
    const int32_t n = (bits - 0x3f3504f3) >> 23;
    const int32_t mantissa_bits = bits - n * (1 << 23);
    float m;
    memcpy(&m, &mantissa_bits, sizeof m);
    const float f = m - 1.0f, z = f * f;
    float q = -7.63449399e-2f;
    q = q * f + 1.27615745e-1f;
    q = q * f - 1.31601822e-1f;
    q = q * f + 1.42017584e-1f;
    q = q * f - 1.66233574e-1f;
    q = q * f + 2.00012269e-1f;
    q = q * f - 2.50008210e-1f;
    q = q * f + 3.33333317e-1f;
    return (owi_log_parts){n, f + (q * f * z - 0.5f * z)};
}

static OWI_INLINE double owi_lane_log(float x)
{
    const owi_log_parts log = owi_lane_log_parts(x);
    return (double)log.n * 0.69314718055994531 + (double)log.part;
}

/* The same rounded to a float, to one or two units in the last place: log 2 in the two
 * parts that the exponential has. */
static OWI_INLINE float owi_lane_short_log(float x)
{
    const owi_log_parts log = owi_lane_log_parts(x);
    const float n = (float)log.n;
    return n * 0.693145751953125f + (n * 1.42860682e-6f + log.part);
}

/* One region of a full tile. */
static OWI_INLINE void owi_normalize_tile(size_t n, const float *restrict log_value,
                                          float *restrict value, float *restrict top)
{
    enum { L = owi_tile_lanes };
    float largest[L];
    for (size_t lane = 0; lane < L; lane++) largest[lane] = -INFINITY;
    for (size_t k = 0; k < n; k++)
        for (size_t lane = 0; lane < L; lane++) {
            const float x = log_value[k * L + lane];
            largest[lane] = x > largest[lane] ? x : largest[lane];
        }
    memcpy(top, largest, sizeof largest);
    /* Where all is impossible -inf - -inf is NaN, whose exp is 0 here. */
    for (size_t k = 0; k < n; k++)
        for (size_t lane = 0; lane < L; lane++)
            value[k * L + lane] = owi_lane_exp(log_value[k * L + lane] - largest[lane]);
}

/* All regions of a single row: the exponentials run over the whole layer. */
static OWI_INLINE void owi_normalize_single(size_t n_regions, size_t n,
                                            const float *log_value, float *value,
                                            float *top)
{
    for (size_t r = 0; r < n_regions; r++, log_value += n) {
        float largest = -INFINITY;
        for (size_t k = 0; k < n; k++)
            largest = log_value[k] > largest ? log_value[k] : largest;
        top[r] = largest;
        for (size_t k = 0; k < n; k++) value[r * n + k] = log_value[k] - largest;
    }
    for (size_t i = 0; i < n_regions * n; i++) value[i] = owi_lane_exp(value[i]);
}

static void owi_tile_normalize(size_t L, size_t n_regions, size_t n, const float *log_value,
                               float *value, float *top)
{
    if (L == 1)
        owi_normalize_single(n_regions, n, log_value, value, top);
    else
        for (size_t r = 0; r < n_regions; r++, log_value += n * L, value += n * L)
            owi_normalize_tile(n, log_value, value, top + r * L);
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

static OWI_INLINE bool owi_add_log_apart(size_t n, const float *restrict in, float least,
                                         const float *restrict to, float *restrict out)
{
    int any = 0;
    for (size_t i = 0; i < n; i++) {
        const int low = in[i] < least;
        out[i] = to[i] + (low ? 0.0f : owi_lane_short_log(in[i]));
        any |= low;
    }
    return any != 0;
}

static OWI_INLINE bool owi_add_log_in_place(size_t n, const float *restrict in, float least,
                                            float *restrict out)
{
    int any = 0;
    for (size_t i = 0; i < n; i++) {
        const int low = in[i] < least;
        out[i] += low ? 0.0f : owi_lane_short_log(in[i]);
        any |= low;
    }
    return any != 0;
}

/* Compilers make vector code of arrays that are surely apart, and of one that is surely the
 * same. */
static bool owi_tile_add_log(size_t n, const float *in, float least, const float *to,
                             float *out)
{
    return to == out ? owi_add_log_in_place(n, in, least, out)
                     : owi_add_log_apart(n, in, least, to, out);
}

#ifndef OWI_TILE_DIVIDE
#define OWI_TILE_DIVIDE owi_tile_divide
static bool owi_tile_divide(size_t n, const float *restrict a, const float *restrict b,
                            float least, float *restrict out)
{
    int any = 0;
    for (size_t i = 0; i < n; i++) {
        const int low = b[i] < least;
        out[i] = low ? 0.0f : a[i] / (low ? 1.0f : b[i]);
        any |= low & (a[i] != 0.0f);
    }
    return any != 0;
}
#endif

#endif
