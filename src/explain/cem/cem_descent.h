/* SPDX-License-Identifier: MIT */
/* cem's optimisers, on a block of queries (explain_cem.c has the objective). */
#ifndef OWI_CEM_DESCENT_H
#define OWI_CEM_DESCENT_H

#include "explain/cem/cem_basis.h"

typedef enum { OWI_CEM_FISTA, OWI_CEM_ADAM } owi_cem_optimiser;
typedef enum { OWI_CEM_NEGATIVE, OWI_CEM_POSITIVE } owi_cem_mode;

typedef struct {
    owi_cem_mode mode;
    owi_cem_optimiser optimiser;
    bool any_class; /* negatives: away from y, wherever to; else to the target */
    double c, beta, gamma, kappa;
    size_t rounds; /* of looking for c: 1, as it is */
    uint64_t steps;
    /* steps of a round after a row's last nearer answer; 0: all of them */
    uint64_t patience;
    double rate;
    bool one_sided; /* negatives only add, positives only remove               */
    bool whole_groups;
} owi_cem_options;

ow_status owi_cem_descend(const owi_problem *problem, const owi_cem_options *options,
                          const owi_cem_basis *basis, const owi_queries *queries,
                          owi_answer *answers);

#endif
