/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "otherwise/json.h"
#include "json/json_parts.h"

static const char *or_initial(const ow_param *param, const char *preset)
{
    return preset != NULL ? preset : param->initial;
}

static void put_param(owi_json *json, const ow_param *param)
{
    static const char *const kinds[] = {
        [OW_PARAM_NUMBER] = "number", [OW_PARAM_INTEGER] = "integer",
        [OW_PARAM_CHOICE] = "choice", [OW_PARAM_FLAG] = "flag",
        [OW_PARAM_SIZES] = "sizes",   [OW_PARAM_TEXT] = "text",
        [OW_PARAM_NAMES] = "names",   [OW_PARAM_LIST] = "list"};
    owi_json_open_object(json, false);
    owi_put_text(json, "name", param->name);
    owi_put_text(json, "summary", param->summary);
    owi_put_text(json, "kind", kinds[param->kind]);
    owi_put_bool(json, "auto", param->has_auto);
    owi_put_text(json, "default", param->initial);
    owi_put_text(json, "paper", or_initial(param, param->paper));
    owi_put_text(json, "reference", or_initial(param, param->reference));
    if (param->kind == OW_PARAM_NUMBER || param->kind == OW_PARAM_INTEGER)
        owi_put_range(json, "range", param->low, param->high);
    if (param->kind == OW_PARAM_CHOICE) {
        owi_json_key(json, "choices");
        owi_json_open_array(json, false);
        for (size_t i = 0; param->choices[i] != NULL; i++)
            owi_json_text(json, param->choices[i]);
        owi_json_close_array(json);
    }
    owi_json_close_object(json);
}

ow_status ow_methods_json(ow_context *ctx, char **text, size_t *size)
{
    owi_json json;
    const ow_method *method;
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(ctx != NULL);
    owi_json_begin(&json, ctx);
    owi_json_open_array(&json, false);
    for (size_t i = 0; (method = ow_method_get(i)) != NULL; i++) {
        owi_json_open_object(&json, false);
        owi_put_text(&json, "name", method->name);
        owi_put_text(&json, "summary", method->summary);
        owi_put_bool(&json, "needs_gradient", method->needs_gradient);
        owi_put_bool(&json, "needs_background", method->needs_background);
        owi_json_key(&json, "params");
        owi_json_open_array(&json, false);
        for (size_t k = 0; k < method->n_params; k++)
            put_param(&json, ow_method_param(method, k));
        owi_json_close_array(&json);
        owi_json_close_object(&json);
    }
    owi_json_close_array(&json);
    return owi_json_end(&json, text, size);
}
