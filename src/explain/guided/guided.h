/* SPDX-License-Identifier: MIT */
/* The inside of `guided` for tables: the least change of a row that has the class and
 * density asked for.
 *
 *     guided_moves.c      what can be done to a row at all: units and candidate values
 *     guided_batch.c      tables and evaluations for many states at once
 *     guided_score.c      what a state lacks, and which of two answers is the lesser
 *     guided_rows.c       a block of queries and their states
 *     guided_scan.c       what a table offers: answers, and states to go on from
 *     guided_exact.c      all single changes and all pairs
 *     guided_show.c       moves that a foreign classifier is asked about
 *     guided_shown_pairs.c  pairs that it is asked about
 *     guided_pairs.c      the pairs of columns that the circuit's tables know
 *     guided_enumerate.c  every row of a small space
 *     guided_beam.c       three changes and more, from the best pairs
 *     guided_triples.c    pairs on top of the best single changes
 *     guided_starts.c     from rows of the target class back to the query
 *     guided_shrink.c     changes taken back or made smaller
 *     guided_tip.c        numbers as near as their printed digits allow, and round ones
 *     guided_typical.c    --prefer typical: further changes for a denser, surer answer
 *     guided_table.c      the order of all that, and several answers
 *     guided_trees.c      trees that decide: their margins and tipping points
 *     guided_image.c      images and maps, which go another way
 *
 * Of two answers the one with fewer changes is the lesser, of two with as many the nearer
 * one, of two equally near ones the one that comes first by columns and values: a total
 * order, so that no count of steps decides.
 *
 * All queries of a block go in step, so that the engine always has many rows at once; what
 * one of them does never depends on the others. */
#ifndef OWI_GUIDED_H
#define OWI_GUIDED_H

#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "explain/core/explainer.h"
#include "explain/guided/guided_score.h"
#include "explain/guided/guided_votes.h"

typedef struct {
    int64_t beam_width, beam_changes, seeds;
    double change_price, nearness, reserve;
    int64_t image_steps;
    double class_step, density_step, image_margin;
} owi_guided_settings;

/* ---- Moves ---- */

/* What changes as one: a column, or columns that are linked. */
typedef struct {
    size_t n_columns;
    const size_t *columns;
    bool frozen;
    bool depends;   /* moves with other units and is no change of its own            */
    bool leads;     /* other columns move with it (owi_follow)                       */
    bool is_number; /* one column, a number                                        */
    bool compound;  /* several columns of the circuit: its moves are evaluated forward */
    size_t circuit_column;
} owi_unit;

/* Moves of all units, one after the other: those that the circuit's tables know first, in
 * the order of its columns, so that they are numbered as its candidates; then the compound
 * ones. A move gives its unit's columns new values; a number's are ascending. */
typedef struct {
    size_t n_moves, n_simple;
    size_t *first; /* (units + 1, simple units before compound ones) by rank   */
    uint32_t *unit;
    double *values; /* (n_moves, widest unit)                                    */
    bool *in_pairs; /* (n_moves): pairs are made of these                        */
    bool is_whole;  /* and these are all                                         */
    ow_changes *changes;
} owi_moves;

/* Rows of a class to begin from: samples of the circuit that are typical and decided for
 * it. */
typedef struct {
    bool is_made;
    size_t n;
    uint32_t *moves; /* (n, units by rank); UINT32_MAX: the query's own           */
} owi_starts;

typedef struct {
    ow_context *ctx;
    owi_workspace *workspace; /* of what is said of units and columns                 */
    owi_guided_settings settings;
    size_t n_columns, n_classes, n_units, widest;
    size_t *unit_columns;
    owi_unit *units;
    uint32_t *order; /* units by rank                                               */
    const owi_problem *problem; /* of the block at work                             */
    const owi_rules *rules;     /* likewise                                         */
    bool has_leads;             /* some unit leads                                      */
    bool has_conditions;        /* between columns: owi_keeps_conditions                */
    owi_moves moves;
    owi_votes votes;
    struct owi_guided_trees
        *trees;         /* that decide (guided_trees.h); NULL: something else   */
    owi_starts *starts; /* one for each class, made when first needed               */
} owi_guided;

ow_status owi_guided_moves_init(owi_guided *guided, const owi_problem *problem);
void owi_guided_moves_clear(owi_guided *guided);
void owi_guided_starts_clear(owi_guided *guided);

/* ---- States and queries ---- */

typedef struct {
    double *values; /* columns */
    owi_score score;
} owi_state;

enum { owi_most_beam = 32 };

/* How many rows of the class a query begins from: `seeds` of them, and if none of these
 * leads to an answer, four times as many again. */
static inline size_t owi_most_row_starts(const owi_guided_settings *settings)
{
    return owi_smaller(owi_most_beam, 5 * (size_t)settings->seeds);
}

typedef struct {
    size_t number; /* in the block                                                 */
    const double *query;
    int32_t target;
    owi_aims asked;   /* of an answer                                                 */
    owi_aims aims;    /* of the part of the search that runs now                      */
    uint8_t *allowed; /* by move: owi_move_*                                        */
    double *price;    /* by move: scaled change from the query                      */
    /* (moves, 2): what each did to the query's log_t and margin; NaN: not known */
    double *transfer;
    owi_state query_state;
    struct owi_scan *pairs; /* the best of them, to go on from                            */
    owi_state *beam, *next; /* beam width, or starts                                      */
    size_t n_beam;
    /* the least that is all that was asked; the densest of the class; the one with the
     * highest potential */
    owi_state found, valid, closest;
    bool has_found, has_valid, has_closest;
    double *enough; /* columns: how far a changed number of `found` must go; NaN       */
    double *enough_for_class; /* columns: ow_counterfactual's                          */
    ow_least least;  /* what is known of `found`                                        */
    bool is_whole;   /* everything was enumerated: what was not found is not there      */
    bool is_done;    /* with the part of the search that runs now                  */
    bool is_out;     /* looks for no further answer                                   */
    bool is_plain;   /* found no robust answer and looks for one of the model alone   */
    bool *forbidden; /* (answers, units): what earlier answers changed               */
    size_t n_forbidden;
    uint64_t n_gradient, n_forward;
} owi_guided_row;

enum { owi_move_refused, owi_move_allowed, owi_move_own };

typedef struct {
    owi_guided *guided;
    const owi_problem *problem;
    size_t n_rows;
    owi_guided_row *rows;
    owi_workspace *workspace;
    struct owi_guided_buffers *buffers; /* guided_batch.c                             */
} owi_guided_block;

/* Whether the margins of all simple moves and their pairs are known without asking the
 * classifier: of circuits and of trees. */
static inline bool owi_knows_margins(const owi_guided_block *block)
{
    return block->problem->is_circuit || block->guided->trees != NULL;
}

ow_status owi_guided_block_init(owi_guided_block *block, owi_guided *guided,
                                const owi_problem *problem, const owi_queries *queries);
void owi_guided_block_clear(owi_guided_block *block);

void owi_state_copy(const owi_guided *guided, owi_state *to, const owi_state *from);
/* Whether rows of the target class have the value (model/class_limits.h), or the query has
 * it, or the constraints name the values that are allowed. */
bool owi_guided_is_usual(const owi_problem *problem, size_t target, size_t column,
                         double from, double to);
/* Puts a move's values into a state, and what follows from them; its scores are the
 * caller's business.  False: what follows is not permitted. */
bool owi_state_apply(const owi_guided *guided, const owi_guided_row *row, size_t move,
                     owi_state *state);
/* Puts a unit's own values back, likewise. */
bool owi_state_undo(const owi_guided *guided, const owi_guided_row *row, size_t unit,
                    owi_state *state);
/* Sets what depends on other columns; false: it is not permitted. */
bool owi_state_follow(const owi_guided *guided, const owi_guided_row *row,
                      owi_state *state);
/* Whether every column that follows others and differs from the query's has a value that
 * rows of the class have: moves alone do not say so. */
bool owi_followers_are_usual(const owi_guided *guided, const owi_guided_row *row,
                             const double *values);
/* Whether a whole row keeps the conditions between columns, and that. */
bool owi_row_keeps(const owi_guided *guided, const owi_guided_row *row,
                   const double *values);
/* l0 and l1 from the values. */
void owi_state_measure(const owi_guided *guided, const owi_guided_row *row,
                       owi_state *state);
/* Whether it has the class and density asked for. */
bool owi_state_passes(const owi_guided_row *row, const owi_state *state);
bool owi_unit_differs(const owi_guided *guided, const owi_guided_row *row,
                      const double *values, size_t unit);
/* Whether the units that differ from the query, with two more (SIZE_MAX: none), include all
 * that an earlier answer changed. */
bool owi_state_repeats(const owi_guided *guided, const owi_guided_row *row,
                       const owi_state *state, size_t unit, size_t other);
/* Whether the row may change so many units. */
bool owi_may_change(const owi_guided_block *block, size_t n);
/* Remembers a state that may be the answer. */
void owi_row_offer(const owi_guided_block *block, owi_guided_row *row,
                   const owi_state *state);

#endif
