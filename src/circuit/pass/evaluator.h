/* SPDX-License-Identifier: MIT */
/* The inside of ow_evaluator: a pass for each worker, made when first needed. */
#ifndef OWI_EVALUATOR_H
#define OWI_EVALUATOR_H

#include "base/threads/parallel.h"
#include "circuit/pass/pass.h"

/* Rows that a worker takes at a time, at most: one tile, so that a chunk's buffers stay in
 * the cache. */
enum { owi_evaluator_chunk = owi_tile_lanes };

typedef struct owi_anchor_rows owi_anchor_rows;
typedef struct owi_device_pass owi_device_pass;

struct ow_evaluator {
    const ow_circuit *circuit;
    const owi_backend *backend;
    /* Where batches of rows are evaluated and differentiated; NULL: here.  Single rows and
     * all other queries are the processor's. */
    owi_device_pass *device;
    size_t n_passes;
    owi_pass *passes;
};

/* Rows, and how they are asked for; but for the rows themselves all 0 is the usual way. */
typedef struct {
    size_t n_rows;
    const float *rows;
    bool soft; /* they are soft rows, of a circuit whose columns have levels           */
    /* A row's result is the same, bit by bit, whichever rows are asked for with it, as
     * single rows' is not: for whoever asks for the same rows again and again. */
    bool in_tiles;
    /* The rows are near these, as many and in their order (anchor_rows.h); NULL: they are
     * any. */
    const owi_anchor_rows *base;
    /* Called when the log_class of rows [first, first + n) is known, and before the factors
     * of their mixes are read, which it may fill: so a gradient can depend on the decision
     * without a second pass up.  From several threads, each for rows of its own.  NULL:
     * nobody waits for them. */
    void (*decide)(void *user, size_t first, size_t n);
    void *user;
} owi_row_request;

/* Rows of a chunk of evaluate and differentiate.  Where a tile's work is long, two workers
 * share the rows of a tile or two. */
size_t owi_evaluator_chunk_rows(const ow_evaluator *evaluator, size_t n_rows,
                                bool in_tiles);

/* At least as many passes as workers for so many rows. */
ow_status owi_evaluator_prepare(const owi_call *call, ow_evaluator *evaluator,
                                size_t n_rows, bool in_tiles);

/* A chunk of the rows up its worker's pass, and out to log_class, which is of all rows,
 * unless that is NULL. */
ow_status owi_evaluator_forward(ow_evaluator *evaluator, const owi_chunk *chunk,
                                const owi_row_request *asked, double *log_class);

ow_status owi_evaluate_rows(const owi_call *call, ow_evaluator *evaluator,
                            owi_row_request asked, double *log_class);
ow_status owi_differentiate_rows(const owi_call *call, ow_evaluator *evaluator,
                                 owi_row_request asked, size_t n_mixes, const ow_mix *mixes,
                                 double *log_class, float *gradients);

/* The public functions of these names, as part of a call. */
ow_status owi_evaluate(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                       const float *rows, double *log_class);
ow_status owi_evaluate_soft(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                            const float *soft, double *log_class);
ow_status owi_differentiate_soft(const owi_call *call, ow_evaluator *evaluator,
                                 size_t n_rows, const float *soft, size_t n_mixes,
                                 const ow_mix *mixes, double *log_class, float *gradients);
ow_status owi_single_changes(const owi_call *call, ow_changes *changes, size_t n_rows,
                             const float *rows, double *log_class, double *log_changed);
/* limit (n_rows, or NULL): only pairs whose price is below their row's are reported.  The
 * callback may lower its own row's, and decides what is reported after it: the filter's
 * prices alone drop nothing then. */
ow_status owi_pair_changes(const owi_call *call, ow_changes *changes, size_t n_rows,
                           const float *rows, const ow_pair_filter *filter,
                           const double *limit, ow_pair_fn report, void *user);
/* With the call's adjoint. */
ow_status owi_sample(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                     float *rows, int32_t *classes);

/* That each class (classes may be NULL) exists, or is negative: to be found out. */
ow_status owi_evaluator_check_classes(const ow_evaluator *evaluator, size_t n_rows,
                                      const int32_t *classes);

#endif
