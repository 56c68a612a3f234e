/* SPDX-License-Identifier: MIT */
/* Waiting gives the processor away: there may be more processes than processors. */
#include "comm/mpi/mpi_plugin.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static int n_processes;

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int start(size_t *rank, size_t *n)
{
    int own, given;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, &own) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &n_processes) != MPI_SUCCESS)
        return 1;
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    *rank = (size_t)own;
    *n = (size_t)n_processes;
    return 0;
}

/* Asks a few times at once, since what others send is often there already; then sleeps
 * between two questions, twice as long each time.  MPI's own waiting would ask without a
 * pause, and take the processor from those that are waited for. */
static int wait_for(MPI_Request *request, double seconds)
{
    enum { at_once = 64, shortest = 10 * 1000, longest = 500 * 1000 }; /* nanoseconds */
    const double until = now() + seconds;
    struct timespec pause = {.tv_nsec = shortest};
    for (size_t i = 0;; i++) {
        int done = 0;
        if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 2;
        if (done) return 0;
        if (i < at_once) {
            (void)sched_yield();
            continue;
        }
        if (now() > until) return 1;
        (void)nanosleep(&pause, NULL);
        if (pause.tv_nsec < longest) pause.tv_nsec *= 2;
    }
}

/* MPI counts in int: what is longer goes from one after the other, in pieces. */
static int broadcast_all(const void *own, const size_t *sizes, char *all, double seconds,
                         int rank)
{
    for (int r = 0; r < n_processes; r++) {
        const size_t size = sizes[r];
        if (r == rank)
            for (size_t i = 0; i < size; i++) all[i] = ((const char *)own)[i];
        for (size_t at = 0; at < size;) {
            const size_t left = size - at, n = left < INT_MAX / 2 ? left : INT_MAX / 2;
            MPI_Request request;
            if (MPI_Ibcast(all + at, (int)n, MPI_BYTE, r, MPI_COMM_WORLD, &request) !=
                MPI_SUCCESS)
                return 2;
            const int failed = wait_for(&request, seconds);
            if (failed) return failed;
            at += n;
        }
        all += size;
    }
    return 0;
}

static int gather(const void *own, const size_t *sizes, void *all, double seconds)
{
    size_t total = 0;
    int rank;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int r = 0; r < n_processes; r++) total += sizes[r];
    if (total > INT_MAX) return broadcast_all(own, sizes, all, seconds, rank);
    int *counts = calloc(2 * (size_t)n_processes, sizeof *counts);
    if (counts == NULL) return 2;
    int *places = counts + n_processes;
    for (int r = 0, at = 0; r < n_processes; at += counts[r], r++) {
        counts[r] = (int)sizes[r];
        places[r] = at;
    }
    MPI_Request request;
    int failed = MPI_Iallgatherv(own, counts[rank], MPI_BYTE, all, counts, places, MPI_BYTE,
                                 MPI_COMM_WORLD, &request) != MPI_SUCCESS
                     ? 2
                     : 0;
    if (!failed) failed = wait_for(&request, seconds);
    free(counts);
    return failed;
}

static void abort_all(int code)
{
    (void)MPI_Abort(MPI_COMM_WORLD, code);
}

static void end(void)
{
    (void)MPI_Finalize();
}

__attribute__((visibility("default")))
const comm_plugin otherwise_mpi_plugin = {comm_plugin_version, start, gather, abort_all,
                                          end};
