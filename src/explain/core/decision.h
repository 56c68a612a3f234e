/* SPDX-License-Identifier: MIT */
/* What the deciding classifier and the circuit say of rows: the one place that knows
 * whether the circuit itself decides.
 *
 * The circuit's decision comes with its densities, from one pass; another classifier is
 * asked apart.  Rows come as values (or soft), and become what the engine reads in here. */
#ifndef OWI_DECISION_H
#define OWI_DECISION_H

#include "base/memory/workspace.h"
#include "explain/core/explainer.h"

/* Room for n rows, and what is known of the last ones asked about. */
typedef struct {
    owi_workspace *workspace;
    float *soft;         /* n x soft width                                          */
    float *rows;         /* n x circuit columns; the same array where that is the same */
    double *log_proba;   /* n x classes: log P(c given x), of the deciding classifier */
    double *log_class;   /* n x classes: log S(x given c)                           */
    double *log_density; /* n: log S(x)                                             */
} owi_decision;

typedef enum {
    OWI_SCORES = 1,    /* log_proba less a number that all classes of a row share, which
                       * owi_margin does not see and which costs more than the rest */
    OWI_DENSITIES = 2, /* log_class                                                 */
    OWI_ALL = 4        /* soft, log_proba, log_class and log_density                */
} owi_decision_parts;

/* Either way owi_decision_clear. */
ow_status owi_decision_init(owi_decision *decision, const owi_problem *problem,
                            size_t most_rows);
void owi_decision_clear(owi_decision *decision);

/* The parts wanted, of n rows of values (n x columns). */
ow_status owi_decision_of_values(owi_decision *decision, const owi_problem *problem,
                                 owi_decision_parts wanted, size_t n, const double *values);
/* OWI_ALL, and from the same pass the gradient at these rows of sum_c factor[c] log S(x
 * given c).  `choose` fills the factors (n x classes) of rows [first, first + n) when all
 * that is said of them is known; from several threads, each for rows of its own.  Only
 * where owi_decision_has_slope. */
typedef struct {
    void (*choose)(void *user, size_t first, size_t n);
    void *user;
    double *factor; /* n x classes    */
    float *slope;   /* n x soft width */
} owi_decision_slopes;
bool owi_decision_has_slope(const owi_decision *decision, const owi_problem *problem);
ow_status owi_decision_and_slope(owi_decision *decision, const owi_problem *problem,
                                 size_t n, const double *values,
                                 const owi_decision_slopes *wanted);

/* OWI_SCORES and OWI_DENSITIES of n soft rows, which need not be of whole levels. */
ow_status owi_decision_of_soft(owi_decision *decision, const owi_problem *problem, size_t n,
                               const float *soft);

/* The gradient, at n soft rows, of sum_c factor[c] log P(c given x) with factors (n x
 * classes) that sum to 0 in each row; with_density: and behind it that of log S(x).
 * gradient is (1 or 2, n, soft width). */
ow_status owi_decision_slope(const owi_problem *problem, size_t n, const float *soft,
                             const double *factor, bool with_density, float *gradient);

#endif
