/* SPDX-License-Identifier: MIT */
/* What inference finds out about the part that columns take: identifiers, locks, words for
 * missing values, rare levels. */
#include "support/schema_fixture.h"

#include "data/schema/schema_private.h"

/* Level i of 100 has i / 20 * 4 + 1 rows: 1, 5, 9, 13 or 17. */
static void rare_levels_are_learned_together(void **state)
{
    (void)state;
    ow_test_inferred in;
    char csv[12000] = "m,x,y\n";
    size_t used = strlen(csv);
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < i / 20 * 4 + 1; k++)
            used += (size_t)snprintf(csv + used, sizeof csv - used, "L%02d,%d,%c\n", i,
                                     k % 7, "ab"[(i + k) % 2]);
    assert_ok(ow_test_infer(
        &in, csv, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"}));
    const ow_column *m = ow_schema_column(in.schema, 0);
    assert_int_equal(m->n_levels, 81);
    assert_string_equal(m->rest, "(rare)");
    assert_non_null(strstr(in.log.text, "has 100 levels; 20 of them are rare"));
    assert_ok(ow_reader_bind(in.reader, in.schema, false));
    assert_ok(ow_reader_rewind(in.reader));
    double row[2];
    size_t n;
    assert_ok(ow_reader_next(in.reader, 1, NULL, row, NULL, &n)); /* L00 is rare */
    assert_string_equal(m->levels[(size_t)row[0]], "(rare)");

    char *text = NULL;
    ow_schema *again = NULL;
    assert_ok(ow_schema_format(in.schema, &text));
    assert_ok(ow_schema_parse(in.heap.ctx, text, strlen(text), "s.json", &again));
    assert_string_equal(ow_schema_column(again, 0)->rest, "(rare)");
    ow_bytes_free(text);
    ow_schema_free(again);
    ow_test_inferred_end(&in);
}

static void identifiers_locks_and_words_are_found(void **state)
{
    (void)state;
    ow_test_inferred in;
    char csv[8000] = "customer_id,mail,Age,sex,since,amount,late payments,y\n";
    for (int i = 0; i < 60; i++)
        snprintf(csv + strlen(csv), sizeof csv - strlen(csv),
                 "C%03d,p%d@x.org,%d,%s,%02d.03.2020,%s,%d,%c\n", i, i % 40, 20 + i % 9,
                 i % 2 == 0 ? "f" : "m", 1 + i % 28, i % 7 == 0 ? "-9" : "12", i % 4,
                 "ab"[i % 2]);
    const char *const words[] = {"-9"}, *const free_ones[] = {"since"},
                      *const ways[] = {"amount=down"};
    assert_ok(ow_test_infer(&in, csv,
                            &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                .label = "y",
                                                .lock_found = true,
                                                .missing = words,
                                                .n_missing = 1,
                                                .unlock = free_ones,
                                                .n_unlock = 1,
                                                .monotone = ways,
                                                .n_monotone = 1}));
    assert_int_equal(ow_schema_n_carried(in.schema), 2);
    assert_string_equal(ow_schema_row_id(in.schema), "customer_id");
    assert_int_equal(ow_schema_n_columns(in.schema), 5);
    assert_true(ow_schema_column(in.schema, 0)->immutable);
    assert_true(ow_schema_column(in.schema, 1)->immutable);
    assert_false(ow_schema_column(in.schema, 2)->immutable);
    assert_string_equal(ow_schema_column(in.schema, 2)->format, "dd.mm.yyyy");
    assert_int_equal(ow_schema_column(in.schema, 3)->n_missing, 9);
    assert_int_equal(ow_schema_column(in.schema, 3)->monotone, OW_MONOTONE_DOWN);
    assert_false(ow_schema_column(in.schema, 3)->doubtful);
    assert_true(ow_schema_column(in.schema, 4)->doubtful);
    assert_false(ow_schema_column(in.schema, 4)->immutable);
    char *text = NULL;
    ow_schema *again = NULL;
    assert_ok(ow_schema_format(in.schema, &text));
    assert_ok(ow_schema_parse(in.heap.ctx, text, strlen(text), "s.json", &again));
    char *second = NULL;
    assert_ok(ow_schema_format(again, &second));
    assert_string_equal(text, second);
    ow_bytes_free(text);
    ow_bytes_free(second);
    ow_schema_free(again);
    ow_test_inferred_end(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_levels_are_learned_together),
        cmocka_unit_test(identifiers_locks_and_words_are_found),
    };
    return cmocka_run_group_tests_name("data/schema_roles", tests, NULL, NULL);
}
