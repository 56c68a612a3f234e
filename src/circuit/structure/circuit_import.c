/* SPDX-License-Identifier: MIT */
/* A circuit written as JSON by somebody else (doc/format.md, "Circuits as JSON"): sizes,
 * class prior, a list of regions bottom-up in each repetition, and one root partition for
 * each repetition.  Such a file may hold any scopes and weights, so everything is checked
 * before it is used. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/json_read.h"
#include "circuit/structure/circuit.h"
#include "circuit/structure/import_regions.h"

enum { most_bytes = 1 << 30, most_size = 1 << 24 };

typedef struct {
    ow_context *ctx;
    const owi_call *call;
    owi_json_fields file; /* the whole document */
    owi_import_regions regions;
    /* S of the file; ours has as many as leaf regions that end early have components */
    size_t sums;
    ow_circuit *circuit;
} importer;

/* A nested array of numbers with exactly these sizes, flattened; rank up to 3. */
static ow_status read_numbers(const owi_json_fields *fields, const char *name, size_t rank,
                              const size_t *sizes, double *out)
{
    const json_t *array = json_object_get(fields->object, name);
    const size_t inner[3] = {sizes[0], rank > 1 ? sizes[1] : 1, rank > 2 ? sizes[2] : 1};

    for (size_t a = 0; a < inner[0]; a++)
        for (size_t b = 0; b < inner[1]; b++)
            for (size_t c = 0; c < inner[2]; c++) {
                const size_t at[3] = {a, b, c};
                const json_t *item = array;
                for (size_t r = 0; r < rank; r++) {
                    if (!json_is_array(item) || json_array_size(item) != inner[r]) {
                        char expected[80];
                        snprintf(expected, sizeof expected, "an array of %zu%s", inner[r],
                                 r + 1 < rank ? " arrays" : " numbers");
                        return owi_json_unexpected(fields, name, expected, item);
                    }
                    item = json_array_get(item, at[r]);
                }
                OWI_TRY(owi_json_item_number(fields, name, item, out++));
            }
    return OW_OK;
}

/* ---- Structure ---- */

static ow_status read_spec(const importer *in, ow_circuit_spec *spec)
{
    const owi_json_fields *file = &in->file;
    const char *format = NULL;
    OWI_TRY(owi_json_read_text(file, "format", &format));
    if (format == NULL || strcmp(format, "ratspn-vectors-1") != 0)
        return owi_json_unexpected(file, "format", "\"ratspn-vectors-1\"",
                                   json_object_get(file->object, "format"));
    OWI_TRY(owi_json_read_count(file, "d", most_size, &spec->n_columns));
    OWI_TRY(owi_json_read_count(file, "C", most_size, &spec->n_classes));
    OWI_TRY(owi_json_read_count(file, "D", 20, &spec->depth));
    OWI_TRY(owi_json_read_count(file, "R", most_size, &spec->repetitions));
    OWI_TRY(owi_json_read_count(file, "S", most_size, &spec->sums));
    OWI_TRY(owi_json_read_count(file, "I", most_size, &spec->inputs));
    if (spec->n_columns == 0 || spec->n_classes == 0 || spec->repetitions == 0 ||
        spec->inputs == 0 || (spec->depth > 1 && spec->sums == 0))
        return owi_fail(OW_ERR_FORMAT,
                        "%s: d, C, R, I and (for D > 1) S must be at least 1", file->file);
    if (spec->depth < 2) spec->sums = 1;
    spec->structure = OW_STRUCTURE_SHARED;
    return OW_OK;
}

/* The sizes ask for no more numbers than the file has bytes: nothing after this line can be
 * made to allocate more than the file itself is worth. */
static ow_status check_sizes(const importer *in, const ow_circuit_spec *spec,
                             size_t file_size)
{
    const owi_circuit_counts count = owi_circuit_count(spec);
    const double n = count.weights + count.repetitions * (double)spec->inputs *
                                         (double)spec->n_columns; /* means */
    if (n > (double)file_size)
        return owi_fail(
            OW_ERR_FORMAT,
            "%s: its sizes ask for %.0f numbers, more than a file of %zu bytes holds",
            in->file.file, n, file_size);
    if (json_array_size(in->regions.partitions) != spec->repetitions)
        return owi_fail(OW_ERR_FORMAT, "%s: %zu root partitions, expected %zu",
                        in->file.file, json_array_size(in->regions.partitions),
                        spec->repetitions);
    return OW_OK;
}

/* The number of a leaf region in the file's list. */
static size_t leaf_index(const importer *in, size_t leaf)
{
    return owi_import_region(&in->regions, in->circuit->spec.depth, leaf);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static ow_status read_scopes(importer *in)
{
    owi_region_graph *regions = &in->circuit->regions;
    const size_t n_columns = in->circuit->spec.n_columns;
    const size_t room = in->circuit->spec.repetitions * n_columns;
    size_t n = 0;

    for (size_t leaf = 0; leaf < regions->n_regions; leaf++) {
        const size_t index = leaf_index(in, leaf);
        const owi_json_fields fields = owi_import_region_fields(&in->regions, index);
        const json_t *scope = NULL;
        regions->start[leaf] = (uint32_t)n;
        if (index == OWI_NO_REGION) continue;
        OWI_TRY(owi_json_read_array(&fields, "scope", &scope));
        if (scope == NULL || json_array_size(scope) > room - n)
            return owi_json_unexpected(&fields, "scope", "the columns of a leaf region",
                                       scope);
        for (size_t i = 0; i < json_array_size(scope); i++) {
            size_t column = 0;
            OWI_TRY(owi_json_item_count(&fields, "scope", n_columns - 1,
                                        json_array_get(scope, i), &column));
            regions->columns[n++] = (uint32_t)column;
        }
        qsort(regions->columns + regions->start[leaf], n - regions->start[leaf],
              sizeof *regions->columns, by_number);
    }
    regions->start[regions->n_regions] = (uint32_t)n;
    return owi_blame_file(owi_region_graph_check(regions, in->ctx, &in->circuit->spec),
                          in->file.file);
}

/* ---- Parameters ---- */

/* What x is counted from: each column's average mean. */
static void set_shift(ow_circuit *circuit)
{
    const double share = 1.0 / (double)(circuit->spec.repetitions * circuit->spec.inputs);
    for (size_t r = 0; r < circuit->regions.n_regions; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        for (size_t i = 0; i < circuit->spec.inputs * width; i += 2) {
            const owi_feature *mean = &circuit->features[circuit->scope[start + i % width]];
            circuit->shift[mean->column] +=
                (float)(share * circuit->leaf[circuit->spec.inputs * start + i]);
        }
    }
}

static ow_status read_leaf(importer *in, size_t leaf, double *mean, double *variance)
{
    ow_circuit *circuit = in->circuit;
    const size_t index = leaf_index(in, leaf);
    const owi_json_fields fields = owi_import_region_fields(&in->regions, index);
    const json_t *scope = json_object_get(fields.object, "scope");
    const size_t start = circuit->scope_start[leaf], I = circuit->spec.inputs;
    const size_t width = circuit->regions.start[leaf + 1] - circuit->regions.start[leaf];
    const uint32_t *columns = circuit->regions.columns + circuit->regions.start[leaf];
    const size_t sizes[2] = {I, width};

    if (index == OWI_NO_REGION) return OW_OK;
    OWI_TRY(owi_call_tick(in->call));
    OWI_TRY(read_numbers(&fields, "mean", 2, sizes, mean));
    OWI_TRY(read_numbers(&fields, "var", 2, sizes, variance));
    for (size_t i = 0; i < I * width; i++) {
        if (!((float)variance[i] > 0.0f) || !isfinite((float)variance[i]))
            return owi_fail(OW_ERR_NUMERIC, "%s: %sa variance is %g", fields.file,
                            fields.where, variance[i]);
        /* The file's columns stand in any order, ours in theirs. */
        const uint32_t column =
            (uint32_t)json_number_value(json_array_get(scope, i % width));
        const uint32_t *found = bsearch(&column, columns, width, sizeof column, by_number);
        const size_t at = i - i % width + (size_t)(found - columns);
        circuit->leaf[I * start + 2 * at] = (float)mean[i];
        circuit->leaf[I * start + 2 * at + 1] = (float)variance[i];
    }
    return OW_OK;
}

/* The components of a child: those of a leaf region, or the sums of an inner one. */
static size_t n_components(const importer *in, size_t depth, size_t p)
{
    const size_t index = owi_import_region(&in->regions, depth, p);
    return owi_import_is_leaf(&in->regions, index) ? in->circuit->spec.inputs : in->sums;
}

/* The weights of n sums over pairs of components, n x left x right numbers of the file
 * (right 0: no pairs), as logarithms.  A sum has room for K x K pairs (K), the next one
 * begins after `step`; numbers is room for them all. */
static ow_status read_weights(const owi_json_fields *fields, size_t n, size_t left,
                              size_t right, double *numbers, size_t K, size_t step,
                              float *log_weight)
{
    const size_t columns = right > 0 ? right : 1, block = left * columns;
    const size_t width = right > 0 ? K : 1;
    OWI_TRY(read_numbers(fields, "weights", right > 0 ? 3 : 2, (size_t[]){n, left, right},
                         numbers));
    for (size_t i = 0; i < n * block; i++) {
        if (!(numbers[i] >= 0.0 && numbers[i] <= 1.0 + 1e-9))
            return owi_fail(OW_ERR_NUMERIC, "%s: %sa weight is %g, not from 0 to 1",
                            fields->file, fields->where, numbers[i]);
        const size_t at = i % block;
        log_weight[(i / block) * step + at / columns * width + at % columns] =
            (float)log(numbers[i]);
    }
    return OW_OK;
}

/* An inner region: the file's sums, or of a region that ended before it the components as
 * they are; sums that are left over count for nothing above, but are sums. */
static ow_status read_inner(const importer *in, size_t depth, size_t p, double *numbers,
                            float *log_weight)
{
    const ow_circuit *circuit = in->circuit;
    const size_t K = owi_circuit_child_components(circuit, depth);
    const size_t I = circuit->spec.inputs;
    const size_t index = owi_import_region(&in->regions, depth, p);
    const owi_json_fields fields = owi_import_region_fields(&in->regions, index);
    const bool is_sum = index != OWI_NO_REGION && !owi_import_is_leaf(&in->regions, index);
    for (size_t s = is_sum ? in->sums : 0; s < circuit->spec.sums; s++) {
        const size_t passed = index != OWI_NO_REGION && !is_sum && s < I ? s : 0;
        log_weight[s * K * K + passed * K] = 0.0f;
    }
    if (!is_sum) return OW_OK;
    OWI_TRY(owi_call_tick(in->call));
    return read_weights(&fields, in->sums, n_components(in, depth + 1, 2 * p),
                        n_components(in, depth + 1, 2 * p + 1), numbers, K, K * K,
                        log_weight);
}

static ow_status read_all_weights(importer *in, double *numbers)
{
    ow_circuit *circuit = in->circuit;
    const ow_circuit_spec *spec = &circuit->spec;
    const size_t R = spec->repetitions, S = spec->sums;

    for (size_t i = 0; i < circuit->n_weights; i++) circuit->log_weight[i] = -INFINITY;
    for (size_t d = 1; d < spec->depth; d++) {
        const size_t K = owi_circuit_child_components(circuit, d);
        float *log_weight = circuit->log_weight + owi_circuit_inner_offset(circuit, d, 0);
        for (size_t p = 0; p < R << d; p++)
            OWI_TRY(read_inner(in, d, p, numbers, log_weight + p * S * K * K));
    }
    const size_t K = owi_circuit_top_components(circuit);
    const size_t block = spec->depth == 0 ? K : K * K;
    float *log_weight = circuit->log_weight + owi_circuit_root_offset(circuit, 0);
    for (size_t rep = 0; rep < R; rep++) {
        const owi_json_fields fields = owi_import_partition_fields(&in->regions, rep);
        const size_t left = spec->depth == 0 ? K : n_components(in, 1, 2 * rep);
        const size_t right = spec->depth == 0 ? 0 : n_components(in, 1, 2 * rep + 1);
        OWI_TRY(read_weights(&fields, spec->n_classes, left, right, numbers, K, R * block,
                             log_weight + rep * block));
    }
    return OW_OK;
}

static ow_status read_parameters(importer *in)
{
    ow_circuit *circuit = in->circuit;
    const ow_circuit_spec *spec = &circuit->spec;
    const size_t most =
        2 * spec->inputs * spec->n_columns + circuit->n_weights + spec->n_classes;
    double *numbers = owi_alloc_array(in->ctx, most, sizeof *numbers);
    if (numbers == NULL) return OW_ERR_MEMORY;

    ow_status status = OW_OK;
    for (size_t leaf = 0; leaf < circuit->regions.n_regions && status == OW_OK; leaf++)
        status = read_leaf(in, leaf, numbers, numbers + spec->inputs * spec->n_columns);
    if (status == OW_OK) status = read_all_weights(in, numbers);
    if (status == OW_OK)
        status = read_numbers(&in->file, "class_prior", 1, &spec->n_classes, numbers);
    if (status == OW_OK)
        status = owi_blame_file(ow_circuit_set_prior(circuit, numbers), in->file.file);
    if (status == OW_OK) set_shift(circuit);
    owi_free(in->ctx, numbers);
    return status;
}

static ow_status import_document(importer *in, size_t file_size)
{
    ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec)};
    const json_t *root = json_object_get(in->file.object, "root");
    OWI_TRY(read_spec(in, &spec));
    OWI_TRY(owi_json_read_array(&in->file, "regions", &in->regions.list));
    const owi_json_fields root_fields = {.file = in->file.file,
                                         .where = "root, ",
                                         .object = root};
    if (!json_is_object(root))
        return owi_json_unexpected(&in->file, "root", "an object", root);
    OWI_TRY(owi_json_read_array(&root_fields, "partitions", &in->regions.partitions));
    OWI_TRY(check_sizes(in, &spec, file_size));
    in->regions.file = in->file.file;
    in->regions.repetitions = spec.repetitions;
    in->regions.depth = spec.depth;
    OWI_TRY(owi_import_regions_find(&in->regions, in->ctx));
    in->sums = spec.sums;
    if (in->regions.any_early) spec.sums = owi_larger(spec.sums, spec.inputs);
    OWI_TRY(check_sizes(in, &spec, file_size));

    ow_leaf *leaves = owi_alloc_array(in->ctx, spec.n_columns, sizeof *leaves);
    if (leaves == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < spec.n_columns; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    spec.leaves = leaves;
    ow_status status = owi_circuit_alloc(in->ctx, &spec, &in->circuit);
    owi_free(in->ctx, leaves);
    if (status != OW_OK) return status;
    OWI_TRY(read_scopes(in));
    OWI_TRY(owi_circuit_finish(in->circuit));
    OWI_TRY(read_parameters(in));
    OWI_TRY(owi_circuit_check_parameters(in->circuit, in->file.file));
    owi_circuit_prepare(NULL, in->circuit);
    return OW_OK;
}

static ow_status import_text(const owi_call *call, const char *text, size_t size,
                             const char *file, ow_circuit **out)
{
    ow_context *ctx = call->ctx;
    importer in = {.ctx = ctx, .call = call, .file = {.file = file}};
    json_t *document = NULL;

    *out = NULL;
    ow_status status = owi_json_parse_in(call, text, size, file, &document);
    if (status == OW_OK) {
        in.file.object = document;
        status = import_document(&in, size);
    }
    if (status == OW_OK)
        *out = in.circuit;
    else
        ow_circuit_free(in.circuit);
    owi_free(ctx, in.regions.at);
    json_decref(document);
    return status;
}

ow_status owi_circuit_import_text(ow_context *ctx, const char *text, size_t size,
                                  const char *file, ow_circuit **out)
{
    owi_call own;
    OWI_TRY(owi_call_begin(&own, ctx, NULL));
    return import_text(&own, text, size, file, out);
}

ow_status owi_circuit_import(const owi_call *call, const char *path, ow_circuit **out)
{
    ow_context *ctx = call->ctx;
    owi_byte_source *source = NULL;
    char *text = NULL;
    size_t size = 0;

    *out = NULL;
    ow_status status = owi_byte_source_open(ctx, path, call, &source);
    if (status == OW_OK)
        status = owi_byte_source_read_all(source, most_bytes, &text, &size);
    if (status == OW_OK)
        status = import_text(call, text, size, owi_byte_source_name(source), out);
    owi_free(ctx, text);
    owi_byte_source_free(source);
    return status;
}

ow_status ow_circuit_import(ow_context *ctx, const char *path, const ow_call *call,
                            ow_circuit **out)
{
    owi_call own;
    OWI_REQUIRE(ctx != NULL && path != NULL && out != NULL);
    *out = NULL;
    OWI_TRY(owi_call_begin(&own, ctx, call));
    return owi_circuit_import(&own, path, out);
}
