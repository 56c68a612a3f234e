/* SPDX-License-Identifier: MIT */
/* Sheets for a circuit of trees, from the relations of the schema and a sample of rows. */
#ifndef OWI_FIND_SHEETS_H
#define OWI_FIND_SHEETS_H

#include "model/sheets/sheet_list.h"

/* A relation between numbers becomes a sheet if what it leaves open is less than a fifth of
 * what its column varies by.  Any number of a relation may be the one that follows from the
 * others, as long as the sheet is about as thin as the thinnest: it is that which says
 * least about the class, because the circuit does not see it any more.  Adds to an empty
 * list. */
ow_status owi_find_sheets(const owi_call *call, const owi_plan *plan,
                          const owi_row_sample *sample, owi_sheet_list *list);

#endif
