/* SPDX-License-Identifier: MIT */
/* Circuits of bootstrap samples: what another training might have learned.
 *
 * Each has the sizes and settings of the model's circuit, regions of its own, and is
 * learned from a sample in which every training row occurs as often as a draw of the
 * Poisson distribution says, with mean 1 or, where there are more than owi_replica_rows of
 * them, so that about as many are drawn. */
#ifndef OWI_REPLICAS_H
#define OWI_REPLICAS_H

#include "model/train/training.h"

enum { owi_n_replicas = 8, owi_replica_rows = 5000 };

/* Learns model->replicas; pooling is what was chosen for the model. */
ow_status owi_model_set_replicas(owi_training *t, const owi_call *call,
                                 const owi_train_rules *rules, const ow_pooling *pooling);

#endif
