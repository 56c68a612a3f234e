/* SPDX-License-Identifier: MIT */
/* Splits a table into training and test rows, the same share of every class, and counts.
 *
 *     $ split_and_count data/credit.csv risk 0.25
 *     bad       225 train   75 test
 *     good      525 train  175 test
 */
#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

static void count(const ow_schema *schema, const ow_table *table, const bool *is_test)
{
    for (size_t c = 0; c < ow_schema_n_classes(schema); c++) {
        size_t n[2] = {0, 0};
        for (size_t i = 0; i < ow_table_n_rows(table); i++)
            if (ow_table_classes(table)[i] == (int32_t)c) n[is_test[i]]++;
        printf("%-8s %4zu train %4zu test\n", ow_schema_class_name(schema, c), n[0], n[1]);
    }
}

int main(int argc, char **argv)
{
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_table *table = NULL;
    bool *is_test = NULL;

    if (argc != 4) return fprintf(stderr, "usage: %s FILE LABEL SHARE\n", argv[0]), 2;
    const double share = strtod(argv[3], NULL);
    ow_status st = ow_context_new(NULL, &ctx);
    if (st == OW_OK) st = ow_reader_open(ctx, argv[1], NULL, NULL, &reader);
    const ow_infer_options options = {.size = sizeof(ow_infer_options), .label = argv[2]};
    if (st == OW_OK) st = ow_schema_infer(reader, &options, NULL, &schema);
    if (st == OW_OK) st = ow_reader_bind(reader, schema, false);
    if (st == OW_OK) st = ow_table_read(reader, NULL, &table);
    if (st == OW_OK) {
        is_test = calloc(ow_table_n_rows(table), sizeof *is_test);
        if (is_test == NULL) abort();
        const ow_call call = {.size = sizeof call, .seed = 2024};
        st = ow_split_by_share(ctx, ow_table_n_rows(table), ow_table_classes(table), share,
                               &call, is_test);
    }
    if (st == OW_OK)
        count(schema, table, is_test);
    else
        fprintf(stderr, "%s\n", ow_error_message());
    free(is_test);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_context_free(ctx);
    return st == OW_OK ? 0 : 1;
}
