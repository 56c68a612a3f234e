/* SPDX-License-Identifier: MIT */
/* A block of queries that cem is at work on, and the class rule of its objective
 * (explain_cem.c has that). */
#ifndef OWI_CEM_BLOCK_H
#define OWI_CEM_BLOCK_H

#include "base/memory/workspace.h"
#include "base/threads/parallel.h"
#include "explain/cem/cem_descent.h"
#include "explain/constraints/boxes.h"
#include "explain/core/row_batch.h"

typedef struct {
    int32_t anchor; /* the class that the hinge is about                          */
    int32_t rival;  /* the strongest other one                                    */
    double c;
    double enough, lacking; /* smallest c that did, largest that did not          */
    double best;            /* beta |delta|_1 + |delta|_2^2 of the answer         */
    bool accepted;          /* something, in this round                           */
    uint64_t nearer_at;     /* the step of its nearest so far, or of its first     */
    bool done;              /* with this round                                    */
    bool asks;              /* as repaired it is not what it was when it was judged */
    bool holds;             /* what was the verdict then                          */
    uint64_t n_gradient, n_forward;
} owi_cem_row;

typedef struct {
    const owi_problem *problem;
    const owi_cem_options *options;
    const owi_cem_basis *basis;
    const owi_queries *queries;
    owi_answer *answers;
    uint64_t step;   /* of this round */
    size_t n_filled; /* rows with what fills the last tile */
    owi_boxes boxes;
    owi_row_batch batch;
    bool judges_whole;
    double least_margin;      /* that an answer must be beyond */
    owi_workspace *workspace; /* of all arrays below */
    owi_cem_row *rows;
    uint32_t *active, *wrong, *asking; /* numbers of rows */
    size_t n_active;
    float *y, *whole, *gradient; /* n_filled x width                                     */
    /* Likewise, but in lanes (base/row_lanes.h): (chunks, width, lanes). */
    float *y_lanes, *a, *raw, *pull, *first, *second;
    float *query, *centre, *low, *high; /* x, z and the box of x', the same at every step */
    bool *sided, *boxed; /* (width): x' stays on one side of b; some row's box has an end */
    double *factor, *log_proba; /* n_rows x classes                               */
} owi_cem_block;

/* Negatives go away from y: the margin is that of the rival.  Else towards a class: it is
 * the anchor's. */
bool owi_cem_goes_away(const owi_cem_block *work);
/* How far the class rule holds by log_proba; the hinge is max(0, kappa - this). */
double owi_cem_margin(const owi_cem_block *work, size_t row);
/* At y: the gradient of -margin into gradient, the classes into log_proba, what the
 * autoencoder pulls into pull. */
ow_status owi_cem_differentiate(owi_cem_block *work);

/* A step of a chunk of owi_row_lanes rows, or of fewer at the end: y_lanes, y and for FISTA
 * a, from gradient, pull and log_proba. */
void owi_cem_step(owi_cem_block *work, const owi_chunk *chunk);
/* Once, when box is there; and before each round. */
void owi_cem_step_begin(owi_cem_block *work);
void owi_cem_step_begin_round(owi_cem_block *work);

#endif
