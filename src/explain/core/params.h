/* SPDX-License-Identifier: MIT */
/* Parameters of methods: from text to settings.  Names, ranges and choices are those of the
 * method's table, declared once. */
#ifndef OWI_PARAMS_H
#define OWI_PARAMS_H

#include "explain/core/explainer.h"

/* The number of the parameter; OW_ERR_ARGUMENT with the nearest spelling. */
ow_status owi_param_find(const owi_explainer_impl *impl, const char *name, size_t *index);

/* Stores the value in the settings, and its usual spelling in text (owned by the caller,
 * owi_free): "0.5" for "0.50". */
ow_status owi_param_parse(ow_context *ctx, const owi_explainer_impl *impl, size_t index,
                          const char *value, void *settings, char **text);

/* What a preset makes of the parameter: "" is none, "paper" and "reference"; NULL: there is
 * no such preset. */
const char *owi_param_preset(const owi_param *param, const char *preset);

#endif
