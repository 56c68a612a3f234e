/* SPDX-License-Identifier: MIT */
/* One record out of bytes in memory. */
#include "data/csv/csv.h"
#include "support/ow_test.h"

/* Scans one record, and writes its fields as <a><b> followed by what is left. */
static owi_csv_outcome scan(char delimiter, const char *text, bool ended, char *shown,
                            owi_csv_record *record)
{
    static char bytes[256];
    static owi_csv_field fields[16];
    owi_csv_dialect dialect;
    const size_t size = strlen(text);
    assert_true(size < sizeof bytes);
    memcpy(bytes, text, size + 1);
    memset(fields, 0x55, sizeof fields);
    *record = (owi_csv_record){.fields = fields, .capacity = 16};
    owi_csv_dialect_init(&dialect, delimiter);
    const owi_csv_outcome outcome =
        owi_csv_scan(&dialect, bytes, bytes + size, ended, record);
    assert_string_equal(bytes, text); /* a scan changes nothing */
    shown[0] = '\0';
    if (outcome != OWI_CSV_RECORD) return outcome;
    char rest[256];
    snprintf(rest, sizeof rest, "%s", record->next);
    owi_csv_undouble(record);
    for (size_t i = 0; i < record->n_fields; i++)
        sprintf(shown + strlen(shown), "<%.*s>", (int)fields[i].length, fields[i].text);
    strcat(shown, rest);
    return outcome;
}

static void assert_scans(char delimiter, const char *text, const char *want)
{
    char shown[512];
    owi_csv_record record;
    assert_int_equal(scan(delimiter, text, true, shown, &record), OWI_CSV_RECORD);
    assert_string_equal(shown, want);
}

static void fields_end_at_delimiters_and_records_at_line_ends(void **state)
{
    (void)state;
    assert_scans(',', "a,b,c\nd", "<a><b><c>d");
    assert_scans(',', "a,b\r\nd", "<a><b>d");
    assert_scans(',', "a,b\rd", "<a><b>d");
    assert_scans(',', "a,b", "<a><b>");
    assert_scans(',', ",\n", "<><>");
    assert_scans(',', "a,", "<a><>");
    assert_scans(',', "a;b\n", "<a;b>");
    assert_scans(';', "a;b,c\n", "<a><b,c>");
    assert_scans('\t', "a\t\tb c\n", "<a><><b c>");
}

static void spaces_around_a_field_are_dropped_unless_quoted(void **state)
{
    (void)state;
    assert_scans(',', "  a , b c ,   \n", "<a><b c><>");
    assert_scans(',', "\" a \" ,  \"b\"\n", "< a ><b>");
    assert_scans(',', "a ", "<a>");
}

static void between_spaces_runs_count_once_and_ends_not_at_all(void **state)
{
    (void)state;
    assert_scans(' ', "a  b c\nd", "<a><b><c>d");
    assert_scans(' ', "   a b   \nd", "<a><b>d");
    assert_scans(' ', "a \"b c\"  d", "<a><b c><d>");
    assert_scans(' ', "a b \r\n", "<a><b>");
    assert_scans(' ', "a,b", "<a,b>");
}

static void quotes_keep_delimiters_line_ends_and_doubled_quotes(void **state)
{
    (void)state;
    assert_scans(',', "\"a,b\",c\n", "<a,b><c>");
    assert_scans(',', "\"a\nb\r\nc\",d\ne", "<a\nb\r\nc><d>e");
    assert_scans(',', "\"say \"\"hi\"\"\",\"\"\"\",\"\"\n", "<say \"hi\"><\"><>");
    assert_scans(',', "it's 5\" wide,b\"\"c\n", "<it's 5\" wide><b\"\"c>");
}

static void lines_are_counted_inside_quotes_too(void **state)
{
    (void)state;
    char shown[512];
    owi_csv_record record;
    scan(',', "\"a\nb\rc\r\nd\"\n", true, shown, &record);
    assert_int_equal(record.n_lines, 4);
    scan(',', "a", true, shown, &record);
    assert_int_equal(record.n_lines, 0);
    scan(',', "\"a\n\",\"b\n", true, shown, &record);
    assert_int_equal(record.quote_line, 1);
}

static void a_line_with_nothing_but_spaces_is_blank(void **state)
{
    (void)state;
    const char *blank[] = {"\n", "\r\n", "  \n", "   "};
    const char *not_blank[] = {",\n", "\"\"\n", "a\n", " , \n"};
    char shown[512];
    owi_csv_record record;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(scan(',', blank[i], true, shown, &record), OWI_CSV_RECORD);
        assert_true(record.blank);
        assert_int_equal(scan(' ', blank[i], true, shown, &record), OWI_CSV_RECORD);
        assert_true(record.blank);
        assert_int_equal(scan(',', not_blank[i], true, shown, &record), OWI_CSV_RECORD);
        assert_false(record.blank);
    }
}

static void a_record_that_may_go_on_asks_for_more(void **state)
{
    (void)state;
    const char *open[] = {"",      "a",     "a,",    "a\r", "\"a",
                          "\"a\"", "\"a\n", "\"a\r", "  ",  "\"a\"bc"};
    char shown[512];
    owi_csv_record record;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        assert_int_equal(scan(',', open[i], false, shown, &record), OWI_CSV_MORE);
    assert_int_equal(scan(',', "a\n", false, shown, &record), OWI_CSV_RECORD);
    assert_int_equal(scan(',', "\"a\"\n", false, shown, &record), OWI_CSV_RECORD);
}

static void damage_is_told_apart(void **state)
{
    (void)state;
    char shown[512];
    owi_csv_record record;
    assert_int_equal(scan(',', "a,\"b", true, shown, &record), OWI_CSV_UNCLOSED);
    assert_int_equal(scan(',', "a,\"b\"\"", true, shown, &record), OWI_CSV_UNCLOSED);
    assert_int_equal(scan(',', "a,\"b\"c\n", true, shown, &record), OWI_CSV_AFTER_QUOTE);
    assert_int_equal(record.next[0], 'c');
    assert_int_equal(scan(' ', "\"b\"\"c\"d", true, shown, &record), OWI_CSV_AFTER_QUOTE);

    char nul[] = "a\0b\n", quoted_nul[] = "\"a\0b\"\n";
    owi_csv_dialect dialect;
    owi_csv_dialect_init(&dialect, ',');
    record = (owi_csv_record){0};
    assert_int_equal(owi_csv_scan(&dialect, nul, nul + 4, true, &record), OWI_CSV_NUL);
    assert_int_equal(owi_csv_scan(&dialect, quoted_nul, quoted_nul + 6, true, &record),
                     OWI_CSV_NUL);
}

static void fields_beyond_the_room_are_counted_and_not_stored(void **state)
{
    (void)state;
    char bytes[] = "a,b,\"c\"\"\",d\n";
    owi_csv_field fields[3] = {{0}};
    owi_csv_record record = {.fields = fields, .capacity = 2};
    owi_csv_dialect dialect;
    owi_csv_dialect_init(&dialect, ',');
    assert_int_equal(owi_csv_scan(&dialect, bytes, bytes + sizeof bytes - 1, true, &record),
                     OWI_CSV_RECORD);
    assert_int_equal(record.n_fields, 4);
    assert_null(fields[2].text);
    owi_csv_undouble(&record);
    assert_int_equal(fields[1].length, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_end_at_delimiters_and_records_at_line_ends),
        cmocka_unit_test(spaces_around_a_field_are_dropped_unless_quoted),
        cmocka_unit_test(between_spaces_runs_count_once_and_ends_not_at_all),
        cmocka_unit_test(quotes_keep_delimiters_line_ends_and_doubled_quotes),
        cmocka_unit_test(lines_are_counted_inside_quotes_too),
        cmocka_unit_test(a_line_with_nothing_but_spaces_is_blank),
        cmocka_unit_test(a_record_that_may_go_on_asks_for_more),
        cmocka_unit_test(damage_is_told_apart),
        cmocka_unit_test(fields_beyond_the_room_are_counted_and_not_stored),
    };
    return cmocka_run_group_tests_name("data/csv_record", tests, NULL, NULL);
}
