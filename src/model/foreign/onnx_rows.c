/* SPDX-License-Identifier: MIT */
/* Rows of a table as inputs of an ONNX model. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "model/foreign/onnx_private.h"

static const char *type_name(int type)
{
    switch (type) {
    case owi_ort_float:
        return "numbers (float)";
    case owi_ort_double:
        return "numbers (double)";
    case owi_ort_int64:
        return "whole numbers (int64)";
    case owi_ort_int32:
        return "whole numbers (int32)";
    case owi_ort_string:
        return "texts";
    case owi_ort_bool:
        return "0 or 1 (bool)";
    default:
        return "a type that tables have not";
    }
}

/* Whether one tensor has all columns. */
static bool is_matrix(const owi_onnx *onnx, const ow_schema *schema)
{
    size_t column;
    return onnx->n_inputs == 1 && onnx->inputs[0].kind == owi_ort_tensor &&
           (onnx->inputs[0].width != 1 ||
            ow_schema_find_column(schema, onnx->inputs[0].name, &column) != OW_OK);
}

static bool is_number_type(int type)
{
    return type == owi_ort_float || type == owi_ort_double || type == owi_ort_int64 ||
           type == owi_ort_int32 || type == owi_ort_bool;
}

/* What a level is as a number: itself, where all levels are numbers. */
static bool level_number(const ow_column *column, size_t level, double *number)
{
    const char *text = column->levels[level];
    return owi_parse_number(text, strlen(text), number, NULL);
}

static bool are_numbers(const ow_column *column)
{
    double number;
    for (size_t k = 0; k < column->n_levels; k++)
        if (!level_number(column, k, &number)) return false;
    return true;
}

/* Whether an input can have the values of a column. */
static ow_status match_type(const owi_onnx *onnx, const owi_onnx_port *port,
                            const ow_column *column)
{
    char name[owi_quote_size];
    const bool fits =
        port->type == owi_ort_string || (is_number_type(port->type) && are_numbers(column));
    if (fits) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "column %s is a %s in the table; %s wants %s there",
                    owi_quote_text(column->name, name),
                    column->n_levels > 0 ? "category" : "number", onnx->name,
                    type_name(port->type));
}

static ow_status match_matrix(const owi_onnx *onnx, const ow_schema *schema)
{
    const size_t n = ow_schema_n_columns(schema);
    const owi_onnx_port *port = &onnx->inputs[0];
    if (port->rank != 2)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "the input of %s has %zu dimensions, expected rows and columns",
                        onnx->name, port->rank);
    if (port->width > 0 && (size_t)port->width != n)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%s has one input of %zu columns; the table has %zu columns that "
                        "the model would read (--drop leaves columns out)",
                        onnx->name, (size_t)port->width, n);
    for (size_t j = 0; j < n; j++)
        OWI_TRY(match_type(onnx, port, ow_schema_column(schema, j)));
    return OW_OK;
}

ow_status owi_onnx_match_inputs(const owi_onnx *onnx, const ow_schema *schema)
{
    char name[owi_quote_size];
    if (is_matrix(onnx, schema)) return match_matrix(onnx, schema);
    for (size_t i = 0; i < onnx->n_inputs; i++) {
        const owi_onnx_port *port = &onnx->inputs[i];
        size_t column;
        owi_quote_text(port->name, name);
        if (ow_schema_find_column(schema, port->name, &column) != OW_OK)
            return owi_fail(OW_ERR_ARGUMENT,
                            "%s has an input %s, the table has no such column", onnx->name,
                            name);
        if (port->kind != owi_ort_tensor || port->width > 1 || port->rank > 2)
            return owi_fail(OW_ERR_UNSUPPORTED,
                            "input %s of %s is not one value for each row", name,
                            onnx->name);
        OWI_TRY(match_type(onnx, port, ow_schema_column(schema, column)));
    }
    return OW_OK;
}

/* ---- Values ---- */

/* A value as a number of the model. */
static ow_status number_of(const ow_column *column, double value, int type, double *number)
{
    char name[owi_quote_size];
    *number = value;
    if (!isnan(value) && column->n_levels > 0)
        (void)level_number(column, (size_t)value, number);
    if (type == owi_ort_float || type == owi_ort_double) return OW_OK;
    if (isnan(*number))
        return owi_fail(OW_ERR_ARGUMENT,
                        "column %s has a missing value, which the model's whole numbers "
                        "cannot be",
                        owi_quote_text(column->name, name));
    /* 2^53: beyond it doubles have no longer all whole numbers. */
    const double most = type == owi_ort_bool    ? 1.0
                        : type == owi_ort_int32 ? 2147483647.0
                                                : 9007199254740992.0;
    if (*number == floor(*number) && fabs(*number) <= most &&
        (type != owi_ort_bool || *number >= 0.0))
        return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "column %s has the value %.10g; the model wants %s",
                    owi_quote_text(column->name, name), *number, type_name(type));
}

static void store(void *data, size_t at, int type, double number)
{
    if (type == owi_ort_float)
        ((float *)data)[at] = (float)number;
    else if (type == owi_ort_double)
        ((double *)data)[at] = number;
    else if (type == owi_ort_int64)
        ((int64_t *)data)[at] = (int64_t)number;
    else if (type == owi_ort_int32)
        ((int32_t *)data)[at] = (int32_t)number;
    else
        ((bool *)data)[at] = number != 0.0;
}

/* Columns first to first + width - 1 of n rows. */
static ow_status fill_numbers(const owi_onnx *onnx, const ow_schema *schema, size_t first,
                              size_t width, int type, size_t n, const double *values,
                              owi_ort_value *tensor)
{
    const size_t n_columns = ow_schema_n_columns(schema);
    void *data = NULL;
    OWI_ORT_TRY(onnx, "take the rows", onnx->api.tensor_data(tensor, &data));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++) {
            const ow_column *column = ow_schema_column(schema, first + k);
            double number;
            OWI_TRY(number_of(column, values[i * n_columns + first + k], type, &number));
            store(data, i * width + k, type, number);
        }
    return OW_OK;
}

static ow_status fill_texts(const owi_onnx *onnx, const ow_schema *schema, size_t first,
                            size_t width, size_t n, const double *values,
                            owi_ort_value *tensor)
{
    const size_t n_columns = ow_schema_n_columns(schema), all = n * width;
    const char **texts = owi_alloc_array(onnx->ctx, all, sizeof *texts);
    char *numbers = owi_alloc_array(onnx->ctx, all, owi_number_size);
    ow_status status = texts != NULL && numbers != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t i = 0; i < all && status == OW_OK; i++) {
        const size_t j = first + i % width;
        const double value = values[i / width * n_columns + j];
        const ow_column *column = ow_schema_column(schema, j);
        texts[i] = numbers + i * owi_number_size;
        if (isnan(value)) continue; /* "" */
        if (column->n_levels > 0)
            texts[i] = column->levels[(size_t)value];
        else
            (void)owi_print_number(value, numbers + i * owi_number_size);
    }
    if (status == OW_OK) {
        owi_ort_status *failed = onnx->api.fill_strings(tensor, texts, all);
        if (failed != NULL) status = owi_onnx_fail(onnx, "take the rows", failed);
    }
    owi_free(onnx->ctx, texts);
    owi_free(onnx->ctx, numbers);
    return status;
}

ow_status owi_onnx_make_input(const owi_onnx *onnx, const ow_schema *schema, size_t i,
                              size_t n, const double *values, owi_ort_value **out)
{
    const owi_onnx_port *port = &onnx->inputs[i];
    size_t first = 0, width = ow_schema_n_columns(schema);
    if (!is_matrix(onnx, schema)) {
        width = 1;
        OWI_TRY(ow_schema_find_column(schema, port->name, &first));
    }
    const int64_t shape[] = {(int64_t)n, (int64_t)width};
    OWI_ORT_TRY(onnx, "take the rows",
                onnx->api.create_tensor(onnx->allocator, shape, port->rank == 1 ? 1 : 2,
                                        port->type, out));
    return port->type == owi_ort_string
               ? fill_texts(onnx, schema, first, width, n, values, *out)
               : fill_numbers(onnx, schema, first, width, port->type, n, values, *out);
}
