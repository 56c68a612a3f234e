/* SPDX-License-Identifier: MIT */
/* What a range of rows adds to a column, found by a process that knows the column as it was
 * some rows before (the whole, the same in all processes):
 *
 *     fresh values   those that the whole does not have, in their order, and all else that
 *                    rows behind the range have to be looked at with: told to all
 *     counts         column_counts.h: kept by each process
 *
 * A range after which the column would be looked at with other eyes, such as the one with
 * its first text, is an event: all processes have to read it, as a single one does. */
#ifndef OWI_COLUMN_PART_H
#define OWI_COLUMN_PART_H

#include "data/shared/column_counts.h"

/* All zero but for ctx can be cleared. */
typedef struct {
    ow_context *ctx;
    bool is_event;
    owi_column_counts counts;
    owi_string_map *fresh; /* NULL: none */
    owi_value *fresh_values;
    size_t fresh_capacity;
    bool has_numbers, in_sequence; /* looked at where the whole is a sequence */
    double first_number, last_number;
    owi_string_map *outside; /* of rows that do not count; NULL: none that is new */
} owi_column_part;

void owi_column_part_clear(owi_column_part *part);
/* Nothing again. */
ow_status owi_column_part_begin(owi_column_part *part, const owi_column_stats *whole);

/* As owi_column_stats_add; fresh values are numbered behind those of the whole.  Whether
 * the range is an event shows in part->is_event; what is added then does not matter. */
ow_status owi_column_part_add(owi_column_part *part, const owi_column_stats *whole,
                              const owi_cell *cell, int32_t *id);
ow_status owi_column_part_add_outside(owi_column_part *part, const owi_column_stats *whole,
                                      const owi_cell *cell);

/* What all have to know. */
ow_status owi_column_part_write(const owi_column_part *part, owi_byte_list *to);
/* Passes over what was written.  *fits becomes false where adding it would be an event,
 * because the whole has as many values as it may have. */
void owi_column_part_check(const unsigned char **from, const owi_column_stats *whole,
                           bool *fits);
/* Adds it to the whole. */
ow_status owi_column_part_apply(const unsigned char **from, owi_column_stats *whole);

#endif
