/* SPDX-License-Identifier: MIT */
#include "explain/adam_row.h"

#include <math.h>

void owi_adam_row(size_t n, const float *gradient, double rate, uint64_t step, float *first,
                  float *second, float *x)
{
    const float beta1 = 0.9f, beta2 = 0.999f;
    /* m / (1 - beta1^t) over sqrt(v / (1 - beta2^t)) + epsilon, with the corrections taken out of the loop. */
    const double correction = sqrt(1.0 - pow(0.999, (double)step));
    const float length = (float)(rate * correction / (1.0 - pow(0.9, (double)step)));
    const float epsilon = (float)(1e-8 * correction);
    for (size_t j = 0; j < n; j++) {
        const float g = gradient[j];
        first[j] = beta1 * first[j] + (1.0f - beta1) * g;
        second[j] = beta2 * second[j] + (1.0f - beta2) * g * g;
        x[j] -= length * first[j] / (sqrtf(second[j]) + epsilon);
    }
}
