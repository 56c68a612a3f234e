/* SPDX-License-Identifier: MIT */
#include "explaining/explain_format.h"

/* One line for each form: x(name) stands for the descriptor explain_format_<name>, defined
 * in explain_<name>.c (dice in explain_json.c).  The first is the default. */
/* clang-format off */
#define FORMATS(x) \
    x(text)        \
    x(table)       \
    x(json)        \
    x(csv)         \
    x(html)        \
    x(dice)
/* clang-format on */

#define DECLARE(name) extern const explain_format explain_format_##name;
FORMATS(DECLARE)

#define NAME(name) #name,
const char *const explain_format_names[] = {FORMATS(NAME) NULL};

const explain_format *explain_format_get(int index)
{
#define ADDRESS(name) &explain_format_##name,
    static const explain_format *const formats[] = {FORMATS(ADDRESS)};
    return formats[index];
}
