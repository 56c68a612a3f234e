/* SPDX-License-Identifier: MIT */
/* The methods there are.  Adding one: a line in explainer_list.h and one below. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/name_list.h"
#include "base/text/spelling.h"
#include "explain/core/explainer_list.h"

static const owi_explainer_impl *const impls[] = {
    &owi_explainer_guided, &owi_explainer_two_step, &owi_explainer_wachter,
    &owi_explainer_cem,    &owi_explainer_face,     &owi_explainer_nearest,
};

enum { n_impls = sizeof impls / sizeof *impls };

const owi_explainer_impl *owi_explainer_impl_get(size_t index)
{
    return index < n_impls ? impls[index] : NULL;
}

owi_param_table owi_explainer_params(const owi_explainer_impl *impl)
{
    return (owi_param_table){.params = impl->params,
                             .n_params = impl->shown.n_params,
                             .what = "parameter",
                             .method = impl->shown.name,
                             .auto_number = NAN};
}

/* ---- The same as people see them ---- */

const ow_method *ow_method_get(size_t index)
{
    return index < n_impls ? &impls[index]->shown : NULL;
}

const ow_param *ow_method_param(const ow_method *method, size_t index)
{
    for (size_t i = 0; i < n_impls; i++)
        if (&impls[i]->shown == method && index < method->n_params)
            return &impls[i]->params[index].shown;
    return NULL;
}

static const char *impl_name(const void *user, size_t i)
{
    (void)user;
    return impls[i]->shown.name;
}

ow_status owi_explainer_find(const char *name, size_t *index)
{
    for (*index = 0; *index < n_impls; ++*index)
        if (strcmp(impls[*index]->shown.name, name) == 0) return OW_OK;
    const ow_status status =
        owi_fail_unknown(OW_ERR_ARGUMENT, NULL, "method", name, n_impls, impl_name, NULL);
    if (strstr(ow_error_message(), "did you mean") != NULL) return status;
    owi_name_list methods = {0};
    for (size_t i = 0; i < n_impls; i++) owi_name_list_add(&methods, impls[i]->shown.name);
    return owi_fail(status, "%s; the methods are %s", ow_error_message(), methods.text);
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
