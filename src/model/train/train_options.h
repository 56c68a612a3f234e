/* SPDX-License-Identifier: MIT */
/* Names of what training chose, as its options have them. */
#ifndef OWI_TRAIN_OPTIONS_H
#define OWI_TRAIN_OPTIONS_H

#include <stdbool.h>

#include "otherwise/model.h"

/* What ow_train_options_init gives. */
ow_train_options owi_train_defaults(void);
/* A caller's options (NULL: the defaults) as this version has them, checked. */
ow_status owi_train_take(const ow_train_options *given, ow_train_options *own);

const char *owi_learner_name(ow_learner learner);
const char *owi_prior_name(bool empirical);

#endif
