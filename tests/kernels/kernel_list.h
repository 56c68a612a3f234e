/* SPDX-License-Identifier: MIT */
/* The kernels of a backend as a list: how to call each on a case. */
#ifndef KERNEL_LIST_H
#define KERNEL_LIST_H

#include "kernels/kernel_case.h"

typedef struct {
    const char *name;
    void (*run)(const owi_backend *backend, const kernel_case *c);
    /* The useful arithmetic of one call: a multiplication and an addition count 2, an
     * exponential counts 1. */
    double (*n_operations)(const kernel_case *c);
    /* A case of MNIST's size. */
    void (*mnist)(kernel_case *c, owi_batch batch);
} kernel_entry;

extern const kernel_entry kernel_list[];
extern const size_t kernel_list_size;

/* NULL: there is none of this name. */
const kernel_entry *kernel_find(const char *name);

#endif
