/* SPDX-License-Identifier: MIT */
/* The methods there are.  Adding one: a line in explainer_list.h and one below. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/spelling.h"
#include "explain/core/explainer_list.h"

static const owi_explainer_impl *const impls[] = {
    &owi_explainer_guided, &owi_explainer_two_step, &owi_explainer_wachter,
    &owi_explainer_cem,    &owi_explainer_face,     &owi_explainer_nearest,
};

enum { n_impls = sizeof impls / sizeof *impls, most_params = 32 };

const owi_explainer_impl *owi_explainer_impl_get(size_t index)
{
    return index < n_impls ? impls[index] : NULL;
}

owi_param_table owi_explainer_params(const owi_explainer_impl *impl)
{
    return (owi_param_table){.params = impl->params,
                             .n_params = impl->n_params,
                             .what = "parameter",
                             .method = impl->name,
                             .auto_number = NAN};
}

/* ---- The same as people see them ---- */

/* Parameters are declared once, in the method's own table, where each stands beside its
 * place in the settings.  A list of what is shown of them cannot be a constant expression:
 * each thread makes its own, always the same. */
static _Thread_local ow_method methods[n_impls];
static _Thread_local const ow_param *params[n_impls][most_params];

const ow_method *ow_method_get(size_t index)
{
    if (index >= n_impls) return NULL;
    const owi_explainer_impl *impl = impls[index];
    if (methods[index].name != NULL) return &methods[index];
    for (size_t k = 0; k < impl->n_params; k++) params[index][k] = &impl->params[k].shown;
    methods[index] = (ow_method){.name = impl->name,
                                 .summary = impl->summary,
                                 .needs_gradient = impl->needs_gradient,
                                 .needs_background = impl->needs_background,
                                 .takes_long = impl->takes_long,
                                 .params = params[index],
                                 .n_params = impl->n_params};
    return &methods[index];
}

static const char *impl_name(const void *user, size_t i)
{
    (void)user;
    return impls[i]->name;
}

ow_status owi_explainer_find(const char *name, size_t *index)
{
    for (*index = 0; *index < n_impls; ++*index)
        if (strcmp(impls[*index]->name, name) == 0) return OW_OK;
    return owi_fail_unknown(OW_ERR_ARGUMENT, NULL, "method", name, n_impls, impl_name,
                            NULL);
}

ow_status ow_method_find(const char *name, const ow_method **out)
{
    size_t index;
    OWI_REQUIRE(name != NULL && out != NULL);
    *out = NULL;
    OWI_TRY(owi_explainer_find(name, &index));
    *out = ow_method_get(index);
    return OW_OK;
}
