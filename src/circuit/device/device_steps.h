/* SPDX-License-Identifier: MIT */
/* The two steps of explain_two_step.c on a device, without a way back between them.  Many
 * rows are cut into chunks: while one is computed the next one comes, and the one before
 * goes back. Few are one graph of copies and kernels, which is captured once and replayed
 * as long as calls are alike. */
#ifndef OWI_DEVICE_STEPS_H
#define OWI_DEVICE_STEPS_H

#include "circuit/device/device_pass.h"

typedef struct {
    size_t n_rows;
    const float *rows;              /* n_rows x columns                          */
    const int32_t *origin, *target; /* n_rows: the classes to leave and to reach */
    const float *moves;             /* columns: 1 where they may change, else 0  */
    double class_step, density_step;
    float *between, *after; /* n_rows x columns: after the first step, and after both */
} owi_two_steps;

/* *done is false, and what was written means nothing, where the rows are not plain numbers,
 * or a step leads beyond what floats hold: then the host has to take the steps. */
ow_status owi_device_take_steps(const owi_call *call, owi_device_pass *pass,
                                const owi_two_steps *steps, bool *done);

/* The same of a batch that has begun (device_private.h), where all pointers are the
 * device's: launched, not waited for.  half: a mark that is set after the first step, or
 * NULL. */
void owi_device_launch_steps(owi_device_pass *pass, const owi_two_steps *there, void *half);

#endif
