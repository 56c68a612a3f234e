/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/options.h"
#include "model/model_private.h"
#include "otherwise/json.h"
#include "json/json_parts.h"

ow_status ow_prediction_json(const ow_model *model, size_t number, const char *id,
                             const ow_predictions *predictions, size_t row, char **text,
                             size_t *size)
{
    owi_json json;
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(model != NULL && predictions != NULL);
    ow_predictions own = {0};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_predictions, predictions, &own));
    const size_t C = ow_schema_n_classes(model->schema);
    owi_json_begin(&json, model->ctx);
    json.compact = true;
    owi_json_open_object(&json, true);
    owi_put_count(&json, "row", number);
    if (id != NULL) owi_put_text(&json, "id", id);
    if (own.classes != NULL) owi_put_class(&json, "class", model->schema, own.classes[row]);
    if (own.proba != NULL)
        owi_put_by_class(&json, "proba", model->schema, own.proba + row * C);
    if (own.log_density != NULL) owi_put_number(&json, "log_density", own.log_density[row]);
    if (own.log_class != NULL)
        owi_put_by_class(&json, "log_density_by_class", model->schema,
                         own.log_class + row * C);
    if (own.percentile != NULL)
        owi_put_number(&json, "density_percentile", own.percentile[row]);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, size);
}
