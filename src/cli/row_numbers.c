/* SPDX-License-Identifier: MIT */
#include "row_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"

static int compare(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

static bool read_number(const char *text, size_t *number)
{
    enum { most_digits = 18 }; /* fit into any size_t of 64 bits */
    const size_t n_digits = strspn(text, "0123456789");
    *number = (size_t)strtoull(text, NULL, 10);
    if (n_digits > 0 && n_digits <= most_digits && text[n_digits] == '\0' && *number > 0)
        return true;
    message(OW_LOG_ERROR, "--row: expected the number of a row, from 1 on, got \"%s\"",
            text);
    return false;
}

bool row_numbers_read(const text_list *texts, size_t **numbers, size_t *n)
{
    *numbers = NULL;
    *n = 0;
    if (texts->n == 0) return true;
    size_t *list = memory_new(texts->n, sizeof *list);
    for (size_t i = 0; i < texts->n; i++)
        if (!read_number(texts->items[i], &list[i])) {
            free(list);
            return false;
        }
    qsort(list, texts->n, sizeof *list, compare);
    for (size_t i = 0; i < texts->n; i++)
        if (i == 0 || list[i] != list[*n - 1]) list[(*n)++] = list[i];
    *numbers = list;
    return true;
}
