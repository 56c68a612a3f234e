/* SPDX-License-Identifier: MIT */
#include "support/schema_fixture.h"

ow_schema *ow_test_schema(ow_context *ctx, const char *fields)
{
    char text[4000];
    ow_schema *schema;
    const int n = snprintf(text, sizeof text, "{'schema_version': '1.0', %s}", fields);
    assert_in_range(n, 1, sizeof text - 1);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\'') *c = '"';
    assert_ok(ow_schema_parse(ctx, text, (size_t)n, "schema", &schema));
    return schema;
}
