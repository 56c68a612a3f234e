/* SPDX-License-Identifier: MIT */
/* Known rows in the forms that methods want. */
#ifndef OWI_BACKGROUND_H
#define OWI_BACKGROUND_H

#include "explain/core/explainer.h"

/* What the classifier makes of n_rows x columns values: the most probable classes and,
 * unless NULL, log_proba (n_rows x classes). */
ow_status owi_decide_known(const owi_call *call, const ow_model *model,
                           ow_classifier *classifier, size_t n_rows, const double *values,
                           double *log_proba, int32_t *predicted);

/* The same for a background: log_proba and predicted, which owi_background_clear frees.
 * After a failure there is nothing to free. */
ow_status owi_background_decide(const owi_call *call, owi_background *background,
                                const ow_model *model, ow_classifier *classifier);
void owi_background_clear(owi_background *background, ow_context *ctx);

/* Soft rows (n_rows x soft width) of values; the caller frees them. */
ow_status owi_soft_rows(const owi_problem *problem, size_t n_rows, const double *values,
                        float **out);

#endif
