/* SPDX-License-Identifier: MIT */
/* Repair of rows that stand in lanes.  Most steps of a descent change neither a row's
 * levels nor the whole numbers that its numbers become: a column of sixteen rows is looked
 * at by vector instructions, and only rows that left what is known go through repair.c. */
#include <math.h>
#include <string.h>

#include "base/numeric/lane_vectors.h"
#include "explain/constraints/repair.h"

enum { L = owi_row_lanes };

/* Which level each lane chooses; true if it is another than before for some lane. */
OWI_WIDE static bool look_at_levels(size_t n, const float *shares, const float *bar,
                                    const int32_t *own, const int32_t *before,
                                    int32_t *restrict chosen)
{
    owi_eight_masks moved = {0};
    for (size_t i = 0; i < L; i += 8) {
        owi_eight best, own_share;
        owi_eight_masks at_home, was, level = {0}, k = {0};
        memcpy(&at_home, own + i, sizeof at_home);
        memcpy(&was, before + i, sizeof was);
        owi_fill_eight(-INFINITY, &best);
        own_share = best;
        for (size_t at = i; at < n * L; at += L, k += 1) {
            owi_eight share, most;
            owi_load_eight(shares + at, &share);
            owi_load_eight(bar + at, &most);
            const owi_eight_masks is_own = (owi_eight_masks)(at_home == k);
            owi_take_where(&is_own, &share, &own_share);
            const owi_eight_masks better =
                (owi_eight_masks)(share > best) & (owi_eight_masks)(most > share);
            owi_take_where(&better, &share, &best);
            level = (better & k) | (~better & level);
        }
        const owi_eight_masks changes = (owi_eight_masks)(best > own_share);
        level = (changes & level) | (~changes & at_home);
        moved |= level ^ was;
        memcpy(chosen + i, &level, sizeof level);
    }
    return owi_any_of(&moved);
}

/* True if some lane has left the values that are known to become the same. */
OWI_WIDE static bool look_at_numbers(const float *numbers, const float *low,
                                     const float *high)
{
    owi_eight_masks inside = {-1, -1, -1, -1, -1, -1, -1, -1};
    for (size_t i = 0; i < L; i += 8) {
        owi_eight x, least, most;
        owi_load_eight(numbers + i, &x);
        owi_load_eight(low + i, &least);
        owi_load_eight(high + i, &most);
        inside &= (owi_eight_masks)(x >= least) & (owi_eight_masks)(x <= most);
    }
    inside = ~inside;
    return owi_any_of(&inside);
}

/* Column j of n rows from `first` on. */
static void repair_column(const owi_repair *repair, size_t first, size_t n, size_t j,
                          const float *lanes, float *repaired, bool *changed)
{
    const owi_rules *rules = repair->rules;
    const owi_soft_column *column = &rules->columns[j].soft;
    const size_t at = owi_lane_of(first, rules->n_columns, j);
    const float *x = lanes + column->first * L;
    int32_t chosen[L];
    if (column->has_shares
            ? !look_at_levels(column->width, x,
                              repair->bar + owi_lane_of(first, rules->width, column->first),
                              repair->own + at, repair->chosen + at, chosen)
            : !look_at_numbers(x, repair->low + at, repair->high + at))
        return;
    for (size_t i = 0; i < n; i++) {
        const size_t row = first + i;
        if (column->has_shares
                ? chosen[i] == repair->chosen[at + i]
                : x[i] >= repair->low[at + i] && x[i] <= repair->high[at + i])
            continue;
        if (isnan(repair->queries[row * rules->n_columns + j])) continue;
        double value;
        if (column->has_shares) {
            repair->chosen[at + i] = chosen[i];
            value = owi_repair_level(repair, row, j, chosen[i]);
        } else {
            value = owi_repair_number(repair, row, j, x[i]);
        }
        changed[i] |= owi_repair_renew(repair, row, j, value, repaired + i * rules->width);
    }
}

/* Whether columns can be looked at one by one: all rows have been repaired once, and no
 * column depends on others. */
static bool is_by_columns(const owi_repair *repair, size_t first, size_t n)
{
    for (size_t row = first; row < first + n; row++)
        if (!repair->begun[row]) return false;
    return repair->rules->most_changes == 0 &&
           repair->rules->constraints->n_dependencies == 0 &&
           repair->rules->constraints->n_conditions == 0 &&
           ow_schema_n_links(repair->rules->schema) == 0;
}

void owi_repair_lanes(const owi_repair *repair, size_t first, size_t n, const float *lanes,
                      float *repaired, bool *changed)
{
    const owi_rules *rules = repair->rules;
    const size_t width = rules->width;
    float *soft = repair->soft + first * width;
    if (is_by_columns(repair, first, n)) {
        for (size_t i = 0; i < n; i++) changed[i] = false;
        for (size_t j = 0; j < rules->n_columns; j++)
            if (!rules->columns[j].limits.frozen)
                repair_column(repair, first, n, j, lanes, repaired, changed);
        return;
    }
    owi_lanes_to_rows(n, width, lanes, soft);
    for (size_t i = 0; i < n; i++)
        changed[i] =
            owi_repair_row(repair, first + i, soft + i * width, repaired + i * width);
}
