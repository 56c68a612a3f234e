/* SPDX-License-Identifier: MIT */
/* Probabilistic circuits: a random tensorized sum-product network (RAT-SPN) that is a
 * classifier and an exact density in one.
 *
 *     ow_circuit *circuit = NULL;
 *     ow_evaluator *evaluator = NULL;
 *     const float row[4] = {0.2f, -1.3f, NAN, 0.7f};
 *     double log_class[2], log_density, posterior[2];
 *     ow_status st = ow_circuit_import(ctx, "circuit.json", &circuit);
 *     if (st == OW_OK) st = ow_evaluator_new(circuit, "cpu", &evaluator);
 *     if (st == OW_OK) st = ow_evaluate(evaluator, 1, row, NULL, log_class);
 *     if (st == OW_OK)
 *         ow_circuit_posterior(circuit, 1, log_class, &log_density, posterior);
 *     ow_evaluator_free(evaluator);
 *     ow_circuit_free(circuit);
 *
 * A circuit sees rows of floats, one for each of its columns (encode.h makes them); NaN is
 * a missing value, which is summed out exactly.  doc/method.md has the mathematics.
 *
 * Threads: a circuit is read-only while it is evaluated and may be shared; one thread for
 * each evaluator, which itself works on the context's threads. */
#ifndef OTHERWISE_CIRCUIT_H
#define OTHERWISE_CIRCUIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/context.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_circuit ow_circuit;
typedef struct ow_evaluator ow_evaluator;

typedef enum {
    OW_PER_CLASS, /* one sub-circuit for each class                          */
    OW_SHARED     /* one circuit with a root for each class                  */
} ow_structure;

typedef enum {
    OW_LEAF_GAUSSIAN,    /* a number                                         */
    OW_LEAF_CATEGORICAL, /* a level's index, 0 ... n_levels - 1              */
    OW_LEAF_BERNOULLI,   /* 0 or 1                                           */
    OW_LEAF_POINT_MASSES /* a number, some values of which have a probability
                          * of their own beside the Gaussian                  */
} ow_leaf_kind;

/* The distribution family of one column. */
typedef struct {
    ow_leaf_kind kind;
    size_t n_levels;     /* categorical: at least 1                          */
    size_t n_masses;     /* point masses: how many, at least 1               */
    const float *masses; /* point masses: their values, all different        */
    double log_cell;     /* Gaussian and point masses: log of the width of the cell that a
                          * number stands for, so that whole numbers have probabilities;
                          * 0: a density                                      */
    size_t group;        /* columns of one group stand side by side and are never parted */
    bool ordered; /* categorical: the levels have an order; a hint for learning alone */
} ow_leaf;

/* The size of a circuit.  Depth is how often the columns are halved: 0 is a plain mixture.
 * Sums are without effect below depth 2, repetitions at depth 0. */
typedef struct {
    size_t size; /* sizeof(ow_circuit_spec) */
    ow_structure structure;
    size_t depth, repetitions, sums, inputs;
    size_t n_classes, n_columns;
    const ow_leaf *leaves; /* n_columns                                      */
    double variance;       /* of every Gaussian; 0: each has its own, learned */
    bool same_regions;     /* per class: all sub-circuits halve the columns alike */
    uint64_t seed;         /* of the halvings                                 */
} ow_circuit_spec;

/* A circuit that knows nothing yet: equal weights, standard Gaussians, equal levels.  More
 * halvings than the groups allow are cut down, with a warning in the log.  The spec is
 * copied. */
OW_API OW_MUST_CHECK ow_status ow_circuit_new(ow_context *ctx, const ow_circuit_spec *spec,
                                              ow_circuit **out);
/* A circuit that somebody else has written down as JSON (doc/format.md): Gaussian leaves,
 * any scopes, weights and variances. */
OW_API OW_MUST_CHECK ow_status ow_circuit_import(ow_context *ctx, const char *path,
                                                 ow_circuit **out);
/* Does nothing for NULL. */
OW_API void ow_circuit_free(ow_circuit *circuit);

/* What the circuit is, with the depth that it really has; lent. */
OW_API const ow_circuit_spec *ow_circuit_get_spec(const ow_circuit *circuit);

/* log P(c), n_classes entries that sum to 1 after exp; lent.  Equal until set. */
OW_API const double *ow_circuit_log_prior(const ow_circuit *circuit);
OW_API OW_MUST_CHECK ow_status ow_circuit_set_prior(ow_circuit *circuit,
                                                    const double *prior);

/* Parameters: leaves (means, variances, probabilities) and weights. */
OW_API size_t ow_circuit_n_leaf_parameters(const ow_circuit *circuit);
OW_API size_t ow_circuit_n_weights(const ow_circuit *circuit);

/* The columns of one leaf region, ascending; lent.  Each repetition of each copy (one for
 * each class, or one for all if shared) has 2^depth leaf regions from left to right;
 * regions 2p and 2p + 1 are the halves of one. */
OW_API const uint32_t *ow_circuit_region(const ow_circuit *circuit, size_t copy,
                                         size_t repetition, size_t region,
                                         size_t *n_columns);

/* From log S(x given c) (n_rows x n_classes): log S(x) and P(c given x); either may be
 * NULL.  Evidence that is impossible for every class has log S = -infinity and the prior
 * for its posterior. */
OW_API void ow_circuit_posterior(const ow_circuit *circuit, size_t n_rows,
                                 const double *log_class, double *log_density,
                                 double *posterior);

/* ---- Evaluation ---- */

/* The backends that run on this machine, the fastest first; NULL past the last one. */
OW_API const char *ow_backend_name(size_t index);

/* backend: "cpu" (NULL means that), "ref", or an instruction set by name ("cpu-avx2"); an
 * unknown one fails with OW_ERR_UNSUPPORTED and the names there are.  The circuit is
 * borrowed. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_new(const ow_circuit *circuit,
                                                const char *backend, ow_evaluator **out);
/* Does nothing for NULL. */
OW_API void ow_evaluator_free(ow_evaluator *evaluator);

/* log S(x given c) for each row and class: rows is n_rows x n_columns, log_class n_rows x
 * n_classes. -infinity only where evidence is impossible; never NaN.  An infinity, or a
 * level that does not exist, fails with OW_ERR_NUMERIC and its row and column. */
OW_API OW_MUST_CHECK ow_status ow_evaluate(ow_evaluator *evaluator, size_t n_rows,
                                           const float *rows, const ow_call *call,
                                           double *log_class);

/* What to differentiate: sum_c class_factor[c] log S(x given c) + density_factor log
 * S(x). */
typedef struct {
    const double *class_factor; /* n_rows x n_classes; NULL: none of them  */
    double density_factor;
} ow_mix;

/* The gradients of several mixes with respect to the inputs from one forward pass:
 * gradients is n_mixes x n_rows x n_columns.  Entries that are missing or not numbers
 * (levels) have gradient 0; a row that is impossible for a class gets nothing from it.
 * log_class may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_differentiate(ow_evaluator *evaluator, size_t n_rows,
                                                const float *rows, size_t n_mixes,
                                                const ow_mix *mixes, const ow_call *call,
                                                double *log_class, float *gradients);

/* log S(x_q given x_e, c) and log S(x_q given x_e), where x_e is the entries of a row in
 * the columns that are evidence (n_columns flags) and x_q those in the others; what is
 * missing is in neither.  log_class is n_rows x n_classes, log_density n_rows; either may
 * be NULL.  Given evidence that is itself impossible (for the class, or for all classes)
 * nothing is probable: -infinity, even where x_q has no entries; otherwise that is 0. */
OW_API OW_MUST_CHECK ow_status ow_log_conditional(ow_evaluator *evaluator, size_t n_rows,
                                                  const float *rows, const bool *evidence,
                                                  const ow_call *call, double *log_class,
                                                  double *log_density);

/* ---- Soft rows ---- */

/* Methods that follow gradients need categories that move.  In a soft row a column with
 * levels takes one entry for each of them, its share x_k: 1 for the level that it is, 0 for
 * the others, NaN in all where it is missing; every other column is one entry, as in a
 * row.  Between the levels a leaf's log-density is sum_k x_k log p_k, so that the same
 * products serve; at whole levels it is the circuit's own.  A circuit of numbers only has
 * soft rows that are its rows. */
OW_API size_t ow_circuit_soft_width(const ow_circuit *circuit);
/* The entries of a column: *first, and how many. */
OW_API size_t ow_circuit_soft_span(const ow_circuit *circuit, size_t column, size_t *first);
OW_API void ow_circuit_soften(const ow_circuit *circuit, size_t n_rows, const float *rows,
                              float *soft);
/* As ow_evaluate and ow_differentiate, with soft rows and gradients. */
OW_API OW_MUST_CHECK ow_status ow_evaluate_soft(ow_evaluator *evaluator, size_t n_rows,
                                                const float *soft, const ow_call *call,
                                                double *log_class);
OW_API OW_MUST_CHECK ow_status ow_differentiate_soft(ow_evaluator *evaluator, size_t n_rows,
                                                     const float *soft, size_t n_mixes,
                                                     const ow_mix *mixes,
                                                     const ow_call *call, double *log_class,
                                                     float *gradients);

/* ---- Changing one column ---- */

/* Values to try in a row, one column at a time: those of column j are values[start[j]] ...
 * values[start[j + 1] - 1]. start has n_columns + 1 entries, the first of them 0.  NaN is a
 * value like others: the column left out. */
typedef struct {
    const size_t *start;
    const float *values;
} ow_candidates;

/* Candidates made ready for an evaluator's circuit as it is now.  They are copied, the
 * evaluator is borrowed.  A value that its column cannot have fails with OW_ERR_NUMERIC. */
typedef struct ow_changes ow_changes;
OW_API OW_MUST_CHECK ow_status ow_changes_new(ow_evaluator *evaluator,
                                              const ow_candidates *candidates,
                                              ow_changes **out);
/* Does nothing for NULL. */
OW_API void ow_changes_free(ow_changes *changes);

/* log S(x with x_j := v given c) for every row x, every class c and every candidate (j, v),
 * exactly, from one pass up and one down the circuit: log_changed is n_rows x n_classes x
 * candidates.  log_class, of the rows as they are, may be NULL. Values as for
 * ow_evaluate. */
OW_API OW_MUST_CHECK ow_status ow_single_changes(ow_changes *changes, size_t n_rows,
                                                 const float *rows, const ow_call *call,
                                                 double *log_class, double *log_changed);

/* ---- Changing two columns ---- */

/* Which pairs of changes ow_pair_changes reports: those that make the row one of the class
 * `target`, by the circuit's own decision, and dense enough in it.  x' is the changed row.
 * */
typedef struct {
    size_t size;         /* sizeof(ow_pair_filter)                                        */
    int32_t target;      /* a class                                                       */
    double least_margin; /* log P(t) S(x' given t) - max over other classes c of
                          * log P(c) S(x' given c) must be at least this                  */
    /* n_rows: log S(x' given t) must be at least this; NULL: may be anything but
     * -infinity */
    const double *least_log_class;
    /* n_rows x candidates: which candidates may be used in a row; NULL: all of them */
    const bool *allowed;
    /* n_rows x candidates, none of them NaN: what each change costs; a pair costs the sum.
     * Then only pairs are reported that are cheaper than every pair of the row reported
     * before: the last one is the cheapest that passes.  NULL: all that pass. */
    const double *price;
} ow_pair_filter;

/* Pairs of one row that have the first candidate in common, second ones ascending; lent
 * while the callback runs. */
typedef struct {
    size_t row;
    size_t first; /* a candidate: its index in ow_candidates.values                       */
    size_t n_pairs;
    const uint32_t *second;    /* n_pairs candidates of later columns                     */
    const double *log_changed; /* n_pairs x n_classes: log S(x' given c)                  */
} ow_pair_list;

/* Called for every first candidate that has pairs to report; first candidates of a row come
 * in ascending order.  False: no more of this row.  Rows are shared out over threads, so
 * that the callback may run on several of them at once, for different rows. */
typedef bool (*ow_pair_fn)(void *user, const ow_pair_list *pairs);

/* log S(x with x_j := v and x_k := w given c) for every row x, every class c and every pair
 * of candidates (j, v) and (k, w) of different columns, j < k, exactly: two products of
 * matrices for each row and class instead of an evaluation for each pair.  filter NULL: all
 * pairs are reported.  Values as for ow_evaluate. */
OW_API OW_MUST_CHECK ow_status ow_pair_changes(ow_changes *changes, size_t n_rows,
                                               const float *rows,
                                               const ow_pair_filter *filter,
                                               const ow_call *call, ow_pair_fn report,
                                               void *user);

/* ---- Sampling ---- */

/* Completes rows: every missing entry of rows (n_rows x n_columns) is drawn from the
 * circuit, given the entries that are there; an empty row is a plain sample.  classes says
 * which class each row is drawn from, -1: drawn too, from the posterior given what is
 * there, and stored; NULL: as if all were -1.  Row i uses stream i of the call's seed.  A
 * row that is impossible stays as it is, and fails with OW_ERR_NUMERIC. */
OW_API OW_MUST_CHECK ow_status ow_sample(ow_evaluator *evaluator, size_t n_rows,
                                         const ow_call *call, float *rows,
                                         int32_t *classes);

/* ---- The most probable completion ---- */

/* Fills every missing entry of rows (n_rows x n_columns) so that the whole row is as
 * probable as possible given what is there, for the class in classes, or for the best class
 * (-1; NULL: as if all were -1), which is then stored.  Of numbers the density counts.
 *
 * exact (n_rows, may be NULL) says of which rows this is certain: where all that is missing
 * has levels, with at most 4096 completions in all, and for circuits of a single
 * component.  Elsewhere the result is a local optimum: no other value of one column alone,
 * as far as tried, and no small change of its numbers is better.  A row that is impossible
 * stays as it is, and fails with OW_ERR_NUMERIC. */
OW_API OW_MUST_CHECK ow_status ow_most_probable(ow_evaluator *evaluator, size_t n_rows,
                                                const ow_call *call, float *rows,
                                                int32_t *classes, bool *exact);

#ifdef __cplusplus
}
#endif
#endif
