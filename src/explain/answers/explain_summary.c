/* SPDX-License-Identifier: MIT */
/* Figures over rows: a missing answer counts as a failure everywhere it can, and sums are
 * over valid answers. */
#include "explain/answers/explain_summary.h"

#include <math.h>

void owi_explain_summary_add(ow_explain_summary *summary, const ow_outcome *outcome)
{
    summary->n_rows++;
    if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) {
        summary->n_already++;
        return;
    }
    if (outcome->kind == OW_OUTCOME_FOUND)
        summary->n_found++;
    else
        summary->n_not_found++;
    if (outcome->n_answers == 0) return;
    const ow_counterfactual *answer = outcome->answers[0];
    summary->n_answered++;
    if (answer->valid) summary->n_target++;
    if (answer->valid_before_repair) summary->n_target_raw++;
    if (answer->predicted != outcome->predicted) summary->n_other++;
    if (!answer->valid) return;
    summary->l0 += (double)answer->distance.l0;
    summary->l1 += answer->distance.l1;
    summary->l2 += answer->distance.l2;
    summary->linf += answer->distance.linf;
    summary->gower += answer->distance.gower;
    summary->log_density += answer->log_density;
    summary->log_density_target += answer->log_density_target;
    if (isnan(answer->percentile)) return;
    summary->percentile += answer->percentile;
    summary->n_percentile++;
}
