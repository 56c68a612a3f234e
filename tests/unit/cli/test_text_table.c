/* SPDX-License-Identifier: MIT */
/* Tables of text, fitted to a width. */
#include "support/ow_test.h"

#include "display_text.h"
#include "text_table.h"

static const table_column columns[] = {
    {"name", 4}, {"type", 0}, {"empty", 0}, {"levels", 8}};

static char *printed(size_t width)
{
    static char got[2048];
    static const char *const cells[] = {"age",   "integer",
                                        "",      "19 to 75",
                                        "Größe", "categorical",
                                        "",      "short, middling, tall"};
    text_table *table = text_table_new(columns, 4);
    for (size_t i = 0; i < 7; i++) text_table_add(table, cells[i]);
    text_table_add_list(table, cells[7], "... (3)");
    FILE *file = tmpfile();
    assert_non_null(file);
    text_table_print(file, table, width);
    text_table_free(table);
    rewind(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    return got;
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
    };
    return cmocka_run_group_tests_name("cli/text_table", tests, start, NULL);
}
