/* SPDX-License-Identifier: MIT */
/* Linked columns and the values that they have together: found in rows, kept in the file,
 * refused when they cannot be. */
#include "data/schema/schema_private.h"
#include "support/schema_fixture.h"

/* Rows of six towns with their codes and their regions' numbers; gaps: every third row
 * lacks something. */
static ow_schema *infer(ow_context *ctx, bool gaps)
{
    static const char *const towns[] = {"Ulm", "Bonn", "Kiel", "Jena", "Hof", "Trier"};
    static const int codes[] = {5, 3, 9, 1, 7, 2};
    char csv[16384];
    int n = snprintf(csv, sizeof csv, "town,code,other,zip,y\n");
    for (size_t i = 0; i < 240; i++) {
        const size_t k = (5 * i + i / 7) % 6;
        char town[16], code[16] = "";
        snprintf(town, sizeof town, "%s", gaps && i % 3 == 1 ? "" : towns[k]);
        if (!gaps || i % 3 != 2) snprintf(code, sizeof code, "%d", codes[k]);
        n += snprintf(csv + n, sizeof csv - (size_t)n, "%s,%s,%zu,%d,%s\n", town, code,
                      i * 7 % 11, 100 * codes[k], i % 2 == 0 ? "a" : "b");
    }
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    assert_ok(ow_reader_open_memory(ctx, csv, (size_t)n, "t.csv", NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"}, NULL,
        &schema));
    ow_reader_free(reader);
    return schema;
}

/* Every combination is one of the rows': code c goes with 100 c, and with its town. */
static void assert_combinations(const ow_schema *schema)
{
    static const char *const names[10] = {NULL,  "Jena", "Trier", "Bonn", NULL,
                                          "Ulm", NULL,   "Hof",   NULL,   "Kiel"};
    assert_int_equal(ow_schema_n_links(schema), 1);
    const ow_linked linked = ow_schema_linked(schema, 1);
    const size_t columns[] = {0, 1, 3};
    size_t n_seen = 0;
    assert_int_equal(linked.n_columns, 3);
    assert_memory_equal(linked.columns, columns, sizeof columns);
    for (size_t i = 0; i < linked.n_rows; i++) {
        const double *values = linked.values + 3 * i;
        assert_true(values[2] == 100.0 * values[1]);
        const char *name = ow_schema_column(schema, 0)->levels[(size_t)values[0]];
        assert_string_equal(name, names[(size_t)values[1]]);
        n_seen++;
    }
    assert_true(n_seen == 6);
    assert_int_equal(ow_schema_linked(schema, 0).n_columns, 0);
    assert_int_equal(ow_schema_linked(schema, 2).n_columns, 0);
}

static void combinations_are_those_of_the_rows(void **state)
{
    for (int gaps = 0; gaps < 2; gaps++) {
        ow_schema *schema = infer(ow_test_context(state), gaps);
        assert_combinations(schema);
        ow_schema_free(schema);
    }
}

static void they_survive_the_file(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = infer(ctx, false), *back = NULL;
    char *text = NULL, *again = NULL;
    assert_ok(ow_schema_format(schema, &text));
    assert_non_null(strstr(text, "\"linked_values\": [[[\""));
    assert_ok(ow_schema_parse(ctx, text, strlen(text), "t.json", &back));
    assert_combinations(back);
    assert_ok(ow_schema_format(back, &again));
    assert_string_equal(text, again);
    ow_bytes_free(text);
    ow_bytes_free(again);
    ow_schema_free(back);
    ow_schema_free(schema);
}

#define TWO                                                                                \
    "'columns': [{'name': 'n', 'type': 'integer', 'range': [0, 9]}, "                      \
    "{'name': 'c', 'type': 'categorical', 'levels': ['x', 'y']}], 'linked': [['c', 'n']]"

/* Values stand in the order of the link's names, whatever that of the columns is. */
static void the_order_is_that_of_the_names(void **state)
{
    ow_schema *schema =
        ow_test_schema(ow_test_context(state), TWO ", 'linked_values': [[['y', 4]]]");
    const ow_linked linked = ow_schema_linked(schema, 1);
    const double want[2] = {4.0, 1.0};
    assert_int_equal(linked.n_rows, 1);
    assert_memory_equal(linked.values, want, sizeof want);
    ow_schema_free(schema);
}

static void fails(ow_context *ctx, const char *values, const char *sentence)
{
    char text[1024], fields[512];
    ow_schema *schema = NULL;
    snprintf(fields, sizeof fields, "%s", TWO);
    int n = snprintf(text, sizeof text,
                     "{'schema_version': '1.0', %s, 'linked_values': %s}", fields, values);
    for (int i = 0; i < n; i++)
        if (text[i] == '\'') text[i] = '"';
    assert_fails(ow_schema_parse(ctx, text, (size_t)n, "s.json", &schema), OW_ERR_FORMAT,
                 sentence);
    assert_null(schema);
}

static void what_cannot_be_is_named(void **state)
{
    ow_context *ctx = ow_test_context(state);
    fails(ctx, "7", "field \"linked_values\": expected a list");
    fails(ctx, "[]", "expected one list for each link");
    fails(ctx, "[7]", "expected lists of combinations, got 7");
    fails(ctx, "[[['x']]]", "expected one value for each column of the link");
    fails(ctx, "[[['z', 1]]]", "\"z\" is no level of \"c\"");
    fails(ctx, "[[['x', 'one']]]", "field \"linked_values\": expected a number");
}

static ow_status infer_and_format(ow_context *ctx, void *user)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    char *text = NULL;
    const char *csv = user;
    ow_status status = ow_reader_open_memory(ctx, csv, strlen(csv), "t.csv", NULL, &reader);
    if (status == OW_OK) status = ow_schema_infer(reader, NULL, NULL, &schema);
    if (status == OW_OK) status = ow_schema_format(schema, &text);
    ow_schema_free(schema);
    schema = NULL;
    if (status == OW_OK)
        status = ow_schema_parse(ctx, text, strlen(text), "t.json", &schema);
    ow_bytes_free(text);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    char csv[1024];
    int n = snprintf(csv, sizeof csv, "a,b\n");
    for (size_t i = 0; i < 64; i++)
        n += snprintf(csv + n, sizeof csv - (size_t)n, "%c,%zu\n", (char)('p' + i * i % 4),
                      i * i % 4);
    ow_test_sweep(infer_and_format, csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(combinations_are_those_of_the_rows),
        ow_test_on_heap(they_survive_the_file),
        ow_test_on_heap(the_order_is_that_of_the_names),
        ow_test_on_heap(what_cannot_be_is_named),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("data/schema_links", tests, NULL, NULL);
}
