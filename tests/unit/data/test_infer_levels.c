/* SPDX-License-Identifier: MIT */
/* Levels in the order asked for. */
#include "support/ow_test.h"

#include "base/memory/alloc.h"
#include "data/infer/infer_levels.h"
#include "data/schema/schema_private.h"

/* Adds the words of a text. */
static ow_status add_words(owi_column_stats *stats, const char *words)
{
    ow_status status = OW_OK;
    while (*words != '\0' && status == OW_OK) {
        int32_t id;
        const size_t length = strcspn(words, " ");
        status =
            owi_column_stats_add(stats, &(owi_cell){.text = words, .length = length}, &id);
        words += length + (words[length] == ' ');
    }
    return status;
}

static void come_as(ow_context *ctx, const char *words, ow_level_order order,
                    const char *want)
{
    owi_column_stats stats;
    owi_level *levels;
    size_t n;
    char got[200] = "";
    owi_column_stats_begin(&stats, ctx, "x", true, 10);
    assert_ok(add_words(&stats, words));
    assert_ok(owi_list_levels(&stats, order, &levels, &n));
    for (size_t k = 0; k < n; k++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s:%zu", k > 0 ? " " : "",
                 levels[k].text, levels[k].count);
    assert_string_equal(got, want);
    owi_free(ctx, levels);
    owi_column_stats_clear(&stats);
}

static void levels_are_sorted_by_bytes_or_by_number_or_as_they_appeared(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    come_as(heap.ctx, "b a Z b ab \xC3\xA9", OW_LEVELS_SORTED,
            "Z:1 a:1 ab:1 b:2 \xC3\xA9:1");
    come_as(heap.ctx, "b a Z b ab", OW_LEVELS_BY_APPEARANCE, "b:2 a:1 Z:1 ab:1");
    come_as(heap.ctx, "10 9 -1 1e1 9", OW_LEVELS_SORTED, "-1:1 9:2 10:1 1e1:1");
    come_as(heap.ctx, "1e1 10", OW_LEVELS_SORTED, "10:1 1e1:1");
    come_as(heap.ctx, "10 9 x", OW_LEVELS_SORTED, "10:1 9:1 x:1");
    come_as(heap.ctx, "10 9 10", OW_LEVELS_BY_APPEARANCE, "10:2 9:1");
    come_as(heap.ctx, "", OW_LEVELS_SORTED, "");
    ow_test_heap_end(&heap);
}

static ow_status give(ow_context *ctx, const char *words, const char *given,
                      ow_schema **out)
{
    owi_column_stats stats;
    ow_column *column;
    owi_column_stats_begin(&stats, ctx, "size", true, 10);
    ow_status status = owi_schema_new(ctx, 1, out);
    if (status == OW_OK) status = owi_schema_add_column(*out, "size", 4, &column);
    if (status == OW_OK) status = add_words(&stats, words);
    if (status == OW_OK) status = owi_add_given_levels(*out, 0, given, &stats);
    owi_column_stats_clear(&stats);
    return status;
}

static void given_levels_stand_in_their_order_and_need_not_all_occur(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_ok(give(heap.ctx, "large small", "small|medium|large", &schema));
    assert_int_equal(owi_string_map_count(schema->levels[0]), 3);
    assert_string_equal(owi_string_map_text(schema->levels[0], 1, NULL), "medium");
    ow_schema_free(schema);
    assert_ok(give(heap.ctx, "", "one", &schema));
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void given_levels_must_be_whole(void **state)
{
    (void)state;
    static const struct {
        const char *words, *given, *sentence;
    } cases[] = {
        {"large huge", "small|large",
         "column \"size\" has the level \"huge\", which is not in small|large"},
        {"a", "a||b", "column \"size\": a level is empty in \"a||b\""},
        {"a", "a|", "a level is empty in \"a|\""},
        {"a", "", "a level is empty in \"\""},
        {"a", "a|b|a", "column \"size\": the level \"a\" stands there twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ow_test_heap heap;
        ow_schema *schema;
        ow_test_heap_begin(&heap);
        assert_fails(give(heap.ctx, cases[i].words, cases[i].given, &schema),
                     OW_ERR_ARGUMENT, cases[i].sentence);
        ow_schema_free(schema);
        ow_test_heap_end(&heap);
    }
}

static ow_status give_and_free(ow_context *ctx, void *user)
{
    (void)user;
    ow_schema *schema = NULL;
    const ow_status status = give(ctx, "b a", "a|b|c", &schema);
    ow_schema_free(schema);
    return status;
}

static ow_status list_and_free(ow_context *ctx, void *user)
{
    (void)user;
    owi_column_stats stats;
    owi_level *levels = NULL;
    size_t n;
    owi_column_stats_begin(&stats, ctx, "x", true, 10);
    ow_status status = add_words(&stats, "b a c");
    if (status == OW_OK) status = owi_list_levels(&stats, OW_LEVELS_SORTED, &levels, &n);
    owi_free(ctx, levels);
    owi_column_stats_clear(&stats);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(give_and_free, NULL);
    ow_test_sweep(list_and_free, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_sorted_by_bytes_or_by_number_or_as_they_appeared),
        cmocka_unit_test(given_levels_stand_in_their_order_and_need_not_all_occur),
        cmocka_unit_test(given_levels_must_be_whole),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/infer_levels", tests, NULL, NULL);
}
