/* SPDX-License-Identifier: MIT */
/* The classes that an ONNX model names beside its probabilities. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "model/foreign/onnx_private.h"

/* The output of texts or whole numbers, one for each row; SIZE_MAX: there is none. */
static size_t find_output(const owi_onnx *onnx)
{
    for (size_t i = 0; i < onnx->n_outputs; i++) {
        const owi_onnx_port *port = &onnx->outputs[i];
        if (port->kind == owi_ort_tensor && port->rank <= 2 && port->width <= 1 &&
            (port->type == owi_ort_string || port->type == owi_ort_int64))
            return i;
    }
    return SIZE_MAX;
}

static ow_status allocate(const owi_onnx *onnx, size_t n, size_t n_bytes,
                          owi_onnx_labels *labels)
{
    labels->bytes = owi_alloc_array(onnx->ctx, n_bytes + n, 1);
    labels->texts = owi_alloc_array(onnx->ctx, n, sizeof *labels->texts);
    return labels->bytes != NULL && labels->texts != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* Texts lie one after the other, without an end between them. */
static ow_status read_texts(const owi_onnx *onnx, const owi_ort_value *tensor, size_t n,
                            owi_onnx_labels *labels)
{
    size_t size = 0;
    OWI_ORT_TRY(onnx, "name classes", onnx->api.strings_size(tensor, &size));
    OWI_TRY(allocate(onnx, n, size, labels));
    size_t *start = owi_alloc_array(onnx->ctx, n, sizeof *start);
    char *packed = owi_alloc_array(onnx->ctx, size + 1, 1);
    ow_status status = start != NULL && packed != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) {
        owi_ort_status *failed = onnx->api.read_strings(tensor, packed, size, start, n);
        if (failed != NULL) status = owi_onnx_fail(onnx, "name classes", failed);
    }
    char *at = labels->bytes;
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const size_t length = (i + 1 < n ? start[i + 1] : size) - start[i];
        memcpy(at, packed + start[i], length);
        at[length] = '\0';
        labels->texts[i] = at;
        at += length + 1;
    }
    owi_free(onnx->ctx, start);
    owi_free(onnx->ctx, packed);
    return status;
}

static ow_status read_numbers(const owi_onnx *onnx, owi_ort_value *tensor, size_t n,
                              owi_onnx_labels *labels)
{
    enum { number_size = 24 };
    void *data = NULL;
    OWI_ORT_TRY(onnx, "name classes", onnx->api.tensor_data(tensor, &data));
    OWI_TRY(allocate(onnx, n, n * number_size, labels));
    for (size_t i = 0; i < n; i++) {
        labels->texts[i] = labels->bytes + i * number_size;
        snprintf(labels->texts[i], number_size, "%lld",
                 (long long)((const int64_t *)data)[i]);
    }
    return OW_OK;
}

static ow_status read_labels(const owi_onnx *onnx, owi_ort_value *tensor, int type,
                             size_t n, owi_onnx_labels *labels)
{
    owi_ort_shape *shape = NULL;
    size_t got = 0;
    OWI_ORT_TRY(onnx, "name classes", onnx->api.shape_of(tensor, &shape));
    owi_ort_status *failed = onnx->api.count_elements(shape, &got);
    onnx->api.release_shape(shape);
    OWI_ORT_TRY(onnx, "name classes", failed);
    if (got != n) return OW_OK; /* something else */
    return type == owi_ort_string ? read_texts(onnx, tensor, n, labels)
                                  : read_numbers(onnx, tensor, n, labels);
}

ow_status owi_onnx_ask_labels(const owi_call *call, owi_onnx *onnx, const ow_schema *schema,
                              size_t n, const double *values, owi_onnx_labels *labels)
{
    owi_ort_value *output = NULL;
    const size_t which = find_output(onnx);
    *labels = (owi_onnx_labels){.ctx = onnx->ctx};
    if (which == SIZE_MAX || n == 0) return OW_OK;
    OWI_TRY(owi_onnx_run(call, onnx, schema, n, values, which, &output));
    const ow_status status =
        read_labels(onnx, output, onnx->outputs[which].type, n, labels);
    onnx->api.release_value(output);
    return status;
}

void owi_onnx_labels_clear(owi_onnx_labels *labels)
{
    owi_free(labels->ctx, labels->texts);
    owi_free(labels->ctx, labels->bytes);
    labels->texts = NULL;
    labels->bytes = NULL;
}
