/* SPDX-License-Identifier: MIT */
/* Names of what training chose, as its options have them. */
#ifndef OWI_TRAIN_OPTIONS_H
#define OWI_TRAIN_OPTIONS_H

#include <stdbool.h>

#include "otherwise/model.h"

const char *owi_learner_name(ow_learner learner);
const char *owi_prior_name(bool empirical);

#endif
