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
static OWI_INLINE float owi_lane_log(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* The exponent such that the mantissa falls into [sqrt(1/2), sqrt(2)). */
    const uint32_t e = (bits - 0x3f3504f3u) >> 23;
    const int32_t exponent = (int32_t)(e << 23) >> 23;
    const uint32_t mantissa_bits = bits - (e << 23);
    float m;
    memcpy(&m, &mantissa_bits, sizeof m);
    const float f = m - 1.0f, z = f * f, n = (float)exponent;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    return n * 0.693359375f + (f + (p * f * z + (n * -2.12194440e-4f - 0.5f * z)));
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

static void owi_tile_normalize(size_t L, size_t n, const float *log_value, float *value,
                               float *top)
{
    if (L == owi_tile_lanes)
        owi_normalize_lanes(owi_tile_lanes, n, log_value, value, top);
    else
        owi_normalize_lanes(L, n, log_value, value, top);
}

static OWI_INLINE void owi_product_sum_lanes(size_t L, size_t n, const float *a,
                                             const float *b, float *out)
{
    for (size_t lane = 0; lane < L; lane++) out[lane] = 0.0f;
    for (size_t i = 0; i < n; i++)
        for (size_t lane = 0; lane < L; lane++)
            out[lane] += a[i * L + lane] * b[i * L + lane];
}

static void owi_tile_product_sum(size_t L, size_t n, const float *a, const float *b,
                                 float *out)
{
    if (L == owi_tile_lanes)
        owi_product_sum_lanes(owi_tile_lanes, n, a, b, out);
    else
        owi_product_sum_lanes(L, n, a, b, out);
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

static void owi_tile_add_product(size_t L, size_t n, const float *a, const float *b,
                                 float *out)
{
    for (size_t i = 0; i < n * L; i++) out[i] += a[i] * b[i];
}

static void owi_tile_times(size_t L, size_t n, const float *a, float *out)
{
    for (size_t i = 0; i < n * L; i++) out[i] *= a[i];
}

static void owi_tile_exp(size_t n, const float *in, float *out)
{
    for (size_t i = 0; i < n; i++) out[i] = owi_lane_exp(in[i]);
}

static void owi_tile_log(size_t n, const float *in, float *out)
{
    for (size_t i = 0; i < n; i++) out[i] = owi_lane_log(in[i]);
}

static OWI_INLINE size_t owi_row_at(const uint32_t *index, size_t k)
{
    return index != NULL ? index[k] : k;
}

/* How an instruction set multiplies one lane: out[i] += dot(a[i], x) for contiguous rows of a, and
 * out[i] += sum_k a[k][i] x[k] for contiguous columns. */
typedef struct {
    void (*add_row_dots)(size_t m, size_t n, const float *a, size_t row_step,
                         const float *x, owi_rows_out out);
    void (*add_column_sums)(size_t m, size_t n, const float *a, size_t column_step,
                            owi_rows_in x, owi_rows_out out);
} owi_single_lane;

static OWI_INLINE void owi_multiply_single_lane(const owi_single_lane *single, size_t m,
                                                size_t n, owi_matrix a, owi_rows_in b,
                                                const float *bias, owi_rows_out out)
{
    if (bias != NULL)
        for (size_t i = 0; i < m; i++) out.rows[owi_row_at(out.index, i)] = bias[i];
    if (a.column_step != 1) {
        single->add_column_sums(m, n, a.entries, a.column_step, b, out);
        return;
    }
    if (b.index == NULL) {
        single->add_row_dots(m, n, a.entries, a.row_step, b.rows, out);
        return;
    }
    /* The scope is gathered once for all m rows, a piece at a time. */
    float picked[1024];
    const size_t piece = sizeof picked / sizeof *picked;
    for (size_t k = 0; k < n; k += piece) {
        const size_t size = n - k < piece ? n - k : piece;
        for (size_t f = 0; f < size; f++) picked[f] = b.rows[b.index[k + f]];
        single->add_row_dots(m, size, a.entries + k, a.row_step, picked, out);
    }
}

#endif
