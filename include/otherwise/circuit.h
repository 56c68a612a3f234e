/* SPDX-License-Identifier: MIT */
/* Probabilistic circuits: random tensorized sum-product networks (RAT-SPN).  One circuit is
 * both a classifier, P(c given x), and an exact density, S(x).
 *
 *     ow_circuit *circuit = NULL;
 *     ow_evaluator *evaluator = NULL;
 *     const float row[4] = {0.2f, -1.3f, NAN, 0.7f};
 *     double log_class[2], log_density, posterior[2];
 *     ow_status st = ow_circuit_import(ctx, "circuit.json", NULL, &circuit);
 *     if (st == OW_OK) st = ow_evaluator_new(circuit, "cpu", &evaluator);
 *     if (st == OW_OK) st = ow_evaluator_evaluate(evaluator, 1, row, NULL, log_class);
 *     if (st == OW_OK)
 *         ow_circuit_posterior(circuit, 1, log_class, &log_density, posterior);
 *     ow_evaluator_free(evaluator);
 *     ow_circuit_free(circuit);
 *
 * A circuit reads rows of floats, one float for each of its columns; ow_model_encode
 * (model.h) makes them from rows in original units.  NaN is a missing value: it is summed
 * or integrated out exactly.  All arrays are row-major, and all logarithms are natural.
 * "n_rows x n_columns" gives the shape of an array.  doc/method.md has the mathematics.
 *
 * Threads: evaluating a circuit does not change it, so several threads may share one.  Only
 * one thread at a time may use an evaluator; the evaluator itself distributes its rows over
 * the context's threads. */
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
    OW_STRUCTURE_PER_CLASS, /* one sub-circuit for each class                          */
    OW_STRUCTURE_SHARED     /* one circuit with a root for each class                  */
} ow_structure;

typedef enum {
    OW_LEAF_GAUSSIAN,     /* a number                                         */
    OW_LEAF_CATEGORICAL,  /* a level's index, 0 ... n_levels - 1              */
    OW_LEAF_BERNOULLI,    /* 0 or 1                                           */
    OW_LEAF_POINT_MASSES, /* a number: a Gaussian, and single values
                           * that have a probability of their own            */
    OW_LEAF_FOLLOWS       /* a number that follows from others: it has no
                           * parameters, its density is that of an ow_sheet   */
} ow_leaf_kind;

/* The distribution family of one column. */
typedef struct {
    ow_leaf_kind kind;
    size_t n_levels;     /* categorical: number of levels, at least 1 */
    size_t n_masses;     /* point masses: number of values, at least 1  */
    const float *masses; /* point masses: the n_masses values, all different          */
    /* Numbers: log of the width of the interval that one number stands
     * for.  It is added to the log-density; with the scaled width of one unit, a
     * column of whole numbers gets probabilities instead of densities.  0: a density. */
    double log_cell;
    /* Adjacent columns with the same number form a group, which is never divided between
     * two regions.  Give each column its own number where there are no groups. */
    size_t group;
    /* categorical: the levels have an order.  Used in learning only. */
    bool ordered;
    /* Gaussian and point masses with learned variances: where the tails begin.  Farther out
     * a density falls as the inverse square of the distance d from that end, the same way
     * in every component: p(x) = p(end) / (1 + d)^2.  Both 0: Gaussian everywhere. */
    double low, high;
} ow_leaf;

/* One column of a sheet (below), and the unit u that the sheet counts it in.  A number x of
 * an encoded row stands for y = centre + scale x, or for expm1 of that where log1p is set
 * and it is above 0.  If least is 0, u = y; otherwise u = log y, continued below y = least
 * as the straight line that touches the logarithm there.  A column with levels has
 * u = levels[x]; its other fields but column and factor have no effect. */
typedef struct {
    size_t column;
    double factor;        /* of u; 1 in the first term                     */
    double centre, scale; /* scale > 0                                     */
    bool log1p;
    double least;
    const double *levels; /* columns with levels: one u for each; else NULL */
} ow_sheet_term;

/* Numbers that follow from numbers: all rows lie near a sheet
 *
 *     u_0 = constant + sum_i factor_i u_i + spread e,    i = 1 ... n_terms - 1
 *
 * where e has Student's t-distribution.  The column of terms[0] is OW_LEAF_FOLLOWS.  Its
 * density given the others is the same in all classes.  Where one of the others is missing
 * it counts as missing, too. */
typedef struct {
    size_t n_terms; /* at least 2 */
    const ow_sheet_term *terms;
    double constant;
    double spread;  /* > 0                                        */
    double freedom; /* degrees of freedom of e, a whole number > 0 */
} ow_sheet;

/* The structure and size of a circuit.  The columns are divided at random into two halves,
 * `depth` times over; each such division of all columns is one repetition.  At depth 0 the
 * circuit is a mixture of fully factorised distributions, and repetitions has no effect;
 * sums has no effect below depth 2. */
typedef struct {
    size_t size; /* sizeof(ow_circuit_spec) */
    ow_structure structure;
    /* sums: components of each inner region; inputs: components of each leaf region */
    size_t depth, repetitions, sums, inputs;
    size_t n_classes, n_columns;
    const ow_leaf *leaves; /* one for each column                             */
    double variance;       /* of every Gaussian; 0: each has its own, learned */
    bool same_regions; /* with one sub-circuit per class: all divide the columns alike */
    uint64_t seed;     /* random seed of the divisions                    */
    /* A circuit of trees instead of divisions; NULL: divisions.  Every repetition is one
     * tree over the groups of columns, numbered from 0 (where no columns are grouped, these
     * are the columns): parents[repetition * groups + g] is the parent of group g, and a
     * root is its own.  Each group has a hidden variable of `inputs` states that depends on
     * that of its parent; depth, sums and same_regions have no effect.  ow_circuit_new
     * copies it. */
    const uint32_t *parents;
    /* A sheet for each column that is OW_LEAF_FOLLOWS, at most 64; needs learned variances.
     * A sheet stands behind those whose first columns are among its other ones, so that no
     * column follows from itself.  ow_circuit_new copies them. */
    size_t n_sheets;
    const ow_sheet *sheets;
} ow_circuit_spec;

/* Makes a circuit that has not learned anything: equal weights, standard Gaussians, equal
 * probabilities of all levels.  A depth that is larger than the number of groups allows is
 * reduced, with a warning in the log.  The spec is copied. */
OW_API OW_MUST_CHECK ow_status ow_circuit_new(ow_context *ctx, const ow_circuit_spec *spec,
                                              ow_circuit **out);
/* Reads a circuit from a JSON file (doc/format.md), for instance one that another program
 * has learned: Gaussian leaves, with any scopes, weights and variances. */
OW_API OW_MUST_CHECK ow_status ow_circuit_import(ow_context *ctx, const char *path,
                                                 const ow_call *call, ow_circuit **out);
/* Does nothing for NULL. */
OW_API void ow_circuit_free(ow_circuit *circuit);

/* The structure and size of the circuit, with the depth that it really has (see
 * ow_circuit_new).  Owned by the circuit. */
OW_API const ow_circuit_spec *ow_circuit_get_spec(const ow_circuit *circuit);

/* The prior: log P(c) for each of the n_classes classes, owned by the circuit.  All classes
 * are equally probable until ow_circuit_set_prior is called, which takes the probabilities
 * themselves. */
OW_API const double *ow_circuit_log_prior(const ow_circuit *circuit);
OW_API OW_MUST_CHECK ow_status ow_circuit_set_prior(ow_circuit *circuit,
                                                    const double *prior);

/* The number of parameters: of the leaves (means, variances, probabilities), and of the
 * sums (weights). */
OW_API size_t ow_circuit_n_leaf_parameters(const ow_circuit *circuit);
OW_API size_t ow_circuit_n_weights(const ow_circuit *circuit);

/* The columns of one leaf region in ascending order, owned by the circuit; *n_columns gets
 * their number.  copy is the class where each class has a sub-circuit, and 0 in a shared
 * circuit.  Each repetition of a copy has 2^depth leaf regions, numbered from left to
 * right; regions 2p and 2p + 1 are the two halves of the same parent.  In a circuit of
 * trees every group of columns is a leaf region, the root first and each one after its
 * parent. */
OW_API const uint32_t *ow_circuit_region(const ow_circuit *circuit, size_t copy,
                                         size_t repetition, size_t region,
                                         size_t *n_columns);

/* Computes log S(x) (log_density, n_rows) and P(c given x) (posterior, n_rows x n_classes)
 * from log S(x given c) (log_class, n_rows x n_classes).  Either output may be NULL.  For a
 * row that is impossible in every class, log S(x) is -infinity and the posterior is the
 * prior. */
OW_API void ow_circuit_posterior(const ow_circuit *circuit, size_t n_rows,
                                 const double *log_class, double *log_density,
                                 double *posterior);

/* ---- Evaluation ---- */

/* The names of the processor's backends that run on this machine, the fastest first; NULL
 * when index is past the last one. */
OW_API const char *ow_backend_name(size_t index);

/* Makes an evaluator of a circuit.  The circuit is borrowed and must outlive it.
 * backend: "cpu" (the default, also for NULL), "ref", or the "cpu" code for one
 * instruction set, such as "cpu-avx2".  An unknown name fails with OW_ERR_UNSUPPORTED;
 * the message lists the names that exist.
 *
 * "cuda": batches of rows are evaluated and differentiated on a GPU, and sums for learning
 * made there; needs libotherwise-cuda.so, beside the library or where it is installed, and
 * fails with OW_ERR_UNSUPPORTED where that, the driver or the GPU is missing.
 * "cuda:FILE" names the plugin.  "auto": the GPU if there is one, else the processor, with
 * a message to the context's log. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_new(const ow_circuit *circuit,
                                                const char *backend, ow_evaluator **out);
/* Does nothing for NULL. */
OW_API void ow_evaluator_free(ow_evaluator *evaluator);

/* Computes log S(x given c) for each row and class: rows is n_rows x n_columns, log_class
 * n_rows x n_classes.  A result is -infinity only if the row is impossible in the class; it
 * is never NaN.  An infinite value in a row, or a level that does not exist, fails with
 * OW_ERR_NUMERIC; the message names row and column. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_evaluate(ow_evaluator *evaluator, size_t n_rows,
                                                     const float *rows, const ow_call *call,
                                                     double *log_class);

/* A function to differentiate, a weighted sum of log-densities:
 * sum_c class_factor[c] log S(x given c) + density_factor log S(x). */
typedef struct {
    const double *class_factor; /* n_rows x n_classes; NULL: all 0 */
    double density_factor;
} ow_mix;

/* Computes the gradients of several mixes with respect to the rows, after one forward pass
 * for all of them: gradients is n_mixes x n_rows x n_columns.  Missing values and levels
 * have gradient 0.  A class in which a row is impossible adds nothing to the row's
 * gradient. log_class (n_rows x n_classes, as in ow_evaluator_evaluate) may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_differentiate(
    ow_evaluator *evaluator, size_t n_rows, const float *rows, size_t n_mixes,
    const ow_mix *mixes, const ow_call *call, double *log_class, float *gradients);

/* Conditional densities.  x_e is the values of a row in the columns with
 * evidence[column] == true, x_q its values in the other columns; missing values belong
 * to neither.  Computes log S(x_q given x_e, c) (log_class, n_rows x n_classes) and log
 * S(x_q given x_e) (log_density, n_rows); either output may be NULL.  If x_e itself is
 * impossible, in the class or in all classes, the result is -infinity.  If it is
 * possible and x_q has no values, the result is 0. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_condition(
    ow_evaluator *evaluator, size_t n_rows, const float *rows, const bool *evidence,
    const ow_call *call, double *log_class, double *log_density);

/* ---- Soft rows ---- */

/* Methods that follow gradients need categories that change continuously.  In a soft row a
 * column with levels has one entry x_k for each level, the level's share: 1 for the row's
 * level and 0 for the others, or NaN in all of them if the value is missing.  Any other
 * column has one entry, as in a row.  The log-density of a categorical leaf is sum_k x_k
 * log p_k, which equals the circuit's own where one share is 1 and the others are 0.  For a
 * circuit whose columns are all numbers, soft rows and rows are the same.
 *
 * ow_circuit_soft_width: the number of entries of a soft row. */
OW_API size_t ow_circuit_soft_width(const ow_circuit *circuit);
/* Sets *first to the index of a column's first entry; returns the number of its entries. */
OW_API size_t ow_circuit_soft_span(const ow_circuit *circuit, size_t column, size_t *first);
/* Makes soft rows (n_rows x soft width) from rows (n_rows x n_columns). */
OW_API void ow_circuit_soften(const ow_circuit *circuit, size_t n_rows, const float *rows,
                              float *soft);
/* As ow_evaluator_evaluate and ow_evaluator_differentiate, with rows and gradients of the
 * soft width. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_evaluate_soft(ow_evaluator *evaluator,
                                                          size_t n_rows, const float *soft,
                                                          const ow_call *call,
                                                          double *log_class);
OW_API OW_MUST_CHECK ow_status ow_evaluator_differentiate_soft(
    ow_evaluator *evaluator, size_t n_rows, const float *soft, size_t n_mixes,
    const ow_mix *mixes, const ow_call *call, double *log_class, float *gradients);

/* ---- Changing one column ---- */

/* Candidates: values to try in single columns of a row.  Those of column j are
 * values[start[j]] to values[start[j + 1] - 1]; start has n_columns + 1 entries, of which
 * the first is 0.  NaN is allowed as a candidate: the value is then missing. */
typedef struct {
    const size_t *start;
    const float *values;
} ow_candidates;

/* Candidates prepared for an evaluator's circuit, with the parameters that it has now.  The
 * candidates are copied; the evaluator is borrowed and must outlive them.  A value that its
 * column cannot have fails with OW_ERR_NUMERIC. */
typedef struct ow_changes ow_changes;
OW_API OW_MUST_CHECK ow_status ow_changes_new(ow_evaluator *evaluator,
                                              const ow_candidates *candidates,
                                              ow_changes **out);
/* Does nothing for NULL. */
OW_API void ow_changes_free(ow_changes *changes);

/* Computes log S(x with x_j := v given c) for every row x, every class c and every
 * candidate (j, v).  The result is exact and takes one upward and one downward pass
 * through the circuit.  log_changed is n_rows x n_classes x candidates; log_class, the
 * values of the unchanged rows, may be NULL.  Rows as for ow_evaluator_evaluate. */
OW_API OW_MUST_CHECK ow_status ow_changes_singles(ow_changes *changes, size_t n_rows,
                                                  const float *rows, const ow_call *call,
                                                  double *log_class, double *log_changed);

/* ---- Changing two columns ---- */

/* Which pairs of changes ow_changes_pairs reports: those after which the circuit decides
 * for the class `target` (t below) and the row is dense enough in that class.  x' is the
 * changed row. */
typedef struct {
    size_t size;         /* sizeof(ow_pair_filter)                                        */
    int32_t target;      /* a class                                                       */
    double least_margin; /* log P(t) S(x' given t) - max over other classes c of
                          * log P(c) S(x' given c) must be at least this                  */
    /* n_rows: the least log S(x' given t) for each row; NULL: any but -infinity */
    const double *least_log_class;
    /* n_rows x candidates: true if the candidate may be used in the row; NULL: all may */
    const bool *allowed;
    /* n_rows x candidates, no NaN: the cost of each change; a pair costs the sum of its
     * two. If given, a pair is reported only if it is cheaper than all pairs reported
     * before for the row, so that the last pair reported is the cheapest that passes the
     * filter.  NULL: every pair that passes is reported. */
    const double *price;
} ow_pair_filter;

/* Pairs of changes of one row that have the first candidate in common, in ascending order
 * of the second.  Valid only while the callback runs. */
typedef struct {
    size_t row;
    size_t first; /* a candidate: its index in ow_candidates.values                       */
    size_t n_pairs;
    const uint32_t *second;    /* n_pairs candidates of later columns                     */
    const double *log_changed; /* n_pairs x n_classes: log S(x' given c)                  */
} ow_pair_list;

/* Called once for each first candidate that has pairs to report, in ascending order within
 * a row.  Return false to get no more pairs of this row.  Different rows are worked on by
 * different threads, so the callback may run on several threads at once, each time for
 * another row. */
typedef bool (*ow_pair_fn)(void *user, const ow_pair_list *pairs);

/* Computes log S(x with x_j := v and x_k := w given c) for every row x, every class c and
 * every pair of candidates (j, v) and (k, w) with j < k, and reports those that pass the
 * filter (NULL: all).  The result is exact; it takes two matrix products for each row and
 * class instead of an evaluation for each pair.  Rows as for ow_evaluator_evaluate. */
OW_API OW_MUST_CHECK ow_status ow_changes_pairs(ow_changes *changes, size_t n_rows,
                                                const float *rows,
                                                const ow_pair_filter *filter,
                                                const ow_call *call, ow_pair_fn report,
                                                void *user);

/* ---- Sampling ---- */

/* Completes rows at random: every missing value (NaN) in rows (n_rows x n_columns) is
 * replaced by a draw from the circuit, given the values that are present; a row of
 * missing values only becomes an unconditional sample.  classes[i] is the class that row
 * i is drawn from.  If it is -1, the class is drawn too, from the posterior given the
 * values present, and stored there; NULL is as if all were -1.  Row i uses random stream
 * i of the call's seed.  An impossible row is left unchanged and makes the call fail
 * with OW_ERR_NUMERIC. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_sample(ow_evaluator *evaluator, size_t n_rows,
                                                   const ow_call *call, float *rows,
                                                   int32_t *classes);

/* ---- The most probable completion ---- */

/* Replaces every missing value in rows (n_rows x n_columns) so that the completed row has
 * the largest probability (for numbers: density) given the values present.  classes[i] is
 * the class of row i; if it is -1, the best class is taken and stored there.  NULL is as if
 * all were -1.
 *
 * exact (n_rows, may be NULL) is true for rows whose completion is certainly the best one:
 * if all missing values have levels, with at most 4096 completions together, or if the
 * circuit has a single component.  Otherwise the result is a local optimum: no other value
 * that was tried for a single column, and no small change of the numbers, is better.  An
 * impossible row is left unchanged and makes the call fail with OW_ERR_NUMERIC. */
OW_API OW_MUST_CHECK ow_status ow_evaluator_complete(ow_evaluator *evaluator, size_t n_rows,
                                                     const ow_call *call, float *rows,
                                                     int32_t *classes, bool *exact);

#ifdef __cplusplus
}
#endif
#endif
