/* SPDX-License-Identifier: MIT */
/* Columns whose level another column's level determines (city, region; year, decade), but
 * not the other way round, which linked_columns.h finds. */
#ifndef OWI_RELATION_LEVELS_H
#define OWI_RELATION_LEVELS_H

#include "data/relations/relation_fit.h"

/* Adds them to a list. */
ow_status owi_relation_levels_find(const owi_relation_fit *fit, owi_relation_list *list);

#endif
