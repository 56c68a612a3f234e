/* SPDX-License-Identifier: MIT */
/* Sums over rows that learning needs: the expected sufficient statistics of EM, which are also what the
 * gradient with respect to the parameters is made of.
 *
 * Rows come in batches of any size, are cut into chunks, and each chunk's sums (floats, one buffer for each
 * worker) are added to the totals (double) in chunk order: the same bytes on any number of threads.  Where every class has a
 * sub-circuit of its own a batch is ordered by class first, so that tiles are full and few sub-circuits take part in a chunk. */
#ifndef OWI_STATISTICS_H
#define OWI_STATISTICS_H

#include "circuit/pass.h"
#include "comm/comm.h"

/* Where the parts lie in a block of sums. */
typedef struct {
    size_t leaf;   /* as the leaf parameters: flow * feature                 */
    size_t weight; /* as the weights: flow through each pair                 */
    size_t whole;  /* (copy, region, I): flow, batches in which nothing is missing */
    size_t gappy;  /* likewise, the other batches                            */
    size_t there;  /* as gap_theta: flow * [x is there], the other batches   */
    size_t n;      /* all of it                                              */
} owi_sum_layout;

owi_sum_layout owi_sum_layout_of(const ow_circuit *circuit);

/* The parts of it that belong to one copy of the circuit; returns how many there are. */
typedef struct {
    size_t first, n;
} owi_sum_span;
enum { owi_most_sum_spans = owi_most_depths + 5 };
size_t owi_sum_spans(const ow_circuit *circuit, size_t copy,
                     owi_sum_span spans[owi_most_sum_spans]);

/* share is the discriminative one: rows are seeded with
 *     (1 - share) [c = y] + share ([c = y] - P(c given x))
 * With share 0 a per-class circuit only runs the sub-circuit of each row's own class. */
typedef struct {
    const ow_circuit *circuit;
    const owi_backend *backend;
    const owi_comm *comm;
    double share;
    owi_sum_layout layout;

    double *sum;        /* layout.n totals; those of a copy are set when it is first met */
    bool *met;          /* (copies): whether that has been since the last reset */
    double *class_rows; /* (C): rows of each class                          */
    double *class_log;  /* (C): sum of log S(x given y) of those rows       */
    double *class_log_posterior; /* (C): sum of log P(y given x); share > 0 only */

    size_t n_ordered; /* row numbers of a batch by class: room for so many */
    size_t *ordered;
    size_t n_workers;
    struct owi_collect_worker *workers;
} owi_statistics_sum;

ow_status owi_statistics_init(owi_statistics_sum *sums, const ow_circuit *circuit,
                              const owi_backend *backend, const owi_comm *comm,
                              double share);
void owi_statistics_clear(owi_statistics_sum *sums);

void owi_statistics_reset(owi_statistics_sum *sums);
/* Adds n_rows rows (n_rows x columns) with their classes, all from 0 to C - 1. */
ow_status owi_statistics_add(owi_statistics_sum *sums, size_t n_rows, const float *rows,
                             const int32_t *classes);
/* Totals over all processes; call once after the last add. */
ow_status owi_statistics_finish(owi_statistics_sum *sums);

#endif
