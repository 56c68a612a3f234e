/* SPDX-License-Identifier: MIT */
/* The values that an audit tries of a column: every level, and of a number quantiles of the
 * training rows. */
#ifndef CLI_AUDIT_VALUES_H
#define CLI_AUDIT_VALUES_H

#include "otherwise/model.h"

/* *n values, all different, to be freed. */
double *audit_values_of(const ow_model *model, size_t column, size_t *n);

#endif
