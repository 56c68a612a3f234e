/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "model/model_private.h"
#include "otherwise/json.h"
#include "json/json_parts.h"

ow_status ow_prediction_json(const ow_model *model, size_t number, const char *id,
                             const ow_prediction *prediction, const double *log_class,
                             const double *posterior, char **text, size_t *size)
{
    owi_json json;
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(model != NULL && prediction != NULL && log_class != NULL &&
                posterior != NULL);
    owi_json_begin(&json, model->ctx);
    json.compact = true;
    owi_json_open_object(&json, true);
    owi_put_count(&json, "row", number);
    if (id != NULL) owi_put_text(&json, "id", id);
    owi_put_class(&json, "class", model->schema, prediction->class_index);
    owi_put_by_class(&json, "proba", model->schema, posterior);
    owi_put_number(&json, "log_density", prediction->log_density);
    owi_put_by_class(&json, "log_density_by_class", model->schema, log_class);
    owi_put_number(&json, "density_percentile", prediction->percentile);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, size);
}
