/* SPDX-License-Identifier: MIT */
/* How dense real rows are, given what cannot change: thresholds for "as plausible as a
 * quarter of the real ones".
 *
 * For a class t, with I the columns that are immutable and M those that the query has,
 *
 *     c_i = log S(x_i restricted to M given t) - log S(x_i restricted to M and I given t)
 *
 * over background rows predicted t if there are any, else over the model's samples of t;
 * sorted.  An answer x' reaches quantile q when log S(x' on M given t) - log S(x' on M and
 * I given t) >= quantile_q(c).  Patterns of missing cells are remembered. */
#ifndef OWI_DENSITY_REFERENCE_H
#define OWI_DENSITY_REFERENCE_H

#include "base/call.h"
#include "otherwise/explain.h"

typedef struct owi_density_reference owi_density_reference;

/* frozen: n_columns flags.  values may be NULL: the model's samples; else n_rows x columns,
 * with their predicted classes; both are lent. */
ow_status owi_density_reference_new(const ow_model *model, const char *backend,
                                    const bool *frozen, size_t n_rows, const double *values,
                                    const int32_t *predicted, owi_density_reference **out);
void owi_density_reference_free(owi_density_reference *reference);

/* For each query (values, n x columns): threshold[i] such that an answer with target t_i
 * reaches the quantile when log S(x' given t_i) >= threshold[i].  -infinity where there is
 * nothing to compare with. */
ow_status owi_density_thresholds(const owi_call *call, owi_density_reference *reference,
                                 size_t n_rows, const double *values,
                                 const int32_t *targets, double quantile,
                                 double *threshold);

#endif
