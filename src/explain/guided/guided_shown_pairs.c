/* SPDX-License-Identifier: MIT */
/* Pairs of changes where a foreign classifier decides.  The circuit's tables know the
 * densities of all pairs; margins are guessed as if two changes added up, as they do in
 * linear models and nearly do in others.  The pairs that promise most by that are shown to
 * the classifier, those of all queries of a block together.  Queries that find nothing so
 * show it all pairs with the best changes of the columns that move the margin most: what
 * two changes do to each other is seen there. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_pairs.h"
#include "explain/guided/guided_search.h"

enum { rows_at_once = 64 };

typedef struct {
    owi_workspace *workspace;
    owi_pair_request *requests;
    owi_scan *scans;
    owi_likely_pairs *likely;
    owi_step *steps;   /* (rows, owi_most_likely)                  */
    owi_state *states; /* likewise                                 */
    double *values;
    owi_evaluation *evaluations;
} arrays;

static ow_status make_arrays(const owi_guided_block *block, arrays *a)
{
    const size_t n = owi_smaller(block->n_rows, rows_at_once);
    const size_t all = n * owi_most_likely;
    *a = (arrays){0};
    const owi_piece pieces[] = {
        OWI_PIECE(a->requests, n),     OWI_PIECE(a->scans, n),
        OWI_PIECE(a->likely, n),       OWI_PIECE(a->steps, all),
        OWI_PIECE(a->states, all),     OWI_PIECE(a->values, all * block->guided->n_columns),
        OWI_PIECE(a->evaluations, all)};
    return owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &a->workspace);
}

/* What the classifier says of the likely pairs of n requests. */
static ow_status show_likely(const owi_guided_block *block, size_t n, arrays *a)
{
    const owi_guided *guided = block->guided;
    size_t k = 0;
    OWI_TRY(owi_guided_pairs(block, OWI_PAIRS_LIKELY, n, a->requests));
    for (size_t i = 0; i < n; i++) {
        owi_guided_row *row = a->requests[i].row;
        for (size_t s = 0; s < a->likely[i].n; s++, k++) {
            a->steps[k] = a->likely[i].steps[s];
            a->states[k].values = a->values + k * guided->n_columns;
            owi_step_make(guided, row, &row->query_state, &a->steps[k], &a->states[k]);
            a->evaluations[k] = (owi_evaluation){row, &a->states[k]};
        }
    }
    OWI_TRY(owi_guided_evaluate(block, k, a->evaluations));
    for (size_t i = 0; i < k; i++) {
        owi_guided_row *row = a->evaluations[i].row;
        const owi_score *score = &a->states[i].score;
        const owi_step step = owi_step_of(row, &row->query_state, a->steps[i].move,
                                          a->steps[i].other, score->log_t, score->margin);
        owi_row_offer(block, row, &a->states[i]);
        owi_scan_keep_step(guided, row->pairs, &step, (size_t)guided->settings.beam_width);
    }
    return OW_OK;
}

ow_status owi_guided_show_pairs(const owi_guided_block *block)
{
    arrays a;
    ow_status status = make_arrays(block, &a);
    size_t n = 0;
    for (size_t i = 0; i < block->n_rows && status == OW_OK; i++) {
        owi_guided_row *row = &block->rows[i];
        if (!row->is_done) {
            a.likely[n].n = 0;
            a.requests[n] = (owi_pair_request){
                .row = row,
                .state = &row->query_state,
                .units = {SIZE_MAX, SIZE_MAX},
                /* A pair that lacks more than the best single change is no way on. */
                .bound = row->has_closest
                             ? owi_potential(&row->aims, row->closest.score.log_t,
                                             row->closest.score.margin)
                             : -INFINITY,
                .scan = &a.scans[n],
                .likely = &a.likely[n]};
            n++;
        }
        if (n < rows_at_once && i + 1 < block->n_rows) continue;
        status = show_likely(block, n, &a);
        n = 0;
    }
    owi_workspace_free(a.workspace);
    return status;
}

/* The best change of each unit, of the units that move the margin most. */
size_t owi_guided_best_moves(const owi_guided_block *block, const owi_guided_row *row,
                             size_t *best)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = &guided->moves;
    double gains[owi_best_moves];
    size_t n = 0;
    for (size_t rank = 0; moves->first[rank] < moves->n_simple; rank++) {
        size_t move = SIZE_MAX;
        double gain = 0.0;
        for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
            const double *transfer = row->transfer + 2 * m;
            if (row->allowed[m] != owi_move_allowed || !moves->in_pairs[m] ||
                !(transfer[0] > -INFINITY) || !(transfer[1] > gain))
                continue;
            gain = transfer[1];
            move = m;
        }
        if (move == SIZE_MAX) continue;
        size_t at = n;
        while (at > 0 && gains[at - 1] < gain) at--;
        if (at >= owi_best_moves) continue;
        const size_t n_after = owi_smaller(n, owi_best_moves - 1) - at;
        memmove(&gains[at + 1], &gains[at], n_after * sizeof *gains);
        memmove(&best[at + 1], &best[at], n_after * sizeof *best);
        gains[at] = gain;
        best[at] = move;
        n = owi_smaller(n + 1, owi_best_moves);
    }
    return n;
}
