/* SPDX-License-Identifier: MIT */
/* Which delimiter a file is made with. */
#include "data/csv/csv.h"
#include "support/ow_test.h"

static char find(const char *text, bool ended)
{
    char bytes[4096];
    const size_t size = strlen(text);
    assert_true(size < sizeof bytes);
    memcpy(bytes, text, size + 1);
    return owi_csv_find_delimiter(bytes, bytes + size, ended);
}

static void the_delimiter_that_cuts_all_records_alike_is_found(void **state)
{
    (void)state;
    assert_int_equal(find("a,b,c\n1,2,3\n4,5,6\n", true), ',');
    assert_int_equal(find("a;b;c\n1;2;3\n4;5;6\n", true), ';');
    assert_int_equal(find("a\tb\tc\n1\t\t3\n4\t5\t6\n", true), '\t');
    assert_int_equal(find("A11 6 A34 A43\nA12 48 A32 A43\n", true), ' ');
    assert_int_equal(find("  1.5   2\n 10.25  3\n", true), ' ');
}

static void commas_with_spaces_behind_are_commas(void **state)
{
    (void)state;
    assert_int_equal(find("39, State-gov, 77516\n50, Private, 83311\n", true), ',');
    assert_int_equal(find("a, b\n1, 2\n", true), ',');
}

static void decimal_commas_and_lists_inside_fields_do_not_mislead(void **state)
{
    (void)state;
    assert_int_equal(find("x;y\n1,5;2,5\n3,25;4\n", true), ';');
    assert_int_equal(find("name\ttags\tn\nx\ta,b\t1\ny\tc,d\t2\n", true), '\t');
    assert_int_equal(find("name,note\nx,one;two\ny,three\n", true), ',');
    assert_int_equal(find("a,b\tc\td\n1,2\t3\t4\n", true), '\t'); /* more fields */
    assert_int_equal(find("a b c\n1 2 3\n1,5 2 3\n4 5 6\n", true), ' ');
}

static void delimiters_inside_quotes_do_not_count(void **state)
{
    (void)state;
    assert_int_equal(find("\"a,b\";\"c\"\n\"1,2\";\"3\"\n", true), ';');
    assert_int_equal(find("\"a;b;c\",d\n\"1;2;3\",4\n\"x\ny;z;\",5\n", true), ',');
}

static void a_ragged_record_does_not_hide_the_delimiter(void **state)
{
    (void)state;
    assert_int_equal(find("a title\nx;y;z\n1;2;3\n4;5;6\n", true), ';');
    assert_int_equal(find("a b c\n1 2 3\n1 2 3\n1 2 3\n1 2\n1 2 3\n", true), ' ');
    assert_int_equal(find("a;b\n1;2\n\"3\"x;4\n5;6\n", true), ';');
    assert_int_equal(find("a,1;b\n\"x\";2\n", true), ';'); /* by commas: damaged */
}

static void one_column_is_taken_for_comma_separated(void **state)
{
    (void)state;
    assert_int_equal(find("name\nAda\nAlan\n", true), ',');
    assert_int_equal(find("remark\nall is well\nnot so well\nbad\n", true), ',');
    assert_int_equal(find("", true), ',');
    assert_int_equal(find("\n\n\n", true), ',');
}

static void the_cut_end_of_a_sample_counts_only_if_there_is_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(find("1;2;3\n4;5;6\n7,8", false), ';');
    assert_int_equal(find("1;2;3;4;5", false), ';');
    assert_int_equal(find("\"1\";\"2", false), ';');
}

static void blank_lines_do_not_count(void **state)
{
    (void)state;
    assert_int_equal(find("\n\n\n\n\n\n1;2\n\n\n\n3;4\n\n\n", true), ';');
    assert_int_equal(find("1 2\n\n3 4\n  \n5 6\n", true), ' ');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_delimiter_that_cuts_all_records_alike_is_found),
        cmocka_unit_test(commas_with_spaces_behind_are_commas),
        cmocka_unit_test(decimal_commas_and_lists_inside_fields_do_not_mislead),
        cmocka_unit_test(delimiters_inside_quotes_do_not_count),
        cmocka_unit_test(a_ragged_record_does_not_hide_the_delimiter),
        cmocka_unit_test(one_column_is_taken_for_comma_separated),
        cmocka_unit_test(the_cut_end_of_a_sample_counts_only_if_there_is_nothing_else),
        cmocka_unit_test(blank_lines_do_not_count),
    };
    return cmocka_run_group_tests_name("data/csv_dialect", tests, NULL, NULL);
}
