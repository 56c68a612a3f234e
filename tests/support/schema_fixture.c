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

void ow_test_same_schema(const ow_schema *a, const ow_schema *b)
{
    char *texts[2];
    assert_ok(ow_schema_format(a, &texts[0]));
    assert_ok(ow_schema_format(b, &texts[1]));
    assert_string_equal(texts[0], texts[1]);
    ow_bytes_free(texts[0]);
    ow_bytes_free(texts[1]);
}

ow_status ow_test_infer(ow_test_inferred *in, const char *csv,
                        const ow_infer_options *options)
{
    ow_test_heap_begin(&in->heap);
    ow_test_log_attach(&in->log, in->heap.ctx, OW_LOG_INFO);
    assert_ok(
        ow_reader_open_memory(in->heap.ctx, csv, strlen(csv), "t.csv", NULL, &in->reader));
    return ow_schema_infer(in->reader, options, NULL, &in->schema);
}

void ow_test_inferred_end(ow_test_inferred *in)
{
    ow_schema_free(in->schema);
    ow_reader_free(in->reader);
    ow_test_heap_end(&in->heap);
}
