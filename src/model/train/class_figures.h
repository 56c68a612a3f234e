/* SPDX-License-Identifier: MIT */
/* Reference figures of the classes: log-densities that percentiles are ranks in, and rows
 * drawn from the circuit. */
#ifndef OWI_CLASS_FIGURES_H
#define OWI_CLASS_FIGURES_H

#include "base/call.h"
#include "base/numeric/rng.h"
#include "model/model_private.h"

/* A uniform sample of up to owi_most_densities figures of each class. */
typedef struct {
    size_t n, capacity, n_offered;
    float *figures;
    owi_rng rng;
} owi_density_pool;

typedef struct {
    ow_context *ctx;
    size_t n_classes;
    owi_density_pool *pools; /* one for each class */
} owi_density_pools;

ow_status owi_density_pools_init(owi_density_pools *pools, ow_context *ctx,
                                 size_t n_classes, uint64_t seed);
/* Zeroed or made by init: clear does for both. */
void owi_density_pools_clear(owi_density_pools *pools);

/* A mean square, weighted by P(c given x) (1 - P(c given x)): rows near the boundary
 * count. */
typedef struct {
    double weight, sum;
} owi_margin_drift;

/* Whose densities are collected. */
typedef struct {
    ow_evaluator *evaluator; /* log S(x given c) of each row x with its class c */
    /* Learned without some of the rows, which are those of the source; NULL: none.  Then
     * the figure of a row is between the two densities, l + toward * (own - l) with l the
     * one of `without`. */
    ow_evaluator *without;
    double toward;
    /* With `without`, and unless NULL: of each class, how far its log-odds lie apart in the
     * two circuits. */
    owi_margin_drift *drift;
    owi_tally *tally; /* with `without`, and unless NULL: gets its decisions */
} owi_density_source;

/* Offers the log-densities of all rows of the source.  The gaps of a row are filled in by
 * a draw from the circuit given the rest of it, so that all figures are of whole rows. */
ow_status owi_density_pools_collect(owi_density_pools *pools, const owi_call *call,
                                    owi_density_source how, const ow_row_source *source);

/* Hands the figures over to the model, sorted, in the place of those that there may be: of
 * each class those of `unseen`, or, where all_unseen is false, of `seen` and `unseen`
 * weighed by rows. */
ow_status owi_model_take_densities(ow_model *model, const owi_density_pools *seen,
                                   const owi_density_pools *unseen, bool all_unseen);
/* The figure below which this share of n ascending ones lies, n > 0; between the i-th and
 * the next at (i + 1/2) / n. */
double owi_density_between(const float *sorted, size_t n, double share);

/* Draws at most so many samples of each class.  matched: such that their densities are
 * spread as the model's reference densities. */
ow_status owi_model_draw_samples(const owi_call *call, ow_model *model, size_t most,
                                 bool matched, const char *backend);

#endif
