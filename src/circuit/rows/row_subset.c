/* SPDX-License-Identifier: MIT */
#include "circuit/rows/row_subset.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/rng.h"
#include "circuit/rows/row_block.h"

enum { block_rows = 4096 };

typedef struct {
    const ow_circuit *circuit;
    double share; /* of all rows */
    uint64_t seed;
    float *rows;
    int32_t *classes;
    size_t n, row_capacity, class_capacity;
} subset;

/* By the row's number alone, as folds are. */
static bool is_drawn(const subset *s, size_t row, int32_t class_index)
{
    owi_rng rng;
    owi_rng_init(&rng, s->seed, owi_rng_stream(OWI_DRAWS_SUBSET, row));
    const double least = owi_least_of_class / s->circuit->class_rows[class_index];
    return owi_rng_uniform(&rng) < fmax(s->share, least);
}

static ow_status add_block(subset *s, const owi_row_block *block)
{
    ow_context *ctx = s->circuit->ctx;
    const size_t d = s->circuit->spec.n_columns;
    for (size_t i = 0; i < block->n_rows; i++) {
        if (!is_drawn(s, block->first + i, block->classes[i])) continue;
        OWI_TRY(owi_grow(ctx, &s->rows, &s->row_capacity, (s->n + 1) * d, sizeof(float)));
        OWI_TRY(owi_grow(ctx, &s->classes, &s->class_capacity, s->n + 1, sizeof(int32_t)));
        memcpy(s->rows + s->n * d, block->rows + i * d, d * sizeof(float));
        s->classes[s->n++] = block->classes[i];
    }
    return OW_OK;
}

ow_status owi_row_subset_read(const owi_call *call, const ow_circuit *circuit,
                              const ow_row_source *source, size_t wanted, uint64_t seed,
                              float **rows, int32_t **classes, size_t *n_rows)
{
    subset s = {.circuit = circuit, .seed = seed};
    owi_row_block block;
    double n_all = 0.0;
    for (size_t c = 0; c < circuit->spec.n_classes; c++) n_all += circuit->class_rows[c];
    s.share = (double)wanted / n_all;

    OWI_TRY(owi_row_block_init(&block, call, circuit, block_rows));
    ow_status status = owi_row_block_rewind(&block, source);
    while (status == OW_OK) {
        size_t n;
        status = owi_row_block_fill(&block, source, &n);
        if (status != OW_OK || n == 0) break;
        status = add_block(&s, &block);
        owi_row_block_empty(&block);
    }
    owi_row_block_clear(&block);
    if (status != OW_OK) {
        owi_free(circuit->ctx, s.rows);
        owi_free(circuit->ctx, s.classes);
        s = (subset){0};
    }
    *rows = s.rows;
    *classes = s.classes;
    *n_rows = s.n;
    return status;
}
