/* SPDX-License-Identifier: MIT */
/* Somebody else's program: two rows of CSV, and what their columns are. */
#include <stdio.h>
#include <string.h>

#include <otherwise/otherwise.h>

int main(void)
{
    static const char rows[] = "a,b\n1,yes\n2,no\n";
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;

    ow_status status = ow_context_new(NULL, &ctx);
    if (status == OW_OK)
        status = ow_reader_open_memory(ctx, rows, strlen(rows), "rows", NULL, &reader);
    if (status == OW_OK)
        status =
            ow_schema_infer(reader, &(ow_infer_options){.size = sizeof(ow_infer_options)},
                            NULL, &schema);
    if (status == OW_OK) {
        printf("otherwise %s:", ow_version());
        for (size_t i = 0; i < ow_schema_n_columns(schema); i++) {
            const ow_column *column = ow_schema_column(schema, i);
            printf("%s %s is %s", i > 0 ? "," : "", column->name,
                   ow_column_type_name(column->type));
        }
        printf("\n");
    } else {
        fprintf(stderr, "%s\n", ow_error_message());
    }

    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_context_free(ctx);
    return status == OW_OK ? 0 : 1;
}
