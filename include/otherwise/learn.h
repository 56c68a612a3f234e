/* SPDX-License-Identifier: MIT */
/* Learning a circuit from rows.
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
 * Rows are asked for block by block, once for each pass, so that memory does not depend on
 * their number. */
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

/* Where rows come from, again and again.  next gives at most max_rows further rows
 * (max_rows x columns) with their classes, 0 to n_classes - 1; n_rows is 0 at the end. */
typedef struct {
    void *user;
    ow_status (*rewind)(void *user);
    ow_status (*next)(void *user, size_t max_rows, float *rows, int32_t *classes,
                      size_t *n_rows);
} ow_row_source;

/* Rows that are in memory already: the struct is the caller's and stays while the source is
 * used. */
typedef struct {
    size_t n_rows, n_columns;
    const float *rows;
    const int32_t *classes;
    size_t at; /* the next row; the source's own */
} ow_row_array;
OW_API ow_row_source ow_row_source_of_array(ow_row_array *array);

/* How well a circuit fits rows: means over them. */
typedef struct {
    size_t n_rows;
    double log_density;       /* log S(x)                                    */
    double log_density_class; /* log S(x given its class)                    */
    double log_loss;          /* -log P(class given x)                       */
    double accuracy;          /* the class is the most probable one          */
} ow_score;
OW_API OW_MUST_CHECK ow_status ow_circuit_score(ow_evaluator *evaluator,
                                                const ow_row_source *source,
                                                const ow_call *call, ow_score *score);

typedef enum { OW_LEARN_EM, OW_LEARN_ADAM } ow_learner;

typedef struct {
    size_t size; /* sizeof(ow_learn_options) */
    ow_learner learner;
    const char *backend;   /* as for ow_evaluator_new                        */
    size_t passes;         /* over the rows, at most                         */
    size_t batch;          /* rows for each update; 0: all of them, full EM  */
    double pseudo_count;   /* EM: added to the expected count of every weight */
    double prior_rows;     /* EM: every leaf has also seen so many rows like the average */
    double least_variance; /* of learned variances                           */
    double discriminative; /* Adam: share s of log P(y given x) in the objective
                            * (1 - s) log S(x, y) + s log P(y given x)        */
    double rate;           /* Adam: step length                              */
    size_t patience; /* with validation rows: passes without improvement before stopping */
} ow_learn_options;

/* EM, 30 passes, all rows at a time, the rest as METHODS 1.4 recommends. */
OW_API void ow_learn_options_init(ow_learn_options *options, size_t size);

/* First values from data: means are those of random rows (of its class, where sub-circuits
 * are per class), variances and probabilities the columns' averages, weights a Dirichlet
 * sample.  One pass. */
OW_API OW_MUST_CHECK ow_status ow_circuit_start(ow_circuit *circuit,
                                                const ow_row_source *source,
                                                const ow_call *call);

/* Improves the circuit on the rows.  With validation rows, which must not be among the
 * others, the state that was best on them, the first one included, is kept, and learning
 * stops when it has not improved for `patience` passes.  A call that is stopped leaves the
 * best state so far and gives OW_ERR_CANCELLED.  score, which may be
 * NULL, is of the validation rows if there are any, else of the last pass over the training
 * rows. */
OW_API OW_MUST_CHECK ow_status ow_circuit_learn(ow_circuit *circuit,
                                                const ow_learn_options *options,
                                                const ow_row_source *source,
                                                const ow_row_source *validation,
                                                const ow_call *call, ow_score *score);

/* How classes are drawn towards the circuit of all rows, and tilted. */
typedef struct {
    /* by so many rows; negative: this and the rest is chosen by rows held out, and
     * stored */
    double towards_rows;
    /* stored: options->prior_rows, or, below 5000 rows, what was chosen with it */
    double prior_rows;
    /* penalty of the tilt exp(beta . features) of each class's density, which makes the
     * circuit a better classifier (doc/method.md); 0: none */
    double ridge;
    bool untilted; /* where it is chosen: choose none */
} ow_pooling;

/* For tables of people: one circuit is learned on all rows, then each class from it, drawn
 * back to it.  The circuit is per class with the same regions; it need not have been
 * started.  EM only.  pooling may be NULL: all is chosen. */
OW_API OW_MUST_CHECK ow_status ow_circuit_learn_pooled(ow_circuit *circuit,
                                                       const ow_learn_options *options,
                                                       const ow_row_source *source,
                                                       const ow_call *call,
                                                       ow_pooling *pooling);

#ifdef __cplusplus
}
#endif
#endif
