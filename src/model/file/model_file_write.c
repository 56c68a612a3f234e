/* SPDX-License-Identifier: MIT */
/* A model to its file. */
#include <string.h>

#include "base/error.h"
#include "base/io/sha256.h"
#include "base/memory/alloc.h"
#include "base/text/json_write.h"
#include "model/file/model_file.h"

/* How each column is encoded and which leaf it has. */
static ow_status format_encoding(const ow_model *model, char **text)
{
    owi_json json;
    owi_json_begin(&json, model->ctx);
    owi_json_open_array(&json, true);
    for (size_t j = 0; j < model->plan.n_columns; j++) {
        const owi_column_plan *column = &model->plan.columns[j];
        owi_json_open_object(&json, true);
        owi_json_key(&json, "kind");
        owi_json_text(&json, owi_plan_kind_name((int)column->kind));
        if (column->n_values > 0) {
            owi_json_key(&json, "values");
            owi_json_open_array(&json, true);
            for (size_t i = 0; i < column->n_values; i++)
                owi_json_number(&json, column->values[i]);
            owi_json_close_array(&json);
        }
        if (column->log_cell != 0.0) {
            owi_json_key(&json, "log_cell");
            owi_json_number(&json, column->log_cell);
        }
        if (column->low < column->high) {
            owi_json_key(&json, "tails");
            owi_json_open_array(&json, true);
            owi_json_number(&json, column->low);
            owi_json_number(&json, column->high);
            owi_json_close_array(&json);
        }
        owi_json_close_object(&json);
    }
    owi_json_close_array(&json);
    return owi_json_end(&json, text, NULL);
}

static ow_status format_circuit(const ow_model *model, char **text)
{
    const ow_circuit_spec *spec = &model->circuit->spec;
    const struct {
        const char *key;
        size_t value;
    } sizes[] = {{"depth", spec->depth},       {"repetitions", spec->repetitions},
                 {"sums", spec->sums},         {"inputs", spec->inputs},
                 {"classes", spec->n_classes}, {"columns", spec->n_columns}};
    owi_json json;
    owi_json_begin(&json, model->ctx);
    owi_json_open_object(&json, true);
    owi_json_key(&json, "structure");
    owi_json_text(&json, spec->structure == OW_STRUCTURE_SHARED ? "shared" : "per-class");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        owi_json_key(&json, sizes[i].key);
        owi_json_integer(&json, (int64_t)sizes[i].value);
    }
    owi_json_key(&json, "variance");
    owi_json_number(&json, spec->variance);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, NULL);
}

/* Figures of different lengths, one after the other. */
typedef struct {
    double *figures, *quantiles, *seen, *robust;
    size_t n_quantiles, n_seen;
    int64_t *counts, *confusion; /* (C, 2): densities and samples; (C, C) */
    float *densities, *samples;
    size_t n_densities, n_samples;
} flat_figures;

static void count_figures(const ow_model *model, flat_figures *flat)
{
    for (size_t j = 0; j < model->plan.n_columns; j++) {
        flat->n_quantiles += model->columns[j].n_quantiles;
        flat->n_seen += model->columns[j].n_seen;
    }
    for (size_t c = 0; c < ow_schema_n_classes(model->schema); c++) {
        flat->n_densities += model->classes[c].n_densities;
        flat->n_samples += model->classes[c].n_samples;
    }
}

static void fill_columns(const ow_model *model, flat_figures *flat)
{
    double *figures = flat->figures, *quantiles = flat->quantiles, *seen = flat->seen;
    for (size_t j = 0; j < model->plan.n_columns; j++) {
        const ow_column_figures *of = &model->columns[j];
        *figures++ = of->low;
        *figures++ = of->high;
        *figures++ = of->mad;
        *figures++ = (double)of->n_quantiles;
        *figures++ = (double)of->n_seen;
        for (size_t i = 0; i < of->n_quantiles; i++) *quantiles++ = of->quantiles[i];
        for (size_t i = 0; i < of->n_seen; i++) *seen++ = of->seen[i];
    }
}

static void fill_classes(const ow_model *model, flat_figures *flat)
{
    const size_t C = ow_schema_n_classes(model->schema), width = model->plan.width;
    float *densities = flat->densities, *samples = flat->samples;
    for (size_t c = 0; c < C; c++) {
        const owi_class_figures *of = &model->classes[c];
        flat->robust[c] = of->robust_margin;
        flat->counts[2 * c] = (int64_t)of->n_densities;
        flat->counts[2 * c + 1] = (int64_t)of->n_samples;
        for (size_t i = 0; i < of->n_densities; i++) *densities++ = of->densities[i];
        for (size_t i = 0; i < of->n_samples * width; i++) *samples++ = of->samples[i];
    }
    for (size_t i = 0; i < C * C; i++) flat->confusion[i] = (int64_t)model->confusion[i];
}

static ow_status flatten(const ow_model *model, flat_figures *flat)
{
    ow_context *ctx = model->ctx;
    const size_t C = ow_schema_n_classes(model->schema);
    *flat = (flat_figures){0};
    count_figures(model, flat);
    flat->figures = owi_alloc_array(ctx, model->plan.n_columns * owi_n_column_figures, 8);
    flat->quantiles = owi_alloc_array(ctx, flat->n_quantiles, sizeof(double));
    flat->seen = owi_alloc_array(ctx, flat->n_seen, sizeof(double));
    flat->robust = owi_alloc_array(ctx, C, sizeof(double));
    flat->counts = owi_alloc_array(ctx, 2 * C, sizeof(int64_t));
    flat->confusion = owi_alloc_array(ctx, C * C, sizeof(int64_t));
    flat->densities = owi_alloc_array(ctx, flat->n_densities, sizeof(float));
    flat->samples =
        owi_alloc_array(ctx, flat->n_samples * model->plan.width, sizeof(float));
    if (flat->figures == NULL || flat->quantiles == NULL || flat->seen == NULL ||
        flat->robust == NULL || flat->counts == NULL || flat->confusion == NULL ||
        flat->densities == NULL || flat->samples == NULL)
        return OW_ERR_MEMORY;
    fill_columns(model, flat);
    fill_classes(model, flat);
    return OW_OK;
}

static void clear_flat(ow_context *ctx, flat_figures *flat)
{
    void *const blocks[] = {flat->figures, flat->quantiles, flat->seen,      flat->robust,
                            flat->counts,  flat->confusion, flat->densities, flat->samples};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) owi_free(ctx, blocks[i]);
}

/* Where the container goes: to a file, or to memory for path NULL. */
typedef struct {
    const char *path;
    char **bytes;
    size_t *size;
} destination;

/* Those that every model has, that of trees, and that of a foreign model. */
enum { n_own_tensors = 15, n_tree_tensors = 1, n_foreign_tensors = 1 };

static ow_status write_tensors(const ow_model *model, const flat_figures *flat,
                               size_t n_metadata, const owi_metadata *metadata,
                               const destination *to)
{
    const ow_circuit *circuit = model->circuit;
    const owi_region_graph *regions = &circuit->regions;
    const size_t C = circuit->spec.n_classes, d = circuit->spec.n_columns;
    const size_t n_columns = model->plan.n_columns;
    const size_t n_regions = regions->n_copies * regions->n_regions;
    owi_tensor tensors[n_own_tensors + n_tree_tensors + owi_most_network_tensors +
                       owi_n_replica_tensors + n_foreign_tensors] = {
        {OWI_TENSOR_PRIOR, OWI_TENSOR_F64, 1, {C}, circuit->log_prior},
        {OWI_TENSOR_FIGURES,
         OWI_TENSOR_F64,
         2,
         {n_columns, owi_n_column_figures},
         flat->figures},
        {OWI_TENSOR_QUANTILES, OWI_TENSOR_F64, 1, {flat->n_quantiles}, flat->quantiles},
        {OWI_TENSOR_SEEN, OWI_TENSOR_F64, 1, {flat->n_seen}, flat->seen},
        {OWI_TENSOR_LIMITS,
         OWI_TENSOR_F64,
         3,
         {model->class_limits != NULL ? C : 0, n_columns, 2},
         model->class_limits},
        {OWI_TENSOR_ROBUST, OWI_TENSOR_F64, 1, {C}, flat->robust},
        {OWI_TENSOR_COUNTS, OWI_TENSOR_I64, 2, {C, 2}, flat->counts},
        {OWI_TENSOR_CONFUSION, OWI_TENSOR_I64, 2, {C, C}, flat->confusion},
        {OWI_TENSOR_START, OWI_TENSOR_U32, 1, {n_regions + 1}, regions->start},
        {OWI_TENSOR_COLUMNS,
         OWI_TENSOR_U32,
         1,
         {regions->start[n_regions]},
         regions->columns},
        {OWI_TENSOR_SHIFT, OWI_TENSOR_F32, 1, {d}, circuit->shift},
        {OWI_TENSOR_LEAF, OWI_TENSOR_F32, 1, {circuit->n_leaf}, circuit->leaf},
        {OWI_TENSOR_WEIGHT, OWI_TENSOR_F32, 1, {circuit->n_weights}, circuit->log_weight},
        {OWI_TENSOR_DENSITIES, OWI_TENSOR_F32, 1, {flat->n_densities}, flat->densities},
        {OWI_TENSOR_SAMPLES, OWI_TENSOR_F32, 2, {flat->n_samples, d}, flat->samples},
    };
    owi_network_names names;
    size_t n_tensors = n_own_tensors;
    if (owi_circuit_is_tree(circuit))
        tensors[n_tensors++] = (owi_tensor){OWI_TENSOR_PARENTS,
                                            OWI_TENSOR_U32,
                                            2,
                                            {circuit->spec.repetitions, regions->n_parts},
                                            regions->parent};
    if (model->network != NULL)
        n_tensors += owi_network_tensors(model->network, names, tensors + n_tensors);
    if (model->foreign != NULL && model->foreign->bytes != NULL)
        tensors[n_tensors++] = (owi_tensor){OWI_TENSOR_FOREIGN,
                                            OWI_TENSOR_U8,
                                            1,
                                            {model->foreign->n_bytes},
                                            model->foreign->bytes};
    if (model->replicas.n > 0) {
        owi_replica_tensors(model, tensors + n_tensors);
        n_tensors += owi_n_replica_tensors;
    }
    const owi_container container = {.n_metadata = n_metadata,
                                     .metadata = metadata,
                                     .n_tensors = n_tensors,
                                     .tensors = tensors};
    return to->path != NULL
               ? owi_safetensors_save(model->ctx, &container, to->path)
               : owi_safetensors_format(model->ctx, &container, to->bytes, to->size);
}

/* The texts of a model, which are freed together; NULL where there is none. */
typedef struct {
    char *schema, *encoding, *circuit, *network, *foreign, *cutoffs, *sheets;
} texts;

static ow_status format_texts(const ow_model *model, texts *t)
{
    OWI_TRY(ow_schema_format(model->schema, &t->schema));
    OWI_TRY(format_encoding(model, &t->encoding));
    OWI_TRY(format_circuit(model, &t->circuit));
    if (model->network != NULL) OWI_TRY(owi_network_format(model->network, &t->network));
    if (model->foreign != NULL) OWI_TRY(owi_foreign_format(model->foreign, &t->foreign));
    if (model->cutoffs != NULL) OWI_TRY(owi_cutoffs_format(model, &t->cutoffs));
    if (model->circuit->spec.n_sheets > 0) OWI_TRY(owi_sheets_format(model, &t->sheets));
    return OW_OK;
}

static ow_status write_texts(const ow_model *model, const texts *t,
                             const flat_figures *flat, const destination *to)
{
    const bool is_new = owi_circuit_is_tree(model->circuit) || t->foreign != NULL ||
                        t->cutoffs != NULL || t->sheets != NULL;
    const owi_metadata all[] = {
        {OWI_KEY_FORMAT, OWI_MODEL_FORMAT},
        {OWI_KEY_VERSION, is_new               ? "3"
                          : t->network != NULL ? "2"
                                               : "1"},
        {OWI_KEY_SCHEMA, t->schema},
        {OWI_KEY_ENCODING, t->encoding},
        {OWI_KEY_CIRCUIT, t->circuit},
        {OWI_KEY_TRAINING, ow_model_training(model)},
        {OWI_KEY_NETWORK, t->network},
        {OWI_KEY_FOREIGN, t->foreign},
        {OWI_KEY_CUTOFFS, t->cutoffs},
        {OWI_KEY_SHEETS, t->sheets},
    };
    owi_metadata metadata[sizeof all / sizeof *all];
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].value != NULL) metadata[n++] = all[i];
    return write_tensors(model, flat, n, metadata, to);
}

static ow_status write_model(const ow_model *model, const destination *to)
{
    texts t = {0};
    flat_figures flat = {0};
    ow_status status = format_texts(model, &t);
    if (status == OW_OK) status = flatten(model, &flat);
    if (status == OW_OK) status = write_texts(model, &t, &flat, to);
    clear_flat(model->ctx, &flat);
    ow_bytes_free(t.sheets);
    ow_bytes_free(t.cutoffs);
    ow_bytes_free(t.foreign);
    ow_bytes_free(t.network);
    ow_bytes_free(t.circuit);
    ow_bytes_free(t.encoding);
    ow_bytes_free(t.schema);
    return status;
}

ow_status ow_model_save(const ow_model *model, const char *path)
{
    OWI_REQUIRE(model != NULL && path != NULL);
    return write_model(model, &(destination){.path = path});
}

ow_status ow_model_format(const ow_model *model, char **bytes, size_t *size)
{
    OWI_REQUIRE(model != NULL && bytes != NULL && size != NULL);
    *bytes = NULL;
    return write_model(model, &(destination){.bytes = bytes, .size = size});
}

ow_status ow_model_sha256(const ow_model *model, char text[OW_SHA256_SIZE])
{
    char *bytes;
    size_t size;
    owi_sha256 hash;
    OWI_REQUIRE(model != NULL && text != NULL);
    text[0] = '\0';
    OWI_TRY(ow_model_format(model, &bytes, &size));
    owi_sha256_init(&hash);
    owi_sha256_add(&hash, bytes, size);
    owi_sha256_finish(&hash, text);
    ow_bytes_free(bytes);
    return OW_OK;
}
