/* SPDX-License-Identifier: MIT */
#include "model/train/tally.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/largest.h"
#include "base/sort.h"
#include "model/cutoffs.h"
#include "model/train/calibration.h"

/* With so many rows the standard error of AUC is below .002, and they are sorted in
 * moments. */
enum { most_rows = 1 << 17, most_numbers = 1 << 22, stream_tally = 1 };

/* ---- Counting ---- */

void owi_tally_begin(owi_tally *tally, ow_context *ctx, size_t n_classes, uint64_t seed,
                     size_t *confusion, ow_calibration_bin *calibration)
{
    *tally = (owi_tally){.ctx = ctx,
                         .n_classes = n_classes,
                         .confusion = confusion,
                         .calibration = calibration,
                         .most_kept = most_numbers / n_classes};
    if (tally->most_kept > most_rows) tally->most_kept = most_rows;
    owi_rng_init(&tally->rng, seed, stream_tally);
    memset(confusion, 0, n_classes * n_classes * sizeof *confusion);
    memset(calibration, 0, OW_CALIBRATION_BINS * sizeof *calibration);
}

void owi_tally_clear(owi_tally *tally)
{
    owi_free(tally->ctx, tally->classes);
    owi_free(tally->ctx, tally->log_odds);
    *tally = (owi_tally){0};
}

/* log P(c given x) - log (1 - P(c given x)), without the rounding of probabilities near
 * 1. */
static double log_odds(size_t C, const double *log_proba, size_t c)
{
    double top = -INFINITY, sum = 0.0;
    for (size_t k = 0; k < C; k++)
        if (k != c) top = fmax(top, log_proba[k]);
    for (size_t k = 0; k < C && isfinite(top); k++)
        if (k != c) sum += exp(log_proba[k] - top);
    return isfinite(top) ? log_proba[c] - top - log(sum) : INFINITY;
}

/* The n-th row, n from 0, takes the place of a row with probability most_kept / (n + 1). */
static ow_status keep(owi_tally *tally, const double *log_proba, size_t y)
{
    const size_t C = tally->n_classes;
    size_t slot = tally->n_rows;
    if (slot >= tally->most_kept) slot = owi_rng_below(&tally->rng, tally->n_rows + 1);
    if (slot >= tally->most_kept) return OW_OK;
    if (slot == tally->n_kept) {
        OWI_TRY(owi_grow(tally->ctx, &tally->classes, &tally->capacity, slot + 1,
                         sizeof *tally->classes));
        OWI_TRY(owi_grow(tally->ctx, &tally->log_odds, &tally->odds_capacity,
                         (slot + 1) * C, sizeof *tally->log_odds));
        tally->n_kept++;
    }
    tally->classes[slot] = (int32_t)y;
    for (size_t c = 0; c < C; c++)
        tally->log_odds[slot * C + c] = log_odds(C, log_proba, c);
    return OW_OK;
}

ow_status owi_tally_add(owi_tally *tally, const double *log_proba, size_t y)
{
    const size_t C = tally->n_classes;
    const size_t best =
        (size_t)(tally->model != NULL ? owi_model_decide(tally->model, log_proba, -1)
                                      : owi_most_probable(C, log_proba, -1));
    OWI_TRY(keep(tally, log_proba, y));
    tally->n_rows++;
    tally->n_right += best == y;
    tally->loss -= log_proba[y];
    tally->confusion[y * C + best]++;
    owi_calibration_add(tally->calibration, exp(log_proba[best]), best == y);
    return OW_OK;
}

/* ---- Figures ---- */

/* The share of pairs of sorted numbers, one of `more` and one of `less`, in which the first
 * one is greater; equal ones count half. */
static double share_of_pairs(const double *more, size_t n_more, const double *less,
                             size_t n_less)
{
    size_t below = 0, up_to = 0;
    double pairs = 0.0;
    for (size_t i = 0; i < n_more; i++) {
        while (below < n_less && less[below] < more[i]) below++;
        if (up_to < below) up_to = below;
        while (up_to < n_less && less[up_to] == more[i]) up_to++;
        pairs += 0.5 * ((double)below + (double)up_to);
    }
    return pairs / ((double)n_more * (double)n_less);
}

/* AUC of class c against all others; NaN where one side has no rows. */
static ow_status auc_of_class(const owi_tally *tally, const owi_call *call, size_t c,
                              double *room, double *auc)
{
    const size_t C = tally->n_classes, n = tally->n_kept;
    size_t n_is = 0, n_not = 0;
    for (size_t i = 0; i < n; i++) {
        const double odds = tally->log_odds[i * C + c];
        if (isnan(odds)) continue;
        if (tally->classes[i] == (int32_t)c)
            room[n_is++] = odds;
        else
            room[n - ++n_not] = odds;
    }
    *auc = NAN;
    if (n_is == 0 || n_not == 0) return OW_OK;
    OWI_TRY(owi_sort_many_numbers(call, room, n_is));
    OWI_TRY(owi_sort_many_numbers(call, room + n - n_not, n_not));
    *auc = share_of_pairs(room, n_is, room + n - n_not, n_not);
    return OW_OK;
}

/* Of two classes either gives the same AUC; of more, the mean over classes. */
static ow_status find_auc(const owi_tally *tally, const owi_call *call, double *auc)
{
    const size_t C = tally->n_classes;
    double sum = 0.0;
    size_t n_known = 0;
    *auc = NAN;
    double *room = owi_alloc_array(tally->ctx, tally->n_kept, sizeof *room);
    if (room == NULL) return OW_ERR_MEMORY;
    ow_status status = OW_OK;
    for (size_t c = C == 2 ? 1 : 0; c < C && status == OW_OK; c++) {
        double of_class = NAN;
        status = owi_call_tick(call);
        if (status == OW_OK) status = auc_of_class(tally, call, c, room, &of_class);
        if (isnan(of_class)) continue;
        sum += of_class;
        n_known++;
    }
    owi_free(tally->ctx, room);
    if (status == OW_OK && n_known > 0) *auc = sum / (double)n_known;
    return status;
}

/* Wilson's interval of a share, 95 %: the shares p from which the one that was seen lies at
 * most 1.96 standard errors of p. */
static void set_interval(ow_quality *quality)
{
    static const double z = 1.959963984540054;
    const double n = (double)quality->n_rows, p = quality->accuracy;
    const double centre = p + z * z / (2.0 * n), scale = 1.0 + z * z / n;
    const double half = z * sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
    quality->accuracy_low = fmax((centre - half) / scale, 0.0);
    quality->accuracy_high = fmin((centre + half) / scale, 1.0);
}

void owi_quality_from_confusion(ow_quality *quality, size_t n_classes,
                                const size_t *confusion)
{
    size_t n_rows = 0, n_right = 0, most = 0;
    quality->majority_class = OW_NO_CLASS;
    for (size_t y = 0; y < n_classes; y++) {
        size_t n = 0;
        for (size_t c = 0; c < n_classes; c++) n += confusion[y * n_classes + c];
        n_right += confusion[y * n_classes + y];
        n_rows += n;
        if (n <= most) continue;
        most = n;
        quality->majority_class = (int32_t)y;
    }
    quality->n_rows = n_rows;
    if (n_rows == 0) return;
    quality->accuracy = (double)n_right / (double)n_rows;
    quality->majority = (double)most / (double)n_rows;
    set_interval(quality);
}

ow_status owi_tally_finish(owi_tally *tally, const owi_call *call, ow_quality *quality)
{
    *quality = (ow_quality){.auc = NAN};
    owi_quality_from_confusion(quality, tally->n_classes, tally->confusion);
    owi_calibration_finish(tally->calibration);
    if (tally->n_rows == 0) return OW_OK;
    quality->log_loss = tally->loss / (double)tally->n_rows;
    return find_auc(tally, call, &quality->auc);
}
