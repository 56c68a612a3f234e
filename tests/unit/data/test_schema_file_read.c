/* SPDX-License-Identifier: MIT */
/* Schema files read: what stands around the columns, and files that are cut or hostile. */
#include "support/ow_test.h"

static const char columns[] =
    "\"columns\": [{\"name\": \"age\", \"type\": \"integer\", \"range\": [1, 9]},"
    " {\"name\": \"sex\", \"type\": \"categorical\", \"levels\": [\"f\", \"m\"]},"
    " {\"name\": \"size\", \"type\": \"continuous\", \"range\": [-1, 1]}]";

/* A schema with these fields beside the columns. */
static ow_status parse(ow_context *ctx, const char *fields, ow_schema **schema)
{
    char text[2000];
    const int n = snprintf(text, sizeof text, "{%s, %s}", fields, columns);
    return ow_schema_parse(ctx, text, (size_t)n, "s.json", schema);
}

#define V "\"schema_version\": \"1.0\""

static void fails(const char *fields, const char *sentence)
{
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_fails(parse(heap.ctx, fields, &schema), OW_ERR_FORMAT, sentence);
    assert_null(schema);
    ow_test_heap_end(&heap);
}

static const char full[] =
    V ", \"rows\": 100, \"level_order\": \"appearance\", \"layout\": "
      "\"table\", \"label\": {\"name\": \"y\", \"classes\": [\"no\", "
      "\"yes\"], \"counts\": [40, 59]}, \"linked\": [[\"size\", \"age\"]]";

static void everything_around_the_columns_is_read(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_ok(parse(heap.ctx, full, &schema));
    assert_int_equal(ow_schema_n_rows(schema), 100);
    assert_string_equal(ow_schema_label(schema), "y");
    assert_int_equal(ow_schema_n_classes(schema), 2);
    assert_string_equal(ow_schema_class_name(schema, 1), "yes");
    assert_int_equal(ow_schema_class_count(schema, 0), 40);
    assert_int_equal(ow_schema_class_count(schema, 1), 59);
    assert_int_equal(ow_schema_column(schema, 0)->link, 1);
    assert_int_equal(ow_schema_column(schema, 1)->link, 0);
    assert_int_equal(ow_schema_column(schema, 2)->link, 1);
    ow_schema_free(schema);

    assert_ok(parse(heap.ctx, V, &schema)); /* without all that */
    assert_null(ow_schema_label(schema));
    assert_int_equal(ow_schema_n_classes(schema), 0);
    assert_int_equal(ow_schema_n_rows(schema), 0);
    assert_int_equal(ow_schema_layout(schema).kind, OW_LAYOUT_TABLE);
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void the_version_must_be_ours(void **state)
{
    (void)state;
    fails("\"rows\": 1",
          "s.json: field \"schema_version\": expected \"1.0\" or \"1.1\", got nothing");
    fails("\"schema_version\": \"2.0\"", "expected \"1.0\" or \"1.1\", got \"2.0\"");
    fails("\"schema_version\": 1", "field \"schema_version\": expected a text, got 1");
}

static void what_is_wrong_around_the_columns_is_named(void **state)
{
    (void)state;
    fails(V ", \"row\": 1", "s.json: there is no field \"row\"; did you mean \"rows\"?");
    fails(V ", \"rows\": -1", "field \"rows\": expected a whole number from 0 on, got -1");
    fails(V ", \"level_order\": \"random\"",
          "field \"level_order\": expected \"sorted\" or \"appearance\", got \"random\"");
    fails(V ", \"label\": \"y\"", "s.json: label, expected an object {...}, got \"y\"");
    fails(V ", \"label\": {\"classes\": [\"a\", \"b\"]}",
          "label, field \"name\": expected the label column's name");
    fails(V ", \"label\": {\"name\": \"y\"}", "label, field \"classes\": expected a list");
    fails(V ", \"label\": {\"name\": \"y\", \"classes\": [\"a\"]}",
          "s.json: label \"y\": 1 classes, expected two or more");
    fails(V ", \"label\": {\"name\": \"y\", \"classes\": [\"a\", \"a\"]}",
          "s.json: the class \"a\" stands there twice");
    fails(V ", \"label\": {\"name\": \"age\", \"classes\": [\"a\", \"b\"]}",
          "s.json: \"age\" is the label and cannot be one of the columns too");
    fails(V ", \"label\": {\"name\": \"y\", \"classes\": [\"a\", \"b\"], \"counts\": [1]}",
          "label, field \"counts\": expected one count for each class");
    fails(V ", \"rows\": 9, \"label\": {\"name\": \"y\", \"classes\": [\"a\", \"b\"], "
            "\"counts\": [5, 5]}",
          "label, field \"counts\": expected a whole number from 0 to 4, got 5");
}

static void layouts_are_tables_images_or_maps(void **state)
{
    (void)state;
    fails(V ", \"layout\": \"image\"", "field \"layout\": expected \"table\" or an object");
    fails(V ", \"layout\": {\"kind\": \"image\"}",
          "field \"shape\": expected [height, width]");
    fails(V ", \"layout\": {\"kind\": \"map\", \"shape\": [1, 3]}",
          "layout, field \"shape\": expected [height, width, channels] for a map");
    fails(V ", \"layout\": {\"shape\": [3]}", "expected no shape for a table");
    fails(V ", \"layout\": {\"kind\": \"image\", \"shape\": [1, 4]}",
          "layout: 1 x 4 x 1 is not the number of columns, 3");
    fails(V ", \"layout\": {\"kind\": \"picture\"}",
          "layout, field \"kind\": expected \"table\", \"image\" or \"map\"");
    fails(V ", \"layout\": {\"kind\": \"image\", \"shape\": [1, -3]}", "got -3");
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_ok(parse(heap.ctx, V ", \"layout\": {\"kind\": \"image\", \"shape\": [1, 3]}",
                    &schema));
    assert_int_equal(ow_schema_layout(schema).width, 3);
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void a_few_bytes_cannot_ask_for_a_billion_columns(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    static const char *const shapes[] = {"[1048576, 2, 1]", "[1048576, 1048576, 1048576]",
                                         "[1000, 1000, 1000]"};
    for (size_t i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{" V
                 ", \"layout\": {\"kind\": \"map\", \"shape\": %s}, \"every_column\": "
                 "{\"type\": \"integer\", \"range\": [0, 1]}}",
                 shapes[i]);
        assert_fails(ow_schema_parse(heap.ctx, text, strlen(text), "s.json", &schema),
                     OW_ERR_FORMAT, "s.json: ");
    }
    ow_test_heap_end(&heap);
}

static void links_are_lists_of_columns(void **state)
{
    (void)state;
    fails(V ", \"linked\": \"age\"", "field \"linked\": expected a list");
    fails(V ", \"linked\": [\"age\"]",
          "field \"linked\": expected lists of two or more column names, got \"age\"");
    fails(V ", \"linked\": [[\"age\"]]", "expected lists of two or more column names");
    fails(V ", \"linked\": [[\"age\", \"sixe\"]]",
          "s.json: field \"linked\": there is no column \"sixe\"; did you mean \"size\"?");
    fails(V ", \"linked\": [[\"age\", 3]]", "field \"linked\": expected a text, got 3");
    fails(V ", \"linked\": [[\"age\", \"size\"], [\"sex\", \"age\"]]",
          "field \"linked\": column \"age\" stands there twice");
}

static void cut_at_every_byte_it_fails_with_a_sentence(void **state)
{
    (void)state;
    char text[2000];
    const size_t size = (size_t)snprintf(text, sizeof text, "{%s, %s}", full, columns);
    for (size_t n = 0; n < size; n++) {
        ow_test_heap heap;
        ow_schema *schema;
        ow_test_heap_begin(&heap);
        char *cut = malloc(n + 1); /* a block of its own: reading on would be noticed */
        memcpy(cut, text, n);
        assert_fails(ow_schema_parse(heap.ctx, cut, n, "s.json", &schema), OW_ERR_FORMAT,
                     "s.json:");
        assert_null(schema);
        free(cut);
        ow_test_heap_end(&heap);
    }
}

static void a_text_too_large_is_not_even_parsed(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_fails(ow_schema_parse(heap.ctx, "", ((size_t)64 << 20) + 1, "s.json", &schema),
                 OW_ERR_FORMAT, "s.json: 67108865 bytes, expected at most 67108864");
    ow_test_heap_end(&heap);
}

static ow_status parse_and_free(ow_context *ctx, void *user)
{
    (void)user;
    ow_schema *schema;
    const ow_status status = parse(ctx, full, &schema);
    assert_int_equal(schema == NULL, status != OW_OK);
    ow_schema_free(schema);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(parse_and_free, NULL);
}

static ow_status load_and_free(ow_context *ctx, void *user)
{
    ow_schema *schema;
    const ow_status status = ow_schema_load(ctx, user, NULL, &schema);
    ow_schema_free(schema);
    return status;
}

static void a_file_loads_and_sweeps_like_a_text(void **state)
{
    (void)state;
    char text[2000], path[1000];
    snprintf(text, sizeof text, "{%s, %s}", full, columns);
    snprintf(path, sizeof path, "%s", ow_test_path("s.json", 0));
    ow_test_write_file(path, text, strlen(text));
    ow_test_sweep(load_and_free, path);

    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    ow_test_write_file(path, "[]", 2);
    assert_fails(ow_schema_load(heap.ctx, path, NULL, &schema), OW_ERR_FORMAT,
                 "s.json: expected an object {...}, got a list");
    ow_test_heap_end(&heap);
}

static bool stop_at(void *user, const ow_progress *progress)
{
    (void)progress;
    return --*(size_t *)user > 0;
}

/* A schema of 20,000 columns, stopped at every question that it asks. */
static void reading_can_be_stopped(void **state)
{
    enum { n_columns = 20000 };
    ow_test_heap heap;
    ow_schema *schema;
    ow_status status;
    (void)state;
    char *text = malloc(n_columns * 80), *end = text;
    assert_non_null(text);
    end += sprintf(end, "{\"schema_version\": \"1.0\", \"columns\": [");
    for (int j = 0; j < n_columns; j++)
        end += sprintf(end,
                       "%s{\"name\": \"x%d\", \"type\": \"continuous\", \"range\": [0, "
                       "1]}",
                       j > 0 ? "," : "", j);
    end += sprintf(end, "]}");
    const char *path = ow_test_path("wide.json", 0);
    ow_test_write_file(path, text, (size_t)(end - text));
    free(text);
    ow_test_heap_begin(&heap);
    size_t n = 0;
    do {
        size_t n_left = ++n;
        const ow_call call = {.size = sizeof call,
                              .progress = stop_at,
                              .progress_user = &n_left};
        status = ow_schema_load(heap.ctx, path, &call, &schema);
        if (status != OW_OK) assert_status(status, OW_ERR_CANCELLED);
        assert_true((schema != NULL) == (status == OW_OK));
        ow_schema_free(schema);
    } while (status != OW_OK);
    assert_true(n > 2);
    ow_test_heap_end(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_around_the_columns_is_read),
        cmocka_unit_test(the_version_must_be_ours),
        cmocka_unit_test(what_is_wrong_around_the_columns_is_named),
        cmocka_unit_test(layouts_are_tables_images_or_maps),
        cmocka_unit_test(a_few_bytes_cannot_ask_for_a_billion_columns),
        cmocka_unit_test(links_are_lists_of_columns),
        cmocka_unit_test(cut_at_every_byte_it_fails_with_a_sentence),
        cmocka_unit_test(a_text_too_large_is_not_even_parsed),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(a_file_loads_and_sweeps_like_a_text),
        cmocka_unit_test(reading_can_be_stopped),
    };
    return cmocka_run_group_tests_name("data/schema_file_read", tests, NULL, NULL);
}
