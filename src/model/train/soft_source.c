/* SPDX-License-Identifier: MIT */
#include "model/train/soft_source.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

enum { block_rows = 256 };

ow_status owi_soft_source_init(owi_soft_source *soft, const owi_call *call,
                               const ow_row_source *from, const ow_circuit *circuit)
{
    *soft = (owi_soft_source){.call = call, .from = from, .circuit = circuit};
    soft->rows = owi_alloc_array(circuit->ctx, block_rows * circuit->spec.n_columns,
                                 sizeof *soft->rows);
    return soft->rows != NULL ? OW_OK : OW_ERR_MEMORY;
}

void owi_soft_source_clear(owi_soft_source *soft)
{
    owi_free(soft->circuit->ctx, soft->rows);
    soft->rows = NULL;
}

static ow_status rewind_rows(void *user)
{
    const owi_soft_source *soft = user;
    return soft->from->rewind(soft->from->user);
}

/* As many as are asked for, block by block. */
static ow_status next_rows(void *user, size_t max_rows, float *rows, int32_t *classes,
                           size_t *n_rows)
{
    const owi_soft_source *soft = user;
    const size_t width = ow_circuit_soft_width(soft->circuit);
    *n_rows = 0;
    while (*n_rows < max_rows) {
        size_t n;
        OWI_TRY(owi_call_tick(soft->call));
        OWI_TRY(soft->from->next(soft->from->user,
                                 owi_smaller(block_rows, max_rows - *n_rows), soft->rows,
                                 classes + *n_rows, &n));
        if (n == 0) break;
        ow_circuit_soften(soft->circuit, n, soft->rows, rows + *n_rows * width);
        *n_rows += n;
    }
    return OW_OK;
}

ow_row_source owi_soft_source_of(owi_soft_source *soft)
{
    return (ow_row_source){soft, rewind_rows, next_rows};
}
