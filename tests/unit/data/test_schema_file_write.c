/* SPDX-License-Identifier: MIT */
/* Schema files as they are written, and written again after reading. */
#include "support/ow_test.h"

#include "data/schema/schema_private.h"

/* A table with one column of each type, two of them linked. */
static const char table[] =
    "{\n"
    "  \"schema_version\": \"1.0\",\n"
    "  \"rows\": 1000,\n"
    "  \"label\": {\"name\": \"risk\", \"classes\": [\"bad\", \"good\"], \"counts\": [300, "
    "690]},\n"
    "  \"layout\": \"table\",\n"
    "  \"level_order\": \"sorted\",\n"
    "  \"linked\": [[\"duration\", \"school\"]],\n"
    "  \"columns\": [\n"
    "    {\"name\": \"duration\", \"type\": \"integer\", \"range\": [0, 72], \"scaling\": "
    "\"log1p\",\n"
    "     \"immutable\": false, \"monotone\": \"up\",\n"
    "     \"mean\": 20.903, \"deviation\": 12.052783, \"log_mean\": 2.9, "
    "\"log_deviation\": "
    "0.1, \"missing\": 2},\n"
    "    {\"name\": \"housing \\\"\xC3\xA9\\\"\", \"type\": \"categorical\",\n"
    "     \"levels\": [\"own\", \"rent\"],\n"
    "     \"immutable\": true, \"missing\": 0},\n"
    "    {\"name\": \"school\", \"type\": \"ordinal\",\n"
    "     \"levels\": [\"low\", \"middle\", \"high\"],\n"
    "     \"immutable\": false, \"monotone\": \"down\", \"missing\": 0},\n"
    "    {\"name\": \"balance\", \"type\": \"continuous\", \"range\": [-0.5, 1e300], "
    "\"scaling\": \"minmax\",\n"
    "     \"immutable\": false, \"monotone\": \"none\",\n"
    "     \"decimals\": 2, \"mean\": 0.1, \"deviation\": 0.30000000000000004, \"missing\": "
    "0}\n"
    "  ]\n"
    "}\n";

static const char image[] =
    "{\n"
    "  \"schema_version\": \"1.0\",\n"
    "  \"rows\": 60000,\n"
    "  \"layout\": {\"kind\": \"image\", \"shape\": [28, 28]},\n"
    "  \"level_order\": \"appearance\",\n"
    "  \"every_column\": {\"type\": \"integer\", \"range\": [0, 255], \"scaling\": "
    "\"minmax\",\n"
    "   \"immutable\": false, \"monotone\": \"none\",\n"
    "   \"mean\": 33.3, \"deviation\": 78.5, \"log_mean\": 0.9, \"log_deviation\": 1.9, "
    "\"missing\": 0}\n"
    "}\n";

static ow_schema *parse(ow_context *ctx, const char *text)
{
    ow_schema *schema;
    assert_ok(ow_schema_parse(ctx, text, strlen(text), "s.json", &schema));
    return schema;
}

static void writes(const ow_schema *schema, const char *want)
{
    char *text;
    assert_ok(ow_schema_format(schema, &text));
    assert_string_equal(text, want);
    ow_bytes_free(text);
}

static void what_was_read_is_written_byte_for_byte(void **state)
{
    (void)state;
    static const char *const texts[] = {table, image};
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    for (size_t i = 0; i < 2; i++) {
        ow_schema *schema = parse(heap.ctx, texts[i]);
        writes(schema, texts[i]);
        ow_schema_free(schema);
    }
    ow_test_heap_end(&heap);
}

/* Whatever sets one pixel apart, the columns are then listed one by one. */
static void pixels_that_differ_are_listed(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    for (int change = 0; change < 7; change++) {
        ow_schema *schema = parse(heap.ctx, image);
        ow_column *c = &schema->columns[700];
        if (change == 0) c->immutable = true;
        if (change == 1) c->monotone = OW_MONOTONE_UP;
        if (change == 2) c->high = 254;
        if (change == 3) c->mean = 1;
        if (change == 4) c->log_mean = 1;
        if (change == 5) c->scaling = OW_SCALE_NONE;
        if (change == 6) c->name = "x0700";
        char *text, *again;
        assert_ok(ow_schema_format(schema, &text));
        assert_null(strstr(text, "every_column"));
        assert_non_null(strstr(text, "\"name\": \"x783\""));
        ow_schema *back = parse(heap.ctx, text);
        assert_ok(ow_schema_format(back, &again));
        assert_string_equal(text, again);
        ow_bytes_free(text);
        ow_bytes_free(again);
        ow_schema_free(schema);
        ow_schema_free(back);
    }
    ow_test_heap_end(&heap);
}

static void missing_pixels_are_counted_one_by_one_without_listing_the_columns(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    ow_schema *schema = parse(heap.ctx, image);
    schema->columns[2].n_missing = 5;
    char *text;
    assert_ok(ow_schema_format(schema, &text));
    assert_non_null(strstr(text, "\"missing\": [0, 0, 5, 0,"));
    ow_schema *back = parse(heap.ctx, text);
    assert_int_equal(ow_schema_column(back, 2)->n_missing, 5);
    assert_int_equal(ow_schema_column(back, 783)->n_missing, 0);
    writes(back, text);
    ow_bytes_free(text);
    ow_schema_free(schema);
    ow_schema_free(back);
    ow_test_heap_end(&heap);
}

static void a_saved_file_loads_as_the_same_schema(void **state)
{
    (void)state;
    ow_test_heap heap;
    const char *path = ow_test_path("table.schema.json", 0);
    ow_test_heap_begin(&heap);
    ow_schema *schema = parse(heap.ctx, table), *back;
    assert_ok(ow_schema_save(schema, path));
    char *bytes = ow_test_read_file(path, NULL);
    assert_string_equal(bytes, table);
    free(bytes);
    assert_ok(ow_schema_load(heap.ctx, path, NULL, &back));
    writes(back, table);
    ow_schema_free(schema);
    ow_schema_free(back);
    ow_test_heap_end(&heap);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    ow_schema *schema = parse(heap.ctx, table), *back;
    const char *path = ow_test_path("nowhere/s.json", 0);
    assert_fails(ow_schema_save(schema, path), OW_ERR_IO, "nowhere/s.json");
    assert_fails(ow_schema_load(heap.ctx, path, NULL, &back), OW_ERR_IO, "nowhere/s.json");
    assert_null(back);
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

/* The text of the next fenced block of a Markdown page; *page moves behind it.  Freed with
 * free. */
static char *take_block(const char **page, const char *language)
{
    char fence[16];
    snprintf(fence, sizeof fence, "```%s\n", language);
    const char *first = strstr(*page, fence);
    assert_non_null(first);
    first += strlen(fence);
    const char *end = strstr(first, "```");
    assert_non_null(end);
    char *text = calloc(1, (size_t)(end - first) + 1);
    memcpy(text, first, (size_t)(end - first));
    *page = end + 3;
    return text;
}

/* doc/schema.md: a CSV file, what the program makes of it, and two more schemas. */
static void the_examples_of_the_manual_are_true(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_reader *reader;
    ow_schema *schema;
    char *page = ow_test_read_file("doc/schema.md", NULL);
    const char *at = page, *const ordinal[] = {"savings=none|some|much"},
               *const immutable[] = {"age"};
    char *csv = take_block(&at, "csv"), *json = take_block(&at, "json"),
         *shortest = take_block(&at, "json"), *pixels = take_block(&at, "json");
    ow_test_heap_begin(&heap);
    assert_ok(
        ow_reader_open_memory(heap.ctx, csv, strlen(csv), "applicants.csv", NULL, &reader));
    const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                      .label = "risk",
                                      .ordinal = ordinal,
                                      .n_ordinal = 1,
                                      .immutable = immutable,
                                      .n_immutable = 1};
    assert_ok(ow_schema_infer(reader, &options, NULL, &schema));
    writes(schema, json);
    ow_reader_free(reader);
    ow_schema_free(schema);
    ow_schema_free(parse(heap.ctx, shortest));
    schema = parse(heap.ctx, pixels);
    writes(schema, pixels);
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
    free(csv);
    free(json);
    free(shortest);
    free(pixels);
    free(page);
}

static ow_status format_and_free(ow_context *ctx, void *user)
{
    ow_schema *schema = NULL;
    char *text = NULL;
    ow_status status = ow_schema_parse(ctx, user, strlen(user), "s.json", &schema);
    if (status == OW_OK) status = ow_schema_format(schema, &text);
    if (status == OW_OK) status = ow_schema_save(schema, ow_test_path("sweep.json", 1));
    ow_bytes_free(text);
    ow_schema_free(schema);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    char text[sizeof table];
    memcpy(text, table, sizeof table);
    ow_test_sweep(format_and_free, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_read_is_written_byte_for_byte),
        cmocka_unit_test(pixels_that_differ_are_listed),
        cmocka_unit_test(missing_pixels_are_counted_one_by_one_without_listing_the_columns),
        cmocka_unit_test(a_saved_file_loads_as_the_same_schema),
        cmocka_unit_test(a_folder_that_is_not_there_is_named),
        cmocka_unit_test(the_examples_of_the_manual_are_true),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/schema_file_write", tests, NULL, NULL);
}
