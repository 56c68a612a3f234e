/* SPDX-License-Identifier: MIT */
#include "json_output.h"

#include <math.h>
#include <stdlib.h>

#include "display_text.h"
#include "memory.h"
#include "output.h"

/* As many digits as every double has, so that 0.1 is not printed as 0.10000000000000001. */
enum { digits = 15 };

json_t *json_output_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_output_text(const char *text)
{
    json_t *json = json_string(text);
    if (json != NULL) return json;
    char *clean = display_clean(text);
    json = json_string(clean);
    free(clean);
    return json;
}

static void print(json_t *json, size_t flags)
{
    char *text = memory_checked(
        json != NULL ? json_dumps(json, flags | JSON_REAL_PRECISION(digits)) : NULL);
    json_decref(json);
    output_print(stdout, "%s\n", text);
    free(text);
}

void json_output_document(json_t *document)
{
    print(document, JSON_INDENT(2));
}

void json_output_line(json_t *object)
{
    print(object, JSON_COMPACT);
}
