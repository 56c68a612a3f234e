/* SPDX-License-Identifier: MIT */
/* A device's kernels as a backend in ordinary memory: every call copies in, launches, and
 * copies out.  For the checks of this folder only. */
#ifndef DEVICE_BACKEND_H
#define DEVICE_BACKEND_H

#include "backend/backend.h"
#include "backend/cuda/device_api.h"

/* leaf_change, which the engine does not use, is ref's. */
owi_backend device_backend(const owi_device_api *api);
/* The first error of any call; NULL: there was none. */
const char *device_backend_error(void);

#endif
