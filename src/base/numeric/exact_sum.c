/* SPDX-License-Identifier: MIT */
#include "base/numeric/exact_sum.h"

#include <math.h>

static const int64_t base = (int64_t)1 << 32;

/* What is left of each limb lies from 0 to 2^32 - 1; the last one has the sign. */
void owi_exact_sum_carry(owi_exact_sum *sum)
{
    int64_t carry = 0;
    for (size_t i = 0; i + 1 < owi_exact_limbs; i++) {
        const int64_t all = sum->limbs[i] + carry;
        int64_t rest = all % base;
        if (rest < 0) rest += base;
        sum->limbs[i] = rest;
        carry = (all - rest) / base;
    }
    sum->limbs[owi_exact_limbs - 1] += carry;
    sum->n_pending = 0;
}

void owi_exact_sum_join(owi_exact_sum *a, const owi_exact_sum *b)
{
    owi_exact_sum other = *b;
    owi_exact_sum_carry(a);
    owi_exact_sum_carry(&other);
    for (size_t i = 0; i < owi_exact_limbs; i++) a->limbs[i] += other.limbs[i];
    owi_exact_sum_carry(a);
    a->special += b->special;
}

/* From the smallest limb up, so that what is rounded off is at most about that of the
 * largest ones. */
double owi_exact_sum_value(const owi_exact_sum *sum)
{
    enum { lowest = 1074 };
    owi_exact_sum positive = *sum;
    owi_exact_sum_carry(&positive);
    const double sign = positive.limbs[owi_exact_limbs - 1] < 0 ? -1.0 : 1.0;
    for (size_t i = 0; sign < 0.0 && i < owi_exact_limbs; i++)
        positive.limbs[i] = -positive.limbs[i];
    owi_exact_sum_carry(&positive);
    double value = 0.0;
    for (int i = 0; i < owi_exact_limbs; i++)
        if (positive.limbs[i] != 0)
            value += ldexp((double)positive.limbs[i], 32 * i - lowest);
    return sum->special != 0.0 ? sum->special : sign * value;
}
