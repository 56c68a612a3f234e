/* SPDX-License-Identifier: MIT */
#include "models/model_json.h"

#include <math.h>

#include "models/model_summary.h"
#include "terminal/json_output.h"

static json_t *json_of_classes(const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    const double *log_prior = ow_circuit_log_prior(ow_model_circuit(model));
    json_t *classes = json_array();
    for (size_t c = 0; c < ow_schema_n_classes(schema); c++)
        json_array_append_new(classes,
                              json_pack("{s:o, s:o}", "name",
                                        json_output_text(ow_schema_class_name(schema, c)),
                                        "prior", json_output_number(exp(log_prior[c]))));
    return classes;
}

static json_t *json_of_circuit(const ow_circuit *circuit)
{
    const ow_circuit_spec *spec = ow_circuit_get_spec(circuit);
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I}", "structure",
                     spec->structure == OW_SHARED ? "shared" : "per-class", "depth",
                     (json_int_t)spec->depth, "repetitions", (json_int_t)spec->repetitions,
                     "sums", (json_int_t)spec->sums, "inputs", (json_int_t)spec->inputs,
                     "columns", (json_int_t)spec->n_columns, "variance",
                     spec->variance > 0.0 ? json_real(spec->variance)
                                          : json_string("learned"),
                     "leaf_parameters", (json_int_t)ow_circuit_n_leaf_parameters(circuit),
                     "weights", (json_int_t)ow_circuit_n_weights(circuit));
}

/* null: the circuit decides. */
static json_t *json_of_network(const ow_model *model)
{
    ow_network_size size;
    if (!ow_model_network(model, &size)) return json_null();
    json_t *hidden = json_array();
    for (size_t l = 0; l < size.n_hidden; l++)
        json_array_append_new(hidden, json_integer((json_int_t)size.hidden[l]));
    return json_pack("{s:o, s:I}", "hidden", hidden, "parameters",
                     (json_int_t)size.n_parameters);
}

/* By the name of the class that rows have, then by that which they are taken for; null
 * without rows. */
static json_t *json_of_confusion(const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    const ow_train_report report = ow_model_report(model);
    const size_t C = ow_schema_n_classes(schema);
    if (report.test.n_rows == 0) return json_null();
    json_t *confusion = json_object();
    for (size_t y = 0; y < C; y++) {
        json_t *line = json_object();
        for (size_t c = 0; c < C; c++)
            json_object_set_new(line, ow_schema_class_name(schema, c),
                                json_integer((json_int_t)report.confusion[y * C + c]));
        json_object_set_new(confusion, ow_schema_class_name(schema, y), line);
    }
    return confusion;
}

json_t *model_json(const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    const char *label = ow_schema_label(schema);
    size_t majority;
    return json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "label",
                     label != NULL ? json_output_text(label) : json_null(), "rows",
                     (json_int_t)ow_schema_n_rows(schema), "columns",
                     (json_int_t)ow_schema_n_columns(schema), "classes",
                     json_of_classes(model), "circuit",
                     json_of_circuit(ow_model_circuit(model)), "network",
                     json_of_network(model), "training",
                     json_loads(ow_model_training(model), 0, NULL), "majority_share",
                     json_output_number(model_summary_majority(model, &majority)),
                     "confusion", json_of_confusion(model));
}
