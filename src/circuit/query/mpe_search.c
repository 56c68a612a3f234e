/* SPDX-License-Identifier: MIT */
#include "circuit/query/mpe_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "circuit/query/max_product.h"
#include "circuit/query/query_changes.h"
#include "circuit/structure/sheets.h"

/* Component means tried for one number, at most; entries of the table of candidates, at
 * most; rounds of climbing. */
enum { most_means = 32, most_entries = 1 << 24, most_rounds = 100 };
/* Starts from the trees of so many repetitions, and from so many samples; attempts at a
 * time. */
enum { most_trees = 8, n_samples = 8, most_attempts = 64 };

/* Gains below this are rounding. */
static bool is_better(double value, double than)
{
    return value > than + 1e-6 * (1.0 + fabs(than));
}

/* A number that has a leaf, not one that follows from others. */
static bool is_free_number(const ow_leaf *leaf)
{
    return leaf->n_levels == 0 && leaf->kind != OW_LEAF_FOLLOWS;
}

/* ---- Candidates ---- */

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Means of a number's leaves in all copies: up to n of them, evenly spread in order; all is
 * room for all. */
static size_t pick_means(const owi_column_leaves *leaves, size_t column, size_t n,
                         float *all, float *picked)
{
    const ow_circuit *circuit = leaves->circuit;
    size_t n_all = 0, n_picked = 0;

    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++)
        for (size_t rep = 0; rep < circuit->spec.repetitions; rep++)
            for (size_t k = 0; k < circuit->spec.inputs; k++)
                all[n_all++] = owi_column_leaf_mean(leaves, copy, column, rep, k);
    qsort(all, n_all, sizeof *all, by_value);
    n = owi_smaller(n, n_all);
    for (size_t i = 0; i < n; i++) {
        const float mean = all[(2 * i + 1) * n_all / (2 * n)];
        if (n_picked == 0 || mean != picked[n_picked - 1]) picked[n_picked++] = mean;
    }
    return n_picked;
}

/* Levels, masses and means of the wanted columns; start and values have room for them. */
static void list_candidates(const owi_column_leaves *leaves, const bool *wanted,
                            size_t n_means, float *room, size_t *start, float *values)
{
    const ow_circuit *circuit = leaves->circuit;
    size_t n = 0;

    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        const ow_leaf *leaf = &circuit->leaves[j];
        start[j] = n;
        if (!wanted[j]) continue;
        for (size_t i = 0; i < leaf->n_levels; i++) values[n++] = (float)i;
        for (size_t i = 0; i < leaf->n_masses; i++) values[n++] = leaf->masses[i];
        if (is_free_number(leaf)) n += pick_means(leaves, j, n_means, room, values + n);
    }
    start[circuit->spec.n_columns] = n;
}

static ow_status make_changes(owi_mpe_search *search, const bool *wanted)
{
    const ow_circuit *circuit = search->evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    const size_t d = circuit->spec.n_columns;
    const size_t n_leaves = circuit->regions.n_copies * search->leaves.n_leaves;
    size_t n_levels = 0, n_numbers = 0;

    for (size_t j = 0; j < d; j++) {
        if (!wanted[j]) continue;
        n_levels += circuit->leaves[j].n_levels + circuit->leaves[j].n_masses;
        n_numbers += is_free_number(&circuit->leaves[j]);
    }
    /* Images have so many numbers that the table would not fit: flow alone moves them. */
    const size_t n_means =
        n_numbers > 0 ? owi_smaller(most_means, most_entries / n_leaves / n_numbers) : 0;
    size_t *start = owi_alloc_array(ctx, d + 1, sizeof *start);
    float *values = owi_alloc_array(ctx, n_levels + n_numbers * n_means, sizeof *values);
    float *room = owi_alloc_array(ctx, n_leaves, sizeof *room);
    ow_status status = OW_ERR_MEMORY;
    if (start != NULL && values != NULL && room != NULL) {
        list_candidates(&search->leaves, wanted, n_means, room, start, values);
        search->n_candidates = start[d];
        status = OW_OK;
    }
    if (status == OW_OK && search->n_candidates > 0)
        status = ow_changes_new(search->evaluator, &(ow_candidates){start, values},
                                &search->changes);
    owi_free(ctx, room);
    owi_free(ctx, values);
    owi_free(ctx, start);
    return status;
}

/* ---- Making and unmaking ---- */

ow_status owi_mpe_search_init(owi_mpe_search *search, const owi_call *call,
                              ow_evaluator *evaluator, const bool *wanted)
{
    const ow_circuit *circuit = evaluator->circuit;
    const ow_circuit_spec *spec = &circuit->spec;
    ow_context *ctx = circuit->ctx;
    const size_t C = spec->n_classes;

    *search = (owi_mpe_search){.call = call,
                               .evaluator = evaluator,
                               .climbs = spec->inputs > 1 || spec->repetitions > 1 ||
                                         (spec->depth > 1 && spec->sums > 1) ||
                                         spec->n_sheets > 0};
    search->n_starts =
        search->climbs ? owi_smaller(most_trees, spec->repetitions) + n_samples : 1;
    const size_t most = search->most = owi_larger(most_attempts, C * search->n_starts);
    ow_status status = owi_column_leaves_init(&search->leaves, circuit);
    if (status == OW_OK && search->climbs) status = make_changes(search, wanted);
    if (status != OW_OK) goto fail;
    search->given = owi_alloc_array(ctx, most, sizeof *search->given);
    search->row = owi_alloc_array(ctx, most, sizeof *search->row);
    search->class_of = owi_alloc_array(ctx, most, sizeof *search->class_of);
    search->rows = owi_alloc_array(ctx, most * spec->n_columns, sizeof *search->rows);
    search->trial = owi_alloc_array(ctx, most * spec->n_columns, sizeof *search->trial);
    search->value = owi_alloc_array(ctx, most, sizeof *search->value);
    search->log_class = owi_alloc_array(ctx, most * C, sizeof *search->log_class);
    search->log_changed =
        owi_alloc_array(ctx, most * C * search->n_candidates, sizeof(double));
    search->scratch =
        owi_alloc_array(ctx, owi_max_product_scratch(circuit), sizeof(double));
    if (search->given != NULL && search->row != NULL && search->class_of != NULL &&
        search->rows != NULL && search->trial != NULL && search->value != NULL &&
        search->log_class != NULL && search->log_changed != NULL && search->scratch != NULL)
        return OW_OK;
    status = OW_ERR_MEMORY;

fail:
    owi_mpe_search_clear(search);
    return status;
}

void owi_mpe_search_clear(owi_mpe_search *search)
{
    if (search->evaluator == NULL) return;
    ow_context *ctx = search->evaluator->circuit->ctx;
    ow_changes_free(search->changes);
    owi_column_leaves_clear(&search->leaves);
    owi_free(ctx, search->given);
    owi_free(ctx, search->row);
    owi_free(ctx, search->class_of);
    owi_free(ctx, search->rows);
    owi_free(ctx, search->trial);
    owi_free(ctx, search->value);
    owi_free(ctx, search->log_class);
    owi_free(ctx, search->log_changed);
    owi_free(ctx, search->scratch);
    *search = (owi_mpe_search){0};
}

ow_status owi_mpe_search_add(owi_mpe_search *search, size_t row, const float *given,
                             size_t c)
{
    const ow_circuit *circuit = search->evaluator->circuit;
    const size_t d = circuit->spec.n_columns;
    const size_t n_trees = search->n_starts - (search->climbs ? n_samples : 0);
    int32_t class_number = (int32_t)c;
    bool possible = false;

    for (size_t start = 0; start < search->n_starts; start++) {
        float *values = search->rows + search->n * d;
        memcpy(values, given, d * sizeof *given);
        if (start < n_trees) {
            const bool any = start == 0 && circuit->spec.repetitions > n_trees;
            if (!owi_max_product(&search->leaves, c, any ? SIZE_MAX : start, values,
                                 search->scratch))
                continue;
            possible = true;
        } else {
            if (!possible) break;
            const owi_call draw = owi_call_with_seed(search->call, start);
            OWI_TRY(owi_sample(&draw, search->evaluator, 1, values, &class_number));
        }
        /* On the sheets; what follows from others stays missing until the end. */
        owi_sheets_complete(circuit, given, NULL, values);
        for (size_t j = 0; j < d; j++)
            if (circuit->leaves[j].kind == OW_LEAF_FOLLOWS) values[j] = given[j];
        search->row[search->n] = row;
        search->given[search->n] = given;
        search->class_of[search->n++] = c;
    }
    return OW_OK;
}

/* ---- Climbing ---- */

/* Takes over the trial rows that are better. */
static ow_status judge(owi_mpe_search *search, bool *climbed)
{
    const ow_circuit_spec *spec = &search->evaluator->circuit->spec;
    const size_t d = spec->n_columns;

    OWI_TRY(owi_evaluate(search->call, search->evaluator, search->n, search->trial,
                         search->log_class));
    for (size_t i = 0; i < search->n; i++) {
        const double value = search->log_class[i * spec->n_classes + search->class_of[i]];
        if (!is_better(value, search->value[i])) continue;
        memcpy(search->rows + i * d, search->trial + i * d, d * sizeof(float));
        search->value[i] = value;
        *climbed = true;
    }
    return OW_OK;
}

/* The best value of every missing column of attempt i, as if the others stayed, goes into
 * its trial row; the best of these changes is made in the row itself. */
static void change_columns(owi_mpe_search *search, size_t i, bool *climbed)
{
    const ow_circuit_spec *spec = &search->evaluator->circuit->spec;
    const ow_changes *changes = search->changes;
    const size_t d = spec->n_columns;
    const double *log_changed =
        search->log_changed +
        (i * spec->n_classes + search->class_of[i]) * search->n_candidates;
    float *row = search->rows + i * d, *trial = search->trial + i * d;
    double best_value = search->value[i];
    size_t best_column = d;

    memcpy(trial, row, d * sizeof *row);
    for (size_t j = 0; j < d; j++) {
        double top = search->value[i];
        if (!isnan(search->given[i][j])) continue;
        for (size_t k = changes->start[j]; k < changes->start[j + 1]; k++)
            if (is_better(log_changed[k], top)) {
                top = log_changed[k];
                trial[j] = changes->values[k];
            }
        if (!(top > best_value)) continue;
        best_value = top;
        best_column = j;
    }
    if (best_column == d) return;
    row[best_column] = trial[best_column];
    search->value[i] = best_value;
    *climbed = true;
}

/* All missing numbers of some attempts to the weighted means of their leaves; a value that
 * is a point mass stays. */
static ow_status shift_chunk(void *user, const owi_chunk *chunk)
{
    owi_mpe_search *search = user;
    owi_pass *pass = &search->evaluator->passes[chunk->worker];
    const ow_circuit *circuit = pass->circuit;
    const size_t d = circuit->spec.n_columns;

    OWI_TRY(
        owi_pass_forward(pass, chunk->n, search->rows + chunk->first * d, chunk->first));
    owi_pass_clear_adjoints(pass);
    for (size_t row = 0; row < chunk->n; row++)
        owi_pass_set_adjoint(pass, row, search->class_of[chunk->first + row], 1.0f);
    owi_pass_backward(pass, NULL);
    for (size_t row = 0; row < chunk->n; row++) {
        const size_t i = chunk->first + row;
        const size_t copy = search->class_of[i] / owi_circuit_copy_classes(circuit);
        float *trial = search->trial + i * d;
        size_t stride;
        const float *flow = owi_pass_leaf_flow(pass, copy, row, &stride);
        memcpy(trial, search->rows + i * d, d * sizeof *trial);
        for (size_t j = 0; j < d; j++) {
            const ow_leaf *leaf = &circuit->leaves[j];
            if (!isnan(search->given[i][j]) || owi_leaf_has_levels(leaf) ||
                owi_leaf_mass(leaf, trial[j]) < leaf->n_masses)
                continue;
            const float mean = owi_column_mean(&search->leaves, copy, j, flow, stride);
            if (!isnan(mean)) trial[j] = mean;
        }
    }
    return OW_OK;
}

ow_status owi_mpe_search_run(owi_mpe_search *search)
{
    const ow_circuit_spec *spec = &search->evaluator->circuit->spec;
    bool climbed = search->climbs;

    OWI_TRY(owi_evaluate(search->call, search->evaluator, search->n, search->rows,
                         search->log_class));
    for (size_t i = 0; i < search->n; i++)
        search->value[i] = search->log_class[i * spec->n_classes + search->class_of[i]];
    for (size_t round = 0; round < most_rounds && climbed; round++) {
        climbed = false;
        if (search->changes != NULL) {
            OWI_TRY(owi_single_changes(search->call, search->changes, search->n,
                                       search->rows, NULL, search->log_changed));
            for (size_t i = 0; i < search->n; i++) change_columns(search, i, &climbed);
            OWI_TRY(judge(search, &climbed));
        }
        OWI_TRY(owi_parallel_rows(search->call, search->n, owi_evaluator_chunk, shift_chunk,
                                  search));
        OWI_TRY(judge(search, &climbed));
    }
    return OW_OK;
}
