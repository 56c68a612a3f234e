/* SPDX-License-Identifier: MIT */
/* Tables and evaluations for the states of many searches at once. */
#ifndef OWI_GUIDED_BATCH_H
#define OWI_GUIDED_BATCH_H

#include "explain/guided/guided.h"

ow_status owi_guided_buffers_new(owi_guided_block *block);
void owi_guided_buffers_free(owi_guided_block *block);

/* What each move would make of a state; NaN where that is not known. */
typedef struct {
    const double *log_t, *margin;
} owi_move_table;

typedef enum {
    OWI_SHOW_SOME,  /* the most promising ones                     */
    OWI_SHOW_ALL,   /* of those that pairs are made of, all        */
    OWI_SHOW_REST,  /* the most promising ones of the others       */
    OWI_SHOW_LISTED /* none but those that are listed              */
} owi_show;

typedef struct {
    owi_guided_row *row;
    const owi_state *state;
    const uint32_t *listed; /* moves to evaluate: compound ones are not known otherwise */
    size_t n_listed;
    size_t slot;   /* the caller's                                                        */
    owi_show show; /* which simple moves a foreign classifier is asked about              */
} owi_request;

/* Called for each request, on any thread. */
typedef void (*owi_table_fn)(const owi_guided_block *block, const owi_request *request,
                             const owi_move_table *table, void *user);
ow_status owi_guided_expand(const owi_guided_block *block, size_t n_requests,
                            const owi_request *requests, owi_table_fn consume, void *user);

/* owi_margin of a circuit's decision from log S(x given c), which lie `stride` apart; joint
 * is scratch for one number a class. */
double owi_circuit_margin(const owi_problem *problem, const double *log_class,
                          size_t stride, int32_t target, double *joint);

/* log_t and margin of states, from their values. */
typedef struct {
    owi_guided_row *row;
    owi_state *state;
} owi_evaluation;
ow_status owi_guided_evaluate(const owi_guided_block *block, size_t n,
                              const owi_evaluation *evaluations);

#endif
