/* SPDX-License-Identifier: MIT */
#include "circuit/query/pair_sheets.h"

#include "circuit/structure/sheets.h"

static uint64_t shared_sheets(const ow_changes *changes, size_t first, size_t second)
{
    const uint64_t *bits = changes->evaluator->circuit->sheet_bits;
    return bits[changes->column[first]] & bits[changes->column[second]];
}

bool owi_pair_shares_sheet(const ow_changes *changes, size_t first, size_t second)
{
    return shared_sheets(changes, first, second) != 0;
}

double owi_pair_sheet_gain(const ow_changes *changes, const float *row, size_t first,
                           size_t second)
{
    const uint64_t shared = shared_sheets(changes, first, second);
    if (shared == 0) return 0.0;
    const ow_circuit *circuit = changes->evaluator->circuit;
    const size_t j = changes->column[first], k = changes->column[second];
    const float v = changes->values[first], w = changes->values[second];
    const owi_sheet_change both = {j, k, v, w};
    const owi_sheet_change one = {j, SIZE_MAX, v, 0.0f}, other = {SIZE_MAX, k, 0.0f, w};
    return owi_sheets_log_changed(circuit, shared, row, both) -
           owi_sheets_log_changed(circuit, shared, row, one) -
           owi_sheets_log_changed(circuit, shared, row, other) +
           owi_sheets_log(circuit, shared, false, row);
}
