/* SPDX-License-Identifier: MIT */
#include "comm/launcher.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cli/terminal/environment.h"

typedef struct {
    const char *name, *engine, *rank, *n; /* the last two are variables */
} kind;

/* In this order: Open MPI below Slurm has the variables of both. */
static const kind kinds[] = {
    {"OTHERWISE_SOCKETS", "sockets", "OTHERWISE_RANK", "OTHERWISE_SIZE"},
    {"Open MPI", "openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"MPICH", "mpich", "PMI_RANK", "PMI_SIZE"},
    {"srun", NULL, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

static bool read_count(const char *variable, size_t *count)
{
    const char *text = environment_text(variable);
    char *end;
    if (text == NULL || *text < '0' || *text > '9') return false;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    *count = (size_t)value;
    return errno == 0 && *end == '\0';
}

launcher launcher_find(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        launcher found = {.name = kinds[i].name, .engine = kinds[i].engine};
        if (read_count(kinds[i].rank, &found.rank) && read_count(kinds[i].n, &found.n) &&
            found.n > 1 && found.rank < found.n)
            return found;
    }
    return (launcher){.n = 1};
}
