/* SPDX-License-Identifier: MIT */
/* The network that decides, to a model's file and back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/text/json_read.h"
#include "base/text/json_write.h"
#include "model/file/model_file.h"

/* Weights beyond this are none that anybody has learned, and would make numbers that no
 * float holds. */
static const float largest_weight = 1e6f;
enum { most_units = 1 << 20 };

static void name_tensor(char name[owi_tensor_name_size], const char *what, size_t layer)
{
    snprintf(name, owi_tensor_name_size, "network.%s.%zu", what, layer + 1);
}

/* ---- Writing ---- */

ow_status owi_network_format(const owi_mlp *network, char **text)
{
    owi_json json;
    owi_json_begin(&json, network->ctx);
    owi_json_open_object(&json, true);
    owi_json_key(&json, "hidden");
    owi_json_open_array(&json, true);
    for (size_t l = 1; l < network->spec.n_layers; l++)
        owi_json_integer(&json, (int64_t)network->spec.sizes[l]);
    owi_json_close_array(&json);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, NULL);
}

size_t owi_network_tensors(const owi_mlp *network, owi_network_names names,
                           owi_tensor *tensors)
{
    const size_t *sizes = network->spec.sizes;
    size_t n = 0;
    tensors[n++] = (owi_tensor){
        OWI_TENSOR_NETWORK_SHIFT, OWI_TENSOR_F32, 1, {sizes[0]}, network->shift};
    tensors[n++] = (owi_tensor){
        OWI_TENSOR_NETWORK_SCALE, OWI_TENSOR_F32, 1, {sizes[0]}, network->scale};
    for (size_t l = 0; l < network->spec.n_layers; l++) {
        name_tensor(names[2 * l], "weight", l);
        name_tensor(names[2 * l + 1], "bias", l);
        tensors[n++] = (owi_tensor){
            names[2 * l], OWI_TENSOR_F32, 2, {sizes[l + 1], sizes[l]}, network->weight[l]};
        tensors[n++] = (owi_tensor){
            names[2 * l + 1], OWI_TENSOR_F32, 1, {sizes[l + 1]}, network->bias[l]};
    }
    return n;
}

/* ---- Reading ---- */

static ow_status read_hidden(const owi_safetensors *file, const char *text, size_t *hidden,
                             size_t *n_hidden)
{
    char where[160];
    json_t *object = NULL;
    const json_t *array = NULL;
    snprintf(where, sizeof where, "%.120s, %s", file->name, OWI_KEY_NETWORK);
    OWI_TRY(owi_json_parse(text, strlen(text), where, &object));
    const owi_json_fields fields = {.file = where, .object = object};
    ow_status status = json_is_object(object)
                           ? owi_json_read_array(&fields, "hidden", &array)
                           : owi_fail(OW_ERR_FORMAT, "%s: expected an object", where);
    *n_hidden = json_array_size(array);
    if (status == OW_OK && (array == NULL || *n_hidden > OW_MOST_HIDDEN))
        status = owi_fail(OW_ERR_FORMAT, "%s: %zu hidden layers, expected up to %d", where,
                          *n_hidden, OW_MOST_HIDDEN);
    for (size_t l = 0; status == OW_OK && l < *n_hidden; l++)
        status = owi_json_item_count(&fields, "hidden", most_units,
                                     json_array_get(array, l), &hidden[l]);
    json_decref(object);
    return status;
}

/* Before memory is asked for: there are as many bytes as the sizes want. */
static ow_status check_counts(const owi_safetensors *file, const owi_mlp_spec *spec)
{
    for (size_t l = 0; l < spec->n_layers; l++) {
        char name[owi_tensor_name_size];
        size_t count, wanted;
        name_tensor(name, "weight", l);
        OWI_TRY(owi_safetensors_count(file, name, OWI_TENSOR_F32, &count));
        if (!owi_size_multiply(spec->sizes[l], spec->sizes[l + 1], &wanted) ||
            count != wanted)
            return owi_fail(OW_ERR_FORMAT, "%s: %s has %zu numbers, expected %zu x %zu",
                            file->name, name, count, spec->sizes[l + 1], spec->sizes[l]);
    }
    return OW_OK;
}

static ow_status check_numbers(const owi_safetensors *file, const char *name, size_t n,
                               const float *numbers)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabsf(numbers[i]) <= largest_weight))
            return owi_fail(OW_ERR_FORMAT, "%s: number %zu of %s is %g", file->name, i + 1,
                            name, (double)numbers[i]);
    return OW_OK;
}

static ow_status read_numbers(const owi_safetensors *file, const char *name, size_t n,
                              float *numbers)
{
    OWI_TRY(owi_safetensors_read(file, name, OWI_TENSOR_F32, n, numbers));
    return check_numbers(file, name, n, numbers);
}

static ow_status read_layers(const owi_safetensors *file, owi_mlp *network)
{
    for (size_t l = 0; l < network->spec.n_layers; l++) {
        const size_t n_in = network->spec.sizes[l], n_out = network->spec.sizes[l + 1];
        char name[owi_tensor_name_size];
        name_tensor(name, "weight", l);
        OWI_TRY(read_numbers(file, name, n_out * n_in, network->weight[l]));
        name_tensor(name, "bias", l);
        OWI_TRY(read_numbers(file, name, n_out, network->bias[l]));
    }
    return OW_OK;
}

/* What x is counted from may be any number: the inputs are as large as the columns are. */
static ow_status read_inputs(const owi_safetensors *file, owi_mlp *network)
{
    const size_t n = network->spec.sizes[0];
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_NETWORK_SHIFT, OWI_TENSOR_F32, n,
                                 network->shift));
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_NETWORK_SCALE, OWI_TENSOR_F32, n,
                                 network->scale));
    for (size_t j = 0; j < n; j++)
        if (!isfinite(network->shift[j]) || !isfinite(network->scale[j]))
            return owi_fail(OW_ERR_FORMAT, "%s: shift or scale of input %zu is not finite",
                            file->name, j);
    return OW_OK;
}

ow_status owi_model_read_network(const owi_safetensors *file, ow_model *model)
{
    const json_t *metadata = json_object_get(file->header, "__metadata__");
    const char *text = json_string_value(json_object_get(metadata, OWI_KEY_NETWORK));
    size_t hidden[OW_MOST_HIDDEN], n_hidden = 0;
    owi_mlp_spec spec;
    if (text == NULL) return OW_OK;
    OWI_TRY(read_hidden(file, text, hidden, &n_hidden));
    (void)owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, model->plan.soft_width, n_hidden,
                            hidden, ow_schema_n_classes(model->schema));
    OWI_TRY(check_counts(file, &spec));
    OWI_TRY(owi_model_file_blame(file, owi_mlp_new(model->ctx, &spec, &model->network)));
    OWI_TRY(read_inputs(file, model->network));
    return read_layers(file, model->network);
}
