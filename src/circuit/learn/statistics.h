/* SPDX-License-Identifier: MIT */
/* Sums over rows that learning needs: the expected sufficient statistics of EM, which are
 * also what the gradient with respect to the parameters is made of.
 *
 * Rows come in batches of any size and are cut into chunks.  The chunks' sums (floats, one
 * buffer for each worker) are added in a tree (sum_tree.h), and its root to the totals
 * (double): the same bytes on any number of threads, and of processes
 * (base/threads/team.h).  Where every class has
 * a sub-circuit of its own a batch is ordered by class first, so that tiles are full and
 * few sub-circuits take part in a chunk. */
#ifndef OWI_STATISTICS_H
#define OWI_STATISTICS_H

#include "circuit/device/device_sums.h"
#include "circuit/learn/sum_layout.h"
#include "circuit/learn/sum_tree.h"
#include "circuit/pass/pass.h"

/* share is the discriminative one: the adjoint of log S(x given c) at the root is
 *     (1 - share) [c = y] + share ([c = y] - P(c given x))
 * With share 0 a per-class circuit only runs the sub-circuit of each row's own class. */
typedef struct owi_statistics_sum {
    const owi_call *call;
    const ow_circuit *circuit;
    const owi_backend *backend;
    double share;
    owi_sum_layout layout;

    size_t n_segments;
    owi_sum_segment *segments; /* all entries, by copy */

    /* The totals, layout.n of them.  A reset does not clear them: those of a part are
     * assigned when a chunk first adds to it (met), and finish clears what is left over
     * from the last pass (filled).  The parts of missing values are not even cleared, and
     * must not be read, before some batch has had missing values (has_gaps). */
    double *sum;
    bool *met;                   /* (parts): added to since the last reset           */
    bool *filled;                /* (parts): totals may be other than 0              */
    bool has_gaps;               /* some batch has had missing values                */
    double *class_rows;          /* (C): rows of each class                          */
    double *class_log;           /* (C): sum of log S(x given y) of those rows       */
    double *class_log_posterior; /* (C): sum of log P(y given x); share > 0 only */

    size_t n_ordered; /* row numbers of a batch by class: the room there is */
    size_t *ordered;
    size_t n_workers;
    struct owi_collect_worker *workers;
    owi_device_sums *device; /* where batches are summed up; NULL: here */
    owi_sum_tree tree;       /* of the chunks of a batch */
} owi_statistics_sum;

ow_status owi_statistics_init(owi_statistics_sum *sums, const owi_call *call,
                              const ow_circuit *circuit, const owi_backend *backend,
                              double share);
/* From now on batches are summed up on a device. */
ow_status owi_statistics_use_device(owi_statistics_sum *sums, const owi_device_api *api);
void owi_statistics_clear(owi_statistics_sum *sums);

void owi_statistics_reset(owi_statistics_sum *sums);
/* Adds n_rows rows (n_rows x columns) with their classes, all from 0 to C - 1. */
ow_status owi_statistics_add(owi_statistics_sum *sums, size_t n_rows, const float *rows,
                             const int32_t *classes);
/* Makes the totals complete; call once after the last add. */
void owi_statistics_finish(owi_statistics_sum *sums);

#endif
