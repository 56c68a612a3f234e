/* SPDX-License-Identifier: MIT */
/* Probabilities, or a number, from what an ONNX model gives. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/quote.h"
#include "model/foreign/onnx_private.h"

/* How far the probabilities of a row may sum to from 1. */
static const double most_excess = 1e-3;

static bool is_floating(const owi_onnx_port *port)
{
    return port->kind == owi_ort_tensor &&
           (port->type == owi_ort_float || port->type == owi_ort_double);
}

/* An output of as many numbers as there are classes, or maps from classes to numbers; one
 * called probabilities before others. */
ow_status owi_onnx_choose_output(owi_onnx *onnx, size_t n_scores)
{
    onnx->scores = SIZE_MAX;
    for (size_t i = 0; i < onnx->n_outputs; i++) {
        const owi_onnx_port *port = &onnx->outputs[i];
        const bool fits = port->kind == owi_ort_sequence ||
                          (is_floating(port) && port->rank <= 2 &&
                           (port->width <= 1 || (size_t)port->width == n_scores));
        if (!fits) continue;
        if (onnx->scores == SIZE_MAX || strstr(port->name, "prob") != NULL)
            onnx->scores = i;
    }
    if (onnx->scores != SIZE_MAX) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT,
                    n_scores == 1 ? "%s has no output of one number for each row"
                                  : "%s has no output of probabilities for the %zu classes "
                                    "of the table",
                    onnx->name, n_scores);
}

/* Elements of a tensor of floats or doubles, at most `most`; their number, of all, into *n.
 */
static ow_status read_numbers(const owi_onnx *onnx, owi_ort_value *tensor, size_t most,
                              double *numbers, size_t *n)
{
    const owi_ort_api *api = &onnx->api;
    owi_ort_shape *shape = NULL;
    void *data = NULL;
    int type = 0;
    OWI_ORT_TRY(onnx, "give its answer", api->shape_of(tensor, &shape));
    owi_ort_status *failed = api->element_type(shape, &type);
    if (failed == NULL) failed = api->count_elements(shape, n);
    if (failed == NULL) failed = api->tensor_data(tensor, &data);
    api->release_shape(shape);
    OWI_ORT_TRY(onnx, "give its answer", failed);
    if (type != owi_ort_float && type != owi_ort_double)
        return owi_fail(OW_ERR_FORMAT, "%s: its answer is of a type that is no number",
                        onnx->name);
    for (size_t i = 0; i < *n && i < most; i++)
        numbers[i] = type == owi_ort_float ? (double)((const float *)data)[i]
                                           : ((const double *)data)[i];
    return OW_OK;
}

static ow_status wrong_count(const owi_onnx *onnx, size_t n, size_t got, size_t n_scores)
{
    return owi_fail(OW_ERR_ARGUMENT,
                    "%s gives %zu numbers for %zu row%s, expected %zu for each row",
                    onnx->name, got, n, n == 1 ? "" : "s", n_scores);
}

/* Of two probabilities the second may stand alone. */
static ow_status read_tensor(const owi_onnx *onnx, const owi_ort_value *output, size_t n,
                             size_t n_scores, bool are_proba, double *scores)
{
    size_t got;
    owi_ort_value *tensor = (owi_ort_value *)(size_t)output;
    OWI_TRY(read_numbers(onnx, tensor, n * n_scores, scores, &got));
    if (got == n * n_scores) return OW_OK;
    if (got != n || n_scores != 2 || !are_proba) return wrong_count(onnx, n, got, n_scores);
    for (size_t i = n; i-- > 0;) {
        const double p = scores[i];
        scores[2 * i] = 1.0 - p;
        scores[2 * i + 1] = p;
    }
    return OW_OK;
}

/* The values of a map, in the order of its keys. */
static ow_status read_map(const owi_onnx *onnx, const owi_ort_value *map, size_t n_scores,
                          double *scores)
{
    owi_ort_value *values = NULL;
    size_t got = 0;
    OWI_ORT_TRY(onnx, "give its answer",
                onnx->api.get_value(map, 1, onnx->allocator, &values));
    const ow_status status = read_numbers(onnx, values, n_scores, scores, &got);
    onnx->api.release_value(values);
    OWI_TRY(status);
    return got == n_scores ? OW_OK : wrong_count(onnx, 1, got, n_scores);
}

static ow_status read_sequence(const owi_onnx *onnx, const owi_ort_value *output, size_t n,
                               size_t n_scores, double *scores)
{
    size_t got = 0;
    OWI_ORT_TRY(onnx, "give its answer", onnx->api.count_values(output, &got));
    if (got != n) return wrong_count(onnx, n, got, n_scores);
    for (size_t i = 0; i < n; i++) {
        owi_ort_value *map = NULL;
        OWI_ORT_TRY(onnx, "give its answer",
                    onnx->api.get_value(output, (int)i, onnx->allocator, &map));
        const ow_status status = read_map(onnx, map, n_scores, scores + i * n_scores);
        onnx->api.release_value(map);
        OWI_TRY(status);
    }
    return OW_OK;
}

static ow_status check_proba(const owi_onnx *onnx, size_t n, size_t C, const double *proba)
{
    char name[owi_quote_size];
    owi_quote_text(onnx->outputs[onnx->scores].name, name);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t c = 0; c < C; c++) {
            const double p = proba[i * C + c];
            sum += p;
            if (p >= -most_excess && p <= 1.0 + most_excess) continue;
            return owi_fail(OW_ERR_NUMERIC,
                            "output %s of %s is no probability: got %.6g; a model that "
                            "predicts a number needs a limit that divides it (train "
                            "--target 'NAME>=NUMBER')",
                            name, onnx->name, p);
        }
        if (fabs(sum - 1.0) <= most_excess) continue;
        return owi_fail(OW_ERR_NUMERIC,
                        "output %s of %s is no probability: its numbers for a row sum to "
                        "%.6g, expected 1",
                        name, onnx->name, sum);
    }
    return OW_OK;
}

ow_status owi_onnx_read_scores(const owi_onnx *onnx, const owi_ort_value *output, size_t n,
                               size_t n_scores, bool are_proba, double *scores)
{
    if (onnx->outputs[onnx->scores].kind == owi_ort_sequence)
        OWI_TRY(read_sequence(onnx, output, n, n_scores, scores));
    else
        OWI_TRY(read_tensor(onnx, output, n, n_scores, are_proba, scores));
    if (are_proba) return check_proba(onnx, n, n_scores, scores);
    for (size_t i = 0; i < n * n_scores; i++)
        if (!isfinite(scores[i]))
            return owi_fail(OW_ERR_NUMERIC, "%s gives a score that is no number",
                            onnx->name);
    return OW_OK;
}
