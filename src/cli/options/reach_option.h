/* SPDX-License-Identifier: MIT */
/* Options that count from the row's own value: --range with +0:+20%, --allow with A->B,
 * --cost with a direction. */
#ifndef CLI_REACH_OPTION_H
#define CLI_REACH_OPTION_H

#include <stdbool.h>

#include "otherwise/explain.h"

extern const char reach_option_cost_form[];

/* Whether LOW:HIGH counts from the row's own value: an end begins with "+" or ends with
 * "%". */
bool reach_option_is_relative(const char *value);

/* Each adds what it reads to the constraints; an exit code after a complaint.  text is the
 * whole of what was given. */
int reach_option_add(const char *column, const char *text, const char *value,
                     ow_constraints *rules);
int reach_option_allow(const ow_schema *schema, size_t column, const char *name,
                       const char *value, ow_constraints *rules);
int reach_option_cost(const char *column, const char *text, const char *value,
                      ow_constraints *rules);

#endif
