/* SPDX-License-Identifier: MIT */
#include "output/json_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"

/* As many digits as every double has, so that 0.1 is not printed as 0.10000000000000001. */
enum { digits = 15 };

json_t *json_output_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_output_float(float value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", (double)value);
    return json_output_number(strtod(text, NULL));
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

static char *dump(json_t *json, size_t flags)
{
    char *text = memory_checked(
        json != NULL
            ? json_dumps(json, flags | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits))
            : NULL);
    json_decref(json);
    return text;
}

char *json_output_dump(json_t *piece)
{
    return dump(piece, 0);
}

static void print(json_t *json, size_t flags, const char *end)
{
    char *text = dump(json, flags);
    output_print(stdout, "%s%s", text, end);
    free(text);
}

void json_output_document(json_t *document)
{
    print(document, JSON_INDENT(2), "\n");
}

void json_output_line(json_t *object)
{
    print(object, JSON_COMPACT, "\n");
}

void json_output_part(json_t *piece)
{
    print(piece, 0, "");
}
