/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "model/foreign/onnx_private.h"

/* onnxruntime prints what is at least an error. */
enum { log_errors = 3 };

ow_status owi_onnx_fail(const owi_onnx *onnx, const char *what, owi_ort_status *status)
{
    const ow_status failed = owi_fail(OW_ERR_FORMAT, "%s: onnxruntime cannot %s: %s",
                                      onnx->name, what, onnx->api.error_message(status));
    onnx->api.release_status(status);
    return failed;
}

/* ---- Making one ---- */

ow_status owi_onnx_new(ow_context *ctx, const char *name, char *bytes, size_t size,
                       owi_onnx **out)
{
    *out = NULL;
    owi_onnx *onnx = owi_alloc_zeroed(ctx, sizeof *onnx);
    if (onnx == NULL) return OW_ERR_MEMORY;
    onnx->ctx = ctx;
    onnx->name = owi_copy_text(ctx, name, strlen(name));
    if (onnx->name == NULL || pthread_mutex_init(&onnx->lock, NULL) != 0) {
        owi_free(ctx, onnx->name);
        owi_free(ctx, onnx);
        return OW_ERR_MEMORY;
    }
    onnx->bytes = bytes;
    onnx->size = size;
    *out = onnx;
    return OW_OK;
}

static void free_ports(const owi_onnx *onnx, owi_onnx_port *ports, size_t n)
{
    for (size_t i = 0; ports != NULL && i < n; i++) {
        if (ports[i].name == NULL) continue;
        owi_ort_status *status = onnx->api.allocator_free(onnx->allocator, ports[i].name);
        if (status != NULL) onnx->api.release_status(status);
    }
    owi_free(onnx->ctx, ports);
}

/* What was loaded; the bytes stay. */
static void close_model(owi_onnx *onnx)
{
    free_ports(onnx, onnx->inputs, onnx->n_inputs);
    free_ports(onnx, onnx->outputs, onnx->n_outputs);
    onnx->inputs = onnx->outputs = NULL;
    if (onnx->session != NULL) onnx->api.release_session(onnx->session);
    if (onnx->env != NULL) onnx->api.release_env(onnx->env);
    onnx->session = NULL;
    onnx->env = NULL;
    onnx->is_open = false;
}

void owi_onnx_free(owi_onnx *onnx)
{
    if (onnx == NULL) return;
    close_model(onnx);
    pthread_mutex_destroy(&onnx->lock);
    owi_free(onnx->ctx, onnx->name);
    owi_free(onnx->ctx, onnx->library);
    owi_free(onnx->ctx, onnx->bytes);
    owi_free(onnx->ctx, onnx);
}

ow_status owi_onnx_set_library(owi_onnx *onnx, const char *path)
{
    char *copy = path != NULL ? owi_copy_text(onnx->ctx, path, strlen(path)) : NULL;
    if (path != NULL && copy == NULL) return OW_ERR_MEMORY;
    owi_free(onnx->ctx, onnx->library);
    onnx->library = copy;
    return OW_OK;
}

/* ---- Opening it ---- */

static ow_status read_tensor(const owi_onnx *onnx, const owi_ort_type *type,
                             owi_onnx_port *port)
{
    const owi_ort_shape *shape = NULL;
    int64_t sizes[8];
    OWI_ORT_TRY(onnx, "describe the model", onnx->api.as_tensor_type(type, &shape));
    OWI_ORT_TRY(onnx, "describe the model", onnx->api.element_type(shape, &port->type));
    OWI_ORT_TRY(onnx, "describe the model", onnx->api.rank(shape, &port->rank));
    if (port->rank == 0 || port->rank > sizeof sizes / sizeof *sizes) return OW_OK;
    OWI_ORT_TRY(onnx, "describe the model", onnx->api.dimensions(shape, sizes, port->rank));
    port->width = port->rank > 1 ? sizes[port->rank - 1] : 1;
    return OW_OK;
}

static ow_status read_port(const owi_onnx *onnx, bool is_input, size_t i,
                           owi_onnx_port *port)
{
    const owi_ort_api *api = &onnx->api;
    owi_ort_type *type = NULL;
    OWI_ORT_TRY(onnx, "name its inputs and outputs",
                (is_input ? api->input_name : api->output_name)(
                    onnx->session, i, onnx->allocator, &port->name));
    OWI_ORT_TRY(onnx, "describe the model",
                (is_input ? api->input_type : api->output_type)(onnx->session, i, &type));
    owi_ort_status *failed = api->kind_of_type(type, &port->kind);
    ow_status status = failed != NULL ? owi_onnx_fail(onnx, "describe the model", failed)
                       : port->kind == owi_ort_tensor ? read_tensor(onnx, type, port)
                                                      : OW_OK;
    api->release_type(type);
    return status;
}

static ow_status read_ports(owi_onnx *onnx)
{
    OWI_ORT_TRY(onnx, "count its inputs",
                onnx->api.count_inputs(onnx->session, &onnx->n_inputs));
    OWI_ORT_TRY(onnx, "count its outputs",
                onnx->api.count_outputs(onnx->session, &onnx->n_outputs));
    onnx->inputs = owi_alloc_array(onnx->ctx, onnx->n_inputs, sizeof *onnx->inputs);
    onnx->outputs = owi_alloc_array(onnx->ctx, onnx->n_outputs, sizeof *onnx->outputs);
    if (onnx->inputs == NULL || onnx->outputs == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < onnx->n_inputs; i++)
        OWI_TRY(read_port(onnx, true, i, &onnx->inputs[i]));
    for (size_t i = 0; i < onnx->n_outputs; i++)
        OWI_TRY(read_port(onnx, false, i, &onnx->outputs[i]));
    return OW_OK;
}

/* One thread: batches are small, and answers must not depend on the number of threads. */
static ow_status open_model(owi_onnx *onnx)
{
    owi_ort_api *api = &onnx->api;
    owi_ort_options *options = NULL;
    OWI_TRY(owi_onnx_library_load(onnx->ctx, onnx->library, api));
    OWI_ORT_TRY(onnx, "begin", api->create_env(log_errors, "otherwise", &onnx->env));
    OWI_ORT_TRY(onnx, "begin", api->default_allocator(&onnx->allocator));
    OWI_ORT_TRY(onnx, "begin", api->create_options(&options));
    owi_ort_status *failed = api->set_threads(options, 1);
    if (failed == NULL)
        failed = api->create_session(onnx->env, onnx->bytes, onnx->size, options,
                                     &onnx->session);
    api->release_options(options);
    OWI_ORT_TRY(onnx, "read the file", failed);
    return read_ports(onnx);
}

ow_status owi_onnx_match(owi_onnx *onnx, const ow_schema *schema, size_t n_scores)
{
    ow_status status = OW_OK;
    pthread_mutex_lock(&onnx->lock);
    if (!onnx->is_open) {
        status = open_model(onnx);
        if (status == OW_OK) status = owi_onnx_choose_output(onnx, n_scores);
        if (status == OW_OK)
            onnx->is_open = true;
        else
            close_model(onnx);
    }
    pthread_mutex_unlock(&onnx->lock);
    return status == OW_OK ? owi_onnx_match_inputs(onnx, schema) : status;
}

/* ---- Asking ---- */

static ow_status run(const owi_onnx *onnx, const ow_schema *schema, size_t n,
                     const double *values, size_t which, owi_ort_value **inputs,
                     owi_ort_value **output)
{
    const char *names[256];
    const char *wanted[] = {onnx->outputs[which].name};
    if (onnx->n_inputs > sizeof names / sizeof *names)
        return owi_fail(OW_ERR_UNSUPPORTED, "%s has more than 256 inputs", onnx->name);
    for (size_t i = 0; i < onnx->n_inputs; i++) {
        names[i] = onnx->inputs[i].name;
        OWI_TRY(owi_onnx_make_input(onnx, schema, i, n, values, &inputs[i]));
    }
    OWI_ORT_TRY(onnx, "evaluate the model",
                onnx->api.run(onnx->session, NULL, names,
                              (const owi_ort_value *const *)inputs, onnx->n_inputs, wanted,
                              1, output));
    return OW_OK;
}

ow_status owi_onnx_run(const owi_call *call, const owi_onnx *onnx, const ow_schema *schema,
                       size_t n, const double *values, size_t which, owi_ort_value **output)
{
    OWI_TRY(owi_call_tick(call));
    owi_ort_value **inputs = owi_alloc_array(onnx->ctx, onnx->n_inputs, sizeof *inputs);
    if (inputs == NULL) return OW_ERR_MEMORY;
    const ow_status status = run(onnx, schema, n, values, which, inputs, output);
    for (size_t i = 0; i < onnx->n_inputs; i++)
        if (inputs[i] != NULL) onnx->api.release_value(inputs[i]);
    owi_free(onnx->ctx, inputs);
    return status;
}

ow_status owi_onnx_ask(const owi_call *call, owi_onnx *onnx, const ow_schema *schema,
                       size_t n, const double *values, size_t n_scores, bool are_proba,
                       double *scores)
{
    owi_ort_value *output = NULL;
    OWI_TRY(owi_onnx_run(call, onnx, schema, n, values, onnx->scores, &output));
    const ow_status status =
        owi_onnx_read_scores(onnx, output, n, n_scores, are_proba, scores);
    onnx->api.release_value(output);
    return status;
}
