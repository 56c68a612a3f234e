/* SPDX-License-Identifier: MIT */
/* A block of queries that cem is at work on (explain_cem.c has its objective). */
#ifndef OWI_CEM_BLOCK_H
#define OWI_CEM_BLOCK_H

#include "explain/cem/cem_descent.h"
#include "explain/descent/descent.h"

typedef struct {
    int32_t anchor; /* the class that the hinge is about                          */
    int32_t rival;  /* the strongest other one                                    */
    double c;
    double enough, lacking; /* smallest c that did, largest that did not          */
    bool accepted;          /* something, in this round                           */
    bool holds;             /* the last verdict                                   */
    uint64_t nearer_at;     /* the step of its nearest so far, or of its first    */
} owi_cem_row;

/* y of the formulas is d.x. */
typedef struct {
    owi_descent d;
    const owi_cem_options *options;
    const owi_cem_basis *basis;
    double least_margin;      /* that an answer must be beyond */
    owi_workspace *workspace; /* of all arrays below */
    owi_cem_row *rows;
    /* In lanes (base/row_lanes.h), (chunks, width, lanes), chunks of n_filled rows. */
    float *y_lanes, *a, *raw, *pull, *first, *second;
    float *query, *centre, *low, *high; /* x, z and the box of x', the same at every step */
    bool *sided, *boxed; /* (width): x' stays on one side of b; some row's box has an end */
} owi_cem_block;

/* How far the class rule holds by log_proba (n_rows x classes); the hinge is max(0, kappa -
 * this). */
double owi_cem_margin(const owi_cem_block *work, size_t row, const double *log_proba);

/* A step of a chunk of owi_row_lanes rows, or of fewer at the end: y_lanes, y and for FISTA
 * a, from gradient, pull and log_proba. */
void owi_cem_step(owi_cem_block *work, const owi_chunk *chunk);
/* Once, when boxes are there; and before each round. */
void owi_cem_step_begin(owi_cem_block *work);
void owi_cem_step_begin_round(owi_cem_block *work);

#endif
