/* SPDX-License-Identifier: MIT */
/* The sheets of a model's circuit (ow_sheet), with their memory. */
#ifndef OWI_SHEET_LIST_H
#define OWI_SHEET_LIST_H

#include "model/column_plan.h"

/* Terms of a sheet, at most. */
enum { owi_most_sheet_terms = 6 };

typedef struct {
    ow_context *ctx;
    size_t n;
    ow_sheet *sheets;
} owi_sheet_list;

/* Room for one more sheet of so many terms, which are zero; NULL: there is no memory. */
ow_sheet *owi_sheet_list_add(owi_sheet_list *list, size_t n_terms);
/* Takes the last one away. */
void owi_sheet_list_drop(owi_sheet_list *list);
/* Units of the levels of term i of the last sheet, zero; NULL: there is no memory. */
double *owi_sheet_list_levels(owi_sheet_list *list, size_t i, size_t n_levels);
void owi_sheet_list_clear(owi_sheet_list *list);

/* The spec gets the sheets, and leaves (columns) those that they ask for. */
void owi_sheet_list_use(const owi_sheet_list *list, ow_circuit_spec *spec, ow_leaf *leaves);

#endif
