/* SPDX-License-Identifier: MIT */
/* What libotherwise-mpi-NAME.so gives to the program, which itself knows nothing of MPI:
 * the same source compiled against each MPI (plugin.c), whose binaries do not fit each
 * other. */
#ifndef COMM_MPI_MPI_PLUGIN_H
#define COMM_MPI_MPI_PLUGIN_H

#include <stddef.h>

enum { comm_plugin_version = 1 };

typedef struct {
    int version;
    /* 0, or not: MPI could not be started. */
    int (*start)(size_t *rank, size_t *n);
    /* As ow_team.gather; 0: all came, 1: not within so many seconds, 2: MPI failed. */
    int (*gather)(const void *own, const size_t *sizes, void *all, double seconds);
    void (*abort)(int code);
    void (*end)(void);
} comm_plugin;

#define COMM_PLUGIN_SYMBOL "otherwise_mpi_plugin"

#endif
