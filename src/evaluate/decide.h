/* SPDX-License-Identifier: MIT */
/* The classifier's decisions about many rows: the most probable class, the first of
 * several. */
#ifndef OWI_DECIDE_H
#define OWI_DECIDE_H

#include "base/call.h"
#include "base/memory/workspace.h"
#include "otherwise/model.h"

/* Rows are handed over one at a time and decided about in blocks. */
typedef struct {
    const owi_call *call;
    owi_workspace *workspace;
    const ow_model *model;
    ow_classifier *classifier;
    size_t n_columns, n_classes, width;
    bool reads_values;
    size_t n_held;
    float *soft;       /* of the rows that wait, or                          */
    double *values;    /* the same rows, where the classifier reads values   */
    double *log_proba; /* of a block                                         */
    size_t *ticket;    /* of each row that waits                             */
    int32_t *decided;  /* by ticket; the caller's                            */
} owi_decider;

/* The decision about a row goes to decided[ticket].  Either way owi_decider_end must
 * follow. */
ow_status owi_decider_begin(owi_decider *decider, const owi_call *call,
                            const ow_model *model, ow_classifier *classifier,
                            int32_t *decided);
/* A row of n_columns values. */
ow_status owi_decide_values(owi_decider *decider, const double *values, size_t ticket);
/* A soft row. */
ow_status owi_decide_soft(owi_decider *decider, const float *soft, size_t ticket);
/* Decides about what is left, if all went well so far; frees. */
ow_status owi_decider_end(owi_decider *decider, ow_status so_far);

#endif
