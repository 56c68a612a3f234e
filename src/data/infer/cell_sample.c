/* SPDX-License-Identifier: MIT */
#include "data/infer/cell_sample.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

/* Texts stand in the order of their cells, so that those which stay can move up. */
static void thin(owi_cell_sample *sample)
{
    const size_t d = sample->n_columns;
    size_t n = 0, n_text = 0;
    for (size_t row = 0; row < sample->n_rows; row += 2, n++)
        for (size_t j = 0; j < d; j++) {
            owi_sampled_cell cell = sample->cells[row * d + j];
            if (cell.is_text && cell.length > 0)
                memmove(sample->texts + n_text, sample->texts + cell.at, cell.length);
            if (cell.is_text) {
                cell.at = n_text;
                n_text += cell.length;
            }
            sample->cells[n * d + j] = cell;
        }
    sample->n_rows = n;
    sample->n_text = n_text;
    sample->stride *= 2;
}

static ow_status keep(owi_cell_sample *sample, const owi_cell *cells)
{
    const size_t d = sample->n_columns;
    size_t n_text = 0;
    for (size_t j = 0; j < d; j++)
        if (cells[j].text != NULL) n_text += cells[j].length;
    OWI_TRY(owi_grow(sample->ctx, &sample->cells, &sample->cell_capacity,
                     (sample->n_rows + 1) * d, sizeof *sample->cells));
    OWI_TRY(owi_grow(sample->ctx, &sample->texts, &sample->text_capacity,
                     sample->n_text + n_text + 1, 1));
    for (size_t j = 0; j < d; j++) {
        owi_sampled_cell *kept = &sample->cells[sample->n_rows * d + j];
        if (cells[j].text == NULL) {
            *kept = (owi_sampled_cell){.number = cells[j].number};
            continue;
        }
        const size_t length = owi_smaller(cells[j].length, UINT32_MAX);
        *kept = (owi_sampled_cell){.at = sample->n_text,
                                   .length = (uint32_t)length,
                                   .is_text = true};
        if (length > 0) memcpy(sample->texts + kept->at, cells[j].text, length);
        sample->n_text += length;
    }
    sample->n_rows++;
    return OW_OK;
}

ow_status owi_cell_sample_add(owi_cell_sample *sample, const owi_cell *cells)
{
    if (sample->stride == 0) sample->stride = 1;
    if (sample->n_seen++ % sample->stride != 0) return OW_OK;
    OWI_TRY(keep(sample, cells));
    if (sample->n_rows == owi_most_sampled) thin(sample);
    return OW_OK;
}

void owi_cell_sample_row(const owi_cell_sample *sample, size_t row, owi_cell *cells)
{
    for (size_t j = 0; j < sample->n_columns; j++) {
        const owi_sampled_cell *kept = &sample->cells[row * sample->n_columns + j];
        cells[j] = kept->is_text ? (owi_cell){.text = sample->texts + kept->at,
                                              .length = kept->length}
                                 : (owi_cell){.number = kept->number};
    }
}

void owi_cell_sample_clear(owi_cell_sample *sample)
{
    owi_free(sample->ctx, sample->cells);
    owi_free(sample->ctx, sample->texts);
    *sample = (owi_cell_sample){.ctx = sample->ctx, .n_columns = sample->n_columns};
}
