/* SPDX-License-Identifier: MIT */
/* What is asked of a GPU's runtime, as a table: device_cuda.cu fills it with CUDA's, tests
 * with an emulation in ordinary memory, and with one that fails.
 *
 * Calls that return an int return 0 or an error number that `explain` makes a sentence of;
 * owi_device_no_memory is the same number on every device.  Calls that take a stream may
 * return before the work is done; work of one stream is done in the order of the calls.  A
 * stream of NULL is the device's own, which no graph can be captured from. */
#ifndef OWI_DEVICE_API_H
#define OWI_DEVICE_API_H

#include "backend/cuda/device_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { owi_device_version = 2 };

/* The error of an allocation that failed, for callers of alloc, which returns NULL then. */
enum { owi_device_no_memory = 2 };

typedef struct {
    char name[128];
    size_t memory, free_memory; /* bytes */
    uint32_t n_processors;      /* multiprocessors */
    uint32_t capability;        /* 90 for 9.0 */
} owi_device_facts;

typedef struct owi_device_api {
    int version;
    const char *name;

    /* How many GPUs there are; 0 and no error is possible. */
    int (*count)(uint32_t *n);
    /* The calling thread works on GPU number `number` from now on: 0, or why it cannot. */
    int (*start)(uint32_t number);
    int (*facts)(owi_device_facts *facts); /* of the GPU started */

    void *(*alloc)(size_t size);  /* NULL: no room */
    void (*release)(void *block); /* may be NULL; waits for work that is under way */
    /* Memory of the host that copies need not go round; NULL: no room. */
    void *(*alloc_pinned)(size_t size);
    void (*release_pinned)(void *block);

    int (*open_stream)(void **stream);
    void (*close_stream)(void *stream);

    /* Host memory that is not pinned has been read when to_device returns; that which
     * from_device writes to is written after `finish`. */
    int (*to_device)(void *stream, void *to, const void *from, size_t size);
    int (*from_device)(void *stream, void *to, const void *from, size_t size);
    int (*copy)(void *stream, void *to, const void *from, size_t size); /* on the device */
    int (*clear)(void *stream, void *block, size_t size);
    int (*launch)(void *stream, owi_device_kernel kernel, const uint32_t grid[3],
                  const void *args);
    int (*finish)(
        void *stream); /* waits; what has failed since the last one is told here */

    /* Marks: places in a stream.  Another stream may wait for one, and time between two
     * that have been passed is told in milliseconds. */
    int (*open_mark)(void **mark);
    void (*close_mark)(void *mark);
    int (*set_mark)(void *stream, void *mark);
    int (*wait_mark)(void *stream, void *mark);
    int (*elapsed)(void *from, void *to, float *milliseconds); /* waits for `to` */

    /* What is called between begin and end is not done but kept, to be replayed as often as
     * one likes, with the pointers it was given: launches, clears and copies. */
    int (*begin_graph)(void *stream);
    int (*end_graph)(void *stream, void **graph); /* *graph NULL where it failed */
    int (*replay)(void *stream, void *graph);
    void (*release_graph)(void *graph);

    const char *(*explain)(int error);
} owi_device_api;

/* What libotherwise-cuda.so exports: its owi_device_api. */
#define OWI_DEVICE_SYMBOL "otherwise_cuda_device"

#ifdef __cplusplus
}
#endif

#endif
