/* SPDX-License-Identifier: MIT */
/* Learning a circuit's parameters from rows.
 *
 *     const float points[4] = {0.1f, 0.9f, 3.2f, 3.8f};
 *     const int32_t classes[4] = {0, 0, 1, 1};
 *     ow_row_array array = {
 *         .n_rows = 4, .n_columns = 1, .rows = points, .classes = classes};
 *     const ow_row_source source = ow_row_source_of_array(&array);
 *     const ow_leaf leaf = {.kind = OW_LEAF_GAUSSIAN};
 *     const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
 *         .repetitions = 1, .inputs = 1, .n_classes = 2, .n_columns = 1, .leaves = &leaf};
 *     ow_learn_options options;
 *     ow_learn_options_init(&options, sizeof options);
 *     ow_circuit *circuit = NULL;
 *     ow_status st = ow_circuit_new(ctx, &spec, &circuit);
 *     if (st == OW_OK) st = ow_circuit_start(circuit, &source, NULL);
 *     if (st == OW_OK) st = ow_circuit_learn(circuit, &options, &source, NULL, NULL, NULL);
 *     ow_circuit_free(circuit);
 *
 * The rows are read block by block, once in each pass, so that the memory needed does not
 * depend on their number. */
#ifndef OTHERWISE_LEARN_H
#define OTHERWISE_LEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/circuit.h"
#include "otherwise/context.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A source of rows that can be read several times; the functions are the caller's.  rewind
 * goes back to the first row.  next writes at most max_rows further rows (max_rows x
 * n_columns) and their classes, 0 to n_classes - 1, and sets *n_rows to their number, which
 * is 0 at the end.  A status other than OW_OK ends learning, which returns it. */
typedef struct {
    void *user;
    ow_status (*rewind)(void *user);
    ow_status (*next)(void *user, size_t max_rows, float *rows, int32_t *classes,
                      size_t *n_rows);
} ow_row_source;

/* Rows in memory: rows is n_rows x n_columns, classes has n_rows entries.  The struct and
 * its arrays are the caller's and must outlive the source. */
typedef struct {
    size_t n_rows, n_columns;
    const float *rows;
    const int32_t *classes;
    size_t at; /* the next row to read; initially 0, changed by the source only */
} ow_row_array;
OW_API ow_row_source ow_row_source_of_array(ow_row_array *array);

/* How well a circuit fits rows: means over n_rows rows.  A plain value: its layout never
 * changes within a major.minor version. */
typedef struct {
    size_t n_rows;
    double log_density;       /* log S(x)                                    */
    double log_density_class; /* log S(x given its class)                    */
    double log_loss;          /* -log P(class given x)                       */
    double accuracy; /* share of rows whose class is the most probable one, 0 to 1 */
} ow_score;
/* Reads the source once from the beginning and measures the fit. */
OW_API OW_MUST_CHECK ow_status ow_circuit_score(ow_evaluator *evaluator,
                                                const ow_row_source *source,
                                                const ow_call *call, ow_score *score);

/* EM (expectation maximisation) of the likelihood, or gradient steps with Adam. */
typedef enum { OW_LEARN_EM, OW_LEARN_ADAM } ow_learner;

/* How to learn.  ow_learn_options_init sets the defaults given here in brackets. */
typedef struct {
    size_t size; /* sizeof(ow_learn_options) */
    ow_learner learner;
    const char *backend; /* as for ow_evaluator_new (NULL) */
    size_t passes;       /* most passes over the rows (30) */
    size_t batch;        /* rows for each update; 0: one update in each pass, full EM (0) */
    double pseudo_count; /* EM: added to the expected count of every weight (1e-8) */
    /* EM: strength of the prior of the leaves.  Every leaf is estimated as if it had also
     * seen this number of rows with the average of all rows (0). */
    double prior_rows;
    double least_variance; /* lower bound of learned variances (1e-3) */
    /* Adam: share s of the discriminative term in the objective
     * (1 - s) log S(x, y) + s log P(y given x), from 0 to 1 (0) */
    double discriminative;
    double rate; /* Adam: learning rate (1e-2) */
    /* With validation rows: learning stops after this number of passes without an
     * improvement (3). */
    size_t patience;
} ow_learn_options;

/* Writes the defaults, EM with the values above, into the first `size` bytes of options;
 * pass sizeof *options. */
OW_API void ow_learn_options_init(ow_learn_options *options, size_t size);

/* Finds trees for ow_circuit_spec.parents in rows: those of the strongest dependences
 * between columns (Chow and Liu, 1968), measured by mutual information.  Numbers are
 * counted in bins, and rows where one of two columns is missing do not count for the two.
 * parents (spec->repetitions x groups of columns) gets one tree for each repetition: the
 * first from all rows, every other one from a bootstrap sample, so that they differ.  Of
 * spec, repetitions, n_columns and leaves are used.  Reads the source once, and looks at
 * no more than 32768 of its rows. */
OW_API OW_MUST_CHECK ow_status ow_circuit_find_trees(ow_context *ctx,
                                                     const ow_circuit_spec *spec,
                                                     const ow_row_source *source,
                                                     const ow_call *call,
                                                     uint32_t *parents);

/* Sets initial parameters from data, before ow_circuit_learn.  The means of a leaf are the
 * values of a random row (of the sub-circuit's class for OW_STRUCTURE_PER_CLASS), variances
 * and probabilities are those of the whole column, and weights are drawn from a Dirichlet
 * distribution.  In a circuit of trees all nodes of a tree use the same rows, and most of
 * the weight of each state is on the parent's state of the same number.  Reads the source
 * once. */
OW_API OW_MUST_CHECK ow_status ow_circuit_start(ow_circuit *circuit,
                                                const ow_row_source *source,
                                                const ow_call *call);

/* Learns the circuit's parameters from the rows of source, starting from those it has.
 * options NULL: the defaults.
 *
 * validation may be NULL; its rows must not be among the others.  If it is given, learning
 * stops after `patience` passes without an improvement on these rows, and the circuit keeps
 * the parameters that were best on them (possibly the initial ones).
 *
 * If the call is stopped, the circuit keeps the best parameters so far and the function
 * returns OW_ERR_CANCELLED.  score, which may be NULL, gets the score on the validation
 * rows if there are any, else that of the last pass over the training rows. */
OW_API OW_MUST_CHECK ow_status ow_circuit_learn(ow_circuit *circuit,
                                                const ow_learn_options *options,
                                                const ow_row_source *source,
                                                const ow_row_source *validation,
                                                const ow_call *call, ow_score *score);

/* Settings of pooled learning: how strongly the circuit of each class is drawn towards the
 * pooled circuit, which is learned on the rows of all classes, and how the class densities
 * are tilted.  Settings that are chosen are stored where the caller's struct has them. */
typedef struct {
    size_t size; /* sizeof(ow_pooling) */
    /* Strength of the pull, as the number of rows that the pooled circuit counts for.
     * Negative: this, prior_rows and ridge are chosen on held-out rows, and stored here. */
    double towards_rows;
    /* Output: the prior_rows used.  It is options->prior_rows, except that a value is
     * chosen with the pull for tables of fewer than 5000 rows. */
    double prior_rows;
    /* Penalty of the tilt: each class density is multiplied by exp(beta . features), with
     * beta fitted so that the circuit classifies better (doc/method.md).  0: no tilt. */
    double ridge;
    bool untilted; /* if the settings are chosen: choose no tilt */
    /* Most passes over the rows for the pooled circuit; 0: those of the options.  Those of
     * the classes are the options' in any case. */
    size_t pooled_passes;
} ow_pooling;

/* Pooled learning, for tables: learns one circuit on the rows of all classes, then the
 * circuit of each class, which starts from the pooled one and is drawn back towards it.
 * The circuit must have been made with OW_STRUCTURE_PER_CLASS and same_regions;
 * ow_circuit_start is not needed.  EM only.  pooling NULL: all settings are chosen on
 * held-out rows. */
OW_API OW_MUST_CHECK ow_status ow_circuit_learn_pooled(ow_circuit *circuit,
                                                       const ow_learn_options *options,
                                                       const ow_row_source *source,
                                                       const ow_call *call,
                                                       ow_pooling *pooling);

#ifdef __cplusplus
}
#endif
#endif
