/* SPDX-License-Identifier: MIT */
#include "data/infer/extremes.h"

#include <string.h>

/* One list, ordered by sign * number. */
static void add(owi_number_count *list, size_t *n, double sign, double number, size_t times)
{
    size_t at = *n;
    while (at > 0 && sign * number < sign * list[at - 1].number) at--;
    if (at > 0 && list[at - 1].number == number) {
        list[at - 1].count += times;
        return;
    }
    if (at == owi_n_extremes) return;
    if (*n < owi_n_extremes) (*n)++;
    memmove(&list[at + 1], &list[at], (*n - 1 - at) * sizeof *list);
    list[at] = (owi_number_count){number, times};
}

void owi_extremes_add(owi_extremes *extremes, double number, size_t times)
{
    add(extremes->low, &extremes->n_low, 1.0, number, times);
    add(extremes->high, &extremes->n_high, -1.0, number, times);
}

void owi_extremes_join(owi_extremes *a, const owi_extremes *b)
{
    for (size_t i = 0; i < b->n_low; i++)
        add(a->low, &a->n_low, 1.0, b->low[i].number, b->low[i].count);
    for (size_t i = 0; i < b->n_high; i++)
        add(a->high, &a->n_high, -1.0, b->high[i].number, b->high[i].count);
}
