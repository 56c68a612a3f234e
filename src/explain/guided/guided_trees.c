/* SPDX-License-Identifier: MIT */
#include "explain/guided/guided_trees.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "model/foreign/matched_trees.h"
#include "model/model_private.h"
#include "trees/tree_changes.h"

struct owi_guided_trees {
    ow_context *ctx;
    owi_workspace *workspace; /* of all arrays below */
    const owi_matched_trees *matched;
    size_t n_simple;
    uint32_t
        *feature; /* (n_simple) of the move's column; UINT32_MAX: the trees read it not */
    uint32_t *single; /* (n_simple) number among the candidates of `singles`             */
    uint32_t *paired; /* (n_simple) number among its feature's candidates of `pairs`     */
    size_t
        *pair_first; /* (features + 1) where those of each feature begin                */
    owi_tree_changes *singles, *pairs;
    double *row;               /* features                                               */
    double *sums, *log_scores; /* groups, classes                                        */
};

/* ---- Candidates ---- */

/* The feature that each column is, UINT32_MAX for none; false: some column is several. */
static bool find_features(const owi_matched_trees *matched, uint32_t *feature_of)
{
    for (size_t j = 0; j < matched->n_columns; j++) feature_of[j] = UINT32_MAX;
    for (size_t f = 0; f < ow_trees_n_features(matched->trees); f++) {
        uint32_t *of = &feature_of[matched->features[f].column];
        if (*of != UINT32_MAX) return false;
        *of = (uint32_t)f;
    }
    return true;
}

/* What a move's value is to its feature. */
static double value_of(const owi_guided *guided, const owi_matched_trees *matched,
                       size_t move, uint32_t feature)
{
    const double value = guided->moves.values[move * guided->widest];
    const double *code = matched->features[feature].code;
    return code != NULL ? code[(size_t)value] : value;
}

/* The moves (all simple ones, or those that pairs are made of) as candidates; place gets
 * the number of each among all, or among those of its feature. */
static ow_status make_changes(owi_guided_trees *trees, const owi_guided *guided,
                              bool for_pairs, owi_tree_changes **out)
{
    const owi_matched_trees *matched = trees->matched;
    const size_t F = ow_trees_n_features(matched->trees), n = trees->n_simple;
    size_t *start, *used;
    double *values;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(start, F + 2), OWI_PIECE(used, F + 1),
                                OWI_PIECE(values, n + 1)};
    OWI_TRY(owi_pieces_new(trees->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t m = 0; m < n; m++)
        if (trees->feature[m] != UINT32_MAX && (!for_pairs || guided->moves.in_pairs[m]))
            start[trees->feature[m] + 1]++;
    for (size_t f = 0; f < F; f++) start[f + 1] += start[f];
    for (size_t m = 0; m < n; m++) {
        const uint32_t f = trees->feature[m];
        if (f == UINT32_MAX || (for_pairs && !guided->moves.in_pairs[m])) continue;
        const size_t at = start[f] + used[f]++;
        values[at] = value_of(guided, matched, m, f);
        if (for_pairs)
            trees->paired[m] = (uint32_t)(at - start[f]);
        else
            trees->single[m] = (uint32_t)at;
    }
    for (size_t f = 0; f <= F && for_pairs; f++) trees->pair_first[f] = start[f];
    const ow_status status =
        owi_tree_changes_new(matched->forest,
                             &(owi_tree_candidates){.start = start, .values = values},
                             !for_pairs, out);
    owi_workspace_free(scratch);
    return status;
}

static ow_status make(owi_guided_trees *trees, const owi_guided *guided)
{
    const owi_matched_trees *matched = trees->matched;
    const size_t n = trees->n_simple, F = ow_trees_n_features(matched->trees);
    const size_t G = matched->forest->n_groups;
    uint32_t *feature_of;
    const owi_piece pieces[] = {
        OWI_PIECE(trees->feature, n + 1),
        OWI_PIECE(trees->single, n + 1),
        OWI_PIECE(trees->paired, n + 1),
        OWI_PIECE(trees->pair_first, F + 1),
        OWI_PIECE(trees->row, F + 1),
        OWI_PIECE(trees->sums, G),
        OWI_PIECE(trees->log_scores, matched->n_classes),
        OWI_PIECE(feature_of, matched->n_columns),
    };
    OWI_TRY(owi_pieces_new(trees->ctx, OWI_PIECES(pieces), &trees->workspace));
    if (!find_features(matched, feature_of)) return OW_OK;
    for (size_t m = 0; m < n; m++)
        trees->feature[m] = feature_of[guided->units[guided->moves.unit[m]].columns[0]];
    OWI_TRY(make_changes(trees, guided, false, &trees->singles));
    return make_changes(trees, guided, true, &trees->pairs);
}

ow_status owi_guided_trees_new(const owi_guided *guided, const owi_problem *problem,
                               owi_guided_trees **out)
{
    const owi_matched_trees *matched = owi_classifier_trees(problem->classifier);
    *out = NULL;
    if (matched == NULL) return OW_OK;
    owi_guided_trees *trees = owi_alloc_zeroed(guided->ctx, sizeof *trees);
    if (trees == NULL) return OW_ERR_MEMORY;
    *trees = (owi_guided_trees){.ctx = guided->ctx,
                                .matched = matched,
                                .n_simple = guided->moves.n_simple};
    const ow_status status = make(trees, guided);
    if (status == OW_OK && trees->pairs != NULL)
        *out = trees;
    else
        owi_guided_trees_free(trees);
    return status;
}

void owi_guided_trees_free(owi_guided_trees *trees)
{
    if (trees == NULL) return;
    owi_tree_changes_free(trees->singles);
    owi_tree_changes_free(trees->pairs);
    owi_workspace_free(trees->workspace);
    owi_free(trees->ctx, trees);
}

/* ---- Margins ---- */

static double margin_of(const owi_guided_trees *trees, const owi_problem *problem,
                        int32_t target)
{
    owi_matched_trees_log_scores(trees->matched, trees->sums, trees->log_scores);
    return owi_margin(problem, trees->log_scores, target);
}

void owi_guided_trees_singles(owi_guided_trees *trees, const owi_problem *problem,
                              const double *values, int32_t target, double *margin)
{
    const size_t G = trees->matched->forest->n_groups;
    owi_matched_trees_row(trees->matched, values, trees->row);
    owi_tree_changes_of_row(trees->singles, trees->row, false);
    const double *own = owi_tree_changes_own(trees->singles);
    const double *single = owi_tree_changes_single(trees->singles);
    for (size_t g = 0; g < G; g++) trees->sums[g] = own[g];
    const double unchanged = margin_of(trees, problem, target);
    for (size_t m = 0; m < trees->n_simple; m++) {
        margin[m] = unchanged;
        if (trees->feature[m] == UINT32_MAX) continue;
        for (size_t g = 0; g < G; g++)
            trees->sums[g] = own[g] + single[trees->single[m] * G + g];
        margin[m] = margin_of(trees, problem, target);
    }
}

void owi_guided_trees_begin_pairs(owi_guided_trees *trees, const double *values)
{
    owi_matched_trees_row(trees->matched, values, trees->row);
    owi_tree_changes_of_row(trees->pairs, trees->row, true);
}

double owi_guided_trees_pair(owi_guided_trees *trees, const owi_problem *problem,
                             size_t move, size_t other, int32_t target)
{
    const size_t G = trees->matched->forest->n_groups;
    const uint32_t f = trees->feature[move], h = trees->feature[other];
    if (f != UINT32_MAX && h != UINT32_MAX && f > h)
        return owi_guided_trees_pair(trees, problem, other, move, target);
    const double *own = owi_tree_changes_own(trees->pairs);
    const double *single = owi_tree_changes_single(trees->pairs);
    const uint32_t i = trees->paired[move], k = trees->paired[other];
    owi_tree_table both = {0};
    if (f != UINT32_MAX && h != UINT32_MAX)
        both = owi_tree_changes_both(trees->pairs, f, h);
    for (size_t g = 0; g < G; g++) {
        double sum = own[g];
        if (f != UINT32_MAX) sum += single[(trees->pair_first[f] + i) * G + g];
        if (h != UINT32_MAX) sum += single[(trees->pair_first[h] + k) * G + g];
        if (both.values != NULL) sum += both.values[(i * both.stride + k) * G + g];
        trees->sums[g] = sum;
    }
    return margin_of(trees, problem, target);
}

/* ---- Tipping points ---- */

/* The shortest number from low on and below high, where both are not the same. */
static double shortest_between(double low, double high, bool near_low, int decimals)
{
    enum { most_decimals = 15 };
    for (int d = decimals >= 0 ? decimals : 0; d <= most_decimals; d++) {
        const double power = pow(10.0, d);
        const double k = near_low ? ceil(low * power) : ceil(high * power) - 1.0;
        const double x = owi_round_decimals(k / power, d);
        if ((x >= low && x < high) || decimals >= 0) return x;
    }
    return near_low ? low : nextafter(high, -INFINITY);
}

size_t owi_guided_tipping_values(const owi_problem *problem, size_t column, double *values)
{
    const owi_matched_trees *matched = owi_classifier_trees(problem->classifier);
    const ow_column *described = ow_schema_column(problem->schema, column);
    const ow_column_figures figures = ow_model_figures(problem->model, column);
    size_t n = 0;
    if (matched == NULL || described->n_levels > 0) return 0;
    if (values == NULL) return 2 * (owi_most_tipping + 1);
    for (size_t f = 0; f < ow_trees_n_features(matched->trees); f++) {
        size_t n_all;
        if (matched->features[f].column != column) continue;
        const double *at = ow_trees_thresholds(matched->trees, f, &n_all);
        const size_t stride = n_all / owi_most_tipping + 1;
        for (size_t k = 0; k < n_all && n < 2 * owi_most_tipping; k += stride) {
            const double before = k > 0 ? at[k - 1] : fmin(figures.low, at[k] - 1.0);
            const double after =
                k + 1 < n_all ? at[k + 1] : fmax(figures.high, at[k] + 1.0);
            if (!(at[k] >= figures.low && at[k] <= figures.high)) continue;
            values[n++] = shortest_between(before, at[k], false, described->decimals);
            values[n++] = shortest_between(at[k], after, true, described->decimals);
        }
    }
    return n;
}
