/* SPDX-License-Identifier: MIT */
/* Soft rows: where the entries of a column are, and rows made soft. */
#include <math.h>

#include "circuit/structure/leaf_features.h"

size_t ow_circuit_soft_width(const ow_circuit *circuit)
{
    return owi_circuit_row_width(circuit, true);
}

size_t ow_circuit_soft_span(const ow_circuit *circuit, size_t column, size_t *first)
{
    *first = circuit->soft_start[column];
    return circuit->soft_start[column + 1] - circuit->soft_start[column];
}

void ow_circuit_soften(const ow_circuit *circuit, size_t n_rows, const float *rows,
                       float *soft)
{
    const size_t d = circuit->spec.n_columns;
    for (size_t i = 0; i < n_rows * d; i++) {
        const size_t j = i % d, n = circuit->soft_start[j + 1] - circuit->soft_start[j];
        if (!owi_leaf_has_levels(&circuit->leaves[j]))
            *soft++ = rows[i];
        else
            for (size_t k = 0; k < n; k++)
                *soft++ = isnan(rows[i]) ? NAN : rows[i] == (float)k ? 1.0f : 0.0f;
    }
}
