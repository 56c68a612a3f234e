/* SPDX-License-Identifier: MIT */
#ifndef OWI_CLASSIFIER_MLP_H
#define OWI_CLASSIFIER_MLP_H

#include "classifier/classifier.h"
#include "network/mlp.h"

/* A network of OWI_MLP_CLASSES as a classifier; borrowed. */
ow_status owi_classifier_from_mlp(const owi_mlp *mlp, const char *backend,
                                  ow_classifier **out);

#endif
