/* SPDX-License-Identifier: MIT */
/* Counterfactual explanations: what would have to be different for the classifier to decide
 * otherwise.
 *
 *     ow_constraints *rules = NULL;
 *     ow_explainer *explainer = NULL;
 *     ow_explanation *explanation = NULL;
 *     ow_explain_options options;
 *     ow_explain_options_init(&options, sizeof options);
 *     ow_status st = ow_schema_find_class(ow_model_schema(model), "good", &options.target);
 *     if (st == OW_OK) st = ow_constraints_new(ow_model_schema(model), ctx, &rules);
 *     if (st == OW_OK) st = ow_constraints_immutable(rules, "age");
 *     const ow_explain_model what = {.size = sizeof(ow_explain_model), .model = model};
 *     if (st == OW_OK) st = ow_explainer_new(&what, "guided", &explainer);
 *     if (st == OW_OK)
 *         st = ow_explain(explainer, rules, &options, n, values, NULL, &explanation);
 *     for (size_t i = 0; st == OW_OK && i < n; i++) {
 *         const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
 *         ...
 *     }
 *     ow_explanation_free(explanation);
 *     ow_explainer_free(explainer);
 *     ow_constraints_free(rules);
 *
 * Rows go in and come out as a schema has them: one double for each column, in original
 * units (schema.h).  Not finding a counterfactual is an outcome with a reason, not an
 * error.
 *
 * Threads: a model is read-only and may be shared; one thread for each explainer, which
 * itself works on the context's threads.  The answers are the same bytes on any number of
 * them; which rows are asked for together changes the last bits of numbers at most. */
#ifndef OTHERWISE_EXPLAIN_H
#define OTHERWISE_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/classifier.h"
#include "otherwise/model.h"
#include "otherwise/param.h"
#include "otherwise/schema.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constraints: what may change ---- */

/* No answer ever breaks one of them.  They begin with what the schema says of its columns
 * (immutable, monotone) and only get narrower.  A number's range is that of the training
 * rows, widened to the query's own value, until it is set; of images and maps it is that of
 * all columns together.  Columns are named; a name, level or range that cannot be fails
 * with OW_ERR_ARGUMENT, the name and the nearest spelling. */
typedef struct ow_constraints ow_constraints;

/* The schema is borrowed and outlives them. */
OW_API OW_MUST_CHECK ow_status ow_constraints_new(const ow_schema *schema, ow_context *ctx,
                                                  ow_constraints **out);
OW_API void ow_constraints_free(ow_constraints *constraints);

OW_API OW_MUST_CHECK ow_status ow_constraints_immutable(ow_constraints *constraints,
                                                        const char *column);
/* All columns but these become immutable; called again, the columns named before may vary
 * too. */
OW_API OW_MUST_CHECK ow_status ow_constraints_vary(ow_constraints *constraints,
                                                   const char *column);
/* Where a changed number may go: low <= x <= high; an infinite bound is none. */
OW_API OW_MUST_CHECK ow_status ow_constraints_range(ow_constraints *constraints,
                                                    const char *column, double low,
                                                    double high);
/* One value that a changed column may take (a level, or a number as text); called again,
 * one more. */
OW_API OW_MUST_CHECK ow_status ow_constraints_allow(ow_constraints *constraints,
                                                    const char *column, const char *value);
/* Up or down only: numbers and ordinal levels. */
OW_API OW_MUST_CHECK ow_status ow_constraints_monotone(ow_constraints *constraints,
                                                       const char *column,
                                                       ow_monotone direction);
/* Linked columns count once; 0: as many as there are. */
OW_API void ow_constraints_most_changes(ow_constraints *constraints, size_t n);

/* How many of them a row breaks as an answer to the query. */
OW_API size_t ow_constraints_violations(const ow_constraints *constraints,
                                        const double *query, const double *values);

/* ---- Methods and their parameters ---- */

/* One method.  Lent; later versions may append fields. */
typedef struct {
    const char *name, *summary;
    bool needs_gradient;   /* of the classifier */
    bool needs_background; /* known rows (ow_explainer_set_background) */
    bool takes_long;       /* hundreds of steps for one row: pass few rows per call */
    size_t n_params;
} ow_method;

/* The methods in a fixed order; NULL past the last one.  They are constants of the library,
 * valid on every thread for as long as it is loaded. */
OW_API const ow_method *ow_method_get(size_t index);
/* A method's parameters in a fixed order; NULL past the last one.  Constants likewise. */
OW_API const ow_param *ow_method_param(const ow_method *method, size_t index);
/* Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_method_find(const char *name, const ow_method **out);

/* ---- Explainers ---- */

/* All borrowed. */
typedef struct {
    size_t size;               /* sizeof(ow_explain_model) */
    const ow_model *model;     /* columns, density and reference figures      */
    ow_classifier *classifier; /* whose decisions; NULL: the model's own      */
    const char *backend;       /* as for ow_evaluator_new                     */
} ow_explain_model;

typedef struct ow_explainer ow_explainer;

OW_API OW_MUST_CHECK ow_status ow_explainer_new(const ow_explain_model *model,
                                                const char *method, ow_explainer **out);
/* Does nothing for NULL. */
OW_API void ow_explainer_free(ow_explainer *explainer);

/* One parameter.  A name or value that cannot be fails with OW_ERR_ARGUMENT and what there
 * is. */
OW_API OW_MUST_CHECK ow_status ow_explainer_set(ow_explainer *explainer, const char *name,
                                                const char *value);
/* "paper" or "reference": sets every parameter. */
OW_API OW_MUST_CHECK ow_status ow_explainer_preset(ow_explainer *explainer,
                                                   const char *preset);
/* A parameter's value as text, lent until it is set again.  A name that the method does
 * not have fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_explainer_get(const ow_explainer *explainer,
                                                const char *name, const char **value);
OW_API const ow_method *ow_explainer_method(const ow_explainer *explainer);

/* Known rows, n_rows x schema columns, borrowed: the rows that `nearest` and `face` may end
 * at, and what guided's density threshold is taken from.  Without them the model's stored
 * samples serve where that makes sense, and methods that need real rows fail. */
OW_API OW_MUST_CHECK ow_status ow_explainer_set_background(ow_explainer *explainer,
                                                           size_t n_rows,
                                                           const double *values);

/* Work done once before the first row, in seconds: graphs, autoencoders; 0 until then, and
 * for methods without any. */
OW_API double ow_explainer_preparation_seconds(const ow_explainer *explainer);

/* ---- Explaining ---- */

/* As a target: the class, other than the predicted one, that is easiest to reach.  It is
 * not OW_NO_CLASS, which as a target is an error. */
enum { OW_ANY_OTHER_CLASS = -2 };

typedef struct {
    size_t size;    /* sizeof(ow_explain_options) */
    int32_t target; /* a class, or OW_ANY_OTHER_CLASS: any but the predicted one    */
    /* or one for each row; NULL: target for all */
    const int32_t *targets;
    size_t n_answers; /* counterfactuals wanted for each row: k                        */
    double least_proba,
        most_proba; /* of the target; 0 and 1: it need only be the most probable */
    /* among rows of the target class that share what cannot change: 0.25 */
    double density_quantile;
    /* a row that stays below is not found; else only said so */
    bool density_required;
    bool explain_failure; /* look for the constraint that stands in the way: true         */
    uint64_t first_row;   /* number of the first row of the call, for random streams      */
    /* A row whose first answer has a smaller probability of the target than this is
     * explained a second time with at least this probability (ow_outcome.surer); not if it
     * is smaller by less than 0.005, which two printed digits do not show.  0: none. */
    double surer_proba;
} ow_explain_options;
/* Fills the struct, of which the caller gives the size, with the defaults. */
OW_API void ow_explain_options_init(ow_explain_options *options, size_t size);

typedef enum { OW_FOUND, OW_NOT_FOUND, OW_ALREADY_TARGET } ow_outcome_kind;

typedef enum {
    OW_REASON_NONE,
    OW_REASON_NOT_FLIPPED,         /* the best candidate is not of the target class       */
    OW_REASON_DENSITY_UNREACHABLE, /* nothing of the class is as dense as asked           */
    /* without the constraints there is an answer */
    OW_REASON_CONSTRAINTS_INFEASIBLE,
    OW_REASON_NO_PATH, /* face: no way to a row of the class                  */
    OW_REASON_TIME_LIMIT
} ow_reason;

/* Sums over columns in scaled space: numbers by the training range, a changed category is
 * 1; linked columns count once in l0. */
typedef struct {
    size_t l0;
    double l1, l2, linf, gower;
} ow_distance;

/* The distance of a row from a query; NaN on one side only counts as a changed category. */
OW_API ow_distance ow_model_distance(const ow_model *model, const double *query,
                                     const double *values);

/* One answer.  All pointers are lent by the explanation; later versions may append
 * fields. */
typedef struct {
    const double *values;      /* schema columns, repaired: keeps every constraint */
    const float *soft;         /* the soft row that the method made, before repair */
    const float *intermediate; /* two-step: the soft row u; NULL for other methods */
    int32_t predicted;         /* the class that the classifier gives to values */
    const double *proba;       /* P(c given values), one for each class */
    bool valid;                /* of the target class, with the probability asked for */
    bool valid_before_repair;  /* the same of the soft row */
    bool dense;                /* reaches options.density_quantile */
    double log_density;        /* log S(values) */
    double log_density_target; /* log S(values given the target) */
    double percentile;         /* 0 to 100, among the target's training rows */
    ow_distance distance;      /* of values from the query */
    size_t violations;         /* constraints broken: always 0 */
    size_t n_path;             /* face: rows from the query to the answer; else 0 */
    const double *path;        /* n_path x schema columns */
    uint64_t n_gradient;       /* backward passes over all classes that it took */
    uint64_t n_forward;        /* forward passes likewise */
    double seconds;            /* its share of the block's time */
} ow_counterfactual;

/* What became of one row.  Lent by the explanation; later versions may append fields. */
typedef struct ow_outcome {
    ow_outcome_kind kind;
    ow_reason reason;
    /* the constraint that stands in the way, by name; NULL: none known */
    const char *blocking;
    int32_t predicted;   /* the class of the query */
    int32_t target;      /* a class, even if any other was asked for */
    const double *proba; /* P(c given the query), one for each class */
    double log_density;  /* log S(query) */
    double percentile;   /* of the query, among its predicted class's training rows */
    /* The counterfactuals, the best first; also those that are not of the target class
     * where no better one was found. */
    size_t n_answers;
    const ow_counterfactual *const *answers;
    /* The same query explained with options.surer_proba as least probability and one answer
     * (lent with the rest): OW_FOUND, or OW_NOT_FOUND with a reason.  NULL: not asked for,
     * no answer was found, or the first one is that sure already. */
    const struct ow_outcome *surer;
} ow_outcome;

/* n_rows x schema columns; constraints may be NULL: the schema's own.  Rows that were not
 * reached within the call's time limit are not found, with OW_REASON_TIME_LIMIT.  A call
 * that is stopped gives OW_ERR_CANCELLED *and* the rows that were finished in *out, if
 * there are any: ow_explanation_n_rows tells how many of the first ones; every other
 * failure gives NULL. */
typedef struct ow_explanation ow_explanation;
OW_API OW_MUST_CHECK ow_status ow_explain(ow_explainer *explainer,
                                          const ow_constraints *constraints,
                                          const ow_explain_options *options, size_t n_rows,
                                          const double *values, const ow_call *call,
                                          ow_explanation **out);
OW_API const ow_outcome *ow_explanation_outcome(const ow_explanation *explanation,
                                                size_t row);
OW_API size_t ow_explanation_n_rows(const ow_explanation *explanation);
/* Does nothing for NULL. */
OW_API void ow_explanation_free(ow_explanation *explanation);

/* Counts and sums over rows.  All zero is none; it never gets further fields.  A row counts
 * for its first answer; a row that is of the target class already has none. */
typedef struct {
    size_t n_rows, n_found, n_not_found, n_already;
    size_t n_answered;   /* rows with an answer, valid or not                          */
    size_t n_target;     /* whose answer is valid                                      */
    size_t n_target_raw; /* whose answer was valid before repair                       */
    size_t n_other;      /* whose answer is not of the query's class                   */
    size_t n_percentile; /* valid answers that have a percentile                       */
    /* sums over valid answers; of percentiles, over those that have one */
    double l0, l1, l2, linf, gower, log_density, log_density_target, percentile;
} ow_explain_summary;
OW_API void ow_explain_summary_add(ow_explain_summary *summary, const ow_outcome *outcome);

/* The names in JSON: "found", "not-flipped", ...; NULL for OW_REASON_NONE and for numbers
 * that are none. */
OW_API const char *ow_outcome_kind_name(ow_outcome_kind kind);
OW_API const char *ow_reason_name(ow_reason reason);

#ifdef __cplusplus
}
#endif
#endif
