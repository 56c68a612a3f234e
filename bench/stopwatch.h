/* SPDX-License-Identifier: MIT */
/* How long something takes. */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

/* Processor seconds, user and system, of this process and of the children it has waited
 * for: what other programs take of a busy machine does not count. */
double stopwatch_seconds(void);

/* The shortest of n runs.  What disturbs a run only makes it longer. */
double stopwatch_best(int n, void (*body)(void *user), void *user);

/* The same on the clock on the wall, which is what several threads are judged by. */
double stopwatch_best_wall(int n, void (*body)(void *user), void *user);

#endif
