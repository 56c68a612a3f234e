/* SPDX-License-Identifier: MIT */
/* Intervals and tests for shares and efforts of groups. */
#ifndef CLI_AUDIT_TESTS_H
#define CLI_AUDIT_TESTS_H

#include <stddef.h>

/* Wilson's 95 % interval of k of n; 0 and 1 for n = 0. */
void audit_wilson(size_t k, size_t n, double *low, double *high);

/* Fisher's exact test, two-sided: whether k1 of n1 and k2 of n2 are of one share.  The sum
 * of the probabilities of all tables with these margins that are no more probable than this
 * one.  1 where there is nothing to compare. */
double audit_fisher(size_t k1, size_t n1, size_t k2, size_t n2);

/* The rank-sum test of Wilcoxon, Mann and Whitney, two-sided: whether x (n) and y (m) are
 * of one distribution; by the normal approximation with ties and a correction for
 * continuity.  1 for fewer than 8 values on either side. */
double audit_rank_sum(const double *x, size_t n, const double *y, size_t m);

/* Holm's adjustment of n p-values, in place: those below 0.05 then are real differences but
 * for one time in twenty over all of them together. */
void audit_holm(double *p, size_t n);

#endif
