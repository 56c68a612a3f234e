/* SPDX-License-Identifier: MIT */
#ifndef OWI_TRAIN_CIRCUIT_H
#define OWI_TRAIN_CIRCUIT_H

#include "model/train/training.h"

/* A circuit for the model's plan and classes by the rules, not learned yet.  Its trees, if
 * it has any, are found in the rows of the source, which should be those it learns from. */
ow_status owi_training_circuit_new(const owi_training *t, const owi_call *call,
                                   const owi_train_rules *rules,
                                   const ow_row_source *source, ow_circuit **out);

#endif
