/* SPDX-License-Identifier: MIT */
#include "options/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"

bool decimal_read(const char *text, double *number)
{
    char *end;
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    const double read = strtod(text, &end);
    if (*end != '\0' || !isfinite(read)) return false;
    *number = read;
    return true;
}

bool decimal_read_interval(const char *text, double *low, double *high)
{
    const size_t length = strcspn(text, ":");
    const char *rest = text[length] == ':' ? text + length + 1 : "";
    char *first = memory_copy(text, length);
    const bool good = text[strcspn(text, "0123456789")] != '\0' &&
                      (length == 0 || decimal_read(first, low)) &&
                      (*rest == '\0' || decimal_read(rest, high));
    free(first);
    return good;
}
