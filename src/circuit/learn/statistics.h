/* SPDX-License-Identifier: MIT */
/* Sums over rows that learning needs: the expected sufficient statistics of EM, which are
 * also what the gradient with respect to the parameters is made of.
 *
 * Rows come in batches of any size, are cut into chunks, and each chunk's sums (floats, one
 * buffer for each worker) are added to the totals (double) in chunk order: the same bytes
 * on any number of threads.  Where every class has a sub-circuit of its own a batch is
 * ordered by class first, so that tiles are full and few sub-circuits take part in a
 * chunk. */
#ifndef OWI_STATISTICS_H
#define OWI_STATISTICS_H

#include "circuit/pass/pass.h"
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

/* Each copy of the circuit has two parts of it: what every batch adds to, and what only
 * batches with gaps do, gappy and there.  Most tables have none, and then nobody looks at
 * the second part, which is as large as the first. */
static inline size_t owi_sum_part(size_t copy, bool of_gaps)
{
    return 2 * copy + (of_gaps ? 1 : 0);
}

static inline bool owi_sum_is_of_gaps(size_t part)
{
    return part % 2 == 1;
}

/* A run of entries of one part, as long as one worker takes at a time. */
typedef struct {
    size_t part, first, n;
} owi_sum_segment;

/* share is the discriminative one: rows are seeded with
 *     (1 - share) [c = y] + share ([c = y] - P(c given x))
 * With share 0 a per-class circuit only runs the sub-circuit of each row's own class. */
typedef struct {
    const owi_call *call;
    const ow_circuit *circuit;
    const owi_backend *backend;
    const owi_comm *comm;
    double share;
    owi_sum_layout layout;

    size_t n_segments;
    owi_sum_segment *segments; /* all entries, by copy */

    double *sum;        /* layout.n totals; those of a part are set when it is first met */
    bool *met;          /* (parts): whether that has been since the last reset         */
    bool *filled;       /* (parts): whether its totals may be other than 0             */
    bool has_gaps;      /* some batch has had: before, those parts of sum are not set  */
    double *class_rows; /* (C): rows of each class                          */
    double *class_log;  /* (C): sum of log S(x given y) of those rows       */
    double *class_log_posterior; /* (C): sum of log P(y given x); share > 0 only */
    double *part_met;            /* (parts): processes that have met it, when finished */

    size_t n_ordered; /* row numbers of a batch by class: room for so many */
    size_t *ordered;
    size_t n_workers;
    struct owi_collect_worker *workers;
} owi_statistics_sum;

ow_status owi_statistics_init(owi_statistics_sum *sums, const owi_call *call,
                              const ow_circuit *circuit, const owi_backend *backend,
                              const owi_comm *comm, double share);
void owi_statistics_clear(owi_statistics_sum *sums);

void owi_statistics_reset(owi_statistics_sum *sums);
/* Adds n_rows rows (n_rows x columns) with their classes, all from 0 to C - 1. */
ow_status owi_statistics_add(owi_statistics_sum *sums, size_t n_rows, const float *rows,
                             const int32_t *classes);
/* Totals over all processes; call once after the last add. */
ow_status owi_statistics_finish(owi_statistics_sum *sums);

#endif
