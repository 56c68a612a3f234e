/* SPDX-License-Identifier: MIT */
/* Cells beyond what could be measured: "<5" and ">500" among numbers.  Such a text stands
 * for the number one step of its own last digit beyond the limit, 4 and 501, so that the
 * order of the values is kept; and since no other number may lie beyond the limit, whatever
 * does is printed as the text. */
#include <math.h>
#include <string.h>

#include "data/format/format_guess.h"

static bool is_limit(const char *text, size_t length)
{
    return length >= 2 && length < owi_limit_size && (*text == '<' || *text == '>');
}

bool owi_format_set_limit(owi_value_format *format, const char *text, size_t length)
{
    double limit;
    int decimals;
    if (format->writing != OWI_NUMBER || !is_limit(text, length)) return false;
    if (!owi_amount_read(format, text + 1, length - 1, &limit, &decimals)) return false;
    const double step = pow(10.0, -decimals);
    const bool is_low = *text == '<';
    const double beyond = is_low ? limit - step : limit + step;
    if (decimals < 0 || !isfinite(beyond) || beyond == limit) return false;
    owi_limit *end = is_low ? &format->below : &format->above;
    *end = (owi_limit){.limit = limit, .value = beyond, .decimals = decimals};
    memcpy(end->text, text, length);
    return true;
}

static bool is_text(const owi_limit *end, const char *text, size_t length)
{
    return end->text[0] != '\0' && strlen(end->text) == length &&
           memcmp(end->text, text, length) == 0;
}

bool owi_limit_read(const owi_value_format *format, const char *text, size_t length,
                    double *value, int *decimals)
{
    const owi_limit *end = is_text(&format->below, text, length)   ? &format->below
                           : is_text(&format->above, text, length) ? &format->above
                                                                   : NULL;
    if (end == NULL) return false;
    *value = end->value;
    if (decimals != NULL) *decimals = end->decimals;
    return true;
}

const char *owi_limit_text(const owi_value_format *format, double value)
{
    if (format->below.text[0] != '\0' && value < format->below.limit)
        return format->below.text;
    if (format->above.text[0] != '\0' && value > format->above.limit)
        return format->above.text;
    return NULL;
}

/* The one text of each direction, as entry k of texts or n where there is none; false where
 * a direction has several. */
static bool find_ends(size_t n, const owi_written *texts, size_t ends[2])
{
    ends[0] = ends[1] = n;
    for (size_t k = 0; k < n; k++) {
        if (!is_limit(texts[k].text, texts[k].length)) continue;
        size_t *end = &ends[texts[k].text[0] == '>'];
        if (*end < n) return false;
        *end = k;
    }
    return true;
}

size_t owi_guess_limits(size_t n, const owi_written *texts, bool decimal_comma,
                        owi_value_format *format)
{
    size_t ends[2], n_cells = 0, n_beyond = 0;
    if (format->writing == OWI_DATE || !find_ends(n, texts, ends)) return 0;
    owi_value_format limited = *format;
    if (limited.writing == OWI_PLAIN)
        limited =
            (owi_value_format){.writing = OWI_NUMBER, .decimal = decimal_comma ? ',' : '.'};
    for (size_t i = 0; i < 2; i++)
        if (ends[i] < n &&
            owi_format_set_limit(&limited, texts[ends[i]].text, texts[ends[i]].length))
            n_beyond += texts[ends[i]].count;
    if (n_beyond == 0) return 0;
    for (size_t k = 0; k < n; k++) {
        double value;
        if (k == ends[0] || k == ends[1]) continue;
        if (!owi_value_read(format, texts[k].text, texts[k].length, &value, NULL)) continue;
        if (owi_limit_text(&limited, value) != NULL) return 0;
        n_cells += texts[k].count;
    }
    if (n_beyond > n_cells) return 0;
    *format = limited;
    return n_beyond;
}
