/* SPDX-License-Identifier: MIT */
/* The few things that are asked of a GPU's runtime, as a table: device_cuda.cu fills it
 * with CUDA's, tests with an emulation in ordinary memory, and with one that fails.  Every
 * call but alloc returns 0 or an error number that `explain` makes a sentence of.  All but
 * `finish` and the copies may return before the work is done; work of one device is done in
 * the order of the calls. */
#ifndef OWI_DEVICE_API_H
#define OWI_DEVICE_API_H

#include "backend/cuda/device_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { owi_device_version = 1 };

typedef struct owi_device_api {
    int version;
    const char *name;
    int (*start)(void); /* before anything else: 0, or why there is no GPU */
    void *(*alloc)(size_t size);
    void (*release)(void *block); /* may be NULL */
    int (*to_device)(void *to, const void *from, size_t size);
    int (*from_device)(void *to, const void *from, size_t size);
    int (*clear)(void *block, size_t size);
    int (*launch)(owi_device_kernel kernel, const uint32_t grid[3], const void *args);
    int (*finish)(void);
    const char *(*explain)(int error);
} owi_device_api;

/* What libotherwise-cuda.so exports: its owi_device_api. */
#define OWI_DEVICE_SYMBOL "otherwise_cuda_device"

#ifdef __cplusplus
}
#endif

#endif
