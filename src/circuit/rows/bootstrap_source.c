/* SPDX-License-Identifier: MIT */
#include "circuit/rows/bootstrap_source.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/rng.h"

static ow_status rewind_sample(void *user)
{
    owi_bootstrap *sample = user;
    sample->row = sample->at = sample->n_read = sample->n_left = 0;
    return sample->from->rewind(sample->from->user);
}

/* A Poisson draw by inversion: how many of the cumulated probabilities a uniform draw
 * exceeds. */
static size_t draw_count(const owi_bootstrap *sample, size_t row, int32_t class_index)
{
    enum { most = 16 };
    owi_rng rng;
    if (sample->rare != NULL && sample->rare[class_index]) return 1;
    owi_rng_init(&rng, sample->seed, owi_rng_stream(OWI_DRAWS_FOLDS, row));
    double left = owi_rng_uniform(&rng), p = exp(-sample->rate);
    size_t count = 0;
    for (; left >= p && count < most; p *= sample->rate / (double)++count) left -= p;
    return count;
}

/* Goes on to the next row that the sample has; n_left stays 0 at the end of the source. */
static ow_status find_next(owi_bootstrap *sample)
{
    while (sample->n_left == 0) {
        if (++sample->at >= sample->n_read) {
            sample->at = 0;
            OWI_TRY(sample->from->next(sample->from->user, owi_bootstrap_block,
                                       sample->block, sample->classes, &sample->n_read));
            if (sample->n_read == 0) return OW_OK;
        }
        sample->n_left = draw_count(sample, sample->row++, sample->classes[sample->at]);
    }
    return OW_OK;
}

static ow_status next_of_sample(void *user, size_t max_rows, float *rows, int32_t *classes,
                                size_t *n_rows)
{
    owi_bootstrap *sample = user;
    const size_t d = sample->n_columns;
    for (*n_rows = 0; *n_rows < max_rows; sample->n_left--) {
        OWI_TRY(find_next(sample));
        if (sample->n_left == 0) return OW_OK;
        memcpy(rows + *n_rows * d, sample->block + sample->at * d, d * sizeof *rows);
        classes[(*n_rows)++] = sample->classes[sample->at];
    }
    return OW_OK;
}

ow_row_source owi_bootstrap_source(owi_bootstrap *sample)
{
    return (ow_row_source){sample, rewind_sample, next_of_sample};
}

ow_status owi_bootstrap_keep(const owi_call *call, owi_bootstrap *sample,
                             owi_bootstrap_rows *kept)
{
    const ow_row_source source = owi_bootstrap_source(sample);
    const size_t d = sample->n_columns;
    size_t row_capacity = 0, class_capacity = 0;
    *kept = (owi_bootstrap_rows){0};
    OWI_TRY(source.rewind(source.user));
    for (size_t n;; kept->n_rows += n) {
        const size_t n_rows = kept->n_rows + owi_bootstrap_block;
        OWI_TRY(owi_call_tick(call));
        OWI_TRY(owi_grow(call->ctx, &kept->rows, &row_capacity, n_rows * d, sizeof(float)));
        OWI_TRY(
            owi_grow(call->ctx, &kept->classes, &class_capacity, n_rows, sizeof(int32_t)));
        OWI_TRY(source.next(source.user, owi_bootstrap_block, kept->rows + kept->n_rows * d,
                            kept->classes + kept->n_rows, &n));
        if (n == 0) return OW_OK;
    }
}
