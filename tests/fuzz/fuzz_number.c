/* SPDX-License-Identifier: MIT */
/* Numbers as text: what is read agrees with strtod, and what is printed reads back. */
#include "base/text/number.h"

#include <math.h>
#include <string.h>

#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    double value = 0.0;
    int decimals = 0;
    if (!owi_parse_number((const char *)bytes, size, &value, &decimals)) return 0;
    expect(isfinite(value) && decimals >= -1 && decimals <= owi_max_decimals);

    char *text = malloc(size + 1);
    expect(text != NULL);
    memcpy(text, bytes, size);
    text[size] = '\0';
    char *end = NULL;
    const double want = strtod(text, &end);
    expect(end == text + size && want == value);
    free(text);

    char shortest[owi_number_size], fixed[owi_fixed_size];
    double again = 0.0;
    expect(owi_parse_number(shortest, owi_print_number(value, shortest), &again, NULL));
    expect(again == value);
    if (decimals >= 0) {
        expect(
            owi_parse_number(fixed, owi_print_fixed(value, decimals, fixed), &again, NULL));
        expect(again == value && owi_round_decimals(value, decimals) == value);
    }
    return 0;
}
