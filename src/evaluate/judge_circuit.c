/* SPDX-License-Identifier: MIT */
/* The judge: for tables a plain mixture (depth 0, 32 components for each class), for images
 * and maps the structure that the model's circuit has not, never trees nor sheets; the same
 * leaves, the same rows, another seed, and each class learned by itself. */
#include "evaluate/judge_circuit.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "base/numeric/sorted.h"
#include "base/sort.h"
#include "circuit/learn/learn.h"
#include "circuit/pass/evaluator.h"
#include "model/train/train_options.h"
#include "model/train/train_rules.h"

enum { components = 32, halvings = 8, block_rows = 1024 };
static const double quartile = 0.25;

/* The lower quartiles of every class over the columns that are there in rows with these
 * gaps. */
typedef struct {
    owi_workspace *workspace;
    bool *missing;     /* circuit columns */
    double *threshold; /* classes         */
} gap_pattern;

struct owi_judge {
    ow_context *ctx;
    owi_workspace *workspace;
    const ow_model *model;
    size_t n_columns, width, n_classes; /* schema columns, circuit columns        */
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    size_t n_known;
    float *known; /* n_known x width                                        */
    int32_t *classes;
    size_t n_patterns, pattern_capacity;
    gap_pattern *patterns;
};

/* ---- Learning ---- */

static ow_status set_prior(owi_judge *judge)
{
    double *prior = owi_alloc_array(judge->ctx, judge->n_classes, sizeof *prior);
    if (prior == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < judge->n_known; i++)
        prior[judge->classes[i]] += 1.0 / (double)judge->n_known;
    const ow_status status = ow_circuit_set_prior(judge->circuit, prior);
    owi_free(judge->ctx, prior);
    return status;
}

/* Without the sheets of the model's circuit: numbers that follow from others get leaves. */
static ow_status make_circuit(owi_judge *judge, ow_circuit_spec *spec)
{
    ow_leaf *leaves = owi_alloc_array(judge->ctx, spec->n_columns, sizeof *leaves);
    if (leaves == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < spec->n_columns; j++) {
        leaves[j] = spec->leaves[j];
        if (leaves[j].kind == OW_LEAF_FOLLOWS) leaves[j].kind = OW_LEAF_GAUSSIAN;
    }
    spec->leaves = leaves;
    spec->n_sheets = 0;
    const ow_status status = ow_circuit_new(judge->ctx, spec, &judge->circuit);
    owi_free(judge->ctx, leaves);
    return status;
}

static ow_status learn(const owi_call *call, owi_judge *judge, const char *backend)
{
    const ow_schema *schema = ow_model_schema(judge->model);
    const bool table = ow_schema_layout(schema).kind == OW_LAYOUT_TABLE;
    ow_circuit_spec spec = *ow_circuit_get_spec(ow_model_circuit(judge->model));
    ow_train_options as = owi_train_defaults();
    ow_row_array array = {.n_rows = judge->n_known,
                          .n_columns = judge->width,
                          .rows = judge->known,
                          .classes = judge->classes};
    const ow_row_source source = ow_row_source_of_array(&array);

    const bool trees = spec.parents != NULL;
    spec.parents = NULL;
    if (table) {
        spec.structure = OW_STRUCTURE_PER_CLASS;
        spec.depth = 0;
        spec.repetitions = 1;
        spec.inputs = components;
    } else {
        spec.structure = spec.structure == OW_STRUCTURE_SHARED ? OW_STRUCTURE_PER_CLASS
                                                               : OW_STRUCTURE_SHARED;
        if (trees) {
            spec.depth = 1;
            spec.repetitions = halvings;
        }
    }
    spec.same_regions = false;
    spec.seed = call->seed;
    as.leaves = spec.variance > 0.0 ? OW_LEAVES_GAUSSIAN : OW_LEAVES_AUTO;
    as.backend = backend;
    const ow_learn_options options =
        owi_train_rules_for(&as, schema, judge->n_known, call->seed).learn;
    OWI_TRY(make_circuit(judge, &spec));
    OWI_TRY(set_prior(judge));
    OWI_TRY(owi_circuit_start(call, judge->circuit, &source));
    OWI_TRY(owi_circuit_learn(call, judge->circuit, &options, &source, NULL, NULL));
    return ow_evaluator_new(judge->circuit, backend, &judge->evaluator);
}

/* The first class without a row; n_classes: every class has some. */
static size_t class_without_rows(size_t n_classes, size_t n, const int32_t *classes)
{
    for (size_t c = 0; c < n_classes; c++) {
        size_t i = 0;
        while (i < n && (size_t)classes[i] != c) i++;
        if (i == n) return c;
    }
    return n_classes;
}

ow_status owi_judge_new(const owi_call *call, const ow_model *model, const char *backend,
                        size_t n, const double *values, const int32_t *classes,
                        owi_judge **out)
{
    ow_context *ctx = call->ctx;
    const ow_schema *schema = ow_model_schema(model);
    const size_t C = ow_schema_n_classes(schema);
    const size_t without = class_without_rows(C, n, classes);
    *out = NULL;
    if (without < C) {
        owi_log(ctx, OW_LOG_WARN,
                "no second circuit judges the answers: class %s has no known row",
                ow_schema_class_name(schema, without));
        return OW_OK;
    }
    owi_judge *judge = owi_alloc_zeroed(ctx, sizeof *judge);
    if (judge == NULL) return OW_ERR_MEMORY;
    judge->ctx = ctx;
    judge->model = model;
    judge->n_columns = ow_schema_n_columns(schema);
    judge->width = ow_circuit_get_spec(ow_model_circuit(model))->n_columns;
    judge->n_classes = C;
    judge->n_known = n;
    const owi_piece pieces[] = {OWI_PIECE(judge->known, n * judge->width),
                                OWI_PIECE(judge->classes, n)};
    ow_status status = owi_pieces_new(ctx, OWI_PIECES(pieces), &judge->workspace);
    for (size_t at = 0; at < n && status == OW_OK; at += block_rows) {
        status = owi_call_tick(call);
        ow_model_encode(model, owi_smaller(block_rows, n - at),
                        values + at * judge->n_columns, judge->known + at * judge->width);
    }
    if (status == OW_OK) {
        memcpy(judge->classes, classes, n * sizeof *classes);
        status = learn(call, judge, backend);
    }
    if (status != OW_OK) {
        owi_judge_free(judge);
        return status;
    }
    *out = judge;
    return OW_OK;
}

void owi_judge_free(owi_judge *judge)
{
    if (judge == NULL) return;
    for (size_t p = 0; p < judge->n_patterns; p++)
        owi_workspace_free(judge->patterns[p].workspace);
    owi_free(judge->ctx, judge->patterns);
    owi_workspace_free(judge->workspace);
    ow_evaluator_free(judge->evaluator);
    ow_circuit_free(judge->circuit);
    owi_free(judge->ctx, judge);
}

/* ---- Thresholds ---- */

/* log S(x given its class) of every known row, without the entries that are missing in the
 * pattern. */
static ow_status known_densities(const owi_call *call, owi_judge *judge,
                                 const bool *missing, double *own)
{
    const size_t d = judge->width, C = judge->n_classes;
    float *rows;
    double *log_class;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(rows, block_rows * d),
                                OWI_PIECE(log_class, block_rows * C)};
    ow_status status = owi_pieces_new(judge->ctx, OWI_PIECES(pieces), &scratch);
    for (size_t at = 0; at < judge->n_known && status == OW_OK; at += block_rows) {
        const size_t n = owi_smaller(block_rows, judge->n_known - at);
        memcpy(rows, judge->known + at * d, n * d * sizeof *rows);
        for (size_t i = 0; i < n * d; i++)
            if (missing[i % d]) rows[i] = NAN;
        status = owi_evaluate(call, judge->evaluator, n, rows, log_class);
        for (size_t i = 0; i < n && status == OW_OK; i++)
            own[at + i] = log_class[i * C + (size_t)judge->classes[at + i]];
    }
    owi_workspace_free(scratch);
    return status;
}

static ow_status fill_pattern(const owi_call *call, owi_judge *judge, gap_pattern *pattern)
{
    double *own, *sorted;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(own, judge->n_known),
                                OWI_PIECE(sorted, judge->n_known)};
    OWI_TRY(owi_pieces_new(judge->ctx, OWI_PIECES(pieces), &scratch));
    ow_status status = known_densities(call, judge, pattern->missing, own);
    for (size_t c = 0; c < judge->n_classes && status == OW_OK; c++) {
        size_t n = 0;
        for (size_t i = 0; i < judge->n_known; i++)
            if ((size_t)judge->classes[i] == c) sorted[n++] = own[i];
        status = owi_sort_many_numbers(call, sorted, n);
        pattern->threshold[c] = owi_quantile(sorted, n, quartile);
    }
    owi_workspace_free(scratch);
    return status;
}

/* The thresholds for rows with the gaps of this one; patterns are remembered. */
static ow_status find_pattern(const owi_call *call, owi_judge *judge, const float *row,
                              const gap_pattern **found)
{
    const size_t d = judge->width;
    for (size_t p = 0; p < judge->n_patterns; p++) {
        const bool *missing = judge->patterns[p].missing;
        size_t j = 0;
        while (j < d && missing[j] == (bool)isnan(row[j])) j++;
        *found = &judge->patterns[p];
        if (j == d) return OW_OK;
    }
    OWI_TRY(owi_grow(judge->ctx, &judge->patterns, &judge->pattern_capacity,
                     judge->n_patterns + 1, sizeof *judge->patterns));
    gap_pattern pattern;
    const owi_piece pieces[] = {OWI_PIECE(pattern.missing, d),
                                OWI_PIECE(pattern.threshold, judge->n_classes)};
    OWI_TRY(owi_pieces_new(judge->ctx, OWI_PIECES(pieces), &pattern.workspace));
    for (size_t j = 0; j < d; j++) pattern.missing[j] = isnan(row[j]);
    const ow_status status = fill_pattern(call, judge, &pattern);
    if (status != OW_OK) {
        owi_workspace_free(pattern.workspace);
        return status;
    }
    judge->patterns[judge->n_patterns] = pattern;
    *found = &judge->patterns[judge->n_patterns++];
    return OW_OK;
}

/* ---- Judging ---- */

ow_status owi_judge_look(const owi_call *call, owi_judge *judge, size_t n,
                         const double *values, const int32_t *targets, double *log_density,
                         double *log_target, bool *plausible)
{
    const size_t d = judge->width, C = judge->n_classes;
    float *rows;
    double *log_class;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(rows, n * d), OWI_PIECE(log_class, n * C)};
    OWI_TRY(owi_pieces_new(judge->ctx, OWI_PIECES(pieces), &scratch));
    ow_model_encode(judge->model, n, values, rows);
    ow_status status = owi_evaluate(call, judge->evaluator, n, rows, log_class);
    if (status != OW_OK) goto done;
    ow_circuit_posterior(judge->circuit, n, log_class, log_density, NULL);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const gap_pattern *pattern = NULL;
        status = find_pattern(call, judge, rows + i * d, &pattern);
        if (status != OW_OK) break;
        log_target[i] = log_class[i * C + (size_t)targets[i]];
        plausible[i] = log_target[i] >= pattern->threshold[targets[i]];
    }
done:
    owi_workspace_free(scratch);
    return status;
}
