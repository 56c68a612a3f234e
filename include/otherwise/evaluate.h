/* SPDX-License-Identifier: MIT */
/* Comparing methods: several of them explain the same rows of the same classifier under the
 * same constraints, and are measured by the same metrics.
 *
 *     const ow_contestant methods[2] = {{.method = "guided"},
 *                                       {.method = "two-step", .preset = "paper"}};
 *     ow_experiment experiment;
 *     ow_evaluation *evaluation = NULL;
 *     ow_experiment_init(&experiment, sizeof experiment);
 *     experiment.model = model;
 *     experiment.methods = methods;
 *     experiment.n_methods = 2;
 *     experiment.n_queries = n;
 *     experiment.queries = values;
 *     ow_status st = ow_experiment_run(&experiment, NULL, &evaluation);
 *     for (size_t m = 0; st == OW_OK && ow_metric_get(m) != NULL; m++) {
 *         const ow_figure figure = ow_evaluation_figure(evaluation, 0, m);
 *         ...
 *     }
 *     ow_evaluation_free(evaluation);
 *
 * doc/metrics.md defines every metric.  Rows that the classifier already assigns to
 * the target class are counted separately and are not queries.  Every other row is a query,
 * and a query without an answer counts as a failure in metrics such as validity.  Distances
 * and densities are reported twice: as means over a method's valid answers, and as means
 * over the queries that every method solved, so that a method does not look better because
 * it fails on hard rows.  Answers that another tool has made can be judged in the same way:
 * ow_experiment.given. */
#ifndef OTHERWISE_EVALUATE_H
#define OTHERWISE_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/explain.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Metrics ---- */

typedef enum { OW_BETTER_LESS = -1, OW_BETTER_MORE = 1 } ow_direction;

/* The rows over which a metric is averaged. */
typedef enum {
    OW_BASE_QUERIES, /* 1 or 0 for every query, 0 where there is no answer    */
    OW_BASE_VALID,   /* a number for every valid answer                       */
    OW_BASE_ANSWERS, /* a number for every answer, valid or not               */
    OW_BASE_METHOD   /* one number for all of a method's answers              */
} ow_metric_base;

typedef struct {
    const char *name, *summary; /* summary: one line, no full stop               */
    ow_direction direction;
    ow_metric_base base;
    int decimals;          /* number of decimals worth printing */
    bool needs_known_rows; /* NaN without known rows (ow_experiment.known) */
    bool is_time;          /* measures time, and so differs from run to run */
} ow_metric;

/* The metrics in a fixed order; NULL when index is past the last one.  They are
 * constants of the library. */
OW_API const ow_metric *ow_metric_get(size_t index);
/* The metric's index.  Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_metric_find(const char *name, size_t *index);

/* ---- Experiments ---- */

/* A parameter's name and its value as text. */
typedef struct {
    const char *name, *value;
} ow_setting;

/* A method with its settings: one column of the comparison.  All borrowed.  This struct and
 * ow_setting never change, since callers have arrays of them. */
typedef struct {
    const char *method;
    const char *preset; /* NULL: none                                      */
    /* Applied after the preset.  A parameter that the method does not have is an error. */
    const ow_setting *settings;
    size_t n_settings;
} ow_contestant;

/* Answers that were made elsewhere, one for each query.  They are judged as they are:
 * nothing is repaired, and a constraint that they break counts as broken.  All borrowed.
 * This struct never changes. */
typedef struct {
    const char *name;
    const double *values; /* n_queries x schema columns             */
    const bool *answered; /* n_queries: whether there is one; NULL: there is one for each */
} ow_given_answers;

/* What to compare.  All pointers are borrowed. */
typedef struct {
    size_t size;               /* sizeof(ow_experiment) */
    const ow_model *model;     /* gives the columns, densities and reference figures */
    ow_classifier *classifier; /* whose decisions are explained; NULL: the model's own */
    const char *backend;       /* as for ow_evaluator_new */
    const ow_contestant *methods;
    size_t n_methods;
    const ow_constraints *constraints; /* NULL: the schema's own                   */
    /* for all methods; NULL: the defaults.  explain_failure is ignored: no metric needs
     * it. */
    const ow_explain_options *options;
    double time_limit; /* seconds for the rows of one method; 0: none */

    size_t n_queries; /* rows to explain, n_queries x schema columns         */
    const double *queries;

    /* Known rows: rows that the model was trained on, n_known x schema columns.  They are
     * the background of the methods, the training rows of the judge (a second circuit), and
     * the neighbours for the metrics ynn and lof.  NULL: these metrics are NaN. */
    size_t n_known;
    const double *known;
    /* The class of each known row, or OW_NO_CLASS.  If some rows have a class, those
     * without one are left out.  If none has, or if this is NULL, the classifier's
     * predictions are used. */
    const int32_t *known_classes;

    size_t n_seeds; /* number of runs: with the call's seed and the numbers after it */
    /* Noise added to the query to measure stability, as a fraction of each column's range;
     * 0: stability is not measured. */
    double noise;
    /* Do not compute the redundancy metric: it costs one prediction per changed column. */
    bool skip_redundancy;

    /* Answers made elsewhere, which stand in the results as further methods, after those
     * above.  With them n_methods may be 0.  Their times, passes and stability are NaN. */
    const ow_given_answers *given;
    size_t n_given;
} ow_experiment;

/* Writes the defaults into the first `size` bytes of experiment (pass sizeof *experiment):
 * n_seeds 1, noise 0.01, all else 0 or NULL. */
OW_API void ow_experiment_init(ow_experiment *experiment, size_t size);

typedef struct ow_evaluation ow_evaluation;

/* Runs all methods.  A method that does not exist, or that cannot do what is asked, fails
 * before anything is run.  If the call is stopped, the result is OW_ERR_CANCELLED, and *out
 * is the evaluation of the runs that were complete (NULL if there are none).  With every
 * other failure *out is NULL. */
OW_API OW_MUST_CHECK ow_status ow_experiment_run(const ow_experiment *experiment,
                                                 const ow_call *call, ow_evaluation **out);
/* Does nothing for NULL. */
OW_API void ow_evaluation_free(ow_evaluation *evaluation);

/* ---- Results ---- */

typedef struct {
    size_t n_methods, n_seeds, n_rows; /* as in the experiment */
    /* rows of the target class already; the number of queries is n_rows less this */
    size_t n_already_target;
    size_t n_judge_rows;     /* training rows of the judge, a second circuit; 0: no judge */
    size_t n_neighbour_rows; /* known rows used by ynn and lof; 0: none */
    double judge_seconds;    /* training time of the judge, mean over the seeds */
    /* training time of the model if this process trained it; else 0 */
    double training_seconds;
} ow_evaluation_info;
/* Owned by the evaluation. */
OW_API const ow_evaluation_info *ow_evaluation_get_info(const ow_evaluation *evaluation);

/* One method.  Owned by the evaluation; later versions may append fields.  Numbers of
 * queries are means over the seeds. */
typedef struct {
    const char *name;           /* "two-step", or with a preset "two-step:paper" */
    size_t n_seeds;             /* complete runs; fewer than asked for after a stop */
    double n_answered, n_valid; /* queries with an answer, and with a valid answer */
    double n_common;            /* queries that every method solved */
    size_t n_settings;          /* number of parameters of the method */
    const ow_setting *settings; /* the value of every parameter */
} ow_standing;
OW_API const ow_standing *ow_evaluation_standing(const ow_evaluation *evaluation,
                                                 size_t method);

/* The figure of one method in one metric: the metric's mean over rows, and then mean and
 * standard deviation of that over the seeds.  The deviation is NaN with fewer than two
 * seeds; all are NaN where no row has a value.  A plain value: its layout never changes
 * within a major.minor version. */
typedef struct {
    double mean, deviation;               /* over the rows given by ow_metric.base */
    double common_mean, common_deviation; /* over the queries that every method solved */
} ow_figure;
OW_API ow_figure ow_evaluation_figure(const ow_evaluation *evaluation, size_t method,
                                      size_t metric);

/* For comparison, the figures of real rows: the rows that are of the target class already,
 * treated as if they were answers.  Only densities, ynn and lof are defined; all other
 * metrics, and the common figures, are NaN. */
OW_API ow_figure ow_evaluation_real_rows(const ow_evaluation *evaluation, size_t metric);

/* The result of one method for one row with one seed.  A plain value: its layout never
 * changes within a major.minor version. */
typedef struct {
    bool complete; /* false: the method has not run with this seed, and the rest is unset */
    ow_outcome_kind kind;
    ow_reason reason;
    int32_t predicted, target;
    bool valid;
    const double *figures; /* one for each metric; NaN: none; owned by the evaluation */
} ow_row_result;
OW_API ow_row_result ow_evaluation_row(const ow_evaluation *evaluation, size_t seed,
                                       size_t method, size_t row);

#ifdef __cplusplus
}
#endif
#endif
