/* SPDX-License-Identifier: MIT */
/* Rows of a block that go downhill together, for methods that follow a gradient.
 *
 * All rows that are not done take a step at a time, so that the classifier sees them
 * together; what a row does next depends on nothing but the row.  A turn is
 *
 *     slope     the classifier's gradient at x; again for rows whose factors were wrong
 *     look      the method moves x, or looks where it stands (on all threads)
 *     judge     rows that ask are classified, of tables as they will be after repair
 *     advance   the method moves x, if it has not (on all threads)
 *     settle    rows that are done leave
 *
 * and a round ends when no row is left or all steps are made.  What is one method's own is
 * in its owi_objective; the answer is the nearest row that it kept (owi_descent_keep). */
#ifndef OWI_DESCENT_H
#define OWI_DESCENT_H

#include "base/threads/parallel.h"
#include "explain/constraints/boxes.h"
#include "explain/core/explainer.h"
#include "explain/descent/row_batch.h"

typedef struct {
    bool asks;   /* to be judged in this turn; set by look                           */
    bool done;   /* with this round                                                  */
    double best; /* how far the answer is, as the method measures it; infinity: none */
    uint64_t n_gradient, n_forward;
} owi_descent_row;

typedef struct {
    const owi_problem *problem;
    const owi_queries *queries;
    owi_answer *answers;
    owi_boxes boxes;
    owi_row_batch batch;
    bool judges_whole; /* rows count as they will be after repair                    */
    /* Rows are classified apart from their gradient; else what the gradient's pass said of
     * x is enough, but for x after the last step. */
    bool judges_apart;
    uint64_t step;            /* of this round                                       */
    size_t n_filled;          /* rows with what fills the last tile                  */
    owi_workspace *workspace; /* of all arrays below                                 */
    owi_descent_row *rows;
    size_t n_active;
    uint32_t *active, *asking; /* numbers of rows                                    */
    float *x, *whole,
        *gradient;      /* n_filled x width; whole: x repaired, or what is judged */
    double *factor;     /* n_rows x classes, 0 to begin with                */
    double *log_proba;  /* n_rows x classes, at x                           */
    double *log_judged; /* n_rows x classes, of rows that asked             */
} owi_descent;

/* The parts of a method; self is what owi_descent_run was given.  Those on all threads get
 * a chunk of the active rows (of all rows where in_lanes) and touch nothing but its rows.
 * */
typedef struct {
    size_t rounds;
    uint64_t steps; /* of a round                                                    */
    bool in_lanes;  /* chunks are of all rows, owi_row_lanes at a time                */
    void (*begin_round)(void *self); /* x is the query again                          */
    /* What log P(c given x) are multiplied with; NULL: as they were set in the beginning.
     * */
    void (*set_factor)(void *self, size_t row);
    /* Whether the factors should have been others, by log_proba; NULL: never. */
    bool (*is_wrong)(void *self, size_t row);
    ow_status (*pull)(void *self); /* further parts of the slope, for all rows; or NULL  */
    ow_status (*look)(void *self, const owi_chunk *chunk);
    void (*judge)(void *self, size_t row); /* a row that asked, by log_judged */
    ow_status (*advance)(void *self, const owi_chunk *chunk); /* may be NULL           */
    bool (*settle)(void *self, size_t row);                   /* is it done?           */
    void (*end_round)(void *self, size_t row);                /* may be NULL           */
} owi_objective;

/* Arrays, boxes and the batch; problem, queries and answers are set.  Either way
 * owi_descent_clear. */
ow_status owi_descent_init(owi_descent *descent, bool whole_groups);
void owi_descent_clear(owi_descent *descent);

/* All rounds.  A row without an answer shows where its last descent ended. */
ow_status owi_descent_run(owi_descent *descent, const owi_objective *objective, void *self);

/* What is judged, and kept. */
static inline const float *owi_descent_candidate(const owi_descent *descent, size_t row)
{
    return (descent->judges_apart ? descent->whole : descent->x) +
           row * descent->problem->soft_width;
}
/* The candidate is the row's answer, and this far. */
void owi_descent_keep(owi_descent *descent, size_t row, double distance);

#endif
