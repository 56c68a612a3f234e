/* SPDX-License-Identifier: MIT */
/* What one thread needs for pairs of changes. */
#ifndef OWI_PAIR_WORKER_H
#define OWI_PAIR_WORKER_H

#include "circuit/query/pair_tables.h"

typedef struct owi_pair_worker {
    owi_workspace *workspace;
    owi_pair_row row;
    /* (C, lanes): y + top_w, and what all components share */
    double *lane_log;
    /* (C, lanes): exp(-lane_log) of the target, exp(lane_log - the target's) of others */
    double *lane_ratio;
    double *price;           /* (lanes)                                            */
    double *lane_gain;       /* (lanes): owi_sheets_gain of the change alone       */
    double *later;           /* (columns): the least price of any later column     */
    double *column_constant; /* (columns): owi_leaf_constant of the row's value    */
    bool *keep;              /* (lanes)                                            */
    uint32_t *second;        /* (lanes): the pairs to report                       */
    double *log_changed;     /* (lanes, C)                                         */
    double *base;            /* (C): what all pairs of one candidate share         */
    float *changed;          /* (owi_tile_lanes, columns): rows to be evaluated    */
    uint32_t *doubtful;      /* (lanes): pairs of the list whose rows those are    */
} owi_pair_worker;

/* The tables, and at least so many workers. */
ow_status owi_pairs_prepare(ow_changes *changes, size_t n_workers);

#endif
