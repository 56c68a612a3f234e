/* SPDX-License-Identifier: MIT */
#include "model/sheets/sheet_list.h"

#include "base/memory/alloc.h"

/* The terms are the list's own memory, lent to readers as constant. */
static ow_sheet_term *terms_of(const ow_sheet *sheet)
{
    return (ow_sheet_term *)(uintptr_t)sheet->terms;
}

ow_sheet *owi_sheet_list_add(owi_sheet_list *list, size_t n_terms)
{
    ow_sheet *sheets =
        owi_resize_array(list->ctx, list->sheets, list->n + 1, sizeof *sheets);
    if (sheets == NULL) return NULL;
    list->sheets = sheets;
    ow_sheet_term *terms = owi_alloc_array(list->ctx, n_terms, sizeof *terms);
    if (terms == NULL) return NULL;
    sheets[list->n] = (ow_sheet){.n_terms = n_terms, .terms = terms};
    return &sheets[list->n++];
}

void owi_sheet_list_drop(owi_sheet_list *list)
{
    ow_sheet_term *terms = terms_of(&list->sheets[--list->n]);
    for (size_t i = 0; i < list->sheets[list->n].n_terms; i++)
        owi_free(list->ctx, (void *)(uintptr_t)terms[i].levels);
    owi_free(list->ctx, terms);
}

double *owi_sheet_list_levels(owi_sheet_list *list, size_t i, size_t n_levels)
{
    double *levels = owi_alloc_array(list->ctx, n_levels, sizeof *levels);
    terms_of(&list->sheets[list->n - 1])[i].levels = levels;
    return levels;
}

void owi_sheet_list_clear(owi_sheet_list *list)
{
    if (list->sheets == NULL) return;
    while (list->n > 0) owi_sheet_list_drop(list);
    owi_free(list->ctx, list->sheets);
    list->sheets = NULL;
}

void owi_sheet_list_use(const owi_sheet_list *list, ow_circuit_spec *spec, ow_leaf *leaves)
{
    spec->n_sheets = list->n;
    spec->sheets = list->sheets;
    for (size_t s = 0; s < list->n; s++) {
        ow_leaf *leaf = &leaves[list->sheets[s].terms[0].column];
        leaf->kind = OW_LEAF_FOLLOWS;
        leaf->n_masses = 0;
        leaf->low = leaf->high = 0.0;
    }
}
