/* SPDX-License-Identifier: MIT */
/* Rows drawn from the circuit of each class.
 *
 * A circuit's own samples are not as dense as real rows are: denser where it was drawn to
 * single rows, less dense where it smooths.  As explaining takes density floors from the
 * samples (given what cannot change in a row, which no stored quantile could serve), they
 * are chosen among more candidates such that their log-densities have the quantiles of the
 * reference densities: those of rows that were not learned from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "circuit/pass/evaluator.h"
#include "model/percentile.h"
#include "model/train/class_figures.h"

/* How many candidates there are for each sample, and numbers in all candidates of a class,
 * at most. */
enum { candidates_each = 4, most_numbers = 1 << 24, stream_samples = 2 };

/* How many rows are drawn for each class: fewer where they are wide, or they would outweigh
 * the circuit. */
static size_t count_samples(size_t n_classes, size_t width)
{
    const size_t fitting = owi_most_sampled / n_classes / width;
    if (fitting < owi_least_samples) return owi_least_samples;
    return owi_smaller(fitting, owi_n_samples);
}

typedef struct {
    float density;
    size_t row;
} candidate;

typedef struct {
    owi_workspace *workspace;
    size_t n;
    float *rows; /* n x width */
    int32_t *classes;
    double *log_class; /* n x classes                        */
    candidate *by_density;
    size_t *n_taken; /* how often each candidate is a sample */
} candidates;

static int by_density(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->density != y->density) return x->density < y->density ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static ow_status draw(const owi_call *call, ow_evaluator *evaluator, size_t c, size_t n,
                      size_t width, float *rows, int32_t *classes)
{
    for (size_t i = 0; i < n * width; i++) rows[i] = NAN;
    for (size_t i = 0; i < n; i++) classes[i] = (int32_t)c;
    const owi_call draws = owi_call_with_seed(call, call->seed + stream_samples + c);
    return owi_sample(&draws, evaluator, n, rows, classes);
}

/* The candidate whose density is nearest. */
static size_t nearest(const candidate *ascending, size_t n, double density)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((double)ascending[middle].density < density)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n) return ascending[n - 1].row;
    if (low > 0 && density - (double)ascending[low - 1].density <
                       (double)ascending[low].density - density)
        low--;
    return ascending[low].row;
}

/* Takes n of the candidates, in the order in which they were drawn. */
static void choose(const owi_class_figures *figures, const candidates *from, size_t n,
                   size_t width, float *samples)
{
    memset(from->n_taken, 0, from->n * sizeof *from->n_taken);
    for (size_t i = 0; i < n; i++) {
        const double share = ((double)i + 0.5) / (double)n;
        const double density =
            owi_density_between(figures->densities, figures->n_densities, share);
        from->n_taken[nearest(from->by_density, from->n, density)]++;
    }
    for (size_t row = 0; row < from->n; row++)
        for (size_t k = 0; k < from->n_taken[row]; k++, samples += width)
            memcpy(samples, from->rows + row * width, width * sizeof *samples);
}

static ow_status draw_matched(const owi_call *call, ow_evaluator *evaluator, size_t C,
                              size_t c, const owi_class_figures *figures, candidates *from)
{
    const size_t width = evaluator->circuit->spec.n_columns;
    OWI_TRY(draw(call, evaluator, c, from->n, width, from->rows, from->classes));
    OWI_TRY(owi_evaluate(call, evaluator, from->n, from->rows, from->log_class));
    for (size_t i = 0; i < from->n; i++)
        from->by_density[i] = (candidate){(float)from->log_class[i * C + c], i};
    qsort(from->by_density, from->n, sizeof *from->by_density, by_density);
    choose(figures, from, figures->n_samples, width, figures->samples);
    return OW_OK;
}

static ow_status candidates_new(ow_context *ctx, size_t n_samples, size_t width, size_t C,
                                candidates *out)
{
    const size_t n = owi_larger(n_samples, owi_smaller(n_samples * candidates_each,
                                                       most_numbers / width));
    *out = (candidates){.n = n};
    const owi_piece pieces[] = {
        OWI_PIECE(out->rows, n * width),  OWI_PIECE(out->classes, n),
        OWI_PIECE(out->log_class, n * C), OWI_PIECE(out->by_density, n),
        OWI_PIECE(out->n_taken, n),
    };
    return owi_pieces_new(ctx, OWI_PIECES(pieces), &out->workspace);
}

ow_status owi_model_draw_samples(const owi_call *call, ow_model *model, size_t most,
                                 bool matched, const char *backend)
{
    const size_t width = model->plan.width, C = ow_schema_n_classes(model->schema);
    const size_t n = owi_smaller(count_samples(C, width), most);
    ow_evaluator *evaluator = NULL;
    candidates from = {0};
    ow_status status = ow_evaluator_new(model->circuit, backend, &evaluator);
    if (status == OW_OK) status = candidates_new(model->ctx, n, width, C, &from);
    for (size_t c = 0; c < C && status == OW_OK; c++) {
        owi_class_figures *figures = &model->classes[c];
        owi_free(model->ctx, figures->samples);
        figures->samples = owi_alloc_array(model->ctx, n * width, sizeof *figures->samples);
        figures->n_samples = figures->samples != NULL ? n : 0;
        if (figures->samples == NULL)
            status = OW_ERR_MEMORY;
        else if (matched && figures->n_densities > 0)
            status = draw_matched(call, evaluator, C, c, figures, &from);
        else
            status = draw(call, evaluator, c, n, width, figures->samples, from.classes);
    }
    owi_workspace_free(from.workspace);
    ow_evaluator_free(evaluator);
    return status;
}
