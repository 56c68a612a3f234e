/* SPDX-License-Identifier: MIT */
/* The first row of a table, as people write it and as a circuit sees it.
 *
 *     $ read_and_encode data/credit.csv risk
 *     checking_status    no account             0 0 1 0
 *     duration           6                      -1.24
 *     credit_history     all paid at this bank  1 0 0 0 0
 *     ...
 */
#include <stdio.h>
#include <stdlib.h>

#include <otherwise/otherwise.h>

static void print_column(const ow_schema *schema, const ow_encoding *encoding, size_t j,
                         double value, const double *encoded)
{
    char text[64];
    size_t first, width;
    ow_schema_print_value(schema, j, value, text, sizeof text);
    ow_encoding_span(encoding, j, &first, &width);
    printf("%-18s %-22s", ow_schema_column(schema, j)->name, text);
    for (size_t k = 0; k < width; k++) printf(" %.3g", encoded[first + k]);
    printf("\n");
}

int main(int argc, char **argv)
{
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_table *table = NULL;
    ow_encoding *encoding = NULL;

    if (argc != 3) return fprintf(stderr, "usage: %s FILE LABEL\n", argv[0]), 2;
    ow_status st = ow_context_new(NULL, &ctx);
    if (st == OW_OK) st = ow_reader_open(ctx, argv[1], NULL, NULL, &reader);
    const ow_infer_options options = {.size = sizeof(ow_infer_options), .label = argv[2]};
    if (st == OW_OK) st = ow_schema_infer(reader, &options, NULL, &schema);
    if (st == OW_OK) st = ow_reader_bind(reader, schema, false);
    if (st == OW_OK) st = ow_table_read(reader, NULL, &table);
    if (st == OW_OK) st = ow_encoding_new(ctx, schema, OW_CATEGORY_ONE_HOT, &encoding);
    if (st == OW_OK) {
        const double *row = ow_table_row(table, 0);
        double *encoded = calloc(ow_encoding_width(encoding), sizeof *encoded);
        if (encoded == NULL) abort();
        ow_encoding_encode(encoding, 1, row, encoded);
        for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
            print_column(schema, encoding, j, row[j], encoded);
        free(encoded);
    }
    if (st != OW_OK) fprintf(stderr, "%s\n", ow_error_message());
    ow_encoding_free(encoding);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_context_free(ctx);
    return st == OW_OK ? 0 : 1;
}
