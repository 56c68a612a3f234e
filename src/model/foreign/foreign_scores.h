/* SPDX-License-Identifier: MIT */
/* How well a foreign model decides about the rows of a training, from their values, and how
 * often the circuit agrees. */
#ifndef OWI_FOREIGN_SCORES_H
#define OWI_FOREIGN_SCORES_H

#include "model/train/training.h"

/* Log-loss and accuracy into the report's train and test, calibration, confusion and
 * agreement; of each kind of rows at most `most`. */
ow_status owi_foreign_measure(owi_training *t, const owi_call *call, size_t most);

#endif
