/* SPDX-License-Identifier: MIT */
/* What guided_batch.c works on: tables of states and rows to be evaluated. */
#ifndef OWI_GUIDED_BUFFERS_H
#define OWI_GUIDED_BUFFERS_H

#include "explain/core/decision.h"
#include "explain/guided/guided_batch.h"

typedef struct owi_guided_buffers {
    owi_workspace *workspace; /* of all arrays below */
    size_t n_states;
    size_t n_trials; /* room for trials                                                   */
    float *rows;     /* (states, circuit columns)                                  */
    double *log_changed;    /* (states, classes, moves)                               */
    double *log_t, *margin; /* (states, moves)                                        */
    owi_vote *votes;        /* (states, moves), where there are voters                */
    owi_vote *trial_votes;  /* of the trials                                          */
    double *voted;          /* (trials, classes): what a voter says of them           */
    /* trials: rows to be evaluated, and the entries of the tables that they are for */
    double *trials;
    size_t *entry;
    owi_decision decision; /* of the trials */
    double *trial_log_t, *trial_margin;
    double *tree_margin; /* (simple moves), of trees that decide                          */
    double *joint;       /* (states, classes): scratch                              */
    double *scratch;     /* (states, columns), where there are conditions           */
    int32_t *target;
} owi_guided_buffers;

/* Trials that fill entries of the tables, as many as come. */
typedef struct {
    const owi_guided_block *block;
    bool want_density;
    size_t n;
} owi_pending;

/* The state of request number `at` with the move becomes a trial; full batches are
 * evaluated. */
ow_status owi_pending_add(owi_pending *pending, const owi_request *request, size_t at,
                          size_t move);
/* Evaluates what is left. */
ow_status owi_pending_flush(owi_pending *pending);

/* ---- Where a foreign classifier decides (guided_show.c) ---- */

/* Rows that it gets at a time, where there are as many. */
enum { owi_shown_rows = 4096 };
/* Fills the margins of the moves that the requests want to be shown. */
ow_status owi_guided_show(const owi_guided_block *block, size_t n,
                          const owi_request *requests);

#endif
