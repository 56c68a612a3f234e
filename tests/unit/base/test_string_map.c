/* SPDX-License-Identifier: MIT */
/* Texts by number and numbers by text. */
#include "support/ow_test.h"

#include "base/text/string_map.h"

static size_t add(owi_string_map *map, const char *text)
{
    size_t index = SIZE_MAX;
    assert_ok(owi_string_map_add(map, text, strlen(text), &index));
    return index;
}

static void numbers_go_by_first_appearance(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_string_map *map;
    ow_test_heap_begin(&heap);
    assert_ok(owi_string_map_new(heap.ctx, &map));
    assert_int_equal(owi_string_map_find(map, "red", 3), SIZE_MAX);
    assert_int_equal(add(map, "red"), 0);
    assert_int_equal(add(map, "green"), 1);
    assert_int_equal(add(map, ""), 2);
    assert_int_equal(add(map, "red"), 0);
    assert_int_equal(add(map, "re"), 3);
    assert_int_equal(owi_string_map_count(map), 4);
    assert_int_equal(owi_string_map_find(map, "green and more", 5), 1);
    assert_int_equal(owi_string_map_find(map, "gree", 4), SIZE_MAX);
    assert_int_equal(owi_string_map_find(map, "", 0), 2);
    size_t length;
    assert_string_equal(owi_string_map_text(map, 1, &length), "green");
    assert_int_equal(length, 5);
    owi_string_map_free(map);
    owi_string_map_free(NULL);
    ow_test_heap_end(&heap);
}

/* Texts of 1 to 700 bytes: some share a block, some are larger than any block so far. */
static size_t make_text(size_t i, char *text, size_t size)
{
    const int n = snprintf(text, size, "%zu", i * 7919);
    const size_t length = i % 50 == 0 ? 700 : (size_t)n;
    for (size_t k = (size_t)n; k < length; k++) text[k] = 'x';
    return length;
}

static void thousands_of_texts_are_all_found_again_where_they_were(void **state)
{
    (void)state;
    enum { n = 20000 };
    ow_test_heap heap;
    owi_string_map *map;
    char text[1000];
    size_t index;
    ow_test_heap_begin(&heap);
    assert_ok(owi_string_map_new(heap.ctx, &map));
    const char *first = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t length = make_text(i, text, sizeof text);
        assert_ok(owi_string_map_add(map, text, length, &index));
        assert_int_equal(index, i);
        bytes += length;
        if (i == 0) first = owi_string_map_text(map, 0, NULL);
    }
    assert_ptr_equal(owi_string_map_text(map, 0, NULL), first);
    for (size_t i = 0; i < n; i++) {
        const size_t length = make_text(i, text, sizeof text);
        assert_int_equal(owi_string_map_find(map, text, length), i);
        size_t kept;
        assert_memory_equal(owi_string_map_text(map, i, &kept), text, length);
        assert_int_equal(kept, length);
        assert_int_equal(owi_string_map_text(map, i, NULL)[length], '\0');
    }
    const size_t held = owi_string_map_size(map);
    assert_true(held > bytes && held < 3 * bytes + n * 200);
    owi_string_map_free(map);
    ow_test_heap_end(&heap);
}

/* A failed add must leave the map whole, so it is used on after each failure. */
static ow_status fill(ow_context *ctx, void *user)
{
    (void)user;
    owi_string_map *map = NULL;
    ow_status status = owi_string_map_new(ctx, &map);
    for (size_t i = 0; status == OW_OK && i < 300; i++) {
        char text[1000];
        size_t index;
        const size_t length = make_text(i, text, sizeof text);
        status = owi_string_map_add(map, text, length, &index);
        assert_int_equal(owi_string_map_count(map), status == OW_OK ? i + 1 : i);
        assert_int_equal(owi_string_map_find(map, text, length),
                         status == OW_OK ? i : SIZE_MAX);
    }
    owi_string_map_free(map);
    return status;
}

static void running_out_of_memory_leaves_the_map_as_it_was(void **state)
{
    (void)state;
    ow_test_sweep(fill, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_go_by_first_appearance),
        cmocka_unit_test(thousands_of_texts_are_all_found_again_where_they_were),
        cmocka_unit_test(running_out_of_memory_leaves_the_map_as_it_was),
    };
    return cmocka_run_group_tests_name("base/string_map", tests, NULL, NULL);
}
