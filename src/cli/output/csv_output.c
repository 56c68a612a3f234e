/* SPDX-License-Identifier: MIT */
#include "output/csv_output.h"

#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "terminal/text_build.h"

static bool needs_quotes(const char *text)
{
    const size_t length = strlen(text);
    if (length == 0) return false;
    return text[strcspn(text, ",;\t\"\r\n")] != '\0' || text[0] == ' ' ||
           text[length - 1] == ' ';
}

void csv_output_field(const char *text, bool first)
{
    if (!first) output_print(stdout, ",");
    if (!needs_quotes(text)) {
        output_print(stdout, "%s", text);
        return;
    }
    output_print(stdout, "\"");
    for (; *text != '\0'; text++) output_print(stdout, *text == '"' ? "\"\"" : "%c", *text);
    output_print(stdout, "\"");
}

void csv_output_end_line(void)
{
    output_print(stdout, "\n");
}

void csv_output_own_title(const char *name, bool first,
                          bool (*is_taken)(const void *of, const char *title),
                          const void *of)
{
    char *title = text_add(NULL, "%s", name);
    while (is_taken(of, title)) title = text_add(title, "_");
    csv_output_field(title, first);
    free(title);
}
