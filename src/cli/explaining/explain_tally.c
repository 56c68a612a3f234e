/* SPDX-License-Identifier: MIT */
/* Figures over all rows: a missing answer counts as a failure everywhere it can, and means
 * are over valid answers. */
#include <math.h>

#include "explaining/explain_format.h"
#include "terminal/json_output.h"

void explain_tally_add(explain_tally *tally, const ow_outcome *outcome)
{
    tally->n_rows++;
    if (outcome->kind == OW_ALREADY_TARGET) {
        tally->n_already++;
        return;
    }
    if (outcome->kind == OW_FOUND)
        tally->n_found++;
    else
        tally->n_not_found++;
    if (outcome->n_answers == 0) return;
    const ow_counterfactual *answer = &outcome->answers[0];
    tally->n_answered++;
    if (answer->valid) tally->n_target++;
    if (answer->valid_before_repair) tally->n_target_raw++;
    if (answer->predicted != outcome->predicted) tally->n_other++;
    if (!answer->valid) return;
    tally->n_valid++;
    tally->l0 += (double)answer->distance.l0;
    tally->l1 += answer->distance.l1;
    tally->l2 += answer->distance.l2;
    tally->linf += answer->distance.linf;
    tally->gower += answer->distance.gower;
    tally->log_density += answer->log_density;
    tally->log_density_target += answer->log_density_target;
    if (isnan(answer->percentile)) return;
    tally->percentile += answer->percentile;
    tally->n_percentile++;
}

/* sum / n; null for 0 / 0. */
static json_t *mean(double sum, size_t n)
{
    return json_output_number(sum / (double)n);
}

json_t *explain_tally_json(const explain_tally *t)
{
    const size_t n = t->n_rows - t->n_already;
    return json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o, s:o, "
                     "s:o, s:o, s:o}}",
                     "rows", (json_int_t)t->n_rows, "found", (json_int_t)t->n_found,
                     "not_found", (json_int_t)t->n_not_found, "already_target",
                     (json_int_t)t->n_already, "validity_target",
                     mean((double)t->n_target, n), "validity_any",
                     mean((double)t->n_other, n), "validity_target_raw",
                     mean((double)t->n_target_raw, n), "coverage",
                     mean((double)t->n_answered, n), "mean", "l0", mean(t->l0, t->n_valid),
                     "l1", mean(t->l1, t->n_valid), "l2", mean(t->l2, t->n_valid), "linf",
                     mean(t->linf, t->n_valid), "gower", mean(t->gower, t->n_valid),
                     "log_density", mean(t->log_density, t->n_valid), "log_density_target",
                     mean(t->log_density_target, t->n_valid), "density_percentile",
                     mean(t->percentile, t->n_percentile));
}
