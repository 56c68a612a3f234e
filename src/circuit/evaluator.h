/* SPDX-License-Identifier: MIT */
/* The inside of ow_evaluator: a pass for each worker, made when first needed. */
#ifndef OWI_EVALUATOR_H
#define OWI_EVALUATOR_H

#include "base/parallel.h"
#include "circuit/pass.h"

/* Rows that a worker takes at a time: one tile, so that a chunk's buffers stay in the cache. */
enum { owi_evaluator_chunk = owi_tile_lanes };

struct ow_evaluator {
    const ow_circuit *circuit;
    const owi_backend *backend;
    size_t n_passes;
    owi_pass *passes;
};

/* At least as many passes as workers for so many rows. */
ow_status owi_evaluator_prepare(ow_evaluator *evaluator, size_t n_rows);

/* A chunk of rows, or soft rows, up its worker's pass, and out to log_class unless that is NULL; both are of all rows. */
ow_status owi_evaluator_forward(ow_evaluator *evaluator, const owi_chunk *chunk,
                                const float *rows, bool soft, double *log_class);

/* That each class (classes may be NULL) exists, or is negative: to be found out. */
ow_status owi_evaluator_check_classes(const ow_evaluator *evaluator, size_t n_rows,
                                      const int32_t *classes);

#endif
