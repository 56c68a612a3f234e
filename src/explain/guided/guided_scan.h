/* SPDX-License-Identifier: MIT */
/* What the table of a state offers: the least change of one more unit that is all that was
 * asked, what comes closest where there is none, and the best states to go on from. */
#ifndef OWI_GUIDED_SCAN_H
#define OWI_GUIDED_SCAN_H

#include "explain/guided/guided_batch.h"

/* One or two moves, and what they would make of their state. */
typedef struct {
    size_t move, other; /* other SIZE_MAX: one                                       */
    owi_score score;
    double rank; /* potential less the price of the distance: who stays in the beam  */
} owi_step;

typedef struct owi_scan {
    owi_step found, valid, closest;
    bool has_found, has_valid, has_closest;
    size_t n_steps;
    owi_step steps[owi_most_beam]; /* best rank first, one for each unit or pair of units */
} owi_scan;

owi_step owi_step_of(const owi_guided_row *row, const owi_state *state, size_t move,
                     size_t other, double log_t, double margin);
/* Remembers a step that was looked at among what the state offers. */
void owi_scan_keep(const owi_guided_row *row, owi_scan *scan, const owi_step *step);
/* Keeps the best `width` steps, the best one alone of those that change the same units. */
void owi_scan_keep_step(const owi_guided *guided, owi_scan *scan, const owi_step *step,
                        size_t width);
/* An owi_table_fn: scans the table of a request into user[request->slot], an owi_scan. */
void owi_scan_table(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user);

/* The same with as many units as there is room for. */
void owi_scan_units(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user);

/* The state after the step. */
void owi_step_make(const owi_guided *guided, const owi_guided_row *row,
                   const owi_state *from, const owi_step *step, owi_state *to);
/* Offers everything that may be an answer to the row; row->next[0] is used. */
void owi_scan_offer(const owi_guided_block *block, owi_guided_row *row,
                    const owi_state *from, const owi_scan *scan);

#endif
