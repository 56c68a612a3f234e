/* SPDX-License-Identifier: MIT */
/* Sums of doubles without any rounding on the way: they do not depend on the order of the
 * numbers, nor on how these were divided into sums that are joined.
 *
 *     limbs[i] counts multiples of 2^(32 i - 1074); 2^-1074 is the smallest double
 *
 * A number touches three neighbouring limbs, each of which has room for 2^29 such numbers
 * before carries have to be passed on. */
#ifndef OWI_EXACT_SUM_H
#define OWI_EXACT_SUM_H

#include <stdint.h>
#include <string.h>

/* The largest double reaches limb 65; two more hold the carries of 2^64 of them. */
enum { owi_exact_limbs = 68 };

/* All zero is a sum of none. */
typedef struct {
    int64_t limbs[owi_exact_limbs];
    uint64_t n_pending; /* numbers added since carries were passed on  */
    double special;     /* the sum of those that are infinite or NaN   */
} owi_exact_sum;

void owi_exact_sum_carry(owi_exact_sum *sum);
/* a becomes the sum of the numbers of both. */
void owi_exact_sum_join(owi_exact_sum *a, const owi_exact_sum *b);
/* As a double, to within two units of its last place. */
double owi_exact_sum_value(const owi_exact_sum *sum);

static inline void owi_exact_sum_add(owi_exact_sum *sum, double number)
{
    const uint64_t most_pending = (uint64_t)1 << 29, low_half = 0xffffffff;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    unsigned exponent = (unsigned)(bits >> 52 & 0x7ff);
    uint64_t digits = bits & (((uint64_t)1 << 52) - 1);
    if (exponent == 0x7ff) {
        sum->special += number;
        return;
    }
    if (exponent > 0) { /* 0: without the leading 1, at the scale of exponent 1 */
        digits |= (uint64_t)1 << 52;
        exponent--;
    }
    int64_t *limb = &sum->limbs[exponent / 32];
    const uint64_t low = (digits & low_half) << exponent % 32;
    const uint64_t high = (digits >> 32) << exponent % 32;
    const int64_t sign = bits >> 63 ? -1 : 1;
    limb[0] += sign * (int64_t)(low & low_half);
    limb[1] += sign * (int64_t)((low >> 32) + (high & low_half));
    limb[2] += sign * (int64_t)(high >> 32);
    if (++sum->n_pending == most_pending) owi_exact_sum_carry(sum);
}

#endif
