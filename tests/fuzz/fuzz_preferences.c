/* SPDX-License-Identifier: MIT */
/* Preferences as JSON: they are applied, or refused with a sentence. */
#include <string.h>

#include "fuzz_target.h"
#include "otherwise/otherwise.h"
#include "serve/json_values.h"
#include "serve/preferences.h"

static const char columns[] =
    "{\"schema_version\": \"1.0\", \"columns\": ["
    "{\"name\": \"a\", \"type\": \"continuous\", \"range\": [0, 9]},"
    "{\"name\": \"b\", \"type\": \"integer\", \"range\": [-9, 9]},"
    "{\"name\": \"c\", \"type\": \"ordinal\", \"levels\": [\"S\", \"M\"]},"
    "{\"name\": \"d\", \"type\": \"categorical\", \"levels\": [\"x\", \"y\"]}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ow_context *ctx;
    ow_schema *schema;
    ow_constraints *rules;
    ow_explain_options options;
    json_t *json = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json == NULL) return 0;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    expect(ow_schema_parse(ctx, columns, strlen(columns), "s", &schema) == OW_OK);
    expect(ow_constraints_new(ctx, schema, &rules) == OW_OK);
    ow_explain_options_init(&options, sizeof options);
    char *error = NULL;
    const bool applied = preferences_apply(json, schema, rules, &options, &error);
    expect(applied == (error == NULL));
    expect(error == NULL || strlen(error) > 0);
    free(error);
    error = NULL;
    double values[4] = {1, 2, 1, 0};
    const bool read = json_values_read(schema, json, values, &error);
    expect(read == (error == NULL));
    if (read) json_decref(json_values_row(schema, values));
    free(error);
    ow_constraints_free(rules);
    ow_schema_free(schema);
    ow_context_free(ctx);
    json_decref(json);
    return 0;
}
