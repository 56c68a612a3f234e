/* SPDX-License-Identifier: MIT */
/* Whether a circuit of random halves or one of trees suits the rows. */
#ifndef OWI_CHOOSE_STRUCTURE_H
#define OWI_CHOOSE_STRUCTURE_H

#include "model/train/training.h"

/* Both structures are learned with usual settings and compared on rows held out; the better
 * one is written into options.  Its settings are chosen afterwards, as where the structure
 * is given.  Does nothing unless the structure is to be chosen; it is random, then, where
 * it cannot be: images, maps, Gaussian leaves, sizes that are given.  Cancelled: the model
 * gets the circuit of halves, if there is one by then. */
ow_status owi_training_choose_structure(owi_training *t, const owi_call *call,
                                        ow_train_options *options,
                                        const ow_pooling *pooling);

#endif
