/* SPDX-License-Identifier: MIT */
/* Counterfactual explanations: for a row (the query), similar rows for which the
 * classifier decides differently.
 *
 *     ow_constraints *rules = NULL;
 *     ow_explainer *explainer = NULL;
 *     ow_explanation *explanation = NULL;
 *     ow_explain_options options;
 *     ow_explain_options_init(&options, sizeof options);
 *     ow_status st = ow_schema_find_class(ow_model_schema(model), "good", &options.target);
 *     if (st == OW_OK) st = ow_constraints_new(ctx, ow_model_schema(model), &rules);
 *     if (st == OW_OK) st = ow_constraints_immutable(rules, "age");
 *     const ow_explain_model what = {.size = sizeof(ow_explain_model), .model = model};
 *     if (st == OW_OK) st = ow_explainer_new(&what, "guided", &explainer);
 *     if (st == OW_OK)
 *         st = ow_explainer_explain(explainer, rules, &options, n, values, NULL,
 *                                   &explanation);
 *     for (size_t i = 0; st == OW_OK && i < n; i++) {
 *         const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
 *         ...
 *     }
 *     ow_explanation_free(explanation);
 *     ow_explainer_free(explainer);
 *     ow_constraints_free(rules);
 *
 * Rows are passed in and returned in the schema's form: one double for each column, in
 * original units (schema.h).  If no counterfactual is found, that is an outcome with a
 * reason, not an error.
 *
 * Threads: a model is read-only and may be shared between threads.  Only one thread at a
 * time may use an explainer; the explainer itself distributes its work over the
 * context's threads.  The answers are the same, byte for byte, with any number of
 * threads.  Which rows are explained in the same call can change the last bits of
 * numbers, and nothing else. */
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

/* Constraints restrict how a counterfactual may differ from its query; every answer keeps
 * all of them.  New constraints contain what the schema says of its columns (immutable,
 * monotone, relations, rules), and each call below restricts further.  Unless a range is
 * set, a changed number stays within the range of the training rows, widened to include the
 * query's value; images and maps have one range for all columns together.  Columns are
 * given by name.  A name, level or range that is not possible fails with OW_ERR_ARGUMENT;
 * the message has the name and the nearest spelling. */
typedef struct ow_constraints ow_constraints;

/* The schema is borrowed and must outlive the constraints. */
OW_API OW_MUST_CHECK ow_status ow_constraints_new(ow_context *ctx, const ow_schema *schema,
                                                  ow_constraints **out);
OW_API void ow_constraints_free(ow_constraints *constraints);

/* The column must not change. */
OW_API OW_MUST_CHECK ow_status ow_constraints_immutable(ow_constraints *constraints,
                                                        const char *column);
/* Only this column may change, and the columns of earlier calls of this function; all
 * others become immutable. */
OW_API OW_MUST_CHECK ow_status ow_constraints_vary(ow_constraints *constraints,
                                                   const char *column);
/* A changed number x must have low <= x <= high.  An infinite bound means no bound. */
OW_API OW_MUST_CHECK ow_status ow_constraints_range(ow_constraints *constraints,
                                                    const char *column, double low,
                                                    double high);
/* A changed number x of a query that has q there must have
 *     q + low <= x <= q + high            OW_REACH_UNITS
 *     low <= 100 (x - q) / |q| <= high    OW_REACH_PERCENT
 * Several calls for a column, and a range, all hold.  An infinite bound means no bound. */
typedef enum { OW_REACH_UNITS, OW_REACH_PERCENT } ow_reach_unit;
OW_API OW_MUST_CHECK ow_status ow_constraints_reach(ow_constraints *constraints,
                                                    const char *column, double low,
                                                    double high, ow_reach_unit unit);
/* A changed column may only take this value (a level, or a number as text) or the values of
 * earlier calls for the same column. */
OW_API OW_MUST_CHECK ow_status ow_constraints_allow(ow_constraints *constraints,
                                                    const char *column, const char *value);
/* The column may change from this level to that one.  Once a column has such a move, it may
 * change only by its moves and to the values of ow_constraints_allow.  For columns with
 * levels. */
OW_API OW_MUST_CHECK ow_status ow_constraints_move(ow_constraints *constraints,
                                                   const char *column, const char *from,
                                                   const char *to);
/* The cost of changing a column, 1 unless it is set: its change is multiplied with it
 * wherever answers are compared by their distance from the query.  `direction` upwards or
 * downwards sets the cost of that direction only, for numbers and ordinal columns; NONE
 * sets both.  Must be a finite number above 0.  What is reported as ow_distance does not
 * change. */
OW_API OW_MUST_CHECK ow_status ow_constraints_cost(ow_constraints *constraints,
                                                   const char *column,
                                                   ow_monotone direction, double cost);
/* The column may only change upwards or only downwards.  For numbers and ordinal
 * columns. */
OW_API OW_MUST_CHECK ow_status ow_constraints_monotone(ow_constraints *constraints,
                                                       const char *column,
                                                       ow_monotone direction);
/* States that a column follows others, "dti = 1200 * monthly_payment / income": an answer
 * that changes one of them has what the formula says, rounded as the column is, or does not
 * change them; the column never changes alone and is not counted as a change.  Takes
 * precedence over what the schema says of the column.  doc/expressions.md has the language;
 * a mistake fails with OW_ERR_ARGUMENT, and the message has the position. */
OW_API OW_MUST_CHECK ow_status ow_constraints_derive(ow_constraints *constraints,
                                                     const char *statement);
/* Adds a condition between columns, "education up => age up", "housing = own => property !=
 * none", "late_payments not down" (doc/expressions.md).  An answer that changes none of its
 * columns keeps it. */
OW_API OW_MUST_CHECK ow_status ow_constraints_add_rule(ow_constraints *constraints,
                                                       const char *rule);
/* Leaves out the schema's relations between columns (ow_schema_relation); what
 * ow_constraints_derive stated stays. */
OW_API void ow_constraints_drop_relations(ow_constraints *constraints);
/* At most n columns may change; linked columns count as one, and columns that follow others
 * are not counted.  0: no limit. */
OW_API void ow_constraints_most_changes(ow_constraints *constraints, size_t n);

/* The number of constraints that a row (values) breaks as an answer to the query. */
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

/* The methods in a fixed order; NULL when index is past the last one.  They are
 * constants of the library and stay valid as long as it is loaded. */
OW_API const ow_method *ow_method_get(size_t index);
/* A method's parameters in a fixed order; NULL when index is past the last one.  Constants
 * of the library, too. */
OW_API const ow_param *ow_method_param(const ow_method *method, size_t index);
/* Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_method_find(const char *name, const ow_method **out);

/* ---- Explainers ---- */

/* What to explain.  All borrowed; model and classifier must outlive the explainer. */
typedef struct {
    size_t size;               /* sizeof(ow_explain_model) */
    const ow_model *model;     /* gives the columns, densities and reference figures */
    ow_classifier *classifier; /* whose decisions are explained; NULL: the model's own */
    const char *backend;       /* as for ow_evaluator_new */
} ow_explain_model;

typedef struct ow_explainer ow_explainer;

/* Makes an explainer that uses a method, by name (ow_method_get). */
OW_API OW_MUST_CHECK ow_status ow_explainer_new(const ow_explain_model *model,
                                                const char *method, ow_explainer **out);
/* Does nothing for NULL. */
OW_API void ow_explainer_free(ow_explainer *explainer);

/* Sets one parameter, from text.  An unknown name or a value that is not possible fails
 * with OW_ERR_ARGUMENT; the message says which there are. */
OW_API OW_MUST_CHECK ow_status ow_explainer_set(ow_explainer *explainer, const char *name,
                                                const char *value);
/* Sets every parameter to the values of a preset, "paper" or "reference".  The answers of a
 * preset do not keep the schema's relations (ow_schema_relation): papers know none. */
OW_API OW_MUST_CHECK ow_status ow_explainer_preset(ow_explainer *explainer,
                                                   const char *preset);
/* A parameter's value as text, lent until it is set again.  A name that the method does
 * not have fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_explainer_get(const ow_explainer *explainer,
                                                const char *name, const char **value);
OW_API const ow_method *ow_explainer_method(const ow_explainer *explainer);

/* Sets the background: known rows, n_rows x schema columns, borrowed.  The methods
 * `nearest` and `face` return such rows as answers, and the density that
 * options.density_quantile asks for is taken from them.  Without a background, methods
 * that need real rows fail, and the others use the samples that are stored in the model. */
OW_API OW_MUST_CHECK ow_status ow_explainer_set_background(ow_explainer *explainer,
                                                           size_t n_rows,
                                                           const double *values);

/* The seconds that the method spent on preparation before its first row (a graph, an
 * autoencoder).  0 before that, and for methods without preparation. */
OW_API double ow_explainer_preparation_seconds(const ow_explainer *explainer);

/* ---- Explaining ---- */

/* A target: whichever class, other than the predicted one, is easiest to reach.  It is
 * different from OW_NO_CLASS, which is an error as a target. */
enum { OW_ANY_OTHER_CLASS = -2 };

/* Which of the answers that have the class and the density asked for is wanted.  Methods
 * other than guided, and images and maps, have one way only and do not look at it. */
typedef enum {
    OW_PREFER_LEAST,   /* fewest changes, then the nearest                              */
    OW_PREFER_TYPICAL, /* further changes where they make the row more typical and surer */
    /* fewest changes among the answers that keep their class in models of other training
     * samples, then the most probable class */
    OW_PREFER_ROBUST,
    /* the smallest sum of changes, each multiplied by its cost (ow_constraints_cost),
     * however many they are.  All answers of one and two changes are compared; those of
     * more changes only if there is none with one or two, or if the constraints leave so
     * few rows that all of them can be looked at. */
    OW_PREFER_CHEAPEST
} ow_prefer;

/* What to look for.  ow_explain_options_init sets the defaults given here in brackets. */
typedef struct {
    size_t size;    /* sizeof(ow_explain_options) */
    int32_t target; /* a class, or OW_ANY_OTHER_CLASS (OW_ANY_OTHER_CLASS) */
    /* one target for each row instead; NULL: `target` for all rows (NULL) */
    const int32_t *targets;
    size_t n_answers; /* counterfactuals wanted for each row (1), at most 1,000,000 */
    /* Range of the probability of the target class in a valid answer, in which the target
     * must be the most probable class as well (0 and 1: no further condition). */
    double least_proba, most_proba;
    /* The density that an answer should reach: this quantile, 0 to 1, of the densities of
     * background rows that are predicted as the target class, or without a background of
     * the model's stored samples of that class.  All densities are conditional on the
     * immutable columns (0.25). */
    double density_quantile;
    /* If true, a counterfactual below this density counts as not found; if false, it is
     * returned with dense = false (false). */
    bool density_required;
    /* If no answer is found, look for the constraint that prevents one, for
     * ow_outcome.blocking (true). */
    bool explain_failure;
    /* Number of the call's first row, which selects its random stream: with it, rows
     * that are explained in several calls use the same random numbers as in one (0). */
    uint64_t first_row;
    /* If the first answer's probability of the target is below this, the row is explained
     * again with this as the least probability, for ow_outcome.surer.  Not done if the
     * probability is less than 0.005 too small, since two printed digits do not show that.
     * 0: never (0). */
    double surer_proba;
    /* Which answer is wanted (OW_PREFER_LEAST). */
    ow_prefer prefer;
    /* Order the changes of each answer that has no path yet, up to ten, one after the
     * other: ow_counterfactual.path.  Of all orders the one whose least plausible row is
     * most plausible; a row is as dense as asked if it reaches density_quantile of some
     * class (false). */
    bool steps;
} ow_explain_options;
/* Writes the defaults into the first `size` bytes of options; pass sizeof *options. */
OW_API void ow_explain_options_init(ow_explain_options *options, size_t size);

typedef enum {
    OW_OUTCOME_FOUND,
    OW_OUTCOME_NOT_FOUND,
    OW_OUTCOME_ALREADY_TARGET
} ow_outcome_kind;

/* Why a query has no counterfactual. */
typedef enum {
    OW_REASON_NONE,                /* it has one, or is of the target class already */
    OW_REASON_NOT_FLIPPED,         /* the best candidate is not of the target class */
    OW_REASON_DENSITY_UNREACHABLE, /* no candidate of the class is as dense as required */
    /* there is an answer if the constraints are dropped */
    OW_REASON_CONSTRAINTS_INFEASIBLE,
    OW_REASON_NO_PATH,   /* face: its graph has no path to a row of the class */
    OW_REASON_TIME_LIMIT /* the call's time limit was reached first */
} ow_reason;

/* Distances between two rows.  The change of a number is divided by the column's range
 * in the training rows (images and maps: the range of all columns together); that of a
 * category is 1.  l0 is the number of changed columns, linked columns counted once; l1,
 * l2 and linf are norms of the changes; gower is l1 divided by the number of columns.  A
 * plain value: its layout never changes within a major.minor version. */
typedef struct {
    size_t l0;
    double l1, l2, linf, gower;
} ow_distance;

/* The distance of a row from a query, both in the schema's form.  A value that is
 * missing in only one of them counts as a changed category. */
OW_API ow_distance ow_model_distance(const ow_model *model, const double *query,
                                     const double *values);
/* The largest number of changes that an answer can count (ow_counterfactual.distance.l0):
 * the number of columns, with linked columns counted once, and without columns that follow
 * others by the schema's relations. */
OW_API size_t ow_model_most_changes(const ow_model *model);

/* Whether an answer is proved to be the least one: among all rows that have the class and
 * the density asked for, the one with the fewest changes, and of these the one with the
 * smallest distance l1.  The proof covers changes to candidate values: every level of a
 * category, and the values that a number has in the training rows, at most 256 of them. */
typedef enum {
    OW_LEAST_BEST_FOUND,    /* not proved: the best answer that the search has found  */
    OW_LEAST_NUMBER_PROVED, /* no answer has fewer changes                            */
    OW_LEAST_PROVED         /* and none with as many changes is nearer                */
} ow_least;

/* One answer.  The struct and all it points to are owned by the explanation; later versions
 * may append fields. */
typedef struct {
    /* The counterfactual after repair, one value for each schema column; it keeps every
     * constraint. */
    const double *values;
    const float *soft;         /* the soft row that the method made, before repair */
    const float *intermediate; /* two-step: the soft row u; NULL for other methods */
    int32_t predicted;         /* the class that the classifier predicts for values */
    const double *proba;       /* P(c given values), one for each class */
    bool valid;                /* of the target class, with the probability asked for */
    bool valid_before_repair;  /* the same for the soft row */
    bool dense;                /* reaches options.density_quantile */
    double log_density;        /* log S(values) */
    double log_density_target; /* log S(values given the target) */
    double percentile;         /* 0 to 100, among real rows of the target class */
    ow_distance distance;      /* of values from the query */
    size_t violations;         /* constraints broken: always 0 */
    size_t n_path;      /* face, options.steps: rows from the query to the answer; else 0 */
    const double *path; /* n_path x schema columns */
    uint64_t n_gradient; /* backward passes (each over all classes) spent on it */
    uint64_t n_forward;  /* forward passes spent on it */
    double seconds;      /* time spent: its share of the time for its block of rows */
    ow_least least;      /* whether it is proved to be the least answer */
    /* One for each schema column: how far a changed number has to go, the value nearest to
     * the query's, among those that the column is printed with, that is still enough if
     * all other columns are as in values.  It is between the query's value and that in
     * values, which may be a rounder number.  NaN for other columns and where it is not
     * known. */
    const double *enough;
    bool path_dense; /* options.steps: every row of the path is as dense as asked */
    /* options.prefer is OW_PREFER_ROBUST, and no robust answer was found: this one is an
     * answer of the model alone, and models of other training samples may not agree. */
    bool not_robust;
    /* One for each schema column: where `enough` is what it takes to be as dense as asked,
     * a value nearer to the query's, or the query's own, with which the row is of the
     * target class already, with the probability asked for, but less dense.  NaN for other
     * columns. */
    const double *enough_for_class;
} ow_counterfactual;

/* The outcome of one query.  Owned by the explanation; later versions may append fields. */
typedef struct ow_outcome {
    ow_outcome_kind kind;
    ow_reason reason;
    /* a description of the constraint that prevents an answer; NULL: there is none, or
     * blocking_unfinished */
    const char *blocking;
    int32_t predicted;   /* the class that the classifier predicts for the query */
    int32_t target;      /* the target class; for OW_ANY_OTHER_CLASS, the one chosen */
    const double *proba; /* P(c given the query), one for each class */
    double log_density;  /* log S(query) */
    double percentile;   /* of the query, among real rows of its predicted class */
    /* The counterfactuals, the best first.  If none is valid, the best candidate may be
     * here nevertheless, with valid = false. */
    size_t n_answers;
    const ow_counterfactual *const *answers;
    /* The outcome of explaining the query again with options.surer_proba as the least
     * probability, with at most one answer: OW_OUTCOME_FOUND, or OW_OUTCOME_NOT_FOUND with
     * a reason.  NULL: not asked for, or no answer was found, or the first answer is that
     * probable already, or surer_unfinished. */
    const struct ow_outcome *surer;
    /* OW_OUTCOME_NOT_FOUND: true if there is no answer, because every row that the
     * constraints allow was looked at (with candidate values, as for ow_least); false if
     * the search has found none, and there may be one. */
    bool impossible;
    /* The call was stopped, or its time limit was reached, before blocking or surer had
     * been looked for to the end: a NULL there does not mean that there is none.  The
     * reason may then be too general (OW_REASON_NOT_FLIPPED).  Both are false for a row
     * that was not searched at all, OW_REASON_TIME_LIMIT. */
    bool blocking_unfinished, surer_unfinished;
    /* The query is unlike the rows that the model has seen: its percentile is below 1.
     * What the model says of it, and the answers, are then guesses. */
    bool unlike_seen;
} ow_outcome;

/* Explains n_rows queries: values is n_rows x schema columns.  constraints NULL: the
 * schema's own.  options NULL: the defaults.  A row that was not reached within the call's
 * time limit is OW_OUTCOME_NOT_FOUND with OW_REASON_TIME_LIMIT.  If the call is stopped,
 * the result is OW_ERR_CANCELLED, and *out has the first rows as far as they were finished
 * (ow_explanation_n_rows is their number; NULL if there are none).  With every other
 * failure *out is NULL. */
typedef struct ow_explanation ow_explanation;
OW_API OW_MUST_CHECK ow_status ow_explainer_explain(ow_explainer *explainer,
                                                    const ow_constraints *constraints,
                                                    const ow_explain_options *options,
                                                    size_t n_rows, const double *values,
                                                    const ow_call *call,
                                                    ow_explanation **out);
OW_API const ow_outcome *ow_explanation_outcome(const ow_explanation *explanation,
                                                size_t row);
OW_API size_t ow_explanation_n_rows(const ow_explanation *explanation);
/* Does nothing for NULL. */
OW_API void ow_explanation_free(ow_explanation *explanation);

/* The names used in JSON: "found", "not-flipped" and so on.  NULL for OW_REASON_NONE, and
 * for a number that is not in the enumeration. */
OW_API const char *ow_outcome_kind_name(ow_outcome_kind kind);
OW_API const char *ow_reason_name(ow_reason reason);
OW_API const char *ow_least_name(ow_least least);
OW_API const char *ow_prefer_name(ow_prefer prefer);

#ifdef __cplusplus
}
#endif
#endif
