/* SPDX-License-Identifier: MIT */
/* A model around a circuit that came as JSON: its columns are numbers x0, x1, ... as they
 * are, its classes 0, 1, ...  It has seen no rows, so ranges and spreads are those of its
 * own leaves. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/json_write.h"
#include "model/model_private.h"

/* Range and spread of one column over all components: within three deviations of some
 * mean. */
typedef struct {
    double low, high, sum, square, n;
} spread;

static void look_at_leaves(const ow_circuit *circuit, spread *columns)
{
    const size_t I = circuit->spec.inputs;
    for (size_t j = 0; j < circuit->spec.n_columns; j++)
        columns[j] = (spread){.low = INFINITY, .high = -INFINITY};
    for (size_t r = 0; r < circuit->regions.n_regions; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        for (size_t i = 0; i < I * width; i += 2) { /* mean and variance in turn */
            spread *s =
                &columns[circuit->features[circuit->scope[start + i % width]].column];
            const double mean = (double)circuit->leaf[I * start + i];
            const double variance = (double)circuit->leaf[I * start + i + 1];
            s->low = fmin(s->low, mean - 3.0 * sqrt(variance));
            s->high = fmax(s->high, mean + 3.0 * sqrt(variance));
            s->sum += mean;
            s->square += mean * mean + variance;
            s->n += 1.0;
        }
    }
}

static ow_status format_schema(const ow_circuit *circuit, const spread *columns,
                               char **text)
{
    owi_json json;
    char name[32];
    owi_json_begin(&json, circuit->ctx);
    owi_json_open_object(&json, true);
    owi_json_key(&json, "schema_version");
    owi_json_text(&json, "1.0");
    owi_json_key(&json, "label");
    owi_json_open_object(&json, true);
    owi_json_key(&json, "name");
    owi_json_text(&json, "class");
    owi_json_key(&json, "classes");
    owi_json_open_array(&json, true);
    for (size_t c = 0; c < circuit->spec.n_classes; c++) {
        snprintf(name, sizeof name, "%zu", c);
        owi_json_text(&json, name);
    }
    owi_json_close_array(&json);
    owi_json_close_object(&json);
    owi_json_key(&json, "columns");
    owi_json_open_array(&json, true);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        const double mean = columns[j].sum / columns[j].n;
        const double variance = columns[j].square / columns[j].n - mean * mean;
        snprintf(name, sizeof name, "x%zu", j);
        owi_json_open_object(&json, true);
        owi_json_key(&json, "name");
        owi_json_text(&json, name);
        owi_json_key(&json, "type");
        owi_json_text(&json, "continuous");
        owi_json_key(&json, "range");
        owi_json_open_array(&json, true);
        owi_json_number(&json, columns[j].low);
        owi_json_number(&json, columns[j].high);
        owi_json_close_array(&json);
        owi_json_key(&json, "mean");
        owi_json_number(&json, mean);
        owi_json_key(&json, "deviation");
        owi_json_number(&json, variance > 0.0 ? sqrt(variance) : 1.0);
        owi_json_key(&json, "scaling");
        owi_json_text(&json, "none");
        owi_json_close_object(&json);
    }
    owi_json_close_array(&json);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, NULL);
}

/* The schema, the plan and the samples around a circuit, which the model owns from the
 * start. */
static ow_status wrap(const owi_call *call, ow_circuit *circuit, ow_model **out)
{
    ow_context *ctx = circuit->ctx;
    ow_schema *schema = NULL;
    char *text = NULL;
    spread *columns = owi_alloc_array(ctx, circuit->spec.n_columns, sizeof *columns);
    ow_status status = columns != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) {
        look_at_leaves(circuit, columns);
        status = format_schema(circuit, columns, &text);
    }
    size_t size = 0;
    while (status == OW_OK && text[size] != '\0') size++;
    if (status == OW_OK)
        status = ow_schema_parse(ctx, text, size, "imported circuit", &schema);
    if (status == OW_OK) status = owi_model_new(schema, ctx, out);
    if (status == OW_OK) {
        (*out)->circuit = circuit;
        owi_plan_finish(&(*out)->plan); /* all numbers, as they are */
        for (size_t j = 0; j < circuit->spec.n_columns; j++)
            (*out)->columns[j] =
                (ow_column_figures){.low = columns[j].low, .high = columns[j].high};
        status = owi_model_set_samples(call, *out, NULL);
    } else {
        ow_circuit_free(circuit);
    }
    owi_free(ctx, columns);
    ow_bytes_free(text);
    return status;
}

ow_status ow_model_import(ow_context *ctx, const char *path, const ow_call *call,
                          ow_model **out)
{
    owi_call own;
    ow_circuit *circuit = NULL;
    OWI_REQUIRE(ctx != NULL && path != NULL && out != NULL);
    *out = NULL;
    OWI_TRY(owi_call_begin(&own, ctx, call));
    OWI_TRY(owi_circuit_import(&own, path, &circuit));
    if (circuit->spec.n_classes < 2) {
        ow_circuit_free(circuit);
        return owi_fail(OW_ERR_SCHEMA, "%s: one class; a model needs at least two", path);
    }
    const ow_status status = wrap(&own, circuit, out);
    if (status != OW_OK) {
        ow_model_free(*out);
        *out = NULL;
    }
    return status;
}
