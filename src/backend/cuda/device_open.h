/* SPDX-License-Identifier: MIT */
/* From a backend's name to the GPU's runtime: libotherwise-cuda.so, loaded when it is first
 * asked for. */
#ifndef OWI_DEVICE_OPEN_H
#define OWI_DEVICE_OPEN_H

#include "backend/cuda/device_api.h"
#include "otherwise/context.h"

/* Whether the name is "cuda", "auto", or "cuda:FILE", which names the plugin. */
bool owi_device_is_named(const char *backend);

/* *out is NULL for the names of the processor's backends.
 *
 * "cuda" and "cuda:FILE": OW_ERR_UNSUPPORTED with the reason where the plugin or the GPU is
 * missing.  "auto": NULL then, and the reason is logged. */
ow_status owi_device_open(ow_context *ctx, const char *backend, const owi_device_api **out);

#endif
