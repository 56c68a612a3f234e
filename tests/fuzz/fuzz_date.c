/* SPDX-License-Identifier: MIT */
/* Dates and times in the format that the text itself proposes: what is read prints as a
 * text that reads as the same; and patterns of formats are read back. */
#include <math.h>
#include <string.h>

#include "data/format/format_guess.h"
#include "fuzz_target.h"

static void check_pattern(const uint8_t *bytes, size_t size)
{
    char pattern[owi_pattern_size], again[owi_pattern_size];
    owi_value_format format;
    if (size >= sizeof pattern || memchr(bytes, '\0', size) != NULL) return;
    memcpy(pattern, bytes, size);
    pattern[size] = '\0';
    if (!owi_pattern_read(pattern, &format)) return;
    owi_pattern_print(&format, again);
    expect(strcmp(pattern, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const owi_written written = {(const char *)bytes, size, 1};
    owi_value_format format;
    double value, again;
    char printed[owi_value_size];
    if (size == 0) return 0;
    check_pattern(bytes, size);
    if (owi_guess_format(1, &written, false, &format) == 0) return 0;
    if (format.writing != OWI_DATE) return 0;
    expect(owi_date_read(&format, written.text, size, &value));
    expect(value > -800000.0 && value < 3000000.0);
    const size_t length = owi_date_print(&format, value, printed);
    expect(owi_date_read(&format, printed, length, &again) && again == value);
    return 0;
}
