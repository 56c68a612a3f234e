/* SPDX-License-Identifier: MIT */
#include "support/trained_model.h"

ow_train_options ow_test_quick_training(void)
{
    ow_train_options options = ow_test_train_defaults();
    options.passes = 4;
    options.repetitions = 2;
    options.inputs = 4;
    options.towards_rows = 50;
    options.test_share = 0.0;
    return options;
}

static ow_table *read_all(ow_reader *reader, const ow_schema *schema)
{
    ow_table *table = NULL;
    assert_ok(ow_reader_bind(reader, schema, false));
    assert_ok(ow_table_read(reader, NULL, &table));
    return table;
}

ow_table *ow_test_read_rows(ow_context *ctx, const char *path, const ow_schema *schema)
{
    ow_reader *reader = NULL;
    assert_ok(ow_reader_open(ctx, path, NULL, NULL, &reader));
    ow_table *table = read_all(reader, schema);
    ow_reader_free(reader);
    return table;
}

void ow_test_train(ow_context *ctx, const char *text, const char *path, const char *label,
                   const ow_train_options *options, ow_test_trained *out)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    if (text != NULL)
        assert_ok(ow_reader_open_memory(ctx, text, strlen(text), path, NULL, &reader));
    else
        assert_ok(ow_reader_open(ctx, path, NULL, NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = label}, NULL,
        &schema));
    assert_ok(ow_model_train(reader, schema, options, NULL, &out->model));
    out->table = read_all(reader, ow_model_schema(out->model));
    ow_schema_free(schema);
    ow_reader_free(reader);
}

void ow_test_trained_clear(ow_test_trained *trained)
{
    ow_table_free(trained->table);
    ow_model_free(trained->model);
}
