/* SPDX-License-Identifier: MIT */
#include "data/shared/column_part.h"

#include <math.h>

#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "data/format/format_guess.h"
#include "data/infer/linked_columns.h"

void owi_column_part_clear(owi_column_part *part)
{
    owi_column_counts_clear(&part->counts, part->ctx);
    owi_string_map_free(part->fresh);
    owi_string_map_free(part->outside);
    owi_free(part->ctx, part->fresh_values);
    *part = (owi_column_part){.ctx = part->ctx};
}

ow_status owi_column_part_begin(owi_column_part *part, const owi_column_stats *whole)
{
    owi_string_map_free(part->fresh);
    owi_string_map_free(part->outside);
    part->fresh = part->outside = NULL;
    part->is_event = part->has_numbers = false;
    part->in_sequence = true;
    return owi_column_counts_begin(&part->counts, part->ctx, whole);
}

/* ---- Cells ---- */

static void follow_sequence(owi_column_part *part, double number)
{
    if (!part->has_numbers)
        part->first_number = number;
    else if (number != part->last_number + 1.0)
        part->in_sequence = false;
    part->has_numbers = true;
    part->last_number = number;
}

/* A value that the whole does not have. */
static ow_status add_fresh(owi_column_part *part, const owi_column_stats *whole,
                           const owi_cell *cell, const char *text, size_t length,
                           int32_t *id)
{
    size_t index;
    if (part->fresh == NULL) OWI_TRY(owi_string_map_new(part->ctx, &part->fresh));
    const size_t n_before = owi_string_map_count(part->fresh);
    OWI_TRY(owi_string_map_add(part->fresh, text, length, &index));
    OWI_TRY(owi_grow(part->ctx, &part->fresh_values, &part->fresh_capacity, index + 1,
                     sizeof *part->fresh_values));
    owi_value *value = &part->fresh_values[index];
    if (index == n_before) {
        *value = (owi_value){.number = NAN};
        if (!owi_cell_number(cell, &value->number, &value->decimals)) value->number = NAN;
        /* Far too many: the range will not be added, whatever comes. */
        part->is_event = index > owi_max_levels;
    }
    value->count++;
    if (!isnan(value->number))
        follow_sequence(part, value->number);
    else if (whole->n_texts == 0)
        part->is_event = true; /* the first text */
    *id = (int32_t)(owi_string_map_count(whole->texts) + index);
    return OW_OK;
}

static ow_status add_counted(owi_column_part *part, const owi_column_stats *whole,
                             const owi_cell *cell, int32_t *id)
{
    char buffer[owi_number_size];
    size_t length;
    const char *text = owi_cell_text(cell, buffer, &length);
    const size_t index = owi_string_map_find(whole->texts, text, length);
    if (index == SIZE_MAX) return add_fresh(part, whole, cell, text, length, id);
    part->counts.counts[index]++;
    if (!isnan(whole->values[index].number))
        follow_sequence(part, whole->values[index].number);
    *id = (int32_t)index;
    return OW_OK;
}

/* A text among numbers.  A word that the column has had is counted, and so is one more
 * where it has more than it may have; any other is an event. */
static void add_word(owi_column_part *part, const owi_column_stats *whole,
                     const owi_cell *cell)
{
    bool rare_only;
    const bool is_listed = owi_is_missing_word(cell->text, cell->length, &rare_only);
    const bool is_new =
        whole->words == NULL ||
        (owi_string_map_find(whole->words, cell->text, cell->length) == SIZE_MAX &&
         owi_string_map_count(whole->words) <= owi_max_missing_words);
    if (is_new || whole->in_sequence || (!is_listed && whole->n_stray == 0))
        part->is_event = true;
    part->counts.n_stray += !is_listed;
    part->counts.n_missing++;
}

static ow_status add_number(owi_column_part *part, const owi_column_stats *whole,
                            const owi_cell *cell)
{
    double number;
    int decimals;
    if (!owi_cell_read(cell, &whole->format, &number, &decimals)) {
        add_word(part, whole, cell);
        return OW_OK;
    }
    follow_sequence(part, number);
    return owi_column_counts_add_number(&part->counts, part->ctx, whole, number, decimals);
}

ow_status owi_column_part_add(owi_column_part *part, const owi_column_stats *whole,
                              const owi_cell *cell, int32_t *id)
{
    *id = owi_id_missing;
    if (owi_cell_is_missing(cell)) {
        part->counts.n_missing++;
        return OW_OK;
    }
    if (whole->texts != NULL) return add_counted(part, whole, cell, id);
    *id = owi_id_lost;
    if (whole->has_too_many)
        part->counts.n_present++;
    else if (whole->sums != NULL)
        return add_number(part, whole, cell);
    else
        part->is_event = true; /* the first value */
    return OW_OK;
}

ow_status owi_column_part_add_outside(owi_column_part *part, const owi_column_stats *whole,
                                      const owi_cell *cell)
{
    double number;
    size_t index;
    const owi_string_map *known = whole->outside;
    if (cell->text == NULL || owi_cell_is_missing(cell)) return OW_OK;
    if (owi_cell_number(cell, &number, NULL)) return OW_OK;
    if (known != NULL && (owi_string_map_count(known) >= owi_max_missing_words ||
                          owi_string_map_find(known, cell->text, cell->length) != SIZE_MAX))
        return OW_OK;
    if (part->outside == NULL) OWI_TRY(owi_string_map_new(part->ctx, &part->outside));
    if (owi_string_map_count(part->outside) >= owi_max_missing_words) return OW_OK;
    return owi_string_map_add(part->outside, cell->text, cell->length, &index);
}

/* ---- What all have to know ---- */

typedef struct {
    size_t n_fresh, n_outside;
    double first_number, last_number;
    bool has_numbers, in_sequence;
} head;

static size_t count_of(const owi_string_map *map)
{
    return map != NULL ? owi_string_map_count(map) : 0;
}

static ow_status write_text(const owi_string_map *map, size_t index, owi_byte_list *to)
{
    size_t length;
    const char *text = owi_string_map_text(map, index, &length);
    OWI_TRY(owi_byte_list_add(to, &length, sizeof length));
    return owi_byte_list_add(to, text, length);
}

ow_status owi_column_part_write(const owi_column_part *part, owi_byte_list *to)
{
    const head own = {.n_fresh = count_of(part->fresh),
                      .n_outside = count_of(part->outside),
                      .first_number = part->first_number,
                      .last_number = part->last_number,
                      .has_numbers = part->has_numbers,
                      .in_sequence = part->in_sequence};
    OWI_TRY(owi_byte_list_add(to, &own, sizeof own));
    for (size_t i = 0; i < own.n_fresh; i++) {
        OWI_TRY(owi_byte_list_add(to, &part->fresh_values[i], sizeof(owi_value)));
        OWI_TRY(write_text(part->fresh, i, to));
    }
    for (size_t i = 0; i < own.n_outside; i++) OWI_TRY(write_text(part->outside, i, to));
    return OW_OK;
}

static const char *take_text(const unsigned char **from, size_t *length)
{
    owi_bytes_take(from, length, sizeof *length);
    return owi_bytes_pass(from, *length);
}

void owi_column_part_check(const unsigned char **from, const owi_column_stats *whole,
                           bool *fits)
{
    head theirs;
    size_t n_new = 0, n_bytes = 0, length;
    owi_value value;
    owi_bytes_take(from, &theirs, sizeof theirs);
    for (size_t i = 0; i < theirs.n_fresh; i++) {
        owi_bytes_take(from, &value, sizeof value);
        const char *text = take_text(from, &length);
        if (owi_string_map_find(whole->texts, text, length) != SIZE_MAX) continue;
        n_new++;
        n_bytes += length;
    }
    for (size_t i = 0; i < theirs.n_outside; i++) (void)take_text(from, &length);
    if (n_new == 0) return;
    enum { bytes_beside = 64 }; /* of a text, at most */
    const size_t before = owi_string_map_count(whole->texts), after = before + n_new;
    const size_t size = owi_string_map_size(whole->texts);
    if ((before <= whole->max_numbers && after > whole->max_numbers) ||
        after > owi_max_levels ||
        2 * size + n_bytes + n_new * bytes_beside > owi_max_level_bytes)
        *fits = false;
}

ow_status owi_column_part_apply(const unsigned char **from, owi_column_stats *whole)
{
    head theirs;
    size_t length;
    owi_value value;
    owi_bytes_take(from, &theirs, sizeof theirs);
    for (size_t i = 0; i < theirs.n_fresh; i++) {
        owi_bytes_take(from, &value, sizeof value);
        const char *text = take_text(from, &length);
        OWI_TRY(owi_column_stats_add_times(whole, text, length, &value));
    }
    for (size_t i = 0; i < theirs.n_outside; i++) {
        owi_cell cell = {0};
        cell.text = take_text(from, &cell.length);
        OWI_TRY(owi_column_stats_add_outside(whole, &cell));
    }
    if (!theirs.has_numbers) return OW_OK;
    if (!theirs.in_sequence || theirs.first_number != whole->last_number + 1.0)
        whole->in_sequence = false;
    whole->last_number = theirs.last_number;
    return OW_OK;
}
