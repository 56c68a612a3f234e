/* SPDX-License-Identifier: MIT */
/* Three changes where the beam needs more, or finds nothing: the best single change of each
 * unit is put into the row, and all pairs on top of it are searched exactly.  So an answer
 * of three changes is missed only if none of them is the best value of its unit. */
#include "base/error.h"
#include "explain/guided/guided_pairs.h"
#include "explain/guided/guided_search.h"

typedef struct {
    owi_workspace *workspace;
    owi_state states[owi_most_beam];
    owi_scan *singles, *scans; /* 1, owi_most_beam */
    double *values;
    owi_pair_request *requests;
} arrays;

static ow_status make_arrays(const owi_guided_block *block, arrays *a)
{
    const size_t n_columns = block->guided->n_columns;
    *a = (arrays){0};
    const owi_piece pieces[] = {OWI_PIECE(a->singles, 1),
                                OWI_PIECE(a->scans, owi_most_beam),
                                OWI_PIECE(a->values, owi_most_beam * n_columns),
                                OWI_PIECE(a->requests, owi_most_beam)};
    OWI_TRY(owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &a->workspace));
    for (size_t k = 0; k < owi_most_beam; k++)
        a->states[k].values = a->values + k * n_columns;
    return OW_OK;
}

static ow_status search_row(const owi_guided_block *block, owi_guided_row *row, arrays *a)
{
    const owi_request request = {.row = row, .state = &row->query_state};
    OWI_TRY(owi_guided_expand(block, 1, &request, owi_scan_units, a->singles));
    const size_t n = a->singles->n_steps;
    for (size_t k = 0; k < n; k++) {
        owi_step_make(block->guided, row, &row->query_state, &a->singles->steps[k],
                      &a->states[k]);
        a->scans[k].n_steps = 0;
        a->scans[k].has_found = a->scans[k].has_valid = a->scans[k].has_closest = false;
        a->requests[k] = (owi_pair_request){.row = row,
                                            .state = &a->states[k],
                                            .units = {SIZE_MAX, SIZE_MAX},
                                            .scan = &a->scans[k]};
    }
    OWI_TRY(owi_guided_pairs(block, OWI_PAIRS_NEAREST, n, a->requests));
    for (size_t k = 0; k < n; k++) owi_scan_offer(block, row, &a->states[k], &a->scans[k]);
    return OW_OK;
}

ow_status owi_guided_triples(const owi_guided_block *block)
{
    arrays a;
    if (!owi_may_change(block, 3) || !owi_knows_margins(block) ||
        block->guided->votes.n > 0)
        return OW_OK;
    ow_status status = make_arrays(block, &a);
    for (size_t i = 0; i < block->n_rows && status == OW_OK; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done) continue;
        status = owi_call_tick(block->problem->call);
        if (status == OW_OK) status = search_row(block, row, &a);
        row->is_done = row->has_found && row->found.score.l0 == 3;
    }
    owi_workspace_free(a.workspace);
    return status;
}
