/* SPDX-License-Identifier: MIT */
#include "explain/simplex_lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* Four lanes; a comparison gives all bits of a lane, or none. */
typedef float four_floats OWI_VECTOR(4);
typedef double four OWI_VECTOR(8);
typedef int64_t masks OWI_VECTOR(8);

enum { L = owi_simplex_lanes, at_a_time = 8, n_parts = at_a_time / 4 };

static OWI_INLINE void load(const float *shares, four *x)
{
    four_floats part;
    memcpy(&part, shares, sizeof part);
    *x = __builtin_convertvector(part, four);
}

/* Michelot's tau, for at_a_time lanes: a lane that has come to its end keeps its tau while the others go on. */
static OWI_INLINE void find_tau(size_t n, const float *shares, four *tau)
{
    const masks one = (masks)(four){1.0, 1.0, 1.0, 1.0};
    four before[n_parts];
    masks goes_on[n_parts];
    for (size_t p = 0; p < n_parts; p++) {
        tau[p] = (four){-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        before[p] = -tau[p];
        goes_on[p] = (masks){-1, -1, -1, -1};
    }
    for (int64_t any = 1; any != 0;) {
        four sum[n_parts] = {{0}}, count[n_parts] = {{0}};
        for (size_t k = 0; k < n; k++)
            for (size_t p = 0; p < n_parts; p++) {
                four x;
                load(shares + k * L + 4 * p, &x);
                const masks above = (masks)(x > tau[p]);
                sum[p] += (four)(above & (masks)x);
                count[p] += (four)(above & one);
            }
        masks rest = {0};
        for (size_t p = 0; p < n_parts; p++) {
            const four now = (sum[p] - (four)one) / count[p];
            tau[p] = (four)((goes_on[p] & (masks)now) | (~goes_on[p] & (masks)tau[p]));
            goes_on[p] &= (masks)(count[p] < before[p]);
            before[p] = count[p];
            rest |= goes_on[p];
        }
        any = rest[0] | rest[1] | rest[2] | rest[3];
    }
}

OWI_WIDE static void project(size_t n, float *shares)
{
    for (size_t first = 0; first < L; first += at_a_time) {
        four tau[n_parts];
        find_tau(n, shares + first, tau);
        for (size_t k = 0; k < n; k++)
            for (size_t p = 0; p < n_parts; p++) {
                float *at = shares + k * L + first + 4 * p;
                four x;
                load(at, &x);
                const masks above = (masks)(x > tau[p]);
                const four_floats moved =
                    __builtin_convertvector((four)(above & (masks)(x - tau[p])),
                                            four_floats);
                memcpy(at, &moved, sizeof moved);
            }
    }
}

void owi_project_lanes_to_simplex(size_t n, float *shares)
{
    project(n, shares);
}
