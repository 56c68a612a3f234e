/* SPDX-License-Identifier: MIT */
/* The four panels of a plane. */
#include "otherwise/report.h"
#include "support/ow_test.h"

static const char rows[] =
    "a,b,label\n"
    "0,0,in\n0.1,0.2,in\n0.2,0.1,in\n0.3,0.1,in\n0.1,0.4,in\n0.35,0.3,in\n"
    "2,2,out\n2.1,2.2,out\n2.2,1.8,out\n1.9,2.4,out\n2.3,2.3,out\n1.8,2,out\n";
static const double values[] = {0, 0, 2, 2};
static const int32_t classes[] = {0, 1};

static ow_status train(ow_context *ctx, const char *text, ow_model **model)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options options = ow_test_train_defaults();
    options.leaves = OW_LEAVES_GAUSSIAN;
    options.test_share = 0.0;
    options.passes = 2;
    ow_status status =
        ow_reader_open_memory(ctx, text, strlen(text), "rows.csv", NULL, &reader);
    if (status == OW_OK)
        status = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
            NULL, &schema);
    if (status == OW_OK) status = ow_model_train(reader, schema, &options, NULL, model);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) n++;
    return n;
}

static void four_panels_are_drawn(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = NULL;
    char *svg = NULL;
    assert_ok(train(ctx, rows, &model));
    assert_ok(ow_report_plane(model, 2, values, classes, "two & more", &svg));
    assert_int_equal(count(svg, "<clipPath"), 4);
    assert_int_equal(count(svg, "two &amp; more"), 2);
    /* Each row in the first and in the last panel. */
    assert_int_equal(count(svg, "h0\""), 4);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    ow_bytes_free(svg);
    ow_model_free(model);
}

static void other_models_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = NULL;
    char *svg = NULL;
    assert_ok(train(ctx, "a,label\n1,x\n2,y\n3,x\n4,y\n5,x\n", &model));
    assert_fails(ow_report_plane(model, 0, NULL, NULL, "line", &svg), OW_ERR_ARGUMENT,
                 "two number columns");
    assert_null(svg);
    ow_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(four_panels_are_drawn),
        ow_test_on_heap(other_models_are_refused),
    };
    return cmocka_run_group_tests_name("report/plane_svg", tests, NULL, NULL);
}
