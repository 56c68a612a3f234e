/* SPDX-License-Identifier: MIT */
/* What those say of the valid answers who have not seen how they were made: the training
 * rows around them, and a second circuit. */
#ifndef OWI_OUTSIDE_VIEW_H
#define OWI_OUTSIDE_VIEW_H

#include "evaluate/answers.h"
#include "evaluate/judge_circuit.h"
#include "evaluate/neighbours.h"

/* ynn and lof, and all metrics of the judge; either may be NULL, and its metrics are
 * missing. */
ow_status owi_outside_figures(const owi_answers *answers, owi_neighbours *neighbours,
                              owi_judge *judge, double *figures);

#endif
