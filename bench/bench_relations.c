/* SPDX-License-Identifier: MIT */
/* Which relations between columns are found in a table, and how long that takes.
 *
 *     bench_relations TABLE.csv LABEL [DROPPED_COLUMN]...
 *
 * A line for each: the column, what it is a function of, the share of its variance (of
 * rows, for levels) that is left unexplained, and its deviation.  "=" is exact to the
 * rounding of the numbers, "~" is near. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/alloc.h"
#include "data/relations/relations.h"
#include "otherwise/otherwise.h"
#include "stopwatch.h"

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_relations: %s\n", ow_error_message());
    exit(1);
}

static void print_relation(const ow_schema *schema, const owi_relation *r)
{
    printf("%s %s ", ow_schema_column(schema, r->column)->name, r->exact ? "=" : "~");
    if (r->kind == OWI_RELATION_PRODUCT)
        printf("%.6g", exp(r->constant));
    else if (r->kind == OWI_RELATION_SUM)
        printf("%.6g", r->constant);
    for (size_t i = 0; i < r->n_parents; i++) {
        const char *name = ow_schema_column(schema, r->parents[i])->name;
        if (r->kind == OWI_RELATION_PRODUCT)
            printf(" * %s^%.4g", name, r->factor[i]);
        else if (r->kind == OWI_RELATION_SUM)
            printf(" %+.4g * %s", r->factor[i], name);
        else
            printf("level of %s", name);
    }
    printf("   (unexplained %.2g, deviation %.2g)\n", r->unexplained, r->spread);
}

int main(int argc, char **argv)
{
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_table *table = NULL;
    if (argc < 3) {
        fprintf(stderr, "usage: bench_relations TABLE.csv LABEL [DROPPED_COLUMN]...\n");
        return 2;
    }
    check(ow_context_new(NULL, &ctx));
    check(ow_reader_open(ctx, argv[1], NULL, NULL, &reader));
    const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                      .label = argv[2],
                                      .drop = (const char *const *)argv + 3,
                                      .n_drop = (size_t)(argc - 3)};
    check(ow_schema_infer(reader, &options, NULL, &schema));
    check(ow_reader_bind(reader, schema, false));
    check(ow_table_read(reader, NULL, &table));
    const size_t n = ow_table_n_rows(table), d = ow_table_n_columns(table);
    double *values = malloc(n * d * sizeof *values + 1);
    bool *is_number = malloc(d * sizeof *is_number + 1);
    if (values == NULL || is_number == NULL) return 1;
    for (size_t i = 0; i < n; i++)
        memcpy(values + i * d, ow_table_row(table, i), d * sizeof *values);
    for (size_t j = 0; j < d; j++)
        is_number[j] = ow_schema_column(schema, j)->n_levels == 0;
    const owi_relation_rows rows = {n, d, values, is_number, NULL};
    owi_relation *found;
    size_t n_found;
    const double before = stopwatch_seconds();
    check(owi_relations_find(ctx, &rows, &found, &n_found));
    const double after = stopwatch_seconds();
    for (size_t i = 0; i < n_found; i++) print_relation(schema, &found[i]);
    printf("%zu rows, %zu columns, %zu relations, %.0f ms\n", n, d, n_found,
           1e3 * (after - before));
    owi_free(ctx, found);
    free(is_number);
    free(values);
    ow_table_free(table);
    ow_schema_free(schema);
    ow_reader_free(reader);
    ow_context_free(ctx);
    return 0;
}
