/* SPDX-License-Identifier: MIT */
/* The kernels of the CUDA engine on the processor: the same source, compiled as C.
 *
 * Blocks run one after the other.  The threads of a block whose kernel has barriers are
 * fibers, which change places at barriers only; those of other kernels run one after the
 * other.  So this shows whether indices, barriers and arithmetic are right; it cannot show
 * a race between two threads that no barrier parts, for which compute-sanitizer is there.
 * */
#ifndef DEVICE_EMULATED_H
#define DEVICE_EMULATED_H

#include "backend/cuda/device_api.h"

extern const owi_device_api device_emulated;

/* What goes wrong from now on: the call number `at` of a kind, counted from 0, fails; the
 * others go well.  at SIZE_MAX: none. */
typedef enum { device_alloc, device_copy, device_launch, device_call_kinds } device_call;
void device_emulated_fail(device_call kind, size_t at);
/* Allocations of more bytes than this fail, all together. */
void device_emulated_limit(size_t bytes);
/* Blocks that nobody has released. */
size_t device_emulated_n_blocks(void);

#endif
