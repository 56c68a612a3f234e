/* SPDX-License-Identifier: MIT */
/* The seam between learning and several machines: figures that every process has computed
 * from its own rows are added up over all of them.  Learning never assumes that it sees all
 * rows. */
#ifndef OWI_COMM_H
#define OWI_COMM_H

#include <stddef.h>

#include "otherwise/status.h"

typedef struct owi_comm owi_comm;

struct owi_comm {
    size_t n_processes;
    /* values = the sum over all processes of their values, the same bytes on each. */
    ow_status (*add_up)(const owi_comm *self, double *values, size_t n);
};

/* One process: nothing to add. */
extern const owi_comm owi_comm_self;

#endif
