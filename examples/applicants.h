/* SPDX-License-Identifier: MIT */
/* What the programs about applicants do alike: learn a small model of the table, look up
 * one applicant, and print what changes. */
#ifndef EXAMPLES_APPLICANTS_H
#define EXAMPLES_APPLICANTS_H

#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

/* A model of the table that is learned in a moment: few components, few passes. */
static ow_status learn(ow_context *ctx, const char *path, ow_model **model,
                       ow_table **table)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    options.repetitions = 4;
    options.inputs = 4;
    options.passes = 10;
    options.towards_rows = 50;
    ow_status st = ow_reader_open(ctx, path, NULL, NULL, &reader);
    if (st == OW_OK)
        st = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "risk"},
            NULL, &schema);
    if (st == OW_OK) st = ow_model_train(reader, schema, &options, NULL, model);
    if (st == OW_OK) st = ow_reader_bind(reader, schema, false);
    if (st == OW_OK) st = ow_table_read(reader, NULL, table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return st;
}

static void print_changes(const ow_schema *schema, const double *query,
                          const ow_counterfactual *answer)
{
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        char from[64], to[64];
        if (query[j] == answer->values[j]) continue;
        ow_schema_print_value(schema, j, query[j], from, sizeof from);
        ow_schema_print_value(schema, j, answer->values[j], to, sizeof to);
        printf("  %s: %s instead of %s\n", ow_schema_column(schema, j)->name, to, from);
    }
}

/* FILE APPLICANT, numbered from 1: learns from the file and calls explain with that row. */
typedef ow_status (*explain_fn)(ow_context *ctx, const ow_model *model, const double *query,
                                size_t number);
static int explain_one(int argc, char **argv, explain_fn explain)
{
    ow_context *ctx = NULL;
    ow_model *model = NULL;
    ow_table *table = NULL;
    int code = 1;

    if (argc != 3) return fprintf(stderr, "usage: %s FILE APPLICANT\n", argv[0]), 2;
    const size_t number = strtoul(argv[2], NULL, 10);
    ow_status st = ow_context_new(NULL, &ctx);
    if (st == OW_OK) st = learn(ctx, argv[1], &model, &table);
    if (st == OW_OK && (number < 1 || number > ow_table_n_rows(table))) {
        fprintf(stderr, "there is no applicant %s\n", argv[2]);
        code = 2;
        goto done;
    }
    if (st == OW_OK) st = explain(ctx, model, ow_table_row(table, number - 1), number);
    if (st == OW_OK)
        code = 0;
    else
        fprintf(stderr, "%s\n", ow_error_message());

done:
    ow_table_free(table);
    ow_model_free(model);
    ow_context_free(ctx);
    return code;
}

#endif
