/* SPDX-License-Identifier: MIT */
/* The yardstick of the arithmetic: what the matrix product of OpenBLAS reaches on this
 * machine, now. */
#ifndef BENCH_SGEMM_PEAK_H
#define BENCH_SGEMM_PEAK_H

/* GFLOP/s of a product of two square matrices of floats that stay in the cache, the best of
 * several runs.  On one thread in processor time, on several on the wall clock. */
double sgemm_peak(int n_threads);

#endif
