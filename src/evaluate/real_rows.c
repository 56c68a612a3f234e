/* SPDX-License-Identifier: MIT */
#include "evaluate/real_rows.h"

#include "base/error.h"
#include "base/memory/workspace.h"

/* The rows seen the other way round: those of the target class are answers to themselves,
 * the others do not count. */
static void turn_around(const owi_answers *answers, ow_outcome *outcomes,
                        ow_counterfactual *rows, const ow_counterfactual **lists)
{
    for (size_t i = 0; i < answers->n_rows; i++) {
        const ow_outcome *outcome = &answers->outcomes[i];
        if (owi_counts(answers, i)) {
            outcomes[i].kind = OW_OUTCOME_ALREADY_TARGET;
            continue;
        }
        rows[i] = (ow_counterfactual){.values = answers->queries + i * answers->n_columns,
                                      .valid = true};
        lists[i] = &rows[i];
        outcomes[i] = (ow_outcome){.kind = OW_OUTCOME_FOUND,
                                   .target = outcome->target,
                                   .n_answers = 1,
                                   .answers = &lists[i]};
    }
}

ow_status owi_real_row_figures(const owi_answers *answers, owi_neighbours *neighbours,
                               owi_judge *judge, double *figures)
{
    const size_t n = answers->n_rows;
    owi_answers turned = *answers;
    ow_outcome *outcomes;
    ow_counterfactual *rows;
    const ow_counterfactual **lists;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(outcomes, n), OWI_PIECE(rows, n),
                                OWI_PIECE(lists, n)};
    OWI_TRY(owi_pieces_new(answers->ctx, OWI_PIECES(pieces), &scratch));
    turn_around(answers, outcomes, rows, lists);
    turned.outcomes = outcomes;
    const ow_status status = owi_outside_figures(&turned, neighbours, judge, figures);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const ow_outcome *outcome = &answers->outcomes[i];
        double *row = figures + i * OWI_N_METRICS;
        if (owi_counts(answers, i)) continue;
        row[OWI_LOG_DENSITY] = outcome->log_density;
        row[OWI_DENSITY_PERCENTILE] = outcome->percentile;
        row[OWI_PLAUSIBLE_25] = outcome->percentile >= 25.0;
        row[OWI_PLAUSIBLE_50] = outcome->percentile >= 50.0;
    }
    owi_workspace_free(scratch);
    return status;
}
