/* SPDX-License-Identifier: MIT */
#include "model/train/class_figures.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "circuit/pass/evaluator.h"
#include "classifier/classifier.h"
#include "model/percentile.h"

enum { block_rows = 2048, stream_densities = 1, stream_gaps = 1 << 20 };

/* ---- Pools ---- */

ow_status owi_density_pools_init(owi_density_pools *pools, ow_context *ctx,
                                 size_t n_classes, uint64_t seed)
{
    *pools = (owi_density_pools){.ctx = ctx, .n_classes = n_classes};
    pools->pools = owi_alloc_array(ctx, n_classes, sizeof *pools->pools);
    if (pools->pools == NULL) return OW_ERR_MEMORY;
    for (size_t c = 0; c < n_classes; c++)
        owi_rng_init(&pools->pools[c].rng, seed + stream_densities, c);
    return OW_OK;
}

void owi_density_pools_clear(owi_density_pools *pools)
{
    for (size_t c = 0; pools->pools != NULL && c < pools->n_classes; c++)
        owi_free(pools->ctx, pools->pools[c].figures);
    if (pools->pools != NULL) owi_free(pools->ctx, pools->pools);
    *pools = (owi_density_pools){0};
}

static ow_status offer(ow_context *ctx, owi_density_pool *pool, double density)
{
    size_t slot = pool->n_offered;
    if (slot >= owi_most_densities) slot = owi_rng_below(&pool->rng, pool->n_offered + 1);
    pool->n_offered++;
    if (slot >= owi_most_densities) return OW_OK;
    if (slot == pool->n) {
        OWI_TRY(owi_grow(ctx, &pool->figures, &pool->capacity, slot + 1,
                         sizeof *pool->figures));
        pool->n++;
    }
    pool->figures[slot] = (float)density;
    return OW_OK;
}

/* ---- Densities of rows ---- */

/* A block of rows as they are worked on. */
typedef struct {
    owi_workspace *workspace;
    float *rows, *filled; /* block_rows x circuit columns; filled: those with gaps */
    int32_t *classes, *filled_classes;
    size_t *filled_row; /* which row each of them is */
    double *log_class;  /* block_rows x classes */
    double *own;        /* the same of the model itself */
    double *density;    /* of each row, given its class */
} block;

static ow_status block_new(ow_context *ctx, size_t width, size_t n_classes, block *b)
{
    const owi_piece pieces[] = {
        OWI_PIECE(b->rows, block_rows * width),
        OWI_PIECE(b->filled, block_rows * width),
        OWI_PIECE(b->classes, block_rows),
        OWI_PIECE(b->filled_classes, block_rows),
        OWI_PIECE(b->filled_row, block_rows),
        OWI_PIECE(b->log_class, block_rows * n_classes),
        OWI_PIECE(b->density, block_rows),
        OWI_PIECE(b->own, block_rows * n_classes),
    };
    return owi_pieces_new(ctx, OWI_PIECES(pieces), &b->workspace);
}

static bool has_gaps(const float *row, size_t width)
{
    for (size_t j = 0; j < width; j++)
        if (isnan(row[j])) return true;
    return false;
}

static ow_status evaluate(const owi_call *call, ow_evaluator *evaluator, size_t C, size_t n,
                          const float *rows, const int32_t *classes, double *log_class,
                          double *density)
{
    OWI_TRY(owi_evaluate(call, evaluator, n, rows, log_class));
    for (size_t i = 0; i < n; i++) density[i] = log_class[i * C + (size_t)classes[i]];
    return OW_OK;
}

/* Fills in the gaps of those rows that are possible at all. */
static ow_status fill_gaps(const owi_call *call, ow_evaluator *evaluator, size_t width,
                           size_t n, block *b)
{
    size_t n_filled = 0;
    for (size_t i = 0; i < n; i++) {
        const float *row = b->rows + i * width;
        if (!has_gaps(row, width) || !isfinite(b->density[i])) continue;
        memcpy(b->filled + n_filled * width, row, width * sizeof *row);
        b->filled_classes[n_filled] = b->classes[i];
        b->filled_row[n_filled++] = i;
    }
    OWI_TRY(owi_sample(call, evaluator, n_filled, b->filled, b->filled_classes));
    for (size_t k = 0; k < n_filled; k++)
        memcpy(b->rows + b->filled_row[k] * width, b->filled + k * width,
               width * sizeof *b->rows);
    return OW_OK;
}

/* log P(c given x) - log (1 - P(c given x)). */
static double log_odds(const double *log_prior, const double *log_class, size_t C, size_t c)
{
    double top = -INFINITY, sum = 0.0;
    for (size_t k = 0; k < C; k++)
        if (k != c) top = fmax(top, log_class[k] + log_prior[k]);
    for (size_t k = 0; k < C; k++)
        if (k != c) sum += exp(log_class[k] + log_prior[k] - top);
    return log_class[c] + log_prior[c] - top - log(sum);
}

static void add_drift(const owi_density_source *how, size_t C, size_t c, const double *own,
                      const double *without)
{
    const double *prior = how->evaluator->circuit->log_prior;
    const double *other_prior = how->without->circuit->log_prior;
    const double odds = log_odds(prior, own, C, c);
    const double drift = odds - log_odds(other_prior, without, C, c);
    const double p = 1.0 / (1.0 + exp(-odds)), weight = p * (1.0 - p);
    if (!isfinite(drift)) return;
    how->drift[c].weight += weight;
    how->drift[c].sum += weight * drift * drift;
}

/* What the circuit that has not learned from the rows decides about them. */
static ow_status count_decisions(const owi_density_source *how, size_t C, size_t n,
                                 block *b)
{
    if (how->without == NULL || how->tally == NULL) return OW_OK;
    memcpy(b->own, b->log_class, n * C * sizeof *b->own);
    owi_circuit_to_log_proba(how->without->circuit, n, b->own);
    for (size_t i = 0; i < n; i++)
        OWI_TRY(owi_tally_add(how->tally, b->own + i * C, (size_t)b->classes[i]));
    return OW_OK;
}

static ow_status collect_block(owi_density_pools *pools, const owi_call *call,
                               owi_density_source how, size_t width, size_t n, block *b)
{
    const size_t C = pools->n_classes;
    ow_evaluator *first = how.without != NULL ? how.without : how.evaluator;
    bool gaps = false;
    OWI_TRY(evaluate(call, first, C, n, b->rows, b->classes, b->log_class, b->density));
    OWI_TRY(count_decisions(&how, C, n, b));
    for (size_t i = 0; i < n && !gaps; i++) gaps = has_gaps(b->rows + i * width, width);
    if (gaps) {
        OWI_TRY(fill_gaps(call, first, width, n, b));
        OWI_TRY(evaluate(call, first, C, n, b->rows, b->classes, b->log_class, b->density));
    }
    if (how.without != NULL) OWI_TRY(owi_evaluate(call, how.evaluator, n, b->rows, b->own));
    for (size_t i = 0; i < n; i++) {
        const size_t c = (size_t)b->classes[i];
        const double l = b->density[i];
        const double step =
            how.without != NULL ? how.toward * (b->own[i * C + c] - l) : 0.0;
        OWI_TRY(offer(pools->ctx, &pools->pools[c], isfinite(step) ? l + step : l));
        for (size_t k = 0; k < C && how.without != NULL && how.drift != NULL; k++)
            add_drift(&how, C, k, b->own + i * C, b->log_class + i * C);
    }
    return OW_OK;
}

ow_status owi_density_pools_collect(owi_density_pools *pools, const owi_call *call,
                                    owi_density_source how, const ow_row_source *source)
{
    const size_t width = how.evaluator->circuit->spec.n_columns;
    block b = {0};
    ow_status status = source->rewind(source->user);
    if (status == OW_OK) status = block_new(pools->ctx, width, pools->n_classes, &b);
    for (uint64_t i = 0; status == OW_OK; i++) {
        size_t n = 0;
        const owi_call draws = owi_call_with_seed(call, call->seed + stream_gaps + i);
        status = owi_call_tick(call);
        if (status == OW_OK)
            status = source->next(source->user, block_rows, b.rows, b.classes, &n);
        if (n == 0) break;
        if (status == OW_OK) status = collect_block(pools, &draws, how, width, n, &b);
    }
    owi_workspace_free(b.workspace);
    return status;
}

/* ---- What becomes of them ---- */

/* A row that was learned from counts as one of these many that were not: in the tables of
 * 5000 rows and more that have both, q25 of the former is off by two percent, which is what
 * a sample of so many rows is off by. */
static const double rows_for_all_seen = 470.0;

double owi_density_between(const float *sorted, size_t n, double share)
{
    const double at = share * (double)n - 0.5;
    if (!(at > 0.0)) return (double)sorted[0];
    if (at >= (double)(n - 1)) return (double)sorted[n - 1];
    const size_t i = (size_t)at;
    const double low = (double)sorted[i], high = (double)sorted[i + 1];
    return low == high ? low : low + (at - (double)i) * (high - low);
}

static ow_status take_class(ow_context *ctx, owi_class_figures *figures,
                            const owi_density_pool *seen, const owi_density_pool *unseen,
                            bool all_unseen)
{
    const double weight = unseen->n == 0 ? 0.0
                          : all_unseen
                              ? 1.0
                              : (double)unseen->n / ((double)unseen->n + rows_for_all_seen);
    const size_t n = weight < 1.0 ? seen->n : unseen->n;
    float *densities = owi_alloc_array(ctx, n, sizeof *densities);
    if (densities == NULL) return OW_ERR_MEMORY;
    owi_sort_figures(seen->figures, seen->n);
    owi_sort_figures(unseen->figures, unseen->n);
    for (size_t i = 0; i < n; i++) {
        const double share = ((double)i + 0.5) / (double)n;
        const double a =
            weight < 1.0 ? owi_density_between(seen->figures, seen->n, share) : 0.0;
        const double b =
            weight > 0.0 ? owi_density_between(unseen->figures, unseen->n, share) : 0.0;
        const double mixed = (1.0 - weight) * a + weight * b;
        densities[i] = (float)(isnan(mixed) ? -INFINITY : mixed);
    }
    owi_free(ctx, figures->densities);
    figures->densities = densities;
    figures->n_densities = n;
    return OW_OK;
}

ow_status owi_model_take_densities(ow_model *model, const owi_density_pools *seen,
                                   const owi_density_pools *unseen, bool all_unseen)
{
    for (size_t c = 0; c < seen->n_classes; c++)
        OWI_TRY(take_class(model->ctx, &model->classes[c], &seen->pools[c],
                           &unseen->pools[c], all_unseen));
    return OW_OK;
}

ow_status owi_model_set_classes(const owi_call *call, ow_model *model,
                                const ow_row_source *source, size_t most_samples,
                                const char *backend)
{
    const size_t C = ow_schema_n_classes(model->schema);
    owi_density_pools seen = {0}, unseen = {0};
    ow_evaluator *evaluator = NULL;
    ow_status status = ow_evaluator_new(model->circuit, backend, &evaluator);
    if (status == OW_OK) status = owi_density_pools_init(&seen, model->ctx, C, call->seed);
    if (status == OW_OK)
        status = owi_density_pools_init(&unseen, model->ctx, C, call->seed);
    if (status == OW_OK)
        status =
            owi_density_pools_collect(&seen, call,
                                      (owi_density_source){.evaluator = evaluator}, source);
    if (status == OW_OK) status = owi_model_take_densities(model, &seen, &unseen, false);
    if (status == OW_OK)
        status = owi_model_draw_samples(call, model, most_samples, false, backend);
    owi_density_pools_clear(&seen);
    owi_density_pools_clear(&unseen);
    ow_evaluator_free(evaluator);
    return status;
}

ow_status owi_model_set_samples(const owi_call *call, ow_model *model, const char *backend)
{
    const size_t C = ow_schema_n_classes(model->schema);
    ow_evaluator *evaluator = NULL;
    double *log_class = owi_alloc_array(model->ctx, owi_n_samples * C, sizeof *log_class);
    ow_status status = log_class != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK)
        status = owi_model_draw_samples(call, model, owi_n_samples, false, backend);
    if (status == OW_OK) status = ow_evaluator_new(model->circuit, backend, &evaluator);
    for (size_t c = 0; c < C && status == OW_OK; c++) {
        owi_class_figures *figures = &model->classes[c];
        const size_t n = figures->n_samples;
        figures->densities = owi_alloc_array(model->ctx, n, sizeof(float));
        if (figures->densities == NULL) status = OW_ERR_MEMORY;
        if (status == OW_OK)
            status = owi_evaluate(call, evaluator, n, figures->samples, log_class);
        if (status != OW_OK) break;
        figures->n_densities = n;
        for (size_t i = 0; i < n; i++) figures->densities[i] = (float)log_class[i * C + c];
        owi_sort_figures(figures->densities, n);
    }
    ow_evaluator_free(evaluator);
    owi_free(model->ctx, log_class);
    return status;
}
