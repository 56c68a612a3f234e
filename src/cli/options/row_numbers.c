/* SPDX-License-Identifier: MIT */
#include "options/row_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "terminal/message.h"

static int compare(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Digits up to the end character, a number from 1 on; the length with that character, or
 * 0. */
static size_t read_number(const char *text, char end, size_t *number)
{
    enum { most_digits = 18 }; /* fit into any size_t of 64 bits */
    const size_t n_digits = strspn(text, "0123456789");
    *number = (size_t)strtoull(text, NULL, 10);
    const bool whole = n_digits > 0 && n_digits <= most_digits && text[n_digits] == end;
    return whole && *number > 0 ? n_digits + 1 : 0;
}

/* "17" or "3-17"; the bound keeps a slip of the finger from filling the memory. */
static bool read_range(const char *text, size_t *first, size_t *last)
{
    enum { most_rows = 1000000 };
    if (read_number(text, '\0', first) > 0) {
        *last = *first;
        return true;
    }
    const size_t length = read_number(text, '-', first);
    if (length == 0 || read_number(text + length, '\0', last) == 0 || *last < *first) {
        message(OW_LOG_ERROR,
                "--row: expected the number of a row, from 1 on, or the first and the last "
                "of several as in 3-17, got \"%s\"",
                text);
        return false;
    }
    if (*last - *first < most_rows) return true;
    message(OW_LOG_ERROR,
            "--row: expected at most %d rows, got %s; without --row it is all", most_rows,
            text);
    return false;
}

bool row_numbers_read(const text_list *texts, size_t **numbers, size_t *n)
{
    *numbers = NULL;
    *n = 0;
    if (texts->n == 0) return true;
    size_t *list = NULL, n_list = 0, n_kept = 0;
    for (size_t i = 0; i < texts->n; i++) {
        size_t first, last;
        if (strchr(texts->items[i], '=') != NULL) continue; /* row_names.h */
        if (!read_range(texts->items[i], &first, &last)) {
            free(list);
            return false;
        }
        for (size_t row = first; row <= last; row++) {
            list = memory_grow(list, n_list, sizeof *list);
            list[n_list++] = row;
        }
    }
    if (n_list > 0) qsort(list, n_list, sizeof *list, compare);
    for (size_t i = 0; i < n_list; i++)
        if (i == 0 || list[i] != list[n_kept - 1]) list[n_kept++] = list[i];
    *numbers = list;
    *n = n_kept;
    return true;
}
