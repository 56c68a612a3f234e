/* SPDX-License-Identifier: MIT */
/* The sheets of a circuit to a model's file and back, as JSON. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text/json_read.h"
#include "base/text/json_write.h"
#include "circuit/structure/sheets.h"
#include "model/file/model_file.h"

static void put_number(owi_json *json, const char *key, double number)
{
    owi_json_key(json, key);
    owi_json_number(json, number);
}

static void put_term(owi_json *json, const ow_circuit *circuit, const ow_sheet_term *term)
{
    owi_json_open_object(json, true);
    owi_json_key(json, "column");
    owi_json_integer(json, (int64_t)term->column);
    put_number(json, "factor", term->factor);
    if (term->levels != NULL) {
        owi_json_key(json, "levels");
        owi_json_open_array(json, true);
        for (size_t k = 0; k < circuit->leaves[term->column].n_levels; k++)
            owi_json_number(json, term->levels[k]);
        owi_json_close_array(json);
    } else {
        put_number(json, "centre", term->centre);
        put_number(json, "scale", term->scale);
        put_number(json, "least", term->least);
        owi_json_key(json, "log1p");
        owi_json_bool(json, term->log1p);
    }
    owi_json_close_object(json);
}

ow_status owi_sheets_format(const ow_model *model, char **text)
{
    const ow_circuit *circuit = model->circuit;
    owi_json json;
    owi_json_begin(&json, model->ctx);
    owi_json_open_array(&json, true);
    for (size_t s = 0; s < circuit->spec.n_sheets; s++) {
        const ow_sheet *sheet = &circuit->sheets[s];
        owi_json_open_object(&json, true);
        put_number(&json, "constant", sheet->constant);
        put_number(&json, "spread", sheet->spread);
        put_number(&json, "freedom", sheet->freedom);
        owi_json_key(&json, "terms");
        owi_json_open_array(&json, true);
        for (size_t i = 0; i < sheet->n_terms; i++)
            put_term(&json, circuit, &sheet->terms[i]);
        owi_json_close_array(&json);
        owi_json_close_object(&json);
    }
    owi_json_close_array(&json);
    return owi_json_end(&json, text, NULL);
}

/* ---- Reading ---- */

/* Term i of the last sheet of the list. */
static ow_status read_term(const owi_json_fields *fields, const ow_leaf *leaves,
                           size_t n_columns, owi_sheet_list *list, size_t i)
{
    ow_sheet_term *term = (ow_sheet_term *)(uintptr_t)&list->sheets[list->n - 1].terms[i];
    const json_t *levels = NULL;
    if (!json_is_object(fields->object))
        return owi_fail(OW_ERR_FORMAT, "%s: %sexpected an object", fields->file,
                        fields->where);
    OWI_TRY(owi_json_read_count(fields, "column", n_columns - 1, &term->column));
    OWI_TRY(owi_json_read_number(fields, "factor", &term->factor));
    OWI_TRY(owi_json_read_number(fields, "centre", &term->centre));
    OWI_TRY(owi_json_read_number(fields, "scale", &term->scale));
    OWI_TRY(owi_json_read_number(fields, "least", &term->least));
    OWI_TRY(owi_json_read_bool(fields, "log1p", &term->log1p));
    OWI_TRY(owi_json_read_array(fields, "levels", &levels));
    if (levels == NULL) return OW_OK;
    const size_t n = leaves[term->column].n_levels;
    if (json_array_size(levels) != n || n == 0)
        return owi_fail(OW_ERR_FORMAT, "%s: %s%zu levels, expected %zu", fields->file,
                        fields->where, json_array_size(levels), n);
    double *units = owi_sheet_list_levels(list, i, n);
    if (units == NULL) return OW_ERR_MEMORY;
    for (size_t k = 0; k < n; k++)
        OWI_TRY(
            owi_json_item_number(fields, "levels", json_array_get(levels, k), &units[k]));
    return OW_OK;
}

static ow_status read_sheet(const owi_json_fields *fields, const ow_leaf *leaves,
                            size_t n_columns, owi_sheet_list *list)
{
    const json_t *terms = NULL;
    if (!json_is_object(fields->object))
        return owi_fail(OW_ERR_FORMAT, "%s: %sexpected an object", fields->file,
                        fields->where);
    OWI_TRY(owi_json_read_array(fields, "terms", &terms));
    const size_t n = json_array_size(terms);
    if (n < 2 || n > n_columns)
        return owi_json_unexpected(fields, "terms", "two or more columns", terms);
    ow_sheet *sheet = owi_sheet_list_add(list, n);
    if (sheet == NULL) return OW_ERR_MEMORY;
    OWI_TRY(owi_json_read_number(fields, "constant", &sheet->constant));
    OWI_TRY(owi_json_read_number(fields, "spread", &sheet->spread));
    OWI_TRY(owi_json_read_number(fields, "freedom", &sheet->freedom));
    for (size_t i = 0; i < n; i++) {
        owi_json_fields of = {.file = fields->file, .object = json_array_get(terms, i)};
        snprintf(of.where, sizeof of.where, "%.100sterm %zu, ", fields->where, i + 1);
        OWI_TRY(read_term(&of, leaves, n_columns, list, i));
    }
    return OW_OK;
}

ow_status owi_model_read_sheets(const owi_safetensors *file, const ow_leaf *leaves,
                                size_t n_columns, owi_sheet_list *list)
{
    char where[160];
    const char *text;
    json_t *array = NULL;
    const json_t *metadata = json_object_get(file->header, "__metadata__");
    if (json_object_get(metadata, OWI_KEY_SHEETS) == NULL) return OW_OK;
    OWI_TRY(owi_safetensors_text(file, OWI_KEY_SHEETS, &text));
    snprintf(where, sizeof where, "%.120s, %s", file->name, OWI_KEY_SHEETS);
    OWI_TRY(owi_json_parse(text, strlen(text), where, &array));
    ow_status status = OW_OK;
    if (!json_is_array(array) || json_array_size(array) > owi_most_sheets)
        status = owi_fail(OW_ERR_FORMAT, "%s: expected an array of up to %d sheets", where,
                          (int)owi_most_sheets);
    for (size_t s = 0; status == OW_OK && s < json_array_size(array); s++) {
        owi_json_fields fields = {.file = where, .object = json_array_get(array, s)};
        snprintf(fields.where, sizeof fields.where, "sheet %zu, ", s + 1);
        status = read_sheet(&fields, leaves, n_columns, list);
    }
    json_decref(array);
    return status;
}
