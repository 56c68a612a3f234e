/* SPDX-License-Identifier: MIT */
/* The descriptors at the ends of explain_<name>.c. */
#ifndef OWI_EXPLAINER_LIST_H
#define OWI_EXPLAINER_LIST_H

#include "explain/core/explainer.h"

extern const owi_explainer_impl owi_explainer_guided;
extern const owi_explainer_impl owi_explainer_two_step;
extern const owi_explainer_impl owi_explainer_wachter;
extern const owi_explainer_impl owi_explainer_cem;
extern const owi_explainer_impl owi_explainer_face;
extern const owi_explainer_impl owi_explainer_nearest;

/* The method's number; OW_ERR_ARGUMENT with the nearest spelling. */
ow_status owi_explainer_find(const char *name, size_t *index);

#endif
