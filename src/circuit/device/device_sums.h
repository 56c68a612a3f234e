/* SPDX-License-Identifier: MIT */
/* The sums of statistics.h, made on a device: all rows of a batch as one chunk, on every
 * process of a team, so that they are the same bytes on any number of processes. */
#ifndef OWI_DEVICE_SUMS_H
#define OWI_DEVICE_SUMS_H

#include "circuit/device/device_pass.h"

typedef struct {
    owi_device_pass *pass;
    size_t room;       /* rows of the two arrays behind */
    double *log_class; /* room x C                      */
    double *factor;    /* room x C: the rows' adjoints  */

    /* What the batch has come to, as owi_sum_tree_add takes it. */
    float *block;
    bool *met;
    double *figures;
} owi_device_sums;

ow_status owi_device_sums_new(const owi_device_api *api, const ow_circuit *circuit,
                              owi_device_sums **out);
void owi_device_sums_free(owi_device_sums *sums);

/* share is the discriminative one (statistics.h). */
ow_status owi_device_sums_add(const owi_call *call, owi_device_sums *sums, double share,
                              size_t n_rows, const float *rows, const int32_t *classes);

#endif
