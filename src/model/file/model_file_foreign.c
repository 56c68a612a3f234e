/* SPDX-License-Identifier: MIT */
/* The foreign model that decides, to a model's file and back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/json_read.h"
#include "base/text/json_write.h"
#include "model/file/model_file.h"

static void put_text(owi_json *json, const char *key, const char *text)
{
    owi_json_key(json, key);
    owi_json_text(json, text);
}

ow_status owi_foreign_format(const owi_foreign *foreign, char **text)
{
    owi_json json;
    owi_json_begin(&json, foreign->ctx);
    owi_json_open_object(&json, true);
    put_text(&json, "kind", owi_foreign_kind_name((int)foreign->kind));
    put_text(&json, "package", foreign->package);
    put_text(&json, "path", foreign->path);
    put_text(&json, "sha256", foreign->sha256);
    if (foreign->classes != NULL) {
        owi_json_key(&json, "classes");
        owi_json_open_array(&json, true);
        for (size_t c = 0; c < foreign->n_classes; c++)
            owi_json_text(&json, foreign->classes[c]);
        owi_json_close_array(&json);
    }
    if (foreign->limit.is_used) {
        owi_json_key(&json, "limit");
        owi_json_number(&json, foreign->limit.limit);
        owi_json_key(&json, "spread");
        owi_json_number(&json, foreign->limit.spread);
    }
    owi_json_close_object(&json);
    return owi_json_end(&json, text, NULL);
}

/* ---- Reading ---- */

/* A text that must be there, copied. */
static ow_status read_text(const owi_json_fields *fields, ow_context *ctx, const char *name,
                           char **to)
{
    const char *text = NULL;
    OWI_TRY(owi_json_read_text(fields, name, &text));
    if (text == NULL) return owi_json_unexpected(fields, name, "a text", NULL);
    *to = owi_copy_text(ctx, text, strlen(text));
    return *to != NULL ? OW_OK : OW_ERR_MEMORY;
}

static ow_status read_classes(const owi_json_fields *fields, owi_foreign *foreign)
{
    const json_t *classes = NULL;
    OWI_TRY(owi_json_read_array(fields, "classes", &classes));
    if (classes == NULL) return OW_OK;
    const size_t n = json_array_size(classes);
    foreign->classes = owi_alloc_array(foreign->ctx, n, sizeof *foreign->classes);
    if (foreign->classes == NULL) return OW_ERR_MEMORY;
    for (size_t c = 0; c < n; c++) {
        const char *name;
        OWI_TRY(owi_json_item_text(fields, "classes", json_array_get(classes, c), &name));
        foreign->classes[c] = owi_copy_text(foreign->ctx, name, strlen(name));
        if (foreign->classes[c] == NULL) return OW_ERR_MEMORY;
        foreign->n_classes = c + 1;
    }
    return OW_OK;
}

static ow_status read_fields(const owi_json_fields *fields, owi_foreign *foreign)
{
    static const char *const known[] = {"kind",    "package", "path",  "sha256",
                                        "classes", "limit",   "spread"};
    owi_score_limit *limit = &foreign->limit;
    char *sum = NULL;
    int kind = 0;
    OWI_TRY(owi_json_check_fields(fields, known, sizeof known / sizeof *known));
    OWI_TRY(owi_json_read_choice(fields, "kind", owi_foreign_kind_name, &kind));
    foreign->kind = (owi_foreign_kind)kind;
    OWI_TRY(read_text(fields, foreign->ctx, "package", &foreign->package));
    OWI_TRY(read_text(fields, foreign->ctx, "path", &foreign->path));
    OWI_TRY(read_text(fields, foreign->ctx, "sha256", &sum));
    snprintf(foreign->sha256, sizeof foreign->sha256, "%s", sum);
    owi_free(foreign->ctx, sum);
    OWI_TRY(read_classes(fields, foreign));
    limit->limit = NAN;
    limit->spread = 1.0;
    OWI_TRY(owi_json_read_number(fields, "limit", &limit->limit));
    OWI_TRY(owi_json_read_number(fields, "spread", &limit->spread));
    limit->is_used = !isnan(limit->limit);
    if (limit->spread > 0.0) return OW_OK;
    return owi_json_unexpected(fields, "spread", "a number above 0",
                               json_object_get(fields->object, "spread"));
}

/* The file itself, where the model keeps it. */
static ow_status read_bytes(const owi_safetensors *file, owi_foreign *foreign)
{
    size_t n;
    if (!owi_safetensors_has(file, OWI_TENSOR_FOREIGN)) return OW_OK;
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_FOREIGN, OWI_TENSOR_U8, &n));
    foreign->bytes = owi_alloc_array(foreign->ctx, n, 1);
    if (foreign->bytes == NULL) return OW_ERR_MEMORY;
    foreign->n_bytes = n;
    return owi_safetensors_read(file, OWI_TENSOR_FOREIGN, OWI_TENSOR_U8, n, foreign->bytes);
}

/* Whether it knows what the schema has. */
static ow_status check_match(const owi_safetensors *file, const ow_model *model)
{
    owi_matched matched;
    /* onnxruntime is loaded when something is asked: it may have to be named first. */
    if (model->foreign->onnx != NULL) return OW_OK;
    const ow_status status = owi_foreign_match(model->foreign, model->schema, &matched);
    owi_matched_clear(&matched);
    return owi_model_file_blame(file, status);
}

ow_status owi_model_read_foreign(const owi_safetensors *file, ow_model *model)
{
    char where[160];
    const char *text;
    json_t *object = NULL;
    const json_t *metadata = json_object_get(file->header, "__metadata__");
    if (json_object_get(metadata, OWI_KEY_FOREIGN) == NULL) return OW_OK;
    OWI_TRY(owi_safetensors_text(file, OWI_KEY_FOREIGN, &text));
    owi_foreign *foreign = owi_alloc_zeroed(model->ctx, sizeof *foreign);
    if (foreign == NULL) return OW_ERR_MEMORY;
    foreign->ctx = model->ctx;
    model->foreign = foreign;
    snprintf(where, sizeof where, "%.120s, %s", file->name, OWI_KEY_FOREIGN);
    OWI_TRY(owi_json_parse(text, strlen(text), where, &object));
    const owi_json_fields fields = {.file = where, .object = object};
    ow_status status = read_fields(&fields, foreign);
    json_decref(object);
    OWI_TRY(status);
    OWI_TRY(read_bytes(file, foreign));
    OWI_TRY(owi_foreign_recall(foreign, file->name));
    return check_match(file, model);
}
