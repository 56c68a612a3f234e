/* SPDX-License-Identifier: MIT */
/* A GPU's runtime in ordinary memory, with the kernels of device_blocks.h: what is asked of
 * it is done at once, and can be made to fail. */
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
/* How many GPUs there seem to be; 1 at first. */
void device_emulated_count(uint32_t n);
/* Blocks, streams, marks and graphs that nobody has released. */
size_t device_emulated_n_blocks(void);

#endif
