/* SPDX-License-Identifier: MIT */
/* --prefer robust: what circuits of other samples of the training rows say of a row.
 *
 * Each of the model's replicas (model/train/replicas.h) has a margin m_k for a row, with
 * the model's prior.  Their vote is
 *
 *     mean(m) - z sd(m)
 *
 * with the z of guided_votes.c, and a row is as sure as the lesser of this and the model's
 * own margin.  That must reach a quarter of what a sure row has (owi_votes_sure_margin).
 * Of answers with as many changes the surer one is given, up to the margin and the density
 * of a real row that is well inside the class (owi_aims.sure_margin, sure_density), and
 * then the nearer one.  Voters have tables of single changes only: pairs come from the
 * tables of rows with one change put in (guided_exact.c). */
#ifndef OWI_GUIDED_VOTES_H
#define OWI_GUIDED_VOTES_H

#include "explain/core/explainer.h"

typedef struct {
    size_t n;              /* 0: nobody votes */
    ow_circuit **circuits; /* the replicas */
    ow_evaluator **evaluators;
    ow_changes **changes; /* their tables, for the candidates of guided's moves */
    double *sure_margin;  /* by class, see owi_votes_sure_margin; NaN: not yet known */
} owi_votes;

/* Sums over voters: of margins, and of their squares. */
typedef struct {
    double sum, squares;
} owi_vote;

/* The problem's voters, none where robust answers are not asked for; either way
 * owi_votes_clear. */
ow_status owi_votes_init(owi_votes *votes, const owi_problem *problem,
                         const ow_candidates *candidates);
void owi_votes_clear(owi_votes *votes, ow_context *ctx);

/* The margin from which on a row counts as sure: the upper quartile of what the class's
 * samples get from voters and model together, at least 0. */
ow_status owi_votes_sure_margin(owi_votes *votes, const owi_problem *problem, size_t target,
                                double *margin);

void owi_vote_add(owi_vote *vote, double margin);
/* The lesser of the model's own margin and what n voters say together. */
double owi_vote_result(const owi_vote *vote, size_t n, double own);

#endif
