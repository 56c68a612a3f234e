/* SPDX-License-Identifier: MIT */
/* The logit of class c for a row is what it was, plus beta_c . phi(x) - log Z_c: were it
 * not for Z_c, this would be logistic regression on the features with an offset.  With r_c
 * = P(c given x) - [c = y] and E_c the expected features of the tilted class, the gradient
 * with respect to beta_c is
 *
 *     sum over rows of r_c (phi(x) - E_c)
 *     -  worth sum over rows of class c of (phi(x) - E_c)  +  ridge beta_c */
#include "circuit/learn/tilt_fit.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/minimise.h"
#include "base/threads/parallel.h"
#include "circuit/structure/leaf_features.h"
#include "circuit/structure/tilt.h"

enum { L = owi_tile_lanes, tiles_at_a_time = 16, most_steps = 40 };
static const double enough_gain = 1e-4; /* nats a row */

typedef struct {
    const owi_tilt_rows *rows;
    const ow_circuit *base;
    ow_circuit *trial;
    double ridge;
    double *score; /* (F): of features in the order of their column; else 0 */
    double *beta;  /* (C, F): the tilts of features that the coefficients make */
    double *log_norm, *expected; /* (C), (C, F) */
    double *sums;                /* (C, F + 1): of r phi and of r; then the loss */
    float *residual;             /* (workers, C, L) */
} fit;

/* ---- Rows ---- */

/* What is added to the logits of a tile, (C, L), becomes r; returns the loss. */
static double residuals(const owi_tilt_rows *rows, size_t tile, float *by)
{
    const size_t C = rows->n_classes, n = owi_smaller(L, rows->n_rows - tile * L);
    double loss = 0.0;
    for (size_t lane = 0; lane < L; lane++) {
        double top = -INFINITY, sum = 0.0;
        const double *logit = rows->logit + (tile * L + lane) * C;
        for (size_t c = 0; c < C && lane < n; c++)
            top = fmax(top, logit[c] + (double)by[c * L + lane]);
        if (lane >= n) {
            for (size_t c = 0; c < C; c++) by[c * L + lane] = 0.0f;
            continue;
        }
        const size_t y = (size_t)rows->classes[tile * L + lane];
        const double own = logit[y] + (double)by[y * L + lane] - top;
        for (size_t c = 0; c < C; c++) {
            const double p = exp(logit[c] + (double)by[c * L + lane] - top);
            by[c * L + lane] = (float)p;
            sum += p;
        }
        for (size_t c = 0; c < C; c++)
            by[c * L + lane] = (float)((double)by[c * L + lane] / sum) - (c == y);
        loss += log(sum) - own;
    }
    return loss;
}

static float dot_lanes(const float *a, const float *b)
{
    float sum[16] = {0}, total = 0.0f;
    for (size_t i = 0; i < L; i += 16)
        for (size_t k = 0; k < 16; k++) sum[k] += a[i + k] * b[i + k];
    for (size_t k = 0; k < 16; k++) total += sum[k];
    return total;
}

static ow_status add_tiles(void *user, const owi_chunk *tiles, double *sums)
{
    const fit *f = user;
    const size_t C = f->rows->n_classes, F = f->rows->n_features;
    float *by = f->residual + tiles->worker * C * L;
    for (size_t t = tiles->first; t < tiles->first + tiles->n; t++) {
        const float *features = f->rows->features + t * F * L;
        for (size_t c = 0; c < C; c++)
            for (size_t l = 0; l < L; l++) by[c * L + l] = (float)-f->log_norm[c];
        for (size_t c = 0; c < C; c++)
            for (size_t i = 0; i < F; i++) {
                const float beta = (float)f->beta[c * F + i];
                for (size_t l = 0; l < L; l++) by[c * L + l] += beta * features[i * L + l];
            }
        sums[C * (F + 1)] += residuals(f->rows, t, by);
        for (size_t c = 0; c < C; c++) {
            double *sum = sums + c * (F + 1);
            for (size_t i = 0; i < F; i++)
                sum[i] += (double)dot_lanes(by + c * L, features + i * L);
            for (size_t l = 0; l < L; l++) sum[F] += (double)by[c * L + l];
        }
    }
    return OW_OK;
}

/* ---- Coefficients ---- */

/* Where each level of an ordered column stands on its average, in deviations. */
static void score_levels(const ow_circuit *circuit, double *score)
{
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        const ow_leaf *leaf = &circuit->leaves[j];
        const size_t first = circuit->feature_start[j];
        const double *share = circuit->average + first;
        double mean = 0.0, square = 0.0;
        if (!owi_leaf_has_levels(leaf) || !leaf->ordered) continue;
        for (size_t k = 0; k < leaf->n_levels; k++) mean += share[k] * (double)k;
        for (size_t k = 0; k < leaf->n_levels; k++)
            square += share[k] * ((double)k - mean) * ((double)k - mean);
        for (size_t k = 0; k < leaf->n_levels && square > 0.0; k++)
            score[first + k] = ((double)k - mean) / sqrt(square);
    }
}

/* beta of one class. */
static void spread_class(const ow_circuit *circuit, const double *score,
                         const double *coefficients, double *beta)
{
    const size_t F = circuit->n_features;
    for (size_t f = 0; f < F; f++)
        beta[f] =
            coefficients[f] + score[f] * coefficients[F + circuit->features[f].column];
}

/* ---- The objective ---- */

static void copy_parameters(const ow_circuit *from, ow_circuit *to)
{
    memcpy(to->block, from->block, (from->n_leaf + from->n_weights) * sizeof(float));
}

/* log Z and expected features of every class, tilted. */
static ow_status tilt_trial(const fit *f)
{
    const size_t F = f->rows->n_features;
    copy_parameters(f->base, f->trial);
    for (size_t c = 0; c < f->rows->n_classes; c++) {
        OWI_TRY(owi_call_tick(f->rows->call));
        OWI_TRY(owi_circuit_tilt(f->trial, c, f->beta + c * F, &f->log_norm[c]));
        OWI_TRY(owi_circuit_expected_features(f->trial, c, f->expected + c * F));
    }
    return OW_OK;
}

static ow_status slope(void *user, const double *coefficients, double *value,
                       double *gradient)
{
    fit *f = user;
    const size_t C = f->rows->n_classes, F = f->rows->n_features;
    const size_t each = F + f->base->spec.n_columns;
    memset(f->sums, 0, (C * (F + 1) + 1) * sizeof *f->sums);
    for (size_t c = 0; c < C; c++)
        spread_class(f->base, f->score, coefficients + c * each, f->beta + c * F);
    OWI_TRY(tilt_trial(f));
    OWI_TRY(owi_parallel_sum(f->rows->call, f->rows->n_tiles, tiles_at_a_time, add_tiles, f,
                             C * (F + 1) + 1, f->sums));
    *value = f->sums[C * (F + 1)];
    for (size_t i = 0; i < C * each; i++) {
        *value += 0.5 * f->ridge * coefficients[i] * coefficients[i];
        gradient[i] = f->ridge * coefficients[i];
    }
    for (size_t c = 0; c < C; c++) {
        const double *sum = f->sums + c * (F + 1), n = f->rows->class_rows[c];
        double *own_gradient = gradient + c * each;
        *value += owi_density_worth * n * f->log_norm[c];
        for (size_t i = 0; i < F; i++) {
            const double E = f->expected[c * F + i], own = f->rows->class_sum[c * F + i];
            const double g = sum[i] - sum[F] * E - owi_density_worth * (own - n * E);
            *value -= owi_density_worth * f->beta[c * F + i] * own;
            own_gradient[i] += g;
            own_gradient[F + f->base->features[i].column] += f->score[i] * g;
        }
    }
    return OW_OK;
}

ow_status owi_tilt_fit(const owi_tilt_rows *rows, const ow_circuit *base, ow_circuit *trial,
                       double ridge, double *coefficients)
{
    ow_context *ctx = rows->ctx;
    const size_t C = rows->n_classes, F = rows->n_features;
    const size_t n_workers =
        owi_parallel_workers(rows->call, rows->n_tiles, tiles_at_a_time);
    fit f = {.rows = rows, .base = base, .trial = trial, .ridge = ridge};

    memcpy(trial->shift, base->shift, base->spec.n_columns * sizeof *base->shift);
    double *work = owi_alloc_array(ctx, (3 * C + 1) * (F + 1), sizeof *work);
    f.residual = owi_alloc_array(ctx, n_workers * C * L, sizeof *f.residual);
    ow_status status = OW_ERR_MEMORY;
    if (work != NULL && f.residual != NULL) {
        f.score = work;
        f.log_norm = f.score + F;
        f.expected = f.log_norm + C;
        f.beta = f.expected + C * F;
        f.sums = f.beta + C * F;
        score_levels(base, f.score);
        status = owi_minimise(ctx, slope, &f, owi_tilt_size(base), most_steps,
                              enough_gain * (double)rows->n_rows, coefficients);
    }
    owi_free(ctx, f.residual);
    owi_free(ctx, work);
    return status;
}

ow_status owi_tilt_apply(const owi_call *call, const ow_circuit *base,
                         const double *coefficients, ow_circuit *to)
{
    const size_t F = base->n_features, each = F + base->spec.n_columns;
    double log_norm;
    if (to != base) {
        copy_parameters(base, to);
        memcpy(to->shift, base->shift, base->spec.n_columns * sizeof *base->shift);
        memcpy(to->log_prior, base->log_prior,
               base->spec.n_classes * sizeof *base->log_prior);
    }
    double *beta = owi_alloc_array(base->ctx, 2 * F, sizeof *beta);
    if (beta == NULL) return OW_ERR_MEMORY;
    score_levels(base, beta + F);
    ow_status status = OW_OK;
    for (size_t c = 0; c < base->spec.n_classes && status == OW_OK; c++) {
        spread_class(base, beta + F, coefficients + c * each, beta);
        status = owi_circuit_tilt(to, c, beta, &log_norm);
    }
    owi_circuit_prepare(call, to);
    owi_free(base->ctx, beta);
    return status;
}
