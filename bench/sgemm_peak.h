/* SPDX-License-Identifier: MIT */
/* The yardstick of the arithmetic: what the matrix product of OpenBLAS reaches on this
 * machine, now. */
#ifndef BENCH_SGEMM_PEAK_H
#define BENCH_SGEMM_PEAK_H

/* The kernel that OpenBLAS has chosen, or was told to take by OPENBLAS_CORETYPE: "Haswell"
 * is one for AVX2, which does half as much a second as one for AVX-512 may. */
const char *sgemm_name(void);

/* GFLOP/s of a product of two square matrices of floats that stay in the cache, the best of
 * several runs.  On one thread in processor time, on several on the wall clock. */
double sgemm_peak(int n_threads);

#endif
