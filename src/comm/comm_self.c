/* SPDX-License-Identifier: MIT */
#include "comm/comm.h"

static ow_status add_up(const owi_comm *self, double *values, size_t n)
{
    (void)self, (void)values, (void)n;
    return OW_OK;
}

const owi_comm owi_comm_self = {.n_processes = 1, .add_up = add_up};
