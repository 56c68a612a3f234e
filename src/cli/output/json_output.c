/* SPDX-License-Identifier: MIT */
#include "output/json_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"

/* As many digits as every double has, so that 0.1 is not printed as 0.10000000000000001. */
enum { digits = 15 };

json_t *json_output_text(const char *text)
{
    json_t *json = json_string(text);
    if (json != NULL) return json;
    char *clean = display_clean(text);
    json = json_string(clean);
    free(clean);
    return json;
}

void json_output_document(json_t *document)
{
    char *text = memory_checked(
        document != NULL
            ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(digits))
            : NULL);
    json_decref(document);
    output_print(stdout, "%s\n", text);
    free(text);
}
