/* SPDX-License-Identifier: MIT */
#include "circuit/rows/row_block.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/structure/leaf_features.h"

ow_status owi_row_block_init(owi_row_block *block, const owi_call *call,
                             const ow_circuit *circuit, size_t most_rows)
{
    ow_context *ctx = circuit->ctx;
    *block = (owi_row_block){.call = call, .circuit = circuit, .most_rows = most_rows};
    block->rows =
        owi_alloc_array(ctx, most_rows * circuit->spec.n_columns, sizeof *block->rows);
    block->classes = owi_alloc_array(ctx, most_rows, sizeof *block->classes);
    if (block->rows != NULL && block->classes != NULL) return OW_OK;
    owi_row_block_clear(block);
    return OW_ERR_MEMORY;
}

void owi_row_block_clear(owi_row_block *block)
{
    owi_free(block->circuit->ctx, block->rows);
    owi_free(block->circuit->ctx, block->classes);
    block->rows = NULL;
    block->classes = NULL;
}

ow_status owi_row_block_rewind(owi_row_block *block, const ow_row_source *source)
{
    block->n_rows = block->first = 0;
    return source->rewind(source->user);
}

void owi_row_block_empty(owi_row_block *block)
{
    block->first += block->n_rows;
    block->n_rows = 0;
}

ow_status owi_row_block_fill(owi_row_block *block, const ow_row_source *source,
                             size_t *n_read)
{
    const ow_circuit_spec *spec = &block->circuit->spec;
    *n_read = 0;
    OWI_TRY(owi_call_tick(block->call));
    if (block->n_rows == block->most_rows) return OW_OK;
    OWI_TRY(source->next(source->user, block->most_rows - block->n_rows,
                         block->rows + block->n_rows * spec->n_columns,
                         block->classes + block->n_rows, n_read));
    for (size_t i = block->n_rows; i < block->n_rows + *n_read; i++)
        if (block->classes[i] < 0 || (size_t)block->classes[i] >= spec->n_classes)
            return owi_fail(OW_ERR_ARGUMENT, "row %zu: class %d, expected 0 to %zu",
                            block->first + i + 1, block->classes[i], spec->n_classes - 1);
    block->n_rows += *n_read;
    return OW_OK;
}

ow_status owi_row_block_check(const owi_row_block *block)
{
    return owi_check_rows(block->circuit, block->n_rows, block->rows, block->first);
}
