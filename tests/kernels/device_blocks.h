/* SPDX-License-Identifier: MIT */
/* The kernels of the CUDA engine on the processor: the same source, compiled as C.
 *
 * Blocks run one after the other.  The threads of a block whose kernel has barriers are
 * fibers, which change places at barriers only; those of other kernels run one after the
 * other.  So this shows whether indices, barriers and arithmetic are right; it cannot show
 * a race between two threads that no barrier parts, for which compute-sanitizer is there.
 * */
#ifndef DEVICE_BLOCKS_H
#define DEVICE_BLOCKS_H

#include <stdbool.h>

#include "backend/cuda/device_kernels.h"

/* False: threads of a block waited at different barriers. */
bool device_run_blocks(owi_device_kernel number, const uint32_t grid[3], const void *args);

/* Bytes of a kernel's arguments. */
size_t device_args_size(owi_device_kernel number);

#endif
