/* SPDX-License-Identifier: MIT */
/* A model from its file.  Nothing in the file is believed: every size is compared with the
 * bytes that are there before it is used, every parameter must be one that a circuit can
 * have. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/json_read.h"
#include "model/file/model_file.h"
#include "model/file/training_text.h"

static const size_t most_bytes = (size_t)1 << 34;
enum { most_size = 1 << 28 };

ow_status owi_model_file_blame(const owi_safetensors *file, ow_status status)
{
    return owi_blame_file(status, file->name);
}

/* ---- Texts ---- */

static ow_status check_version(const owi_safetensors *file)
{
    const char *format, *version;
    const json_t *metadata = json_object_get(file->header, "__metadata__");
    format = json_string_value(json_object_get(metadata, OWI_KEY_FORMAT));
    if (format == NULL || strcmp(format, OWI_MODEL_FORMAT) != 0)
        return owi_fail(OW_ERR_FORMAT, "%s: a tensor file, but not a model of otherwise",
                        file->name);
    OWI_TRY(owi_safetensors_text(file, OWI_KEY_VERSION, &version));
    char *end;
    const long number = strtol(version, &end, 10);
    if (end == version || *end != '\0' || number < 1)
        return owi_fail(OW_ERR_FORMAT, "%s: its format version is \"%.20s\", not a number",
                        file->name, version);
    if (number > OWI_MODEL_VERSION)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: written in format %ld; this version reads up to format %d: "
                        "use a newer otherwise",
                        file->name, number, OWI_MODEL_VERSION);
    return OW_OK;
}

/* JSON within a metadata text; messages name the key too. */
static ow_status parse_text(const owi_safetensors *file, const char *key, char where[160],
                            json_t **out)
{
    const char *text;
    OWI_TRY(owi_safetensors_text(file, key, &text));
    snprintf(where, 160, "%.120s, %s", file->name, key);
    return owi_json_parse(text, strlen(text), where, out);
}

/* Where the tails of a number begin; files of versions before 0.3 have none. */
static ow_status read_tails(const owi_json_fields *fields, owi_column_plan *column)
{
    const json_t *ends = NULL;
    OWI_TRY(owi_json_read_array(fields, "tails", &ends));
    if (ends == NULL) return OW_OK;
    if (json_array_size(ends) != 2)
        return owi_json_unexpected(fields, "tails", "two numbers", ends);
    OWI_TRY(owi_json_item_number(fields, "tails", json_array_get(ends, 0), &column->low));
    return owi_json_item_number(fields, "tails", json_array_get(ends, 1), &column->high);
}

static ow_status read_column_plan(const owi_json_fields *fields, owi_column_plan *column,
                                  size_t n_levels, ow_context *ctx)
{
    const json_t *values = NULL;
    int kind = 0;
    OWI_TRY(owi_json_read_choice(fields, "kind", owi_plan_kind_name, &kind));
    OWI_TRY(owi_json_read_number(fields, "log_cell", &column->log_cell));
    OWI_TRY(read_tails(fields, column));
    OWI_TRY(owi_json_read_array(fields, "values", &values));
    column->kind = (owi_plan_kind)kind;
    const bool needs_values = kind == OWI_PLAN_VALUES || kind == OWI_PLAN_MASSES;
    const bool needs_levels = kind == OWI_PLAN_LEVELS || kind == OWI_PLAN_ONE_HOT;
    if (needs_levels != (n_levels > 0) || needs_values != (json_array_size(values) > 0))
        return owi_fail(OW_ERR_FORMAT, "%s: %sits kind does not fit its type", fields->file,
                        fields->where);
    column->values = owi_alloc_array(ctx, json_array_size(values), sizeof *column->values);
    if (column->values == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < json_array_size(values); i++) {
        OWI_TRY(owi_json_item_number(fields, "values", json_array_get(values, i),
                                     &column->values[i]));
        column->n_values = i + 1;
        if (i > 0 && !(column->values[i] > column->values[i - 1]))
            return owi_fail(OW_ERR_FORMAT, "%s: %sits values are not ascending",
                            fields->file, fields->where);
    }
    return OW_OK;
}

static ow_status read_encoding(const owi_safetensors *file, ow_model *model)
{
    char where[160];
    json_t *array = NULL;
    OWI_TRY(parse_text(file, OWI_KEY_ENCODING, where, &array));
    ow_status status = OW_OK;
    if (!json_is_array(array) || json_array_size(array) != model->plan.n_columns)
        status = owi_fail(OW_ERR_FORMAT, "%s: %zu columns, expected %zu", where,
                          json_array_size(array), model->plan.n_columns);
    for (size_t j = 0; j < model->plan.n_columns && status == OW_OK; j++) {
        const ow_column *column = ow_schema_column(model->schema, j);
        owi_json_fields fields = {.file = where, .object = json_array_get(array, j)};
        snprintf(fields.where, sizeof fields.where, "column \"%.100s\", ", column->name);
        status =
            json_is_object(fields.object)
                ? read_column_plan(&fields, &model->plan.columns[j], column->n_levels,
                                   model->ctx)
                : owi_fail(OW_ERR_FORMAT, "%s: %sexpected an object", where, fields.where);
    }
    json_decref(array);
    if (status == OW_OK) owi_plan_finish(&model->plan);
    return status;
}

static const char *structure_name(int i)
{
    static const char *const names[] = {"per-class", "shared"};
    return i >= 0 && i < 2 ? names[i] : NULL;
}

static ow_status read_spec(const owi_safetensors *file, ow_circuit_spec *spec)
{
    char where[160];
    json_t *object = NULL;
    int structure = 0;
    OWI_TRY(parse_text(file, OWI_KEY_CIRCUIT, where, &object));
    const owi_json_fields fields = {.file = where, .object = object};
    ow_status status = OW_OK;
    if (!json_is_object(object))
        status = owi_fail(OW_ERR_FORMAT, "%s: expected an object", where);
    if (status == OW_OK)
        status = owi_json_read_choice(&fields, "structure", structure_name, &structure);
    if (status == OW_OK) status = owi_json_read_count(&fields, "depth", 31, &spec->depth);
    if (status == OW_OK)
        status = owi_json_read_count(&fields, "repetitions", most_size, &spec->repetitions);
    if (status == OW_OK)
        status = owi_json_read_count(&fields, "sums", most_size, &spec->sums);
    if (status == OW_OK)
        status = owi_json_read_count(&fields, "inputs", most_size, &spec->inputs);
    if (status == OW_OK)
        status = owi_json_read_count(&fields, "classes", most_size, &spec->n_classes);
    if (status == OW_OK)
        status = owi_json_read_count(&fields, "columns", most_size, &spec->n_columns);
    if (status == OW_OK)
        status = owi_json_read_number(&fields, "variance", &spec->variance);
    if (status == OW_OK && (spec->repetitions == 0 || spec->inputs == 0 ||
                            spec->n_classes == 0 || !(spec->variance >= 0.0)))
        status = owi_fail(OW_ERR_FORMAT, "%s: a size or the variance is missing", where);
    spec->structure = (ow_structure)structure;
    json_decref(object);
    return status;
}

/* ---- Circuit ---- */

/* In doubles, so that nothing overflows. */
ow_status owi_model_file_check_sizes(const owi_safetensors *file,
                                     const ow_circuit_spec *spec)
{
    size_t n_start, n_columns, n_leaf, n_weights;
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_START, OWI_TENSOR_U32, &n_start));
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_COLUMNS, OWI_TENSOR_U32, &n_columns));
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_LEAF, OWI_TENSOR_F32, &n_leaf));
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_WEIGHT, OWI_TENSOR_F32, &n_weights));
    const owi_circuit_counts n = owi_circuit_count(spec);
    if ((double)n_start == n.leaf_regions + 1.0 &&
        (double)n_columns == n.repetitions * (double)spec->n_columns &&
        (double)n_weights == n.weights && (double)n_leaf == n.leaf)
        return OW_OK;
    return owi_fail(
        OW_ERR_FORMAT,
        "%s: the circuit's tensors have not the sizes that its structure asks for",
        file->name);
}

static ow_status read_regions(const owi_safetensors *file, ow_circuit *circuit)
{
    owi_region_graph *regions = &circuit->regions;
    const size_t n_regions = regions->n_copies * regions->n_regions;
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_START, OWI_TENSOR_U32, n_regions + 1,
                                 regions->start));
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_COLUMNS, OWI_TENSOR_U32,
                                 regions->n_copies * circuit->spec.repetitions *
                                     circuit->spec.n_columns,
                                 regions->columns));
    return owi_model_file_blame(file, owi_region_graph_check(regions, circuit->ctx,
                                                             &circuit->spec));
}

/* A circuit of halves as the file has it, its parameters not read yet. */
static ow_status read_halves(const owi_safetensors *file, ow_context *ctx,
                             const ow_circuit_spec *spec, ow_circuit **out)
{
    OWI_TRY(owi_model_file_check_sizes(file, spec));
    OWI_TRY(owi_model_file_blame(file, owi_circuit_alloc(ctx, spec, out)));
    OWI_TRY(read_regions(file, *out));
    return owi_circuit_finish(*out);
}

/* The structure of the circuit, with the plan's leaves. */
static ow_status read_structure(const owi_safetensors *file, ow_model *model,
                                ow_circuit_spec *spec)
{
    const owi_plan *plan = &model->plan;
    const bool trees = owi_safetensors_has(file, OWI_TENSOR_PARENTS);
    size_t n_parents = 0;
    if (trees)
        OWI_TRY(
            owi_safetensors_count(file, OWI_TENSOR_PARENTS, OWI_TENSOR_U32, &n_parents));
    /* Halves come from the file, so that groups matter no more.  A tree has a region for
     * each group: as many as columns of the circuit, or as the schema has columns. */
    const bool split = !trees || n_parents / spec->repetitions == plan->width;
    ow_leaf *leaves = owi_alloc_array(model->ctx, plan->width, sizeof *leaves);
    float *masses = owi_alloc_array(model->ctx, owi_plan_n_masses(plan), sizeof *masses);
    owi_sheet_list sheets = {.ctx = model->ctx};
    ow_status status = OW_ERR_MEMORY;
    if (leaves != NULL && masses != NULL) {
        owi_plan_leaves(plan, split, leaves, masses);
        spec->leaves = leaves;
        status = owi_model_read_sheets(file, leaves, plan->width, &sheets);
    }
    if (status == OW_OK) {
        owi_sheet_list_use(&sheets, spec, leaves);
        status = trees ? owi_model_read_trees(file, model->ctx, spec, &model->circuit)
                       : read_halves(file, model->ctx, spec, &model->circuit);
    }
    owi_sheet_list_clear(&sheets);
    owi_free(model->ctx, leaves);
    owi_free(model->ctx, masses);
    return status;
}

static ow_status read_circuit(const owi_safetensors *file, ow_model *model)
{
    ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec)};
    const owi_plan *plan = &model->plan;
    OWI_TRY(read_spec(file, &spec));
    if (spec.n_columns != plan->width ||
        spec.n_classes != ow_schema_n_classes(model->schema))
        return owi_fail(
            OW_ERR_FORMAT,
            "%s: a circuit of %zu columns and %zu classes, expected %zu and %zu",
            file->name, spec.n_columns, spec.n_classes, plan->width,
            ow_schema_n_classes(model->schema));
    OWI_TRY(read_structure(file, model, &spec));
    ow_circuit *circuit = model->circuit;
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_LEAF, OWI_TENSOR_F32, circuit->n_leaf,
                                 circuit->leaf));
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_WEIGHT, OWI_TENSOR_F32,
                                 circuit->n_weights, circuit->log_weight));
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_SHIFT, OWI_TENSOR_F32, spec.n_columns,
                                 circuit->shift));
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_PRIOR, OWI_TENSOR_F64, spec.n_classes,
                                 circuit->log_prior));
    OWI_TRY(owi_circuit_check_parameters(circuit, file->name));
    owi_circuit_prepare(NULL, circuit);
    return OW_OK;
}

/* ---- The whole ---- */

static ow_status read_model(const owi_safetensors *file, ow_context *ctx, ow_model **out)
{
    const char *schema_text, *training;
    char where[160];
    ow_schema *schema = NULL;
    OWI_TRY(check_version(file));
    OWI_TRY(owi_safetensors_text(file, OWI_KEY_SCHEMA, &schema_text));
    OWI_TRY(owi_safetensors_text(file, OWI_KEY_TRAINING, &training));
    snprintf(where, sizeof where, "%.120s, %s", file->name, OWI_KEY_SCHEMA);
    OWI_TRY(ow_schema_parse(ctx, schema_text, strlen(schema_text), where, &schema));
    OWI_TRY(owi_model_new(schema, ctx, out));
    OWI_TRY(read_encoding(file, *out));
    OWI_TRY(read_circuit(file, *out));
    OWI_TRY(owi_model_read_replicas(file, *out));
    OWI_TRY(owi_model_read_network(file, *out));
    OWI_TRY(owi_model_read_foreign(file, *out));
    OWI_TRY(owi_model_read_cutoffs(file, *out));
    OWI_TRY(owi_model_read_figures(file, *out));
    (*out)->training = ow_bytes_new(ctx, strlen(training) + 1);
    if ((*out)->training == NULL) return OW_ERR_MEMORY;
    memcpy((*out)->training, training, strlen(training));
    snprintf(where, sizeof where, "%.120s, %s", file->name, OWI_KEY_TRAINING);
    return owi_training_text_read(*out, where);
}

ow_status ow_model_parse(ow_context *ctx, const void *bytes, size_t size, const char *name,
                         ow_model **out)
{
    owi_safetensors file;
    OWI_REQUIRE(ctx != NULL && (bytes != NULL || size == 0) && name != NULL && out != NULL);
    *out = NULL;
    OWI_TRY(owi_safetensors_open(&file, bytes, size, name));
    const ow_status status = read_model(&file, ctx, out);
    owi_safetensors_close(&file);
    if (status != OW_OK) {
        ow_model_free(*out);
        *out = NULL;
    }
    return status;
}

ow_status ow_model_load(ow_context *ctx, const char *path, const ow_call *call,
                        ow_model **out)
{
    owi_byte_source *source = NULL;
    char *bytes = NULL;
    size_t size = 0;
    OWI_REQUIRE(ctx != NULL && path != NULL && out != NULL);
    *out = NULL;
    owi_call own;
    OWI_TRY(owi_call_begin(&own, ctx, call));
    ow_status status = owi_byte_source_open(ctx, path, &own, &source);
    if (status == OW_OK)
        status = owi_byte_source_read_all(source, most_bytes, &bytes, &size);
    if (status == OW_OK)
        status = ow_model_parse(ctx, bytes, size, owi_byte_source_name(source), out);
    owi_free(ctx, bytes);
    owi_byte_source_free(source);
    return status;
}
