/* SPDX-License-Identifier: MIT */
/* Numbers that up to three others determine, for relations.c. */
#ifndef OWI_RELATION_SEARCH_H
#define OWI_RELATION_SEARCH_H

#include "data/relations/relation_fit.h"

/* Adds the sums (or, of logarithms, the products) that hold to a list: several for a
 * column, of which relations.c keeps one. */
ow_status owi_relation_search(const owi_relation_fit *fit, bool logs,
                              owi_relation_list *list);

#endif
