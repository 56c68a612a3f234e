/* SPDX-License-Identifier: MIT */
/* Two changes of columns that are in the same sheet: what each adds alone does not add
 * up. */
#ifndef OWI_PAIR_SHEETS_H
#define OWI_PAIR_SHEETS_H

#include "circuit/query/query_changes.h"

bool owi_pair_shares_sheet(const ow_changes *changes, size_t first, size_t second);
/* What both candidates together add to the logarithms of the sheets that they share, beyond
 * what each of them adds alone. */
double owi_pair_sheet_gain(const ow_changes *changes, const float *row, size_t first,
                           size_t second);

#endif
