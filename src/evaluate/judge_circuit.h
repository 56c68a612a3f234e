/* SPDX-License-Identifier: MIT */
/* A second circuit over the same columns, learned apart from the model's: the judge that no
 * method has seen.  A method that only pleases the circuit which it climbed does not please
 * this one. */
#ifndef OWI_JUDGE_CIRCUIT_H
#define OWI_JUDGE_CIRCUIT_H

#include "base/call.h"
#include "otherwise/model.h"

typedef struct owi_judge owi_judge;

/* Learns it, with the call's seed, from known rows (values, n x columns) and their classes.
 * *out is NULL, with a warning in the log, where a class has no row. */
ow_status owi_judge_new(const owi_call *call, const ow_model *model, const char *backend,
                        size_t n, const double *values, const int32_t *classes,
                        owi_judge **out);
void owi_judge_free(owi_judge *judge);

/* For rows (values, n x columns) and their targets: log S(x), log S(x given t), and whether
 * the latter is at least the lower quartile of log S(. given t) over the known rows of t,
 * over the columns that the row has. */
ow_status owi_judge_look(const owi_call *call, owi_judge *judge, size_t n,
                         const double *values, const int32_t *targets, double *log_density,
                         double *log_target, bool *plausible);

#endif
