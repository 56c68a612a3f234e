/* SPDX-License-Identifier: MIT */
/* Numbers with units and marks: the first byte chooses among the formats, or lets the text
 * propose its own.  What is read prints as a text that reads as the same. */
#include <math.h>
#include <string.h>

#include "data/format/format_guess.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const patterns[] = {"EUR 1,234.5", "1.234,5 €",
                                           "1234.5%",     "(1,234.5)",
                                           "1 234,5-",    "$-1'234.5",
                                           "1234,5",      "<5 or 1,234.5 or >500"};
    enum { n_patterns = sizeof patterns / sizeof *patterns };
    if (size == 0) return 0;
    const char *text = (const char *)bytes + 1;
    const owi_written written = {text, size - 1, 1};
    owi_value_format format;
    const size_t chosen = bytes[0] % (n_patterns + 2);
    if (chosen < n_patterns)
        expect(owi_pattern_read(patterns[chosen], &format));
    else if (owi_guess_format(1, &written, chosen > n_patterns, &format) == 0)
        return 0;

    double value, again;
    int decimals;
    if (!owi_value_read(&format, text, size - 1, &value, &decimals)) {
        expect(chosen < n_patterns);
        return 0;
    }
    char printed[owi_value_size];
    expect(isfinite(value) && decimals >= -1 && decimals <= owi_max_decimals);
    const size_t length = owi_value_print(&format, value, decimals, printed);
    expect(length < sizeof printed);
    if (decimals < 0 || length > 60) return 0; /* longer than numbers that are read */
    expect(owi_value_read(&format, printed, length, &again, NULL));
    expect(again == value || owi_limit_text(&format, value) != NULL);
    return 0;
}
