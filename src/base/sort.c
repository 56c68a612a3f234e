/* SPDX-License-Identifier: MIT */
/* Runs of some thousand items are sorted by qsort, and then merged, two and two. */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

enum { run_items = 1 << 13 }; /* a millisecond's work */

typedef struct {
    const owi_call *call;
    size_t n, size;
    int (*compare)(const void *, const void *);
} order;

static ow_status sort_runs(const order *by, char *items)
{
    for (size_t first = 0; first < by->n; first += run_items) {
        OWI_TRY(owi_call_tick(by->call));
        qsort(items + first * by->size, owi_smaller(run_items, by->n - first), by->size,
              by->compare);
    }
    return OW_OK;
}

/* Items [first, middle) and [middle, end), each in order, to the same place of `to`; of
 * equal ones the first run's come first. */
static ow_status merge(const order *by, const char *from, size_t first, size_t middle,
                       size_t end, char *to)
{
    const size_t size = by->size;
    size_t left = first, right = middle;
    for (size_t at = first; at < end; at++) {
        if (at % run_items == 0) OWI_TRY(owi_call_tick(by->call));
        const bool takes_left =
            left < middle &&
            (right == end || by->compare(from + left * size, from + right * size) <= 0);
        memcpy(to + at * size, from + (takes_left ? left++ : right++) * size, size);
    }
    return OW_OK;
}

/* Runs of so many items to runs of twice as many. */
static ow_status merge_runs(const order *by, size_t length, const char *from, char *to)
{
    for (size_t first = 0; first < by->n; first += 2 * length) {
        const size_t middle = owi_smaller(first + length, by->n);
        OWI_TRY(merge(by, from, first, middle, owi_smaller(first + 2 * length, by->n), to));
    }
    return OW_OK;
}

ow_status owi_sort(const owi_call *call, void *items, size_t n, size_t size,
                   int (*compare)(const void *, const void *))
{
    const order by = {.call = call, .n = n, .size = size, .compare = compare};
    OWI_TRY(sort_runs(&by, items));
    if (n <= run_items) return OW_OK;
    char *scratch = owi_alloc_array(call->ctx, n, size), *from = items, *to = scratch;
    ow_status status = scratch != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t length = run_items; length < n && status == OW_OK; length *= 2) {
        char *merged = to;
        status = merge_runs(&by, length, from, to);
        to = from;
        from = merged;
    }
    if (status == OW_OK && from == scratch) memcpy(items, scratch, n * size);
    owi_free(call->ctx, scratch);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

ow_status owi_sort_many_numbers(const owi_call *call, double *numbers, size_t n)
{
    return owi_sort(call, numbers, n, sizeof *numbers, compare_numbers);
}
