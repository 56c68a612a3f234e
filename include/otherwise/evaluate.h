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
 * doc/metrics.md defines every metric.  A query that is of the target class already is
 * counted apart; every other one counts: a missing answer is a failure wherever it can be
 * one.  Distances and densities are means over the valid answers *and* over the queries
 * that every method solved, so that failing on hard rows never makes a method look
 * better. */
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

typedef enum { OW_LESS_IS_BETTER = -1, OW_MORE_IS_BETTER = 1 } ow_direction;

/* Which rows a metric has a figure for. */
typedef enum {
    OW_OVER_QUERIES, /* 1 or 0 for every query, 0 where there is no answer    */
    OW_OVER_VALID,   /* a number for every valid answer                       */
    OW_OVER_ANSWERS, /* a number for every answer, valid or not               */
    OW_OF_METHOD     /* one number for all of a method's answers              */
} ow_metric_base;

typedef struct {
    const char *name, *summary; /* summary: one line, no full stop               */
    ow_direction direction;
    ow_metric_base base;
    int decimals;          /* worth showing                                      */
    bool needs_known_rows; /* not there without known rows                       */
    bool is_time;          /* differs from run to run                            */
} ow_metric;

/* The metrics in a fixed order; NULL past the last one. */
OW_API const ow_metric *ow_metric_get(size_t index);
/* The metric's index.  Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_metric_find(const char *name, size_t *index);

/* ---- Experiments ---- */

typedef struct {
    const char *name, *value;
} ow_setting;

/* A method with its settings.  All borrowed. */
typedef struct {
    const char *method;
    const char *preset; /* NULL: none                                      */
    /* Applied after the preset.  A parameter that the method does not have is an error. */
    const ow_setting *settings;
    size_t n_settings;
} ow_contestant;

/* All borrowed. */
typedef struct {
    size_t size;               /* sizeof(ow_experiment) */
    const ow_model *model;     /* columns, density and reference figures */
    ow_classifier *classifier; /* whose decisions are explained; NULL: the model's own */
    const char *backend;       /* as for ow_evaluator_new */
    const ow_contestant *methods;
    size_t n_methods;
    const ow_constraints *constraints; /* NULL: the schema's own                   */
    /* of every method; NULL: the defaults, without looking for what is in the way */
    const ow_explain_options *options;
    double time_limit; /* seconds for the rows of one method; 0: none */

    size_t n_queries; /* rows to explain, n_queries x schema columns         */
    const double *queries;

    /* Rows that the model was trained on, n_known x schema columns: the methods'
     * background, what the second circuit learns from, and the neighbours that ynn and lof
     * look at.  NULL: those metrics are missing. */
    size_t n_known;
    const double *known;
    /* Where some have a class, rows without (-1) are left out; NULL, or none has: what the
     * classifier says. */
    const int32_t *known_classes;

    size_t n_seeds; /* the call's seed and those after it                     */
    double noise;   /* of stability, in parts of a column's range; 0: it is not measured */
    /* do not compute the redundancy metric: it costs one prediction per changed column */
    bool skip_redundancy;
} ow_experiment;

/* One seed, noise 0.01, nothing else. */
OW_API void ow_experiment_init(ow_experiment *experiment, size_t size);

typedef struct ow_evaluation ow_evaluation;

/* A method that does not exist, or cannot do what is asked, fails before anything is run.
 * A call that is stopped gives OW_ERR_CANCELLED *and* what is complete in *out, if anything
 * is; every other failure gives NULL. */
OW_API OW_MUST_CHECK ow_status ow_experiment_run(const ow_experiment *experiment,
                                                 const ow_call *call, ow_evaluation **out);
/* Does nothing for NULL. */
OW_API void ow_evaluation_free(ow_evaluation *evaluation);

/* ---- What came of it ---- */

typedef struct {
    size_t n_methods, n_seeds, n_rows; /* as they were asked for                    */
    /* rows that are counted apart; n_rows less these are the queries */
    size_t n_already_target;
    size_t n_judge_rows;     /* that the second circuit learned from; 0: there is none */
    size_t n_neighbour_rows; /* that ynn and lof look at; 0: none         */
    double judge_seconds;    /* the second circuit's training, mean over the seeds */
    double training_seconds; /* the model's own, where it was trained here; else 0 */
} ow_evaluation_info;
OW_API const ow_evaluation_info *ow_evaluation_get_info(const ow_evaluation *evaluation);

/* One method.  Numbers of queries are means over the seeds. */
typedef struct {
    const char *name;           /* "two-step", or "two-step:paper"; lent           */
    size_t n_seeds;             /* complete; fewer than asked for after cancelling */
    double n_answered, n_valid; /* queries with an answer, with a valid one        */
    double n_common;            /* queries that every method solved                */
    size_t n_settings;          /* every parameter as it was                       */
    const ow_setting *settings; /* lent                                            */
} ow_standing;
OW_API const ow_standing *ow_evaluation_standing(const ow_evaluation *evaluation,
                                                 size_t method);

/* Mean and standard deviation over the seeds (NaN with fewer than two) of a metric's mean;
 * NaN where there is nothing to take it of. */
typedef struct {
    double mean, deviation;               /* over the rows that the metric says     */
    double common_mean, common_deviation; /* over the queries that every method solved */
} ow_figure;
OW_API ow_figure ow_evaluation_figure(const ow_evaluation *evaluation, size_t method,
                                      size_t metric);

/* A yardstick: the same of the rows that are of the target class already, as if they were
 * answers; common figures are NaN, and so is every metric but densities, ynn and lof. */
OW_API ow_figure ow_evaluation_real_rows(const ow_evaluation *evaluation, size_t metric);

/* One answer: what became of a row. */
typedef struct {
    bool complete; /* the method has run with this seed                          */
    ow_outcome_kind kind;
    ow_reason reason;
    int32_t predicted, target;
    bool valid;
    const double *figures; /* one for each metric; NaN: none; lent             */
} ow_row_result;
OW_API ow_row_result ow_evaluation_row(const ow_evaluation *evaluation, size_t seed,
                                       size_t method, size_t row);

#ifdef __cplusplus
}
#endif
#endif
