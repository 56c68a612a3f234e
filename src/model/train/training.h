/* SPDX-License-Identifier: MIT */
/* Training in steps, for those that train once and those that train often: rows are read,
 * divided and encoded once, then circuits are learned from them. */
#ifndef OWI_TRAINING_H
#define OWI_TRAINING_H

#include "base/context.h"
#include "model/train/train_rules.h"
#include "model/train/training_rows.h"

typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    const ow_train_options *options;
    ow_model *model; /* with schema, plan and the figures of its columns */
    owi_training_rows rows;
    owi_rows_view train_view, test_view;
    ow_row_source train, test;
    bool *rare; /* (classes) too few training rows to hold any of them out */
} owi_training;

/* Reads the rows under a copy of the schema, holds out test rows and chooses leaves.
 * Either way owi_training_end must follow. */
ow_status owi_training_begin(owi_training *t, ow_reader *reader, const ow_schema *schema,
                             const ow_train_options *options);
/* Frees everything, the model too, unless the caller has taken it over and set it to NULL;
 * binds the reader to the schema that was given. */
ow_status owi_training_end(owi_training *t, const ow_schema *schema);

/* Learns a circuit for the plan from these rows, by the rules; pooling as for
 * ow_circuit_learn_pooled, untouched where nothing is pooled.  On cancelling the circuit is
 * whole. */
ow_status owi_training_learn(owi_training *t, const owi_train_rules *rules,
                             const ow_row_source *source, ow_circuit *circuit,
                             ow_pooling *pooling);

#endif
