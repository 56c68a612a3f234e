/* SPDX-License-Identifier: MIT */
#include "stopwatch.h"

#include <math.h>
#include <sys/resource.h>

#include "base/clock.h"

static double spent(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double stopwatch_seconds(void)
{
    return spent(RUSAGE_SELF) + spent(RUSAGE_CHILDREN);
}

static double best_of(double (*clock)(void), int n, void (*body)(void *user), void *user)
{
    double best = INFINITY;
    for (int i = 0; i < n; i++) {
        const double start = clock();
        body(user);
        best = fmin(best, clock() - start);
    }
    return best;
}

double stopwatch_best(int n, void (*body)(void *user), void *user)
{
    return best_of(stopwatch_seconds, n, body, user);
}

double stopwatch_best_wall(int n, void (*body)(void *user), void *user)
{
    return best_of(owi_clock_seconds, n, body, user);
}
