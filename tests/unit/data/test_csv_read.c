/* SPDX-License-Identifier: MIT */
/* CSV files as header and rows.  Every case is read in blocks of several sizes, down to one
 * byte, so that records straddle the buffer's end in every way. */
#include "base/io/byte_source.h"
#include "support/csv_fixture.h"

static const ow_read_options by_comma = {.size = sizeof(ow_read_options), .delimiter = ','};

/* ---- What is read ---- */

static void the_first_record_names_the_columns(void **state)
{
    (void)state;
    assert_csv("a,b\n1,2\n3,4\n", by_comma, "a|b\n1|2\n3|4\n");
    assert_csv("\"a \"\"1\"\"\", b\r\n1,2\r\n", by_comma, "a \"1\"|b\n1|2\n");
    assert_csv("a\n1\n2", by_comma, "a\n1\n2\n");
}

static void without_header_the_first_record_is_a_row(void **state)
{
    (void)state;
    const ow_read_options options = {.size = sizeof(ow_read_options),
                                     .delimiter = ',',
                                     .no_header = true};
    assert_csv("1,2\n3,4", options, "\n1|2\n3|4\n");
    assert_csv("\"x\"\"y\",2\n", options, "\nx\"y|2\n");
    assert_csv("1,1\n", options, "\n1|1\n");
}

static void the_delimiter_is_found_if_none_is_given(void **state)
{
    (void)state;
    const ow_read_options none = {.size = sizeof(ow_read_options)};
    assert_csv("a,b\n1,2\n", none, "a|b\n1|2\n");
    assert_csv("first name;b\n1,5;2\n", none, "first name|b\n1,5|2\n");
    assert_csv("a\tb\n1\t2\n", none, "a|b\n1|2\n");
    assert_csv("a b\n1  2 \n", none, "a|b\n1|2\n");
    assert_csv("a;b\n1;2\n", by_comma, "a;b\n1;2\n");
}

static void decimal_commas_stay_as_they_are(void **state)
{
    (void)state;
    const ow_read_options none = {.size = sizeof(ow_read_options)},
                          points = {.delimiter = ';', .decimal = '.'},
                          commas = {.delimiter = ';', .decimal = ','};
    assert_csv("a;b\n-1,50;\"2,5\"\n+3;x,5\n", none, "a|b\n-1,50|2,5\n+3|x,5\n");
    assert_csv("a\tb\n1,5\t2\n", none, "a|b\n1,5|2\n");
    assert_csv("a;b\n1,5;2.5\n", none, "a|b\n1,5|2.5\n");
    assert_csv("a;b\n1,5,2;,5\n5,;-\n", none, "a|b\n1,5,2|,5\n5,|-\n");
    assert_csv("a;b\n1,500;2\n12,345;3\n", none, "a|b\n1,500|2\n12,345|3\n");
    assert_csv("a,b\n\"1,5\",2\n", none, "a|b\n1,5|2\n");
    assert_csv("a;b\n1,5;2\n", points, "a|b\n1,5|2\n");
    assert_csv("a;b\n1,500;2.5\n", commas, "a|b\n1,500|2.5\n");
}

static void line_ends_of_all_systems_are_read(void **state)
{
    (void)state;
    assert_csv("a,b\r\n1,2\r\n3,4\r\n", by_comma, "a|b\n1|2\n3|4\n");
    assert_csv("a,b\r1,2\r3,4\r", by_comma, "a|b\n1|2\n3|4\n");
    assert_csv("a,b\r\n1,2\n3,4\r", by_comma, "a|b\n1|2\n3|4\n");
}

static void blank_lines_are_passed_over(void **state)
{
    (void)state;
    assert_csv("\n\r\n  \na,b\n\n1,2\n   \n\n3,4\n\n\n", by_comma, "a|b\n1|2\n3|4\n");
}

static void a_byte_order_mark_is_no_part_of_the_first_name(void **state)
{
    (void)state;
    assert_csv("\xef\xbb\xbf"
               "a,b\n1,2\n",
               by_comma, "a|b\n1|2\n");
    assert_csv("\xef\xbb\xbf\"a\",b\n1,2\n", by_comma, "a|b\n1|2\n");
}

static void lines_to_skip_are_passed_over_as_they_are(void **state)
{
    (void)state;
    const ow_read_options skip_two = {.size = sizeof(ow_read_options),
                                      .delimiter = ',',
                                      .skip = 2};
    assert_csv("|1x3 \"Cross\r\n\"\na,b\n1,2\n", skip_two, "a|b\n1|2\n");
    assert_csv("\xef\xbb\xbfx\r\ry\r", skip_two, "y\n! f.csv: no rows below the header");
    assert_csv(
        "x\ny\n1,2\n3\n",
        (ow_read_options){.size = sizeof(ow_read_options), .delimiter = ',', .skip = 2},
        "1|2\n! f.csv:4: 1 field, expected 2; if the table starts further down, pass "
        "over the lines before it with skip (--skip N)");
}

static void a_column_without_name_is_called_by_its_number(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_log log;
    ow_test_heap_begin(&heap);
    ow_test_log_attach(&log, heap.ctx, OW_LOG_INFO);
    owi_rows rows = ow_test_csv_open(heap.ctx, ",b,\"\"\n1,2,3\n", by_comma);
    assert_string_equal(rows.column_names[0], "x0");
    assert_string_equal(rows.column_names[2], "x2");
    assert_string_equal(log.text, "f.csv:1: column 1 has no name and is called x0\n"
                                  "f.csv:1: column 3 has no name and is called x2\n");
    owi_rows_clear(&rows);
    ow_test_heap_end(&heap);
}

static void a_header_of_numbers_draws_a_warning(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_log log;
    ow_test_heap_begin(&heap);
    ow_test_log_attach(&log, heap.ctx, OW_LOG_WARN);
    owi_rows rows = ow_test_csv_open(heap.ctx, "1.5,b\n1,2\n", by_comma);
    assert_int_equal(log.n_messages, 0);
    owi_rows_clear(&rows);
    rows = ow_test_csv_open(heap.ctx, "1.5,2\n1,2\n", by_comma);
    assert_int_equal(log.n_messages, 1);
    assert_non_null(strstr(log.text, "f.csv:1: all column names are numbers"));
    owi_rows_clear(&rows);
    ow_test_heap_end(&heap);
}

static void a_row_is_placed_at_the_line_where_it_starts(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_cell cells[2];
    bool at_end;
    char place[32];
    ow_test_heap_begin(&heap);
    owi_rows rows =
        ow_test_csv_open(heap.ctx, "skipped\r\na,b\n\n1,\"x\ny\r\nz\"\n\"\",\n",
                         (ow_read_options){.size = sizeof(ow_read_options), .skip = 1});
    assert_ok(owi_format_csv.next(&rows, cells, &at_end));
    owi_format_csv.place(&rows, place, sizeof place);
    assert_string_equal(place, "f.csv:4");
    assert_ok(owi_format_csv.next(&rows, cells, &at_end));
    owi_format_csv.place(&rows, place, sizeof place);
    assert_string_equal(place, "f.csv:7");
    owi_rows_clear(&rows);
    ow_test_heap_end(&heap);
}

/* ---- What is refused ---- */

static void a_ragged_row_is_named_with_both_counts(void **state)
{
    (void)state;
    assert_csv("a,b,c\n1,2,3\n1,2\n1,2,3\n", by_comma,
               "a|b|c\n1|2|3\n! f.csv:3: 2 fields, expected 3");
    assert_csv("a,b\n1,2\n1,\"x\ny\"\n1,2,3,4\n", by_comma,
               "a|b\n1|2\n1|x\ny\n! f.csv:5: 4 fields, expected 2");
}

static void a_row_that_does_not_fit_the_first_one_hints_at_skip(void **state)
{
    (void)state;
    const char *hint =
        "; if the table starts further down, pass over the lines before it with "
        "skip (--skip N)";
    char want[256];
    snprintf(want, sizeof want, "My table\n! f.csv:2: 2 fields, expected 1%s", hint);
    assert_csv("My table\na,b\n1,2\n", by_comma, want);
    snprintf(want, sizeof want, "\n1\n! f.csv:2: 2 fields, expected 1%s", hint);
    assert_csv("1\n2,3\n",
               (ow_read_options){
                   .size = sizeof(ow_read_options), .delimiter = ',', .no_header = true},
               want);
}

static void a_file_that_ends_within_a_row_may_be_cut_off(void **state)
{
    (void)state;
    assert_csv(
        "a,b,c\n1,2,3\n4,5", by_comma,
        "a|b|c\n1|2|3\n! f.csv:3: 2 fields, expected 3; the file ends here without a "
        "line end, so that it may have been cut off");
}

static void a_quote_that_is_not_closed_is_found_where_it_opened(void **state)
{
    (void)state;
    assert_csv("a,b\n1,\"2\n3,4\n5,6\n", by_comma,
               "a|b\n! f.csv:2: the quote that opens here is not closed");
    assert_csv("a,b\n\"x\ny\",\"2\n3,4\n", by_comma,
               "a|b\n! f.csv:3: the quote that opens here is not closed");
    assert_csv("\"", by_comma, "! f.csv:1: the quote that opens here is not closed");
}

static void text_after_a_closing_quote_is_an_error(void **state)
{
    (void)state;
    assert_csv(
        "a,b\n1,\"2\" 3 and 4\n", by_comma,
        "a|b\n! f.csv:2: field 2: \"3 and 4\" after the closing quote, expected a comma or "
        "the end of the line");
    assert_csv(
        "a,b\n\"1\n2\",\"3\"4\n", by_comma,
        "a|b\n! f.csv:3: field 2: \"4\" after the closing quote, expected a comma or "
        "the end of the line");
    const char *const names[] = {"semicolon", "tab", "space"};
    for (size_t i = 0; i < 3; i++) {
        const ow_read_options options = {.size = sizeof(ow_read_options),
                                         .delimiter = ";\t "[i]};
        char csv[32], want[160];
        snprintf(csv, sizeof csv, "a%cb\n1%c\"2\"3\n", options.delimiter,
                 options.delimiter);
        snprintf(want, sizeof want,
                 "a|b\n! f.csv:2: field 2: \"3\" after the closing quote, expected a %s or "
                 "the end of the line",
                 names[i]);
        assert_csv(csv, options, want);
    }
}

static void a_nul_byte_is_an_error(void **state)
{
    (void)state;
    const char *want = "a|b\n! f.csv:2: a NUL byte, which no text has (UTF-16 must be "
                       "converted to UTF-8 first)";
    assert_csv_bytes("a,b\n1,2\0\n", 9, by_comma, want);
    assert_csv_bytes("a,b\n1,\"2\0\"\n", 11, by_comma, want);
}

static void utf_16_is_told_from_its_byte_order_mark(void **state)
{
    (void)state;
    const char *want =
        "! f.csv: the text is UTF-16; convert it to UTF-8 first, for example "
        "with iconv -f utf-16 -t utf-8";
    assert_csv_bytes("\xff\xfe"
                     "a\0\n\0",
                     6, by_comma, want);
    assert_csv_bytes("\xfe\xff\0a\0\n", 6, by_comma, want);
}

static void a_file_without_rows_says_what_it_lacks(void **state)
{
    (void)state;
    assert_csv("", by_comma, "! f.csv: the file is empty");
    assert_csv("\xef\xbb\xbf", by_comma, "! f.csv: the file is empty");
    assert_csv("\n \n", by_comma, "! f.csv: nothing but blank lines");
    assert_csv("a,b", by_comma, "a|b\n! f.csv: no rows below the header");
    assert_csv("a,b\n\n", by_comma, "a|b\n! f.csv: no rows below the header");
    assert_csv(
        "a\nb\n",
        (ow_read_options){.size = sizeof(ow_read_options), .delimiter = ',', .skip = 3},
        "! f.csv: nothing is left of its 2 lines after passing over 3");
}

static void a_name_that_two_columns_have_is_told_with_both(void **state)
{
    (void)state;
    assert_csv("a,b,\"a\"\n1,2,3\n", by_comma,
               "! f.csv:1: columns 1 and 3 are both named \"a\"; rename one of them, or, "
               "if this line is a row and no "
               "header, use no_header (--no-header)");
    assert_csv("x1,\n1,2\n", by_comma,
               "! f.csv:1: columns 1 and 2 are both named \"x1\"; rename one of them, or, "
               "if this line is a row and "
               "no header, use no_header (--no-header)");
}

static void a_record_longer_than_the_limit_is_named(void **state)
{
    (void)state;
    const char *cases[][2] = {
        {"a,b\n0123456789012345678901234567890123456789\n",
         "a|b\n! f.csv:2: the line does not end within 32 bytes"},
        {"a,b\n1,\"2\n3,4\n5,6\n7,8\n9,0\n1,2\n3,4\n5,6\n7,8\n9,0\n",
         "a|b\n! f.csv:2: the quote that opens here is not closed within 32 bytes"},
        {"a,b\n01234567890123,0123456789012345\n",
         "a|b\n01234567890123|0123456789012345\n"}}; /* 32 with the line end */
    for (size_t block = 1; block < 100; block++)
        for (size_t i = 0; i < 3; i++) {
            const owi_csv_sizes sizes = {.block = block, .max_record = 32};
            ow_test_text out =
                ow_test_csv_show(cases[i][0], strlen(cases[i][0]), by_comma, sizes);
            assert_string_equal(out.text, cases[i][1]);
            free(out.text);
        }
}

static void more_columns_than_possible_are_refused(void **state)
{
    (void)state;
    const size_t n = (1 << 20) + 1;
    char *csv = malloc(n);
    assert_non_null(csv);
    memset(csv, ',', n);
    csv[n - 1] = '\n';
    const ow_read_options options = {.size = sizeof(ow_read_options),
                                     .delimiter = ',',
                                     .no_header = true};
    ow_test_text out = ow_test_csv_show(csv, n - 1, options, ow_test_csv_sizes);
    assert_string_equal(out.text,
                        "! f.csv:1: 1048577 columns, at most 1048576 are possible");
    free(out.text);
    free(csv);
}

static void other_delimiters_are_refused(void **state)
{
    (void)state;
    assert_csv("a/b\n",
               (ow_read_options){.size = sizeof(ow_read_options), .delimiter = '/'},
               "! delimiter \"/\" is none of comma, semicolon, tab, bar and space");
    assert_csv("a\n", (ow_read_options){.size = sizeof(ow_read_options), .delimiter = '\n'},
               "! delimiter \"\\n\" is none of comma, semicolon, tab, bar and space");
}

/* ---- Two ways to the same table ---- */

static uint32_t random_number(uint32_t below)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return (uint32_t)(x >> 33) % below;
}

/* A random field, as it is read (shown) and as it may be written (csv). */
static void add_random_field(ow_test_text *shown, ow_test_text *csv)
{
    char text[12];
    const size_t n = random_number(sizeof text);
    bool quote = random_number(4) == 0;
    for (size_t i = 0; i < n; i++) {
        text[i] = "abc019.-  ,;\"\n\r\t"[random_number(quote ? 16 : 10)];
        if ((i == 0 || i + 1 == n) && text[i] == ' ') quote = true;
    }
    ow_test_text_add(shown, text, n);
    if (!quote) {
        ow_test_text_add(csv, text, n);
        return;
    }
    ow_test_text_add(csv, "  ", random_number(3));
    ow_test_text_add(csv, "\"", 1);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"') ow_test_text_add(csv, "\"", 1);
        ow_test_text_add(csv, &text[i], 1);
    }
    ow_test_text_add(csv, "\"", 1);
    ow_test_text_add(csv, "  ", random_number(3));
}

static void random_tables_are_read_as_they_were_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200 * ow_test_scale(); i++) {
        ow_test_text shown = {0}, csv = {0};
        const size_t n_columns = 2 + random_number(4), n_rows = 1 + random_number(6);
        ow_test_text_add(&shown, "\n", 1);
        for (size_t row = 0; row < n_rows; row++) {
            for (size_t column = 0; column < n_columns; column++) {
                if (column > 0) ow_test_text_add(&shown, "|", 1);
                if (column > 0) ow_test_text_add(&csv, ",", 1);
                add_random_field(&shown, &csv);
            }
            ow_test_text_add(&shown, "\n", 1);
            ow_test_text_add(&csv, "\r\n", 1 + random_number(2));
            if (csv.text[csv.size - 1] == '\r' && random_number(2))
                ow_test_text_add(&csv, "\n", 1);
        }
        assert_csv_bytes(csv.text, csv.size,
                         (ow_read_options){.size = sizeof(ow_read_options),
                                           .delimiter = ',',
                                           .no_header = true},
                         shown.text);
        free(shown.text);
        free(csv.text);
    }
}

/* ---- Damage and lack of memory ---- */

#define FIXTURE_HEADER "\xef\xbb\xbfid,\"na\"\"me\" , value\r\n"
static const char fixture[] = FIXTURE_HEADER "1,\"x, \"\"y\"\"\r\nz\",2.5\r\n"
                                             "\r\n"
                                             "2, abc ,\r\n"
                                             "3,\"\",-1e5";

static void a_file_cut_off_anywhere_gives_a_sentence_or_its_beginning(void **state)
{
    (void)state;
    ow_test_text whole =
        ow_test_csv_show(fixture, sizeof fixture - 1, by_comma, ow_test_csv_sizes);
    assert_string_equal(whole.text,
                        "id|na\"me|value\n1|x, \"y\"\r\nz|2.5\n2|abc|\n3||-1e5\n");
    for (size_t size = 0; size < sizeof fixture; size++) {
        ow_test_text reference =
            ow_test_csv_show(fixture, size, by_comma, ow_test_csv_sizes);
        const char *failure = strstr(reference.text, "! ");
        if (failure != NULL) assert_non_null(strstr(failure, "! f.csv:"));
        if (size >= strlen(FIXTURE_HEADER))
            assert_memory_equal(reference.text, "id|na\"me|value\n", 15);
        assert_csv_bytes(fixture, size, by_comma, reference.text);
        free(reference.text);
    }
    free(whole.text);
}

static ow_status read_fixture(ow_context *ctx, void *options)
{
    owi_rows rows = {.ctx = ctx, .name = "f.csv", .format = &owi_format_csv};
    size_t n_rows = 0;
    ow_status status = owi_byte_source_open_memory(ctx, fixture, sizeof fixture - 1,
                                                   rows.name, &rows.source);
    if (status == OW_OK)
        status = owi_csv_open_with_sizes(&rows, options, (owi_csv_sizes){4, 1000});
    if (status == OW_OK) status = ow_test_csv_read(&rows, NULL, &n_rows);
    owi_rows_clear(&rows);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_read_options with_header = {.size = sizeof(ow_read_options), .delimiter = ','},
                    guessing = {0};
    ow_test_sweep(read_fixture, &with_header);
    ow_test_sweep(read_fixture, &guessing);
}

/* ---- Files of the world ---- */

static void assert_counts(const char *path, ow_read_options options, size_t n_columns,
                          size_t n_rows)
{
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    owi_rows rows = {.ctx = heap.ctx, .name = path, .format = &owi_format_csv};
    size_t n = 0;
    assert_ok(owi_byte_source_open(heap.ctx, path, NULL, &rows.source));
    assert_ok(owi_format_csv.open(&rows, &options));
    assert_int_equal(rows.n_columns, n_columns);
    assert_ok(ow_test_csv_read(&rows, NULL, &n));
    assert_int_equal(n, n_rows);
    owi_rows_clear(&rows);
    ow_test_heap_end(&heap);
}

static void credit_has_1000_rows_of_21_columns(void **state)
{
    (void)state;
    assert_counts("data/credit.csv", (ow_read_options){.size = sizeof(ow_read_options)}, 21,
                  1000);
}

static void german_credit_has_1000_rows_of_21_columns(void **state)
{
    (void)state;
    const char *path = ow_test_data_file("credit/german.data");
    assert_counts(path,
                  (ow_read_options){.size = sizeof(ow_read_options), .no_header = true}, 21,
                  1000);
}

static void adult_has_32561_rows_of_15_columns(void **state)
{
    (void)state;
    const char *path = ow_test_data_file("adult/adult.data");
    assert_counts(path,
                  (ow_read_options){.size = sizeof(ow_read_options), .no_header = true}, 15,
                  32561);
}

static void the_adult_test_file_has_16281_rows_below_its_first_line(void **state)
{
    (void)state;
    const char *path = ow_test_data_file("adult/adult.test");
    assert_counts(
        path,
        (ow_read_options){.size = sizeof(ow_read_options), .no_header = true, .skip = 1},
        15, 16281);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_record_names_the_columns),
        cmocka_unit_test(without_header_the_first_record_is_a_row),
        cmocka_unit_test(the_delimiter_is_found_if_none_is_given),
        cmocka_unit_test(decimal_commas_stay_as_they_are),
        cmocka_unit_test(line_ends_of_all_systems_are_read),
        cmocka_unit_test(blank_lines_are_passed_over),
        cmocka_unit_test(a_byte_order_mark_is_no_part_of_the_first_name),
        cmocka_unit_test(lines_to_skip_are_passed_over_as_they_are),
        cmocka_unit_test(a_column_without_name_is_called_by_its_number),
        cmocka_unit_test(a_header_of_numbers_draws_a_warning),
        cmocka_unit_test(a_row_is_placed_at_the_line_where_it_starts),
        cmocka_unit_test(a_ragged_row_is_named_with_both_counts),
        cmocka_unit_test(a_row_that_does_not_fit_the_first_one_hints_at_skip),
        cmocka_unit_test(a_file_that_ends_within_a_row_may_be_cut_off),
        cmocka_unit_test(a_quote_that_is_not_closed_is_found_where_it_opened),
        cmocka_unit_test(text_after_a_closing_quote_is_an_error),
        cmocka_unit_test(a_nul_byte_is_an_error),
        cmocka_unit_test(utf_16_is_told_from_its_byte_order_mark),
        cmocka_unit_test(a_file_without_rows_says_what_it_lacks),
        cmocka_unit_test(a_name_that_two_columns_have_is_told_with_both),
        cmocka_unit_test(a_record_longer_than_the_limit_is_named),
        cmocka_unit_test(more_columns_than_possible_are_refused),
        cmocka_unit_test(other_delimiters_are_refused),
        cmocka_unit_test(random_tables_are_read_as_they_were_written),
        cmocka_unit_test(a_file_cut_off_anywhere_gives_a_sentence_or_its_beginning),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(credit_has_1000_rows_of_21_columns),
        cmocka_unit_test(german_credit_has_1000_rows_of_21_columns),
        cmocka_unit_test(adult_has_32561_rows_of_15_columns),
        cmocka_unit_test(the_adult_test_file_has_16281_rows_below_its_first_line),
    };
    return cmocka_run_group_tests_name("data/csv_read", tests, NULL, NULL);
}
