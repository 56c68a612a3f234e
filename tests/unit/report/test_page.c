/* SPDX-License-Identifier: MIT */
/* Pages: what is put in stands in them, harmless and whole; cards and maps of real
 * answers. */
#include "otherwise/page.h"
#include "support/ow_test.h"

/* Two groups, apart in a and in b. */
static const char rows[] =
    "a,b,kind,label\n"
    "0,0.31,x,low\n0.1,0.22,x,low\n0.2,0.13,y,low\n0.3,0.14,x,low\n0.1,0.45,x,low\n"
    "0.35,0.36,y,low\n0.27,0.07,x,low\n0.18,0.28,x,low\n0.05,0.11,y,low\n0.22,0.33,x,"
    "low\n0.33,0.2,x,low\n"
    "2,2.11,y,high\n2.1,2.22,y,high\n2.2,1.83,x,high\n1.9,2.44,y,high\n2.3,2.35,y,high\n"
    "1.8,2.06,y,high\n2.15,1.97,x,high\n2.05,2.18,y,high\n2.25,2.09,y,high\n1.95,2.3,y,"
    "high\n2.12,2,x,high\n";

typedef struct {
    ow_model *model;
    ow_explainer *explainer;
    ow_explanation *explanation;
    double values[6];
} fixture;

static ow_status train(ow_context *ctx, ow_model **model)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options options = ow_test_train_defaults();
    options.test_share = 0.2;
    options.passes = 3;
    options.towards_rows = 1.0;
    ow_status status =
        ow_reader_open_memory(ctx, rows, strlen(rows), "rows.csv", NULL, &reader);
    if (status == OW_OK)
        status = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
            NULL, &schema);
    if (status == OW_OK) status = ow_model_train(reader, schema, &options, NULL, model);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static ow_status set_up(ow_context *ctx, fixture *f)
{
    *f = (fixture){.values = {0.1, 0.3, 0, 2.1, 2.1, 1}};
    ow_explain_options options = ow_test_explain_defaults();
    ow_status status = train(ctx, &f->model);
    if (status != OW_OK) return status;
    status = ow_schema_find_class(ow_model_schema(f->model), "high", &options.target);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = f->model},
                                  "nearest", &f->explainer);
    if (status == OW_OK)
        status = ow_explainer_explain(f->explainer, NULL, &options, 2, f->values, NULL,
                                      &f->explanation);
    return status;
}

static void tear_down(fixture *f)
{
    ow_explanation_free(f->explanation);
    ow_explainer_free(f->explainer);
    ow_model_free(f->model);
}

static ow_page_map_row first_row(const fixture *f)
{
    return (ow_page_map_row){
        .query = f->values,
        .answer = ow_explanation_outcome(f->explanation, 0)->answers[0]->values};
}

static ow_status write_all(ow_context *ctx, const fixture *f, char **text)
{
    static const ow_page_column columns[] = {{"name", false}, {"number", true}};
    static const char *const cells[] = {"<one>", "1", "two", NULL};
    const bool bold[] = {false, true, false, false};
    ow_page *page = NULL;
    ow_status status = ow_page_new(ctx, "A <title>", "A lead & more", &page);
    if (status != OW_OK) return status;
    ow_page_add_lead(page, "Known at the end.");
    ow_page_section(page, "Words");
    ow_page_text(page, "a < b");
    ow_page_note(page, "small");
    ow_page_table(page, &(ow_page_table_content){.size = sizeof(ow_page_table_content),
                                                 .caption = "caption",
                                                 .n_columns = 2,
                                                 .n_rows = 2,
                                                 .columns = columns,
                                                 .cells = cells,
                                                 .bold = bold});
    ow_page_svg(page, "drawn", "<svg></svg>");
    ow_page_png(page, "pixels", "a \"picture\"", "foo", 3, true);
    static const char *const lines[] = {"first <line>", "second"}, *const titles[] = {
                                                                       "one"};
    ow_page_tiles(page, (const ow_page_tile[]){{"12 %", "of <all>"}, {"3", "others"}}, 2);
    ow_page_grid(page, &(ow_page_grid_content){.size = sizeof(ow_page_grid_content),
                                               .caption = "two",
                                               .words = "a \"grid\"",
                                               .bytes = "foo",
                                               .n_bytes = 3,
                                               .width = 10,
                                               .height = 20,
                                               .lines = lines,
                                               .n_lines = 2,
                                               .columns = titles,
                                               .n_columns = 1});
    ow_page_section(page, "Rows");
    ow_page_begin_answers(page);
    for (size_t i = 0; i < 2; i++)
        ow_page_answer(page, &(ow_page_answer_content){
                                 .size = sizeof(ow_page_answer_content),
                                 .model = f->model,
                                 .outcome = ow_explanation_outcome(f->explanation, i),
                                 .query = f->values + 3 * i,
                                 .number = i + 1});
    ow_page_end_answers(page);
    const ow_page_map_row row = first_row(f);
    ow_page_map(page, &(ow_page_map_content){.size = sizeof(ow_page_map_content),
                                             .model = f->model,
                                             .rows = &row,
                                             .n_rows = 1});
    ow_page_model(page, f->model);
    ow_page_begin_overview(page);
    ow_page_text(page, "Seen first.");
    ow_page_end_overview(page);
    status = ow_page_format(page, text, NULL);
    ow_page_free(page);
    return status;
}

static void assert_holds(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) fail_msg("not in the page: %s", words);
}

static void what_is_put_in_stands_in_it(void **state)
{
    ow_context *ctx = ow_test_context(state);
    fixture f;
    char *text = NULL;
    assert_ok(set_up(ctx, &f));
    assert_ok(write_all(ctx, &f, &text));
    assert_holds(text, "<title>A &lt;title&gt;</title>");
    assert_holds(text, "<p>A lead &amp; more Known at the end.</p>");
    assert_holds(text, "<p>Seen first.</p>");
    assert_true(strstr(text, "Seen first.") < strstr(text, ">Words</h2>"));
    assert_holds(text, "<li><b>12 %</b> of &lt;all&gt;</li>");
    assert_holds(text, ">first &lt;line&gt;</text>");
    assert_holds(text, "<a href=\"#section-2\">Rows</a>");
    assert_holds(text, "<p>a &lt; b</p>");
    assert_holds(text,
                 "<th scope=\"row\">&lt;one&gt;</th><td class=\"number best\">1</td>");
    assert_holds(text, "src=\"data:image/png;base64,Zm9v\"");
    assert_holds(text, "alt=\"a &quot;picture&quot;\"");
    assert_holds(text, "prefers-color-scheme: dark");
    ow_bytes_free(text);
    tear_down(&f);
}

static void a_card_tells_what_changes_and_a_row_of_the_class_needs_nothing(void **state)
{
    ow_context *ctx = ow_test_context(state);
    fixture f;
    char *text = NULL;
    assert_ok(set_up(ctx, &f));
    assert_ok(write_all(ctx, &f, &text));
    assert_holds(text, "<article class=\"card found\"><h3>Row 1</h3>");
    assert_holds(text, "The model would say <b>high</b>");
    assert_holds(text, "<th scope=\"row\">a</th><td><span class=\"old\">0.10</span></td>");
    assert_holds(text, "<article class=\"card already\"><h3>Row 2</h3>");
    ow_bytes_free(text);
    tear_down(&f);
}

static void the_models_card_has_calibration_columns_and_settings(void **state)
{
    ow_context *ctx = ow_test_context(state);
    fixture f;
    char *text = NULL, words[100];
    assert_ok(set_up(ctx, &f));
    assert_ok(write_all(ctx, &f, &text));
    const ow_train_report report = *ow_model_report(f.model);
    snprintf(words, sizeof words, "%.1f percentage points off (expected calibration error)",
             100.0 * ow_calibration_error(report.calibration));
    assert_holds(text, words);
    snprintf(words, sizeof words, "<td>%.3f (Gini %.3f)", report.unseen->auc,
             2.0 * report.unseen->auc - 1.0);
    assert_holds(text, words);
    assert_holds(text, "aria-label=\"Reliability diagram");
    assert_holds(text, "<th scope=\"row\">kind</th><td>categorical</td><td>x, y</td>");
    assert_holds(text, "<th scope=\"row\">a</th><td>continuous</td><td>0.00 to 2.30</td>");
    assert_holds(text, "<th scope=\"row\">seed</th><td>");
    assert_holds(text, "How typical real rows are");
    ow_bytes_free(text);
    tear_down(&f);
}

/* The least a of all rows is the query's, 0: there the axis begins, and the tick of 0
 * stands in the corner, at x = 86. */
static void an_axis_ends_where_the_rows_do(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const char *const names[] = {"a", "b"};
    fixture f;
    ow_page *page = NULL;
    char *text = NULL;
    assert_ok(set_up(ctx, &f));
    const double query[] = {0.0, 0.3, 0.0};
    ow_page_map_row row = first_row(&f);
    row.query = query;
    assert_ok(ow_page_map_check(f.model, names));
    assert_ok(ow_page_new(ctx, "t", NULL, &page));
    ow_page_map(page, &(ow_page_map_content){.size = sizeof(ow_page_map_content),
                                             .model = f.model,
                                             .rows = &row,
                                             .n_rows = 1,
                                             .columns = names});
    assert_ok(ow_page_format(page, &text, NULL));
    assert_holds(text, "<path class=\"axis\" d=\"M86 424v5\"/><text "
                       "text-anchor=\"middle\" x=\"86\" y=\"443\">0</text>");
    ow_bytes_free(text);
    ow_page_free(page);
    tear_down(&f);
}

static void principal_axes_are_drawn_where_asked_for(void **state)
{
    ow_context *ctx = ow_test_context(state);
    fixture f;
    ow_page *page = NULL;
    char *text = NULL;
    assert_ok(set_up(ctx, &f));
    ow_page_map_row row = first_row(&f);
    row.name = "by <hand>";
    row.path = f.values; /* over the query itself */
    row.n_path = 1;
    assert_ok(ow_page_new(ctx, "t", NULL, &page));
    ow_page_begin_details(page, "More & more");
    ow_page_map(page, &(ow_page_map_content){.size = sizeof(ow_page_map_content),
                                             .model = f.model,
                                             .rows = &row,
                                             .n_rows = 1,
                                             .principal = true});
    ow_page_end_details(page);
    assert_ok(ow_page_format(page, &text, NULL));
    assert_holds(text, "<details><summary>More &amp; more</summary>");
    assert_holds(text, "principal axis 1 against principal axis 2");
    assert_holds(text, "by &lt;hand&gt;</text>");
    ow_bytes_free(text);
    ow_page_free(page);
    tear_down(&f);
}

static void a_page_needs_nothing_from_elsewhere(void **state)
{
    ow_context *ctx = ow_test_context(state);
    fixture f;
    char *text = NULL;
    assert_ok(set_up(ctx, &f));
    assert_ok(write_all(ctx, &f, &text));
    for (const char *at = strstr(text, "http"); at != NULL; at = strstr(at + 1, "http"))
        assert_memory_equal(at, "http://www.w3.org/2000/svg", 26);
    /* Parts of the page itself may be named: url(#arrow-1). */
    for (const char *at = text; (at = strstr(at, "url(")) != NULL; at++)
        assert_int_equal(at[4], '#');
    assert_null(strstr(text, "nan"));
    ow_bytes_free(text);
    tear_down(&f);
}

static ow_status whole_page(ow_context *ctx, void *user)
{
    char *text = NULL;
    const ow_status status = write_all(ctx, user, &text);
    ow_bytes_free(text);
    return status;
}

static void running_out_of_memory_anywhere_is_clean(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    fixture f;
    assert_ok(ow_context_new(NULL, &ctx));
    assert_ok(set_up(ctx, &f));
    ow_test_sweep(whole_page, &f);
    tear_down(&f);
    ow_context_free(ctx);
}

static void a_column_that_is_no_number_is_no_axis(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const char *const names[] = {"a", "kind"};
    fixture f;
    ow_page *page = NULL;
    char *text = NULL;
    assert_ok(set_up(ctx, &f));
    assert_ok(ow_page_new(ctx, "t", NULL, &page));
    const ow_page_map_row row = first_row(&f);
    ow_page_map(page, &(ow_page_map_content){.size = sizeof(ow_page_map_content),
                                             .model = f.model,
                                             .rows = &row,
                                             .n_rows = 1,
                                             .columns = names});
    assert_status(ow_page_format(page, &text, NULL), OW_ERR_ARGUMENT);
    ow_page_free(page);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(what_is_put_in_stands_in_it),
        ow_test_on_heap(a_card_tells_what_changes_and_a_row_of_the_class_needs_nothing),
        ow_test_on_heap(the_models_card_has_calibration_columns_and_settings),
        ow_test_on_heap(an_axis_ends_where_the_rows_do),
        ow_test_on_heap(principal_axes_are_drawn_where_asked_for),
        ow_test_on_heap(a_page_needs_nothing_from_elsewhere),
        cmocka_unit_test(running_out_of_memory_anywhere_is_clean),
        ow_test_on_heap(a_column_that_is_no_number_is_no_axis),
    };
    return cmocka_run_group_tests_name("report/page", tests, NULL, NULL);
}
