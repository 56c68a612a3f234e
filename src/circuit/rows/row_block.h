/* SPDX-License-Identifier: MIT */
/* A block of rows from a source, checked: what every loop over training rows reads into. */
#ifndef OWI_ROW_BLOCK_H
#define OWI_ROW_BLOCK_H

#include "circuit/structure/circuit.h"
#include "otherwise/learn.h"

typedef struct {
    const owi_call *call;
    const ow_circuit *circuit;
    size_t most_rows;
    size_t n_rows; /* read now */
    size_t first;  /* rows read before this block since the last rewind */
    float *rows;
    int32_t *classes;
} owi_row_block;

ow_status owi_row_block_init(owi_row_block *block, const owi_call *call,
                             const ow_circuit *circuit, size_t most_rows);
void owi_row_block_clear(owi_row_block *block);
ow_status owi_row_block_rewind(owi_row_block *block, const ow_row_source *source);

/* Ticks, and reads up to max_rows rows behind what the block holds already (n_rows); none
 * more: *n_read is 0.  A class that does not exist fails with OW_ERR_ARGUMENT and its row.
 * */
ow_status owi_row_block_fill(owi_row_block *block, const ow_row_source *source,
                             size_t *n_read);
/* That every column can hold its values; else OW_ERR_NUMERIC with the row's number in the
 * source.  Evaluating the rows finds such a value too, but not its row: ask then, for the
 * better sentence. */
ow_status owi_row_block_check(const owi_row_block *block);
/* Forgets the rows held. */
void owi_row_block_empty(owi_row_block *block);

#endif
