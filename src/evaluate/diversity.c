/* SPDX-License-Identifier: MIT */
/* How different the several answers to one query are: the mean Gower distance between pairs
 * of its valid ones. */
#include "evaluate/answers.h"

void owi_diversity_figures(const owi_answers *answers, double *figures)
{
    for (size_t i = 0; i < answers->n_rows; i++) {
        const ow_outcome *outcome = &answers->outcomes[i];
        double sum = 0.0;
        size_t n_pairs = 0;
        if (!owi_counts(answers, i)) continue;
        for (size_t a = 0; a < outcome->n_answers; a++)
            for (size_t b = 0; b < a; b++) {
                if (!outcome->answers[a]->valid || !outcome->answers[b]->valid) continue;
                sum += ow_model_distance(answers->model, outcome->answers[a]->values,
                                         outcome->answers[b]->values)
                           .gower;
                n_pairs++;
            }
        if (n_pairs > 0) *owi_figure_at(figures, i, OWI_DIVERSITY) = sum / (double)n_pairs;
    }
}
