/* SPDX-License-Identifier: MIT */
/* Cut-offs: probabilities at which classes are decided, where that is not the most probable
 * one.  With cut-offs k(c) the decision is the class with the largest P(c)/k(c): of two
 * classes with k and 1 - k, the first one from P = k on. */
#ifndef OWI_CUTOFFS_H
#define OWI_CUTOFFS_H

#include "otherwise/model.h"

/* Sets the model's cut-offs: of two classes one is enough, of more each must be given. */
ow_status owi_model_set_cutoffs(ow_model *model, size_t n, const ow_cutoff *cutoffs);

/* The class that log P(c given x), or numbers with the same differences, decide for, but
 * for one class (-1: of all). */
int32_t owi_model_decide(const ow_model *model, const double *log_proba, int32_t but);
/* The same from P(c given x). */
int32_t owi_model_decide_proba(const ow_model *model, const double *proba);

#endif
