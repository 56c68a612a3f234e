/* SPDX-License-Identifier: MIT */
/* Relations between columns, from a file into its schema. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"

enum { n_rows = 400, csv_size = 64 * (n_rows + 1) };

/* price = area * rate / 2 to a cent; year and decade; noise. */
static void write_csv(char *csv)
{
    size_t at = (size_t)snprintf(csv, csv_size, "area,rate-x,price,year,decade,noise,y\n");
    for (size_t i = 0; i < n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 5, i);
        const double area = 20.0 + (double)owi_rng_below(&rng, 180);
        const double rate = 5.0 + (double)owi_rng_below(&rng, 200) / 10.0;
        const size_t year = 1971 + owi_rng_below(&rng, 39);
        at += (size_t)snprintf(csv + at, csv_size - at, "%.0f,%.1f,%.2f,%zu,%zus,%zu,%c\n",
                               area, rate, area * rate / 2.0, year, year / 10 * 10,
                               (size_t)owi_rng_below(&rng, 1000), i % 3 == 0 ? 'a' : 'b');
    }
}

static void infer(ow_context *ctx, const char *csv, bool no_relations, ow_schema **schema)
{
    ow_reader *reader;
    const ow_infer_options options = {.size = sizeof options,
                                      .label = "y",
                                      .no_relations = no_relations};
    assert_ok(ow_reader_open_memory(ctx, csv, strlen(csv), "t.csv", NULL, &reader));
    assert_ok(ow_schema_infer(reader, &options, NULL, schema));
    ow_reader_free(reader);
}

static void relations_are_written_into_the_schema(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_log log;
    static char csv[csv_size];
    ow_schema *schema;
    write_csv(csv);
    ow_test_log_attach(&log, ctx, OW_LOG_INFO);
    infer(ctx, csv, false, &schema);
    assert_int_equal(ow_schema_n_relations(schema), 2);
    for (size_t i = 0; i < 2; i++) {
        const ow_relation *found = ow_schema_relation(schema, i);
        if (found->kind == OW_RELATION_DERIVED) {
            assert_int_equal(found->column, 2);
            assert_string_equal(found->formula, "0.5 * area * `rate-x`");
        } else {
            assert_int_equal(found->kind, OW_RELATION_FOLLOWS);
            assert_int_equal(found->column, 4);
            assert_int_equal(found->parents[0], 3);
            assert_int_equal(found->n_rows, 39);
        }
    }
    assert_non_null(strstr(log.text, "column \"price\" is 0.5 * area * `rate-x`"));
    assert_non_null(strstr(log.text, "column \"decade\" goes with the value of \"year\""));
    ow_schema_free(schema);
    infer(ctx, csv, true, &schema);
    assert_int_equal(ow_schema_n_relations(schema), 0);
    ow_schema_free(schema);
}

static ow_status infer_and_free(ow_context *ctx, void *csv)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_status status = ow_reader_open_memory(ctx, csv, strlen(csv), "t.csv", NULL, &reader);
    if (status == OW_OK) status = ow_schema_infer(reader, NULL, NULL, &schema);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    static char csv[csv_size];
    write_csv(csv);
    ow_test_sweep(infer_and_free, csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(relations_are_written_into_the_schema),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("data/infer_relations", tests, NULL, NULL);
}
