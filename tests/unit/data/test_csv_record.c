/* SPDX-License-Identifier: MIT */
/* One record out of bytes in memory. */
#include "base/numeric/rng.h"
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

/* ---- Against fields that are known ---- */

enum { most_known = 12, longest_known = 90, room_behind = 100 };

typedef struct {
    char text[most_known * (longest_known + 4) + room_behind];
    size_t size, n_fields, n_lines;
    size_t at[most_known], lengths[most_known]; /* of what the fields hold */
    bool any_high;
} known_record;

/* A field of a random length, often 0, of bytes that mean nothing to the reader; a quoted
 * one holds delimiters and line ends as well. */
static void write_field(owi_rng *rng, bool with_high, known_record *known)
{
    const bool quoted = owi_rng_below(rng, 3) == 0;
    const size_t length =
        owi_rng_below(rng, 3) == 0 ? 0 : owi_rng_below(rng, longest_known);
    if (quoted) known->text[known->size++] = '"';
    known->at[known->n_fields] = known->size;
    for (size_t i = 0; i < length; i++) {
        char c = (char)('a' + owi_rng_below(rng, 26));
        if (with_high && owi_rng_below(rng, 40) == 0)
            c = (char)(0x80 + owi_rng_below(rng, 128));
        if (quoted && owi_rng_below(rng, 20) == 0) c = ",\n"[owi_rng_below(rng, 2)];
        known->any_high |= (unsigned char)c >= 0x80;
        known->n_lines += c == '\n';
        known->text[known->size++] = c;
    }
    known->lengths[known->n_fields++] = length;
    if (quoted) known->text[known->size++] = '"';
}

static void write_record(owi_rng *rng, known_record *known)
{
    const size_t n_fields = 2 + owi_rng_below(rng, most_known - 1);
    const bool with_high = owi_rng_below(rng, 2) == 0;
    known->size = known->n_fields = known->n_lines = 0;
    known->any_high = false;
    while (known->n_fields < n_fields) {
        write_field(rng, with_high, known);
        known->text[known->size++] = known->n_fields < n_fields ? ',' : '\n';
    }
    known->n_lines++;
}

/* Bytes far from the end of the text are compared many at a time, those close to it one by
 * one. */
static void records_of_any_length_are_cut_where_they_were_joined(void **state)
{
    (void)state;
    const size_t behind[] = {0, 1, 40, room_behind};
    static known_record known;
    owi_csv_field fields[most_known];
    owi_csv_dialect dialect;
    owi_rng rng;
    owi_rng_init(&rng, 7, 0);
    owi_csv_dialect_init(&dialect, ',');
    owi_csv_record record = {.fields = fields, .capacity = most_known};
    for (size_t i = 0; i < 4000; i++) {
        write_record(&rng, &known);
        owi_csv_forget_bytes(&record);
        memset(known.text + known.size, i % 2 == 0 ? ',' : '\xff', room_behind);
        char *const end = known.text + known.size + behind[i % 4];
        *end = '\0';
        assert_int_equal(owi_csv_scan(&dialect, known.text, end, true, &record),
                         OWI_CSV_RECORD);
        assert_ptr_equal(record.next, known.text + known.size);
        assert_int_equal(record.n_fields, known.n_fields);
        assert_int_equal(record.n_lines, known.n_lines);
        assert_int_equal(record.any_high, known.any_high);
        for (size_t k = 0; k < known.n_fields; k++) {
            assert_ptr_equal(fields[k].text, known.text + known.at[k]);
            assert_int_equal(fields[k].length, known.lengths[k]);
        }
    }
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
        cmocka_unit_test(records_of_any_length_are_cut_where_they_were_joined),
    };
    return cmocka_run_group_tests_name("data/csv_record", tests, NULL, NULL);
}
