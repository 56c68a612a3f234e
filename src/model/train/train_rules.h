/* SPDX-License-Identifier: MIT */
/* What training does where its options leave it open: doc/method.md, "Defaults". */
#ifndef OWI_TRAIN_RULES_H
#define OWI_TRAIN_RULES_H

#include "model/model_private.h"

typedef struct {
    ow_circuit_spec circuit; /* without leaves, columns and classes         */
    bool trees; /* a circuit of trees, which are found in the rows it learns from */
    bool split_groups;
    ow_learn_options learn;
    bool pooled;           /* learn pooled first (learn.h)                  */
    size_t pooled_passes;  /* of the pooled circuit; 0: as many as learn has */
    double ridge;          /* of the tilt; filled in once it is chosen      */
    double held_out;       /* share of the training rows for early stopping */
    ow_learn_options tune; /* after that, if tune.passes > 0                */
    bool empirical_prior;
} owi_train_rules;

/* For so many training rows of this schema. */
owi_train_rules owi_train_rules_for(const ow_train_options *options,
                                    const ow_schema *schema, size_t n_train, uint64_t seed);

#endif
