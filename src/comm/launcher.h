/* SPDX-License-Identifier: MIT */
/* Who has started this process, and as which of how many: what the environment says. */
#ifndef COMM_LAUNCHER_H
#define COMM_LAUNCHER_H

#include <stddef.h>

typedef struct {
    const char *name;   /* "mpirun of Open MPI"; NULL: nobody, or for this process alone */
    const char *engine; /* "openmpi", "mpich", "sockets"; NULL: not to be told from here */
    size_t rank, n;
} launcher;

launcher launcher_find(void);

#endif
