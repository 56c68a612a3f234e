/* SPDX-License-Identifier: MIT */
/* The hinge needs the strongest rival class at y, which is known only after a pass there;
 * it is guessed from the last pass, and rows where the guess was wrong are run again. */
#include "base/error.h"
#include "explain/cem/cem_block.h"
#include "network/autoencoder.h"

bool owi_cem_goes_away(const owi_cem_block *work)
{
    return work->options->mode == OWI_CEM_NEGATIVE && work->options->any_class;
}

double owi_cem_margin(const owi_cem_block *work, size_t row)
{
    const size_t n_classes = work->problem->n_classes;
    const double *log_proba = work->log_proba + row * n_classes;
    const int32_t anchor = work->rows[row].anchor;
    const double lead =
        log_proba[anchor] - log_proba[owi_most_probable(n_classes, log_proba, anchor)];
    return owi_cem_goes_away(work) ? -lead : lead;
}

static void set_factor(owi_cem_block *work, size_t row)
{
    const size_t n_classes = work->problem->n_classes;
    const double sign = owi_cem_goes_away(work) ? 1.0 : -1.0;
    double *factor = work->factor + row * n_classes;
    for (size_t c = 0; c < n_classes; c++) factor[c] = 0.0;
    factor[work->rows[row].anchor] = sign;
    factor[work->rows[row].rival] = -sign;
}

ow_status owi_cem_differentiate(owi_cem_block *work)
{
    const size_t n = work->queries->n_rows, n_classes = work->problem->n_classes;
    const uint32_t *which = work->active;
    for (size_t n_open = work->n_active; n_open > 0;) {
        for (size_t i = 0; i < n_open; i++) set_factor(work, which[i]);
        OWI_TRY(which == work->active && n_open == n
                    ? owi_row_batch_differentiate_all(&work->batch, n, work->y,
                                                      work->factor, work->log_proba,
                                                      work->gradient)
                    : owi_row_batch_differentiate(&work->batch, n_open, which, work->y,
                                                  work->factor, work->log_proba,
                                                  work->gradient));
        size_t n_wrong = 0;
        for (size_t i = 0; i < n_open; i++) {
            owi_cem_row *row = &work->rows[which[i]];
            const int32_t rival =
                owi_most_probable(n_classes, work->log_proba + which[i] * n_classes,
                                  row->anchor);
            row->n_gradient++;
            if (rival == row->rival) continue;
            row->rival = rival;
            work->wrong[n_wrong++] = which[i];
        }
        which = work->wrong;
        n_open = n_wrong;
    }
    if (work->basis->autoencoder == NULL) return OW_OK;
    return owi_autoencoder_gradient_lanes(work->basis->autoencoder, n, work->y_lanes,
                                          work->pull);
}
