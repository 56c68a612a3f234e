/* SPDX-License-Identifier: MIT */
#include "sgemm_peak.h"

#include <cblas.h>

#include "stopwatch.h"

enum { size = 768, n_runs = 25 };

static void multiply(void *user)
{
    static float a[size * size], b[size * size], c[size * size];
    (void)user;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0f, a, size,
                b, size, 0.0f, c, size);
}

const char *sgemm_name(void)
{
    return openblas_get_corename();
}

double sgemm_peak(int n_threads)
{
    openblas_set_num_threads(n_threads);
    multiply(NULL); /* threads started, memory touched */
    const double seconds = n_threads == 1 ? stopwatch_best(n_runs, multiply, NULL)
                                          : stopwatch_best_wall(n_runs, multiply, NULL);
    return 2e-9 * size * size * size / seconds;
}
