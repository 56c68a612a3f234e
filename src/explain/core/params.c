/* SPDX-License-Identifier: MIT */
#include "explain/core/params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/name_list.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "base/text/spelling.h"

/* What "auto" is in the settings. */
static const int64_t auto_integer = -1;

static const char *param_name(const void *user, size_t i)
{
    const owi_explainer_impl *impl = user;
    return impl->params[i].shown.name;
}

ow_status owi_param_find(const owi_explainer_impl *impl, const char *name, size_t *index)
{
    for (size_t i = 0; i < impl->n_params; i++)
        if (strcmp(impl->params[i].shown.name, name) == 0) {
            *index = i;
            return OW_OK;
        }
    char quoted[owi_quote_size];
    if (impl->n_params == 0)
        return owi_fail(OW_ERR_ARGUMENT, "method %s has no parameters, and so no %s",
                        impl->name, owi_quote_text(name, quoted));
    return owi_fail_unknown(OW_ERR_ARGUMENT, impl->name, "parameter", name, impl->n_params,
                            param_name, impl);
}

/* "method wachter, parameter "rate": expected WHAT, got "x"". */
static ow_status fail_value(const owi_explainer_impl *impl, const ow_param *param,
                            const char *expected, const char *value)
{
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_ARGUMENT, "method %s, parameter \"%s\": expected %s, got %s",
                    impl->name, param->name, expected, owi_quote_text(value, quoted));
}

static ow_status fail_number(const owi_explainer_impl *impl, const ow_param *param,
                             const char *value)
{
    char low[owi_number_size], high[owi_number_size], expected[160];
    owi_print_number(param->low, low);
    owi_print_number(param->high, high);
    snprintf(expected, sizeof expected, "%s from %s to %s%s",
             param->kind == OW_PARAM_INTEGER ? "a whole number" : "a number", low, high,
             param->has_auto ? ", or auto" : "");
    return fail_value(impl, param, expected, value);
}

static ow_status parse_number(const owi_explainer_impl *impl, const ow_param *param,
                              const char *value, double *number)
{
    if (!owi_parse_number(value, strlen(value), number, NULL) || *number < param->low ||
        *number > param->high)
        return fail_number(impl, param, value);
    if (param->kind == OW_PARAM_INTEGER && *number != floor(*number))
        return fail_number(impl, param, value);
    return OW_OK;
}

static ow_status parse_choice(const owi_explainer_impl *impl, const ow_param *param,
                              const char *value, int *choice)
{
    owi_name_list list = {0};
    char expected[owi_name_list_size + 16];
    for (int k = 0; param->choices[k] != NULL; k++) {
        if (strcmp(param->choices[k], value) == 0) {
            *choice = k;
            return OW_OK;
        }
        owi_name_list_add(&list, param->choices[k]);
    }
    snprintf(expected, sizeof expected, "one of %s", list.text);
    return fail_value(impl, param, expected, value);
}

static ow_status parse_flag(const owi_explainer_impl *impl, const ow_param *param,
                            const char *value, bool *flag)
{
    *flag = strcmp(value, "yes") == 0;
    if (*flag || strcmp(value, "no") == 0) return OW_OK;
    return fail_value(impl, param, "yes or no", value);
}

/* Parses before anything is stored; text is the value's usual spelling. */
ow_status owi_param_parse(ow_context *ctx, const owi_explainer_impl *impl, size_t index,
                          const char *value, void *settings, char **text)
{
    const ow_param *param = &impl->params[index].shown;
    void *at = (char *)settings + impl->params[index].at;
    const bool is_auto = param->has_auto && strcmp(value, "auto") == 0;
    const bool is_number =
        param->kind == OW_PARAM_NUMBER || param->kind == OW_PARAM_INTEGER;
    char printed[owi_number_size];
    double number = NAN;
    int choice = 0;
    bool flag = false;

    *text = NULL;
    if (is_number && !is_auto) {
        OWI_TRY(parse_number(impl, param, value, &number));
        owi_print_number(number, printed);
        value = printed;
    }
    if (param->kind == OW_PARAM_CHOICE) OWI_TRY(parse_choice(impl, param, value, &choice));
    if (param->kind == OW_PARAM_FLAG) OWI_TRY(parse_flag(impl, param, value, &flag));
    *text = owi_copy_text(ctx, value, strlen(value));
    if (*text == NULL) return OW_ERR_MEMORY;

    switch (param->kind) {
    case OW_PARAM_NUMBER:
        memcpy(at, &number, sizeof number);
        break;
    case OW_PARAM_INTEGER: {
        const int64_t integer = is_auto ? auto_integer : (int64_t)number;
        memcpy(at, &integer, sizeof integer);
        break;
    }
    case OW_PARAM_CHOICE:
        memcpy(at, &choice, sizeof choice);
        break;
    case OW_PARAM_FLAG:
        memcpy(at, &flag, sizeof flag);
        break;
    }
    return OW_OK;
}

const char *owi_param_preset(const owi_param *param, const char *preset)
{
    const char *value = NULL;
    if (strcmp(preset, "paper") == 0)
        value = param->shown.paper;
    else if (strcmp(preset, "reference") == 0)
        value = param->shown.reference;
    else if (strcmp(preset, "") != 0)
        return NULL;
    return value != NULL ? value : param->shown.initial;
}
