/* SPDX-License-Identifier: MIT */
/* Which columns of an inferred schema are locked for what they are (lock_words.h). */
#ifndef OWI_FOUND_LOCKS_H
#define OWI_FOUND_LOCKS_H

#include "data/infer/infer_plan.h"
#include "data/schema/schema_private.h"

/* Locks them, in a schema that is finished, but for those of the plan that are unlocked or
 * have a direction; says in one line which, and in another which others one may doubt. */
void owi_lock_found_columns(ow_schema *schema, const char *file, size_t n_columns,
                            const owi_column_plan *plan);

#endif
