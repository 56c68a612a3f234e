/* SPDX-License-Identifier: MIT */
#include "explain/descent/adam_row.h"

#include <math.h>

#include "base/compiler.h"

OWI_WIDE static void move(size_t n, const float *gradient, float length, float epsilon,
                          float *restrict first, float *restrict second, float *restrict x)
{
    const float beta1 = 0.9f, beta2 = 0.999f;
    for (size_t j = 0; j < n; j++) {
        const float g = gradient[j];
        first[j] = beta1 * first[j] + (1.0f - beta1) * g;
        second[j] = beta2 * second[j] + (1.0f - beta2) * g * g;
        x[j] -= length * first[j] / (sqrtf(second[j]) + epsilon);
    }
}

owi_adam_bias owi_adam_bias_of(uint64_t step)
{
    return (owi_adam_bias){1.0 - pow(0.9, (double)step),
                           sqrt(1.0 - pow(0.999, (double)step))};
}

/* m / (1 - beta1^t) over sqrt(v / (1 - beta2^t)) + epsilon, with the corrections taken out
 * of the loop. */
void owi_adam_row(size_t n, const float *gradient, double rate, const owi_adam_bias *bias,
                  float *first, float *second, float *x)
{
    const double correction = bias->root_of_second;
    const float length = (float)(rate * correction / bias->first);
    move(n, gradient, length, (float)(1e-8 * correction), first, second, x);
}
