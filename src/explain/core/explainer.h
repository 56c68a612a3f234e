/* SPDX-License-Identifier: MIT */
/* What a method is.  Adding one: a file explain_<name>.c, a copy of explain_nearest.c, that
 * ends with its descriptor; one line in explainer_list.h and in explainer_registry.c; and
 * its test.  Parsing, range checks, `otherwise methods`, the manual's table, the allocation
 * sweep and `evaluate` walk the registry.
 *
 * A method explains a block of rows at a time.  It gets the problem and the queries, fills
 * one answer for each query and each wanted counterfactual, and neither judges nor repairs:
 * verdict.c does that, alike for all methods. */
#ifndef OWI_EXPLAINER_H
#define OWI_EXPLAINER_H

#include "base/call.h"
#include "base/numeric/largest.h"
#include "base/text/param_table.h"
#include "circuit/pass/evaluator.h"
#include "classifier/classifier.h"
#include "explain/constraints/repair.h"
#include "explain/core/density_reference.h"
#include "otherwise/explain.h"

/* Known rows, of which there may be a million: only what no method can do without is kept
 * for all of them. */
typedef struct {
    size_t n_rows;
    const double *values; /* n_rows x columns, lent by the caller               */
    double *log_proba;    /* n_rows x classes, of the classifier                */
    int32_t *predicted;   /* n_rows                                             */
} owi_background;

/* What is asked, alike for all rows of a call. */
typedef struct {
    /* Ticks, seed and threads.  Ticks do not fail when its time is up: a method looks at
     * owi_call_is_late itself, and ends with what it has. */
    const owi_call *call;
    ow_context *ctx;
    const ow_model *model;
    const ow_schema *schema;
    size_t n_columns, soft_width, n_classes;
    ow_classifier *classifier; /* whose decisions                                */
    bool is_circuit;           /* the classifier is the model's circuit itself    */
    ow_evaluator *evaluator;   /* of the model's circuit: densities, single changes */
    size_t block_rows;         /* queries at a time, at most                        */
    const ow_constraints *constraints;
    const owi_rules *rules; /* the same, compiled                                 */
    const ow_explain_options *options;
    owi_density_reference *reference;
    const owi_background *background; /* NULL: none was given                    */
} owi_problem;

/* A block of queries. */
typedef struct {
    size_t n_rows;
    uint64_t first_row;      /* number of its first row                        */
    const uint64_t *number;  /* n_rows: each row's own, for random streams     */
    const double *values;    /* n_rows x columns                               */
    const float *soft;       /* n_rows x soft width                            */
    const double *log_proba; /* n_rows x classes                               */
    /* y, the class to leave: the decision, or where that is t without the probability that
     * was asked, the next class */
    const int32_t *origin;
    const int32_t *target;    /* t, never y                                     */
    const owi_repair *repair; /* what the constraints leave of rows near them   */
    /* n_rows x soft width: d/dx [log S(x given t) - log S(x given y)] at the rows, where
     * the method asked for it and the pass that decides could bring it along; or NULL */
    const float *slope;
} owi_queries;

/* One candidate; rows.c has made room for it, and begins with given = false.  A method
 * fills `soft`, in soft space; one that works on values fills those too and says so. */
typedef struct {
    bool given;
    bool has_values, has_intermediate;
    double *values; /* columns                                            */
    /* columns: ow_counterfactual.enough, NaN at first; not to be written by a method that
     * does not say gives_enough */
    double *enough;
    double *enough_for_class; /* likewise                                              */
    ow_least least;           /* what is known of it                                */
    bool is_whole;            /* all answers that are possible were looked at       */
    bool is_final;            /* judged as it is, whatever it breaks: not repaired  */
    bool is_robust;           /* as OW_PREFER_ROBUST asks                           */
    float *soft;              /* soft width                                         */
    float *intermediate;      /* soft width                                         */
    double *path; /* n_path x columns, from owi_alloc; the explanation frees it */
    size_t n_path;
    ow_reason reason; /* why there is none, where only the method knows     */
    uint64_t n_gradient, n_forward;
} owi_answer;

typedef struct owi_explainer_impl {
    ow_method shown; /* what ow_method_get lends: name, summary, what it needs */
    size_t settings_size;
    const owi_param *params; /* shown.n_params of them */
    bool any_constraints;    /* what prepare makes serves whatever constraints are */
    bool proves;      /* of tables: owi_answer.is_whole says that there is no answer      */
    bool draws;       /* prepare draws random numbers: again for another seed */
    bool repairs;     /* looks at queries.repair, which may be NULL for others      */
    bool wants_slope; /* looks at queries.slope                                     */
    bool gives_enough; /* fills answers' enough                                      */

    /* Once before the first row, and again after a parameter, the background or the
     * constraints have changed, but not for other options, which it must not look at:
     * graphs, networks, scratch.  May be NULL.  *state is given to the others; release
     * frees it (never called with NULL). */
    ow_status (*prepare)(const owi_problem *problem, const void *settings, void **state);
    void (*release)(ow_context *ctx, void *state);

    /* answers is n_rows x options->n_answers, row by row. */
    ow_status (*explain_block)(const owi_problem *problem, const void *settings,
                               void *state, const owi_queries *queries,
                               owi_answer *answers);
} owi_explainer_impl;

/* NULL past the last one. */
const owi_explainer_impl *owi_explainer_impl_get(size_t index);
/* Its parameters; "auto" is NaN in a double. */
owi_param_table owi_explainer_params(const owi_explainer_impl *impl);

/* What ow_explain_options_init gives. */
ow_explain_options owi_explain_defaults(void);

/* ---- What several methods want (validity.c) ---- */

/* Whether log-probabilities (one for each class) make t the decision with the probability
 * that was asked for. */
bool owi_is_valid(const owi_problem *problem, const double *log_proba, int32_t target);
/* Whether they make t the decision, with whatever probability. */
bool owi_is_decided(const owi_problem *problem, const double *log_proba, int32_t target);
/* How far: above 0 where it is valid.  log P(t) less that of the best other class, or with
 * a least probability p the log-odds less log p/(1-p); the smaller of both ends where there
 * is a most probability too. */
double owi_margin(const owi_problem *problem, const double *log_proba, int32_t target);

#endif
