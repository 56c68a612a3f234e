/* SPDX-License-Identifier: MIT */
/* What an answer already says of itself, as figures. */
#include "base/memory/alloc.h"
#include "evaluate/answers.h"
#include "explain/core/distance.h"

/* What mad_l1 divides a column by: the median absolute deviation; where that is 0, the
 * range, or 1. */
static void find_scales(const owi_answers *answers, double *scales)
{
    owi_column_scales(answers->model, scales);
    for (size_t j = 0; j < answers->n_columns; j++) {
        const double mad = ow_model_figures(answers->model, j).mad;
        if (mad > 0.0) scales[j] = mad;
    }
}

/* sum_j |x'_j - x_j| / MAD_j; a changed category, and a value that only one of both has, is
 * 1. */
static double mad_distance(const owi_answers *answers, const double *scales,
                           const double *query, const double *values)
{
    double sum = 0.0;
    for (size_t j = 0; j < answers->n_columns; j++) {
        const bool is_category = ow_model_figures(answers->model, j).n_quantiles == 0;
        sum += owi_scaled_change(scales[j], is_category, query[j], values[j]);
    }
    return sum;
}

/* Everything that counts as failure without an answer. */
static void set_shares(const owi_answers *answers, size_t i, double *figures)
{
    const ow_outcome *outcome = &answers->outcomes[i];
    const ow_counterfactual *any = owi_any_answer(answers, i);
    const ow_counterfactual *valid = owi_valid_answer(answers, i);
    figures[OWI_VALIDITY_TARGET] = valid != NULL;
    figures[OWI_VALIDITY_ANY] = any != NULL && any->predicted != outcome->predicted;
    figures[OWI_VALIDITY_TARGET_RAW] = any != NULL && any->valid_before_repair;
    figures[OWI_COVERAGE] = any != NULL;
    figures[OWI_ACTIONABLE] = valid != NULL && valid->violations == 0;
    figures[OWI_PLAUSIBLE_25] = valid != NULL && valid->percentile >= 25.0;
    figures[OWI_PLAUSIBLE_50] = valid != NULL && valid->percentile >= 50.0;
    figures[OWI_DENSE] = valid != NULL && valid->dense;
}

static void set_valid(const owi_answers *answers, const double *scales, size_t i,
                      const ow_counterfactual *answer, double *figures)
{
    figures[OWI_L0] = (double)answer->distance.l0;
    figures[OWI_L1] = answer->distance.l1;
    figures[OWI_L2] = answer->distance.l2;
    figures[OWI_LINF] = answer->distance.linf;
    figures[OWI_GOWER] = answer->distance.gower;
    figures[OWI_MAD_L1] =
        mad_distance(answers, scales, answers->queries + i * answers->n_columns,
                     answer->values);
    figures[OWI_LOG_DENSITY] = answer->log_density;
    figures[OWI_LOG_DENSITY_TARGET] = answer->log_density_target;
    figures[OWI_DENSITY_PERCENTILE] = answer->percentile;
}

ow_status owi_outcome_figures(const owi_answers *answers, double *figures)
{
    double *scales = owi_alloc_array(answers->ctx, answers->n_columns, sizeof *scales);
    if (scales == NULL) return OW_ERR_MEMORY;
    find_scales(answers, scales);
    for (size_t i = 0; i < answers->n_rows; i++) {
        double *row = figures + i * OWI_N_METRICS;
        const ow_counterfactual *any = owi_any_answer(answers, i);
        if (owi_counts(answers, i)) set_shares(answers, i, row);
        if (any == NULL) continue;
        row[OWI_VIOLATIONS] = (double)any->violations;
        row[OWI_GRADIENT_PASSES] = (double)any->n_gradient;
        row[OWI_FORWARD_PASSES] = (double)any->n_forward;
        row[OWI_TIME_MEAN] = 1e3 * any->seconds;
        if (any->valid) set_valid(answers, scales, i, any, row);
    }
    owi_free(answers->ctx, scales);
    return OW_OK;
}
