/* SPDX-License-Identifier: MIT */
/* The steps of learning pooled (learn.h), for the learner and for the choice of its
 * settings. */
#ifndef OWI_POOLING_H
#define OWI_POOLING_H

#include "base/context.h"
#include "circuit/learn/learn.h"
#include "circuit/rows/fold_source.h"

typedef struct {
    const owi_call *call;
    ow_circuit *circuit, *pooled;
    ow_circuit *trial;                         /* as circuit, for tilts that are tried */
    ow_evaluator *evaluator, *trial_evaluator; /* of circuit and trial */
    double *tilt;                              /* coefficients (tilt_fit.h) */
    ow_learn_options options;
    size_t pooled_passes; /* of the pooled circuit; options has those of the classes' */
    const ow_row_source *source;
    double n_rows;
    bool *rare;        /* (classes) */
    ow_score held_out; /* of rows held out, with the settings chosen; no rows: none were */
    bool repeats;      /* repeated_rows.h */
    /* Passes begun, those of the present part, and all that there will be. */
    uint64_t before, length, total;
} owi_pooling;

/* The number of rows, and which classes have few of them. */
ow_status owi_pooling_count(owi_pooling *p);
/* Starts both circuits on the rows outside the fold, and learns the pooled one. */
ow_status owi_pooling_pool(owi_pooling *p, owi_fold fold);
/* After that: the classes' circuit from the pooled one. */
ow_status owi_pooling_adapt(owi_pooling *p, owi_fold fold, double towards_rows);

/* Some of the rows, in memory: about so many as choosing and tilting need, or where there
 * are no more, the source itself. */
typedef struct {
    bool all; /* source is the whole one, nothing is held */
    float *rows;
    int32_t *classes;
    ow_row_array array;
    ow_row_source source;
} owi_pooling_part;
ow_status owi_pooling_part_read(const owi_pooling *p, owi_pooling_part *part);
void owi_pooling_part_clear(const owi_pooling *p, owi_pooling_part *part);

/* Puts towards_rows, prior_rows and ridge into chosen, the prior into p->options, and what
 * they are worth into p->held_out.  Briefly: for that figure alone, with the prior as it
 * is and two values of towards_rows. */
ow_status owi_pooling_choose(owi_pooling *p, bool briefly, ow_pooling *chosen);

#endif
