/* SPDX-License-Identifier: MIT */
/* Tables of a report, filled cell by cell. */
#include "otherwise/page.h"
#include "support/ow_test.h"

#include "reproduce/sheet.h"
#include "terminal/text_build.h"

static void cells_stand_line_by_line_and_only_marked_ones_are_bold(void **state)
{
    static const ow_page_column columns[] = {{"method", false}, {"sum", true}};
    ow_context *ctx = ow_test_context(state);
    ow_page *page = NULL;
    char *text = NULL;
    size_t size = 0;
    sheet s = {.n_columns = 2};
    assert_ok(ow_page_new(ctx, "Sums", NULL, &page));
    sheet_add(&s, text_add(NULL, "wachter"));
    sheet_add_bold(&s, text_add(NULL, "0.25"), true);
    sheet_add(&s, text_add(NULL, "face"));
    sheet_add(&s, NULL);
    sheet_add_toned(&s, text_add(NULL, "cem"), OW_TONE_GOOD);
    sheet_add_toned(&s, text_add(NULL, "0.5"), OW_TONE_BAD);
    sheet_show(&s, page, columns, "Changes");
    assert_int_equal(s.n_cells, 0);
    assert_ok(ow_page_format(page, &text, &size));
    const char *first =
        strstr(text,
               "<th scope=\"row\">wachter</th><td class=\"number best\">0.25</td></tr>");
    assert_non_null(first);
    assert_non_null(
        strstr(first, "<th scope=\"row\">face</th><td class=\"number\"></td></tr>"));
    assert_non_null(strstr(first, "<th scope=\"row\" class=\"good\">cem</th><td "
                                  "class=\"number bad\">0.5</td></tr>"));
    ow_bytes_free(text);
    ow_page_free(page);
}

static void a_sheet_that_was_shown_can_be_filled_again(void **state)
{
    static const ow_page_column columns[] = {{"only", false}};
    ow_context *ctx = ow_test_context(state);
    ow_page *page = NULL;
    char *text = NULL;
    size_t size = 0;
    sheet s = {.n_columns = 1};
    assert_ok(ow_page_new(ctx, "Twice", NULL, &page));
    sheet_add(&s, text_add(NULL, "earlier"));
    sheet_show(&s, page, columns, NULL);
    sheet_add(&s, text_add(NULL, "later"));
    sheet_show(&s, page, columns, NULL);
    assert_ok(ow_page_format(page, &text, &size));
    const char *once = strstr(text, "earlier");
    assert_non_null(once);
    assert_null(strstr(once + 1, "earlier"));
    assert_non_null(strstr(once, "later"));
    ow_bytes_free(text);
    ow_page_free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(cells_stand_line_by_line_and_only_marked_ones_are_bold),
        ow_test_on_heap(a_sheet_that_was_shown_can_be_filled_again),
    };
    return cmocka_run_group_tests_name("cli/sheet", tests, NULL, NULL);
}
