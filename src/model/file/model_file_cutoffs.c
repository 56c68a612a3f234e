/* SPDX-License-Identifier: MIT */
/* Cut-offs to a model's file and back: an array of one number for each class. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/json_read.h"
#include "base/text/json_write.h"
#include "model/cutoffs.h"
#include "model/file/model_file.h"

ow_status owi_cutoffs_format(const ow_model *model, char **text)
{
    owi_json json;
    owi_json_begin(&json, model->ctx);
    owi_json_open_array(&json, true);
    for (size_t c = 0; c < ow_schema_n_classes(model->schema); c++)
        owi_json_number(&json, model->cutoffs[c]);
    owi_json_close_array(&json);
    return owi_json_end(&json, text, NULL);
}

static ow_status read_array(const json_t *array, const char *where, ow_model *model)
{
    const size_t C = ow_schema_n_classes(model->schema);
    const owi_json_fields fields = {.file = where, .object = array};
    if (!json_is_array(array) || json_array_size(array) != C)
        return owi_fail(OW_ERR_FORMAT, "%s: %zu cut-offs, expected %zu", where,
                        json_array_size(array), C);
    ow_cutoff *cutoffs = owi_alloc_array(model->ctx, C, sizeof *cutoffs);
    if (cutoffs == NULL) return OW_ERR_MEMORY;
    ow_status status = OW_OK;
    for (size_t c = 0; c < C && status == OW_OK; c++) {
        cutoffs[c].class_name = ow_schema_class_name(model->schema, c);
        status = owi_json_item_number(&fields, OWI_KEY_CUTOFFS, json_array_get(array, c),
                                      &cutoffs[c].proba);
    }
    if (status == OW_OK)
        status = owi_blame_file(owi_model_set_cutoffs(model, C, cutoffs), where);
    owi_free(model->ctx, cutoffs);
    return status;
}

ow_status owi_model_read_cutoffs(const owi_safetensors *file, ow_model *model)
{
    char where[160];
    const char *text;
    json_t *array = NULL;
    const json_t *metadata = json_object_get(file->header, "__metadata__");
    if (json_object_get(metadata, OWI_KEY_CUTOFFS) == NULL) return OW_OK;
    OWI_TRY(owi_safetensors_text(file, OWI_KEY_CUTOFFS, &text));
    snprintf(where, sizeof where, "%.120s, %s", file->name, OWI_KEY_CUTOFFS);
    OWI_TRY(owi_json_parse(text, strlen(text), where, &array));
    const ow_status status = read_array(array, where, model);
    json_decref(array);
    return status;
}
