/* SPDX-License-Identifier: MIT */
/* A sample of the training rows, for choosing leaves and for figures of the columns. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/rng.h"
#include "model/train/rows/training_rows.h"

enum {
    block_rows = owi_store_block,
    most_sample_rows = 16384,
    most_sample_bytes = 64 << 20
};

/* Reservoir sampling: row number `seen` replaces one of those kept with probability
 * most / (seen + 1). */
static ow_status fill(owi_training_rows *rows, size_t most, double *values,
                      int32_t *classes, owi_row_sample *sample)
{
    const size_t n_columns = rows->n_columns;
    size_t seen = 0, at = 0;
    owi_rng rng;
    owi_rng_init(&rng, rows->seed, 0);
    for (;;) {
        size_t n;
        OWI_TRY(
            owi_training_rows_values(rows, false, &at, block_rows, values, classes, &n));
        if (n == 0) break;
        for (size_t i = 0; i < n; i++) {
            const size_t slot = seen < most ? seen : owi_rng_below(&rng, seen + 1);
            seen++;
            if (slot >= most) continue;
            memcpy(sample->values + slot * n_columns, values + i * n_columns,
                   n_columns * sizeof *values);
            sample->classes[slot] = classes[i];
        }
    }
    sample->n_rows = owi_smaller(seen, most);
    return OW_OK;
}

ow_status owi_training_rows_sample(owi_training_rows *rows, owi_row_sample *sample)
{
    const size_t n_columns = rows->n_columns;
    const size_t by_memory = most_sample_bytes / (n_columns * sizeof(double)) + 1;
    const size_t most =
        owi_smaller(owi_smaller(by_memory, most_sample_rows), rows->n_train);

    *sample = (owi_row_sample){.n_columns = n_columns};
    double *values = owi_alloc_array(rows->ctx, block_rows * n_columns, sizeof *values);
    int32_t *classes = owi_alloc_array(rows->ctx, block_rows, sizeof *classes);
    /* Two classes take the room of one value. */
    sample->values =
        owi_alloc_array(rows->ctx, most * n_columns + most / 2 + 1, sizeof *sample->values);
    ow_status status = OW_ERR_MEMORY;
    if (values != NULL && classes != NULL && sample->values != NULL) {
        sample->classes = (int32_t *)(void *)(sample->values + most * n_columns);
        status = fill(rows, most, values, classes, sample);
    }
    owi_free(rows->ctx, values);
    owi_free(rows->ctx, classes);
    if (status == OW_OK) return OW_OK;
    owi_free(rows->ctx, sample->values);
    sample->values = NULL;
    return status;
}
