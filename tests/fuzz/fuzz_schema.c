/* SPDX-License-Identifier: MIT */
/* Schema files.  What is refused is refused with a sentence; what is accepted is written,
 * read back and written again to the same bytes. */
#include <math.h>
#include <string.h>

#include "fuzz_target.h"
#include "otherwise/otherwise.h"

static void check_column(const ow_schema *schema, size_t j)
{
    const ow_column *c = ow_schema_column(schema, j);
    size_t found;
    int32_t number;
    char text[64];
    expect(ow_schema_find_column(schema, c->name, &found) == OW_OK && found == j);
    expect(c->n_missing <= ow_schema_n_rows(schema));
    for (size_t k = 0; k < c->n_levels; k++) {
        expect(ow_schema_find_level(schema, j, c->levels[k], &number) == OW_OK &&
               number == (int32_t)k);
        expect(ow_schema_print_value(schema, j, (double)k, text, sizeof text) ==
               strlen(c->levels[k]));
    }
    if (c->type == OW_TYPE_CATEGORICAL || c->type == OW_TYPE_ORDINAL) {
        expect(c->n_levels > 0 && c->scaling == OW_SCALE_NONE);
    } else {
        expect(c->n_levels == 0 && isfinite(c->low) && isfinite(c->high));
        expect(c->low <= c->high && isfinite(c->mean) && c->deviation > 0.0);
        expect(c->scaling != OW_SCALE_LOG1P || c->log_deviation > 0.0);
        expect(ow_schema_print_value(schema, j, c->low, text, sizeof text) > 0);
    }
}

static void check_schema(const ow_schema *schema)
{
    const size_t n_columns = ow_schema_n_columns(schema);
    expect(n_columns > 0);
    for (size_t j = 0; j < n_columns; j++) check_column(schema, j);
    expect((ow_schema_label(schema) == NULL) == (ow_schema_n_classes(schema) == 0));
    size_t n_rows = 0;
    int32_t number;
    for (size_t k = 0; k < ow_schema_n_classes(schema); k++) {
        expect(ow_schema_find_class(schema, ow_schema_class_name(schema, k), &number) ==
                   OW_OK &&
               number == (int32_t)k);
        n_rows += ow_schema_class_count(schema, k);
    }
    expect(n_rows <= ow_schema_n_rows(schema));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ow_context *ctx;
    ow_schema *schema, *again;
    char *text, *text_again;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    const ow_status status =
        ow_schema_parse(ctx, (const char *)data, size, "fuzz.json", &schema);
    if (status != OW_OK) {
        expect(schema == NULL);
        expect(strncmp(ow_error_message(), "fuzz.json:", 10) == 0);
        ow_context_free(ctx);
        return 0;
    }
    check_schema(schema);
    expect(ow_schema_format(schema, &text) == OW_OK);
    expect(ow_schema_parse(ctx, text, strlen(text), "again.json", &again) == OW_OK);
    expect(ow_schema_format(again, &text_again) == OW_OK);
    expect(strcmp(text, text_again) == 0);
    ow_bytes_free(text);
    ow_bytes_free(text_again);
    ow_schema_free(schema);
    ow_schema_free(again);
    ow_context_free(ctx);
    return 0;
}
