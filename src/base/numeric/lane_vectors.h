/* SPDX-License-Identifier: MIT */
/* Eight lanes in a register: compilers take loops over sixteen lanes apart before they
 * think of vectors.  A comparison gives all bits of a lane, or none.  Vectors go by
 * pointer, since how they are passed depends on the processor. */
#ifndef OWI_LANE_VECTORS_H
#define OWI_LANE_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

typedef float owi_eight OWI_VECTOR(8);
typedef int32_t owi_eight_masks OWI_VECTOR(8);

static OWI_INLINE void owi_load_eight(const float *from, owi_eight *x)
{
    memcpy(x, from, sizeof *x);
}

static OWI_INLINE void owi_store_eight(const owi_eight *x, float *to)
{
    memcpy(to, x, sizeof *x);
}

/* By its bits: gcc makes eight stores of a list of eight. */
static OWI_INLINE void owi_fill_eight(float value, owi_eight *x)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    *x = (owi_eight)((owi_eight_masks){0} | bits);
}

/* x = where ? other : x, lane by lane. */
static OWI_INLINE void owi_take_where(const owi_eight_masks *where, const owi_eight *other,
                                      owi_eight *x)
{
    *x = (owi_eight)((*where & (owi_eight_masks)*other) | (~*where & (owi_eight_masks)*x));
}

/* Whether a bit is set anywhere. */
static OWI_INLINE bool owi_any_of(const owi_eight_masks *bits)
{
    uint64_t parts[sizeof *bits / sizeof(uint64_t)];
    memcpy(parts, bits, sizeof parts);
    return (parts[0] | parts[1] | parts[2] | parts[3]) != 0;
}

#endif
