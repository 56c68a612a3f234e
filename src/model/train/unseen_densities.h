/* SPDX-License-Identifier: MIT */
/* Reference densities of rows that were not learned from.
 *
 * A circuit gives the rows that it has learned from more density than others like them: of
 * 1000 rows of 20 columns about three nats.  Percentiles among those, and density floors
 * taken from them, would ask more of an answer than most real rows reach.  So
 *
 * - tables of fewer than owi_cross_fitted_rows rows are cross-fitted: K circuits
 *   are learned with the settings chosen, each without one fold of the rows, and a row's
 *   figure is its log-density without it, l, moved by (own - l) / (2 K - 1) towards that of
 *   the model, own.  That is for the rows that a fold's circuit lacks: with a bias of
 *   -a/n unseen and +a/n seen, l lacks a/n (1 / (1 - 1/K) - 1), and own - l is
 *   a/n (1 + 1 / (1 - 1/K)).
 * - in larger tables the share held out to stop learning in time was not learned from.  Its
 *   quantiles are weighed against those of all rows by their number: the bias is small by
 *   then, and few rows of a class may have been held out. */
#ifndef OWI_UNSEEN_DENSITIES_H
#define OWI_UNSEEN_DENSITIES_H

#include "model/train/training.h"

enum { owi_cross_fitted_rows = 5000 };

/* Sets the figures of all classes: densities and samples.  pooling is what was chosen.
 * Where rows are cross-fitted and the circuit decides, the decisions of the folds' circuits
 * go into t->tally, and *n_folds is their number; else 0. */
ow_status owi_model_set_unseen(owi_training *t, const owi_call *call,
                               const owi_train_rules *rules, const ow_pooling *pooling,
                               size_t *n_folds);

#endif
