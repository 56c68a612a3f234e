/* SPDX-License-Identifier: MIT */
/* What is usual among the rows of a class, column by column, and how sure a decision has to
 * be to outlive another training.  Explanations do not lead to what is not usual: a number
 * outside the 1 % and 99 % quantiles of the class, or a code for what is not known, which
 * lies outside the column's own figures.
 *
 * In old models, imported circuits, images and maps everything is usual. */
#ifndef OWI_CLASS_LIMITS_H
#define OWI_CLASS_LIMITS_H

#include "model/model_private.h"

/* Room for the limits of a model, all open. */
ow_status owi_model_limits_new(ow_model *model);

/* Whether rows of the class have such a value; true for levels and for what is missing. */
bool owi_model_is_usual(const ow_model *model, size_t class_index, size_t column,
                        double value);

/* The log-odds of the class, in nats, that a row must have so that circuits learned from
 * other samples of the same rows call it that, too, in about 95 % of the cases. */
double owi_model_robust_margin(const ow_model *model, size_t class_index);

#endif
