/* SPDX-License-Identifier: MIT */
/* One batch of rows: the loss of each, and Adam's step on their gradient. */
#ifndef OWI_MLP_STEP_H
#define OWI_MLP_STEP_H

#include "network/mlp_pass.h"

typedef struct {
    size_t layer, first, n; /* outputs [first, first + n) of a layer */
} owi_mlp_unit;

typedef struct {
    const owi_call *call;
    owi_mlp *mlp;
    size_t batch_rows; /* a multiple of the lanes of a tile            */
    owi_mlp_pass pass; /* of a whole batch                             */
    /* A batch: rows (batch_rows x inputs), their classes, and what comes of each.  Of
     * numbers out is the rows again, in lanes, and flow nothing. */
    float *rows, *out, *flow;
    int32_t *classes;
    double *loss;
    bool *correct;
    /* Parameters in units that workers take. */
    size_t n_units, n_workers;
    owi_mlp_unit *units;
    float *room;                      /* (workers, T, unit, L)              */
    float *gradient, *first, *second; /* as the parameters: sums, moments  */
    double rate, decay;
    size_t n_updates;
} owi_mlp_step;

ow_status owi_mlp_step_init(owi_mlp_step *step, const owi_call *call, owi_mlp *mlp,
                            const owi_backend *backend, size_t batch_rows);
void owi_mlp_step_clear(owi_mlp_step *step);

/* Loss of the first n rows of the batch; learn: and the step on the gradient of its mean.
 * Rows are numbered from first_row + 1 on. */
ow_status owi_mlp_step_run(owi_mlp_step *step, size_t n_rows, size_t first_row, bool learn);

#endif
