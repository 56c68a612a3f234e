/* SPDX-License-Identifier: MIT */
/* The processes that a launcher has started together, and how bytes go between them.
 *
 *     launcher   mpirun, mpiexec, srun, or a test: who started us, and as which of how many
 *     engine     mpi (a plugin for each MPI, mpi/mpi_plugin.h), or sockets
 *
 * One thing is asked of an engine: everybody gives some bytes and gets those of all
 * (ow_team.gather).  It waits until all have come, but not for ever. */
#ifndef COMM_COMM_H
#define COMM_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/team.h"

enum { comm_sentence_size = 1024 };

typedef struct comm comm;

typedef struct {
    const char *(*gather)(comm *c, const void *own, const size_t *sizes, void *all);
    /* The others are told to end, as far as they can be reached.  said: this process has
     * told the sentence already. */
    void (*abort)(comm *c, int code, const char *sentence, bool said);
    void (*end)(comm *c); /* all is well; frees the state */
} comm_engine;

struct comm {
    const comm_engine *engine;
    const char *name; /* "sockets", "openmpi" */
    size_t rank, n;
    double wait; /* seconds until one that says nothing is given up */
    bool leads;  /* the others' failures are told by this process */
    void *state;
    ow_team team;                   /* what the library gets */
    uint64_t n_gathers, bytes_sent; /* sent: what this process gave, times the others */
    char sentence[comm_sentence_size];
};

/* The engine of the launcher; or by this name (NULL: the launcher's).  *out is NULL for a
 * process that stands alone.  False, with the sentence, where the processes that were
 * started together cannot be joined. */
bool comm_begin(const char *wanted, double wait, comm **out,
                char sentence[comm_sentence_size]);

/* How this process's work ended: sentence is what went wrong, where code is not 0, which
 * process 0 has told already.  Returns the exit code to end with, and frees c. */
int comm_end(comm *c, int code, const char *sentence);

/* For engines: makes c->sentence, and returns it. */
const char *comm_say(comm *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Engines ---- */

bool comm_sockets_open(comm *c, const char *where);
bool comm_plugin_open(comm *c, const char *name);

#endif
