/* SPDX-License-Identifier: MIT */
/* Learners: EM and Adam, each one pass at a time.  The loop around them is learn.c. */
#ifndef OWI_LEARN_H
#define OWI_LEARN_H

#include "circuit/learn/m_step.h"
#include "circuit/rows/row_block.h"

typedef struct {
    const owi_call *call;
    ow_circuit *circuit;
    const ow_learn_options *options;
    owi_statistics_sum sums;
    owi_row_block block;
    owi_prior prior;
    double *least_variance; /* (columns) */
    double *running;        /* layout.n: EM's running sums, Adam's first moments */
    bool running_gaps;      /* whether EM's of gaps are set: not before the first gap */
    double *second;         /* layout.n: Adam's second moments; NULL for EM  */
    size_t n_updates;
} owi_learner;

/* towards may be NULL. */
ow_status owi_learner_init(owi_learner *learner, const owi_call *call, ow_circuit *circuit,
                           const ow_learn_options *options, const ow_circuit *towards,
                           double towards_rows);
void owi_learner_clear(owi_learner *learner);

/* One pass over the rows; score gets n_rows and log_density_class, as they were met. */
ow_status owi_learner_pass(owi_learner *learner, const ow_row_source *source,
                           ow_score *score);

/* One update from the sums of a batch (learner->sums, finished). */
ow_status owi_em_update(owi_learner *learner);
void owi_adam_update(owi_learner *learner);

/* The sums of leaves and weights, finished, become the gradient of the objective, summed
 * over rows, with respect to means, log-variances and the logits of probabilities and
 * weights. */
void owi_sums_to_gradient(const ow_circuit *circuit, owi_statistics_sum *sums);

/* The public functions of these names, as part of a call; random numbers are of its
 * seed. */
ow_status owi_circuit_score(const owi_call *call, ow_evaluator *evaluator,
                            const ow_row_source *source, ow_score *score);
ow_status owi_circuit_start(const owi_call *call, ow_circuit *circuit,
                            const ow_row_source *source);
ow_status owi_circuit_learn(const owi_call *call, ow_circuit *circuit,
                            const ow_learn_options *options, const ow_row_source *source,
                            const ow_row_source *validation, ow_score *score);
ow_status owi_circuit_learn_pooled(const owi_call *call, ow_circuit *circuit,
                                   const ow_learn_options *options,
                                   const ow_row_source *source, ow_pooling *pooling);
/* How good a circuit learned pooled, with usual settings, is on rows that it has not
 * learned from.  The circuit is left as after a trial. */
ow_status owi_circuit_try_pooled(const owi_call *call, ow_circuit *circuit,
                                 const ow_learn_options *options,
                                 const ow_row_source *source, const ow_pooling *pooling,
                                 ow_score *held_out);
/* spec is checked already. */
ow_status owi_circuit_find_trees(const owi_call *call, const ow_circuit_spec *spec,
                                 const ow_row_source *source, uint32_t *parents);
/* What ow_learn_options_init gives. */
ow_learn_options owi_learn_defaults(void);

/* ow_circuit_learn with every leaf and weight drawn towards those of another circuit with
 * one copy and the same regions, by so many rows. */
ow_status owi_circuit_learn_towards(const owi_call *call, ow_circuit *circuit,
                                    const ow_learn_options *options,
                                    const ow_row_source *source,
                                    const ow_row_source *validation,
                                    const ow_circuit *towards, double towards_rows,
                                    ow_score *score);

#endif
