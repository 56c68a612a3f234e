/* SPDX-License-Identifier: MIT */
#include "explain/constraints/simplex_lanes.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* Four lanes; a comparison gives all bits of a lane, or none. */
typedef float four_floats OWI_VECTOR(4);
typedef double four OWI_VECTOR(8);
typedef int64_t masks OWI_VECTOR(8);

enum { L = owi_simplex_lanes, n_parts = L / 4 };

/* One by one, which gcc makes one instruction of; of __builtin_convertvector it makes
 * several. */
static OWI_INLINE void load(const float *shares, four *x)
{
    *x = (four){(double)shares[0], (double)shares[1], (double)shares[2], (double)shares[3]};
}

/* tau = (the sum of what is above tau, less 1) / (how many there are); no such share:
 * -infinity, below them all. */
static OWI_INLINE void next_tau(size_t n, const float *shares, four *tau, masks *count)
{
    const double two_52 = 0x1p52; /* whose last bits are a count's */
    const four two_52s = {two_52, two_52, two_52, two_52};
    four sum[n_parts];
    for (size_t p = 0; p < n_parts; p++) {
        sum[p] = (four){0};
        count[p] = (masks){0};
    }
    size_t k = 0;
    do
        for (size_t p = 0; p < n_parts; p++) {
            four x;
            load(shares + k * L + 4 * p, &x);
            const masks above = (masks)(x > tau[p]);
            sum[p] += (four)(above & (masks)x);
            count[p] -= above;
        }
    while (++k < n);
    for (size_t p = 0; p < n_parts; p++) {
        const four n_above = (four)(count[p] | (masks)two_52s) - two_52s;
        tau[p] = (sum[p] - (four){1.0, 1.0, 1.0, 1.0}) / n_above;
    }
}

/* max(0, x - tau); true if that leaves out some of those that tau was made of. */
static OWI_INLINE bool write_moved(size_t n, const float *shares, const four *tau,
                                   const masks *count, float *restrict moved)
{
    masks fewer[n_parts];
    size_t k = 0;
    for (size_t p = 0; p < n_parts; p++) fewer[p] = count[p];
    do
        for (size_t p = 0; p < n_parts; p++) {
            four x;
            load(shares + k * L + 4 * p, &x);
            const masks above = (masks)(x > tau[p]);
            fewer[p] += above;
            const four_floats near =
                __builtin_convertvector((four)(above & (masks)(x - tau[p])), four_floats);
            memcpy(moved + k * L + 4 * p, &near, sizeof near);
        }
    while (++k < n);
    masks any = {0};
    for (size_t p = 0; p < n_parts; p++) any |= fewer[p];
    return (any[0] | any[1] | any[2] | any[3]) != 0;
}

/* Lanes where nothing is a number stay as they are. */
static OWI_INLINE void keep_lanes(size_t n, const float *shares, const masks *count,
                                  float *restrict moved)
{
    masks none = {0};
    for (size_t p = 0; p < n_parts; p++) none |= (masks)(count[p] == 0);
    if ((none[0] | none[1] | none[2] | none[3]) == 0) return;
    for (size_t lane = 0; lane < L; lane++)
        for (size_t k = 0; k < n && count[lane / 4][lane % 4] == 0; k++)
            moved[k * L + lane] = isinf(shares[k * L + lane]) ? 0.0f : shares[k * L + lane];
}

/* Newton's method on sum_k max(0, x_k - tau) = 1, convex and falling: from anywhere the
 * first tau is not too large, and from then on each is larger than the one before, leaving
 * out some share, until none is left out: Michelot's steps.  From 0 on, two are most often
 * enough. */
OWI_WIDE static void project(size_t n, const float *shares, float *restrict moved)
{
    four tau[n_parts];
    masks count[n_parts];
    for (size_t p = 0; p < n_parts; p++) tau[p] = (four){0};
    next_tau(n, shares, tau, count);
    for (size_t turn = 0; turn <= n; turn++) {
        next_tau(n, shares, tau, count);
        if (!write_moved(n, shares, tau, count, moved)) break;
    }
    keep_lanes(n, shares, count, moved);
}

void owi_project_lanes_to_simplex(size_t n, const float *shares, float *moved)
{
    project(n, shares, moved);
}
