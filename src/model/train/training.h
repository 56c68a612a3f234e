/* SPDX-License-Identifier: MIT */
/* Training in steps, for those that train once and those that train often: rows are read,
 * divided and encoded once, then circuits are learned from them. */
#ifndef OWI_TRAINING_H
#define OWI_TRAINING_H

#include "base/call.h"
#include "circuit/rows/fold_source.h"
#include "model/sheets/sheet_list.h"
#include "model/train/rows/training_rows.h"
#include "model/train/tally.h"
#include "model/train/train_rules.h"

typedef struct {
    const owi_call *call;
    ow_context *ctx;
    ow_reader *reader;
    const ow_train_options *options;
    ow_model *model; /* with schema, plan and the figures of its columns */
    owi_training_rows rows;
    owi_rows_view train_view, test_view;
    ow_row_source train, test;
    owi_matched labels;    /* decides the classes of the rows; {0}: their label does */
    owi_tally tally;       /* decisions about unseen rows */
    owi_sheet_list sheets; /* for circuits of trees */
    bool *rare;            /* (classes) too few training rows to hold any of them out */
} owi_training;

/* Reads the rows under a copy of the schema, holds out test rows and chooses leaves.
 * Either way owi_training_conclude must follow. */
ow_status owi_training_begin(owi_training *t, const owi_call *call, ow_reader *reader,
                             const ow_schema *schema, const ow_train_options *options);
/* Learns the model, measures and describes it, and hands it over: whole on success, and
 * also with OW_ERR_CANCELLED once there was enough to make it whole; else *out is left. */
ow_status owi_training_run(owi_training *t, ow_model **out);
/* Frees everything that was not handed over; binds the reader to the schema that was given.
 * Gives the status back, or that of an error on the way, which takes the model back, too;
 * out may be NULL. */
ow_status owi_training_conclude(owi_training *t, const ow_schema *schema, ow_status status,
                                ow_model **out);

/* As part of a call, learns a circuit for the plan from these rows, by the rules; pooling
 * as for ow_circuit_learn_pooled, untouched where nothing is pooled.  On cancelling the
 * circuit is whole. */
ow_status owi_training_learn(owi_training *t, const owi_call *call,
                             const owi_train_rules *rules, const ow_row_source *source,
                             ow_circuit *circuit, ow_pooling *pooling);
/* P(c) as in the training rows. */
ow_status owi_training_set_prior(const owi_training *t, ow_circuit *circuit);
/* The rows that it did not learn from, but held out to stop in time: a fold of the source,
 * empty where rules->held_out is 0. */
owi_fold owi_training_held_out(const owi_training *t, const owi_call *call,
                               const owi_train_rules *rules, const ow_row_source *source);

#endif
