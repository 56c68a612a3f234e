/* SPDX-License-Identifier: MIT */
/* Columns that follow others, found in rows and written into their schema. */
#ifndef OWI_INFER_RELATIONS_H
#define OWI_INFER_RELATIONS_H

#include "base/call.h"
#include "data/infer/cell_sample.h"

/* No relations are looked for in tables of more columns. */
enum { owi_most_related_columns = 128 };

/* Adds the relations found in a sample of the reader's rows (relations.h) to the schema
 * that was inferred from all of them, with one line of information for each.  Columns that
 * are linked follow none.  The reader is bound to nothing afterwards. */
ow_status owi_infer_relations(ow_reader *reader, const owi_call *call,
                              const owi_cell_sample *cells, ow_schema *schema);

#endif
