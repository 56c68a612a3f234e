/* SPDX-License-Identifier: MIT */
/* Tables of text, fitted to a width. */
#include "support/ow_test.h"

#include "terminal/display_text.h"
#include "terminal/text_table.h"

static const table_column columns[] = {{.title = "name", .least_width = 4},
                                       {.title = "type"},
                                       {.title = "empty"},
                                       {.title = "levels", .least_width = 8}};

/* What the table prints; frees it. */
static char *print(text_table *table, size_t width)
{
    static char got[2048];
    FILE *file = tmpfile();
    assert_non_null(file);
    text_table_print(file, table, width);
    text_table_free(table);
    rewind(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    return got;
}

static char *printed(size_t width)
{
    static const char *const cells[] = {"age",   "integer",
                                        "",      "19 to 75",
                                        "Größe", "categorical",
                                        "",      "short, middling, tall"};
    text_table *table = text_table_new(columns, 4);
    for (size_t i = 0; i < 7; i++) text_table_add(table, cells[i]);
    text_table_add_list(table, cells[7], "... (3)");
    return print(table, width);
}

static void columns_are_aligned_and_empty_ones_left_out(void **state)
{
    (void)state;
    assert_string_equal(printed(80), "name   type         levels\n"
                                     "age    integer      19 to 75\n"
                                     "Größe  categorical  short, middling, tall\n");
}

static void the_widest_column_gives_way_first(void **state)
{
    (void)state;
    assert_string_equal(printed(36), "name   type         levels\n"
                                     "age    integer      19 to 75\n"
                                     "Größe  categorical  short, ... (3)\n");
    assert_string_equal(printed(27), "name  type         levels\n"
                                     "age   integer      19 to 75\n"
                                     "G...  categorical  s... (3)\n");
}

static void where_nothing_gives_way_rows_become_paragraphs(void **state)
{
    (void)state;
    assert_string_equal(printed(26), "age\n"
                                     "  type: integer\n"
                                     "  levels: 19 to 75\n"
                                     "Größe\n"
                                     "  type: categorical\n"
                                     "  levels: short, ... (3)\n");
}

static void numbers_stand_at_the_right(void **state)
{
    (void)state;
    static const table_column three[] = {{.title = "n", .is_number = true},
                                         {.title = "share", .is_number = true},
                                         {.title = "name"}};
    static const char *const cells[] = {"7", "", "seven", "1234", "5.6 %", "many"};
    text_table *table = text_table_new(three, 3);
    for (size_t i = 0; i < 6; i++) text_table_add(table, cells[i]);
    assert_string_equal(print(table, 80), "   n  share  name\n"
                                          "   7         seven\n"
                                          "1234  5.6 %  many\n");
}

static int start(void **state)
{
    (void)state;
    display_start();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_aligned_and_empty_ones_left_out),
        cmocka_unit_test(the_widest_column_gives_way_first),
        cmocka_unit_test(where_nothing_gives_way_rows_become_paragraphs),
        cmocka_unit_test(numbers_stand_at_the_right),
    };
    return cmocka_run_group_tests_name("cli/text_table", tests, start, NULL);
}
