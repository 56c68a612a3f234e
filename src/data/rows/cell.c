/* SPDX-License-Identifier: MIT */
/* What the entries of a row are, whatever file they come from. */
#include <math.h>
#include <string.h>

#include "base/text/number.h"
#include "data/rows/reader.h"

bool owi_cell_is_word(const owi_cell *cell, const char *word)
{
    if (cell->text == NULL || cell->length != strlen(word)) return false;
    for (size_t i = 0; i < cell->length; i++) {
        const char c = cell->text[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) return false;
    }
    return true;
}

bool owi_cell_is_missing(const owi_cell *cell)
{
    if (cell->text == NULL) return isnan(cell->number);
    if (cell->length > strlen("null")) return false; /* as nearly all are */
    return cell->length == 0 || owi_cell_is_word(cell, "?") ||
           owi_cell_is_word(cell, "na") || owi_cell_is_word(cell, "nan") ||
           owi_cell_is_word(cell, "null");
}

const char *owi_cell_text(const owi_cell *cell, char *buffer, size_t *length)
{
    if (cell->text != NULL) {
        *length = cell->length;
        return cell->text;
    }
    *length = owi_print_number(cell->number, buffer);
    return buffer;
}

bool owi_cell_number(const owi_cell *cell, double *number, int *decimals)
{
    if (cell->text != NULL)
        return owi_parse_number(cell->text, cell->length, number, decimals);
    if (isnan(cell->number)) return false;
    *number = cell->number;
    /* A whole number of up to 15 digits has no decimals; of others every bit counts. */
    const bool is_whole = *number == rint(*number) && fabs(*number) < 1e15;
    if (decimals != NULL) *decimals = is_whole ? 0 : -1;
    return true;
}

bool owi_cell_read(const owi_cell *cell, const owi_value_format *format, double *number,
                   int *decimals)
{
    if (cell->text == NULL && format->writing == OWI_DATE &&
        strncmp(format->layout, "yyyymmdd", 8) == 0) {
        /* 20230826 is that date, also where a file has it as a number. */
        char buffer[owi_number_size];
        const size_t length = owi_print_number(cell->number, buffer);
        return owi_value_read(format, buffer, length, number, decimals);
    }
    if (cell->text == NULL || format->writing == OWI_PLAIN)
        return owi_cell_number(cell, number, decimals);
    return owi_value_read(format, cell->text, cell->length, number, decimals);
}
