/* SPDX-License-Identifier: MIT */
/* CSV files as exports have them: lines above the header and below it that are no rows,
 * names of rows, and Windows-1252.  Every case is read in blocks of several sizes. */
#include "base/io/byte_source.h"
#include "support/csv_fixture.h"

static const ow_read_options by_comma = {.size = sizeof(ow_read_options), .delimiter = ','};

static void comments_above_the_header_are_passed_over(void **state)
{
    (void)state;
    const ow_read_options usual = {.size = sizeof usual};
    assert_csv("# made, by hand\n#\na|b\n1|2\n", usual, "a|b\n1|2\n");
    assert_csv("#id,b\n1,2\n", usual, "#id|b\n1|2\n"); /* the header itself */
    assert_csv("# of 2024\r\n#id;b\r\n1;2\r\n", usual, "#id|b\n1|2\n");
    assert_csv("a,b\n#1,2\n", usual, "a|b\n#1|2\n");
    assert_csv("#", usual, "#\n! f.csv: no rows below the header");
}

static void lines_above_the_table_have_fewer_fields(void **state)
{
    (void)state;
    const ow_read_options none = {.size = sizeof(ow_read_options)};
    assert_csv("Account;1\n\n\"From\nto\";2\n\na;b;c;d\n1;2;3;4\n5;6;7;8\n", none,
               "a|b|c|d\n1|2|3|4\n5|6|7|8\n");
    assert_csv("My table\na,b,c\n1,2,3\n4,5,6", none, "a|b|c\n1|2|3\n4|5|6\n");
    /* Rows that are longer than their header. */
    assert_csv("a,b\n1,2,,,\n3,4,,,\n5,6,,,\n", by_comma,
               "a|b\n! f.csv:2: 5 fields, expected 2; if the table starts further down, "
               "pass over the lines before it with skip (--skip N)");
    /* More than half as many fields. */
    assert_csv("a,b,c\n1,2,3,4,5\n4,5,6,4,5\n7,8,9,4,5\n", by_comma,
               "a|b|c\n! f.csv:2: 5 fields, expected 3; if the table starts further down, "
               "pass over the lines before it with skip (--skip N)");
    const ow_read_options no_header = {.size = sizeof(ow_read_options), .no_header = true};
    assert_csv("1\n1,2,3\n4,5,6\n7,8,9\n", no_header,
               "\n1\n! f.csv:2: 3 fields, expected 1; if the table starts further down, "
               "pass over the lines before it with skip (--skip N)");
}

static void questions_of_qualtrics_are_no_rows(void **state)
{
    (void)state;
    assert_csv("a,b\nWhat?,\"How,\nmuch?\"\n\"{\"\"ImportId\"\":\"\"x\"\"}\",y\n1,2\n",
               by_comma, "a|b\n1|2\n");
    assert_csv("a,b\n1,2\n{\"x\"},3\n", by_comma, "a|b\n1|2\n{\"x\"}|3\n");
}

static void rows_of_r_have_a_name_that_the_header_lacks(void **state)
{
    (void)state;
    assert_csv("x,y\n1,2,3\n2,5,6\n", by_comma, "rownames|x|y\n1|2|3\n2|5|6\n");
    assert_csv("\"x\" \"y\"\n\"a\" 2 3\n\"b\" 5 6\n\"c\" 1 1\n",
               (ow_read_options){.size = sizeof(ow_read_options), .delimiter = ' '},
               "rownames|x|y\na|2|3\nb|5|6\nc|1|1\n");
}

static void a_line_that_is_no_utf8_is_windows_1252(void **state)
{
    (void)state;
    assert_csv("gr\xf6\xdf"
               "e,\x80\n\"\"\"\xe9\x9f\"\"\",\x81\x93\n",
               by_comma, "größe|€\n\"éŸ\"|\xc2\x81“\n");
    /* Each line for itself, and only where it has to be. */
    assert_csv("a,b\nö,\xf6\nö,€\n", by_comma, "a|b\nÃ¶|ö\nö|€\n");
}

/* Lines above the table, Windows-1252, and the questions of Qualtrics. */
static const char exported[] = "Export\n\nGr\xf6\xdf"
                               "e;\"\x80\"\"\";c\nWhat?;How;Why\n{\"ImportId\"};b;c\n"
                               "1;\xe4;\"x\xf6\ny\"\n2;\xc3\xa4;z\n";

static void an_export_cut_off_anywhere_gives_a_sentence_or_its_beginning(void **state)
{
    (void)state;
    const ow_read_options none = {.size = sizeof(ow_read_options)};
    ow_test_text whole =
        ow_test_csv_show(exported, sizeof exported - 1, none, ow_test_csv_sizes);
    assert_string_equal(whole.text, "Größe|€\"|c\n1|ä|xö\ny\n2|ä|z\n");
    for (size_t size = 0; size < sizeof exported; size++) {
        ow_test_text reference = ow_test_csv_show(exported, size, none, ow_test_csv_sizes);
        const char *failure = strstr(reference.text, "! ");
        if (failure != NULL) assert_non_null(strstr(failure, "! f.csv:"));
        assert_csv_bytes(exported, size, none, reference.text);
        free(reference.text);
    }
    free(whole.text);
}

static ow_status read_export(ow_context *ctx, void *user)
{
    (void)user;
    const ow_read_options none = {.size = sizeof(ow_read_options)};
    owi_rows rows = {.ctx = ctx, .name = "f.csv", .format = &owi_format_csv};
    size_t n_rows = 0;
    ow_status status = owi_byte_source_open_memory(ctx, exported, sizeof exported - 1,
                                                   rows.name, &rows.source);
    if (status == OW_OK)
        status = owi_csv_open_with_sizes(&rows, &none, (owi_csv_sizes){4, 1000});
    if (status == OW_OK) status = ow_test_csv_read(&rows, NULL, &n_rows);
    owi_rows_clear(&rows);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(read_export, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_above_the_header_are_passed_over),
        cmocka_unit_test(lines_above_the_table_have_fewer_fields),
        cmocka_unit_test(questions_of_qualtrics_are_no_rows),
        cmocka_unit_test(rows_of_r_have_a_name_that_the_header_lacks),
        cmocka_unit_test(a_line_that_is_no_utf8_is_windows_1252),
        cmocka_unit_test(an_export_cut_off_anywhere_gives_a_sentence_or_its_beginning),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("data/csv_start", tests, NULL, NULL);
}
