/* SPDX-License-Identifier: MIT */
/* Memory from the context: contents, sizes at the edge, and failing without losing
 * anything. */
#include "support/ow_test.h"

#include "base/memory/alloc.h"

/* The call gave NULL and this sentence. */
static void assert_none(const void *block, const char *text)
{
    assert_null(block);
    assert_non_null(strstr(ow_error_message(), text));
}

static void zeroed_blocks_are_zero(void **state)
{
    const ow_test_heap *heap = *state;
    for (int again = 0; again < 2; again++) { /* the second time in used memory */
        unsigned char *zeroed = owi_alloc_zeroed(heap->ctx, 999);
        unsigned char *array = owi_alloc_array(heap->ctx, 37, 27);
        for (size_t i = 0; i < 999; i++) assert_int_equal(zeroed[i] | array[i], 0);
        memset(zeroed, 0xaa, 999);
        memset(array, 0xaa, 999);
        owi_free(heap->ctx, zeroed);
        owi_free(heap->ctx, array);
    }
}

static void no_bytes_at_all_are_a_block_too(void **state)
{
    ow_test_heap *heap = *state;
    void *blocks[] = {
        owi_alloc(heap->ctx, 0),
        owi_alloc_zeroed(heap->ctx, 0),
        owi_alloc_array(heap->ctx, 0, SIZE_MAX),
        owi_alloc_array(heap->ctx, SIZE_MAX, 0),
        owi_resize_array(heap->ctx, NULL, 0, 8),
        owi_resize_array(heap->ctx, owi_alloc(heap->ctx, 10), 0, 8),
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        assert_non_null(blocks[i]);
        owi_free(heap->ctx, blocks[i]);
    }
    owi_free(heap->ctx, NULL);
    owi_free_aligned(heap->ctx, NULL);
}

static void products_that_overflow_fail_before_they_are_asked_for(void **state)
{
    ow_test_heap *heap = *state;
    const size_t half = SIZE_MAX / 2 + 1;
    heap->n_allowed = 0; /* the sentence tells that the allocator was not to blame */
    assert_none(owi_alloc_array(heap->ctx, half, 2), "no machine holds");
    assert_none(owi_alloc_array(heap->ctx, 2, half), "times");
    assert_none(owi_resize_array(heap->ctx, NULL, half, 2), "no machine holds");
    assert_none(owi_alloc_aligned(heap->ctx, half, 2), "no machine holds");
    assert_none(owi_alloc_aligned(heap->ctx, SIZE_MAX, 1), "no machine holds");
    assert_none(owi_alloc_aligned(heap->ctx, SIZE_MAX - 64, 1), "no machine holds");
    char text[64];
    snprintf(text, sizeof text, "no %zu bytes", SIZE_MAX);
    assert_none(owi_copy_text(heap->ctx, "", SIZE_MAX), text);
}

static void a_failing_allocator_gives_null_and_a_sentence(void **state)
{
    ow_test_heap *heap = *state;
    heap->n_allowed = 0;
    assert_none(owi_alloc(heap->ctx, 12), "no 12 bytes");
    assert_none(owi_alloc_zeroed(heap->ctx, 13), "no 13 bytes");
    assert_none(owi_alloc_array(heap->ctx, 7, 2), "no 14 bytes");
    assert_none(owi_resize_array(heap->ctx, NULL, 5, 3), "no 15 bytes");
    assert_none(owi_alloc_aligned(heap->ctx, 4, 4), "out of memory");
    assert_none(owi_copy_text(heap->ctx, "word", 4), "no 5 bytes");
    assert_none(owi_format_text(heap->ctx, "%d words", 10), "no 9 bytes");
}

static void resizing_keeps_the_contents(void **state)
{
    const ow_test_heap *heap = *state;
    int *numbers = owi_resize_array(heap->ctx, NULL, 10, sizeof *numbers);
    for (int i = 0; i < 10; i++) numbers[i] = i;
    numbers = owi_resize_array(heap->ctx, numbers, 5000, sizeof *numbers);
    for (int i = 0; i < 10; i++) assert_int_equal(numbers[i], i);
    numbers = owi_resize_array(heap->ctx, numbers, 3, sizeof *numbers);
    for (int i = 0; i < 3; i++) assert_int_equal(numbers[i], i);
    owi_free(heap->ctx, numbers);
}

static void a_block_that_cannot_be_resized_is_unchanged(void **state)
{
    ow_test_heap *heap = *state;
    char *block = owi_copy_text(heap->ctx, "as it was", 9);
    heap->n_allowed = 0;
    assert_none(owi_resize_array(heap->ctx, block, 1000, 1), "no 1000 bytes");
    assert_none(owi_resize_array(heap->ctx, block, SIZE_MAX, 2), "no machine holds");
    assert_string_equal(block, "as it was");
    owi_free(heap->ctx, block);
}

static void aligned_blocks_are_aligned_and_whole(void **state)
{
    const ow_test_heap *heap = *state;
    for (size_t size = 0; size < 200; size++) {
        void *shift = owi_alloc(heap->ctx, size); /* so that blocks begin anywhere */
        unsigned char *block = owi_alloc_aligned(heap->ctx, size, 3);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % owi_alignment, 0);
        memset(block, 0x55, 3 * size);
        owi_free_aligned(heap->ctx, block);
        owi_free(heap->ctx, shift);
    }
}

static void copied_text_ends_with_nul_and_may_hold_some(void **state)
{
    const ow_test_heap *heap = *state;
    char *copy = owi_copy_text(heap->ctx, "ab\0cd and more", 5);
    assert_memory_equal(copy, "ab\0cd", 6);
    owi_free(heap->ctx, copy);
    copy = owi_copy_text(heap->ctx, NULL, 0);
    assert_string_equal(copy, "");
    owi_free(heap->ctx, copy);
}

static void formatted_text_is_as_long_as_it_must_be(void **state)
{
    const ow_test_heap *heap = *state;
    char *text = owi_format_text(heap->ctx, "%s/%03d/%5000s|", "folder", 7, "");
    assert_non_null(text);
    assert_int_equal(strlen(text), 5012);
    assert_memory_equal(text, "folder/007/     ", 16);
    assert_string_equal(text + 5009, "  |");
    owi_free(heap->ctx, text);
}

static void a_growing_list_doubles(void **state)
{
    ow_test_heap *heap = *state;
    size_t *list = NULL, capacity = 0;
    heap->n_allowed = 11; /* 16, 32, ... 16384: each doubling takes one */
    for (size_t n = 0; n < 10000; n++) {
        assert_ok(owi_grow(heap->ctx, &list, &capacity, n + 1, sizeof *list));
        assert_true(capacity > n);
        list[n] = n;
    }
    for (size_t n = 0; n < 10000; n++) assert_int_equal(list[n], n);

    assert_ok(owi_grow(heap->ctx, &list, &capacity, capacity, sizeof *list));
    heap->n_allowed = SIZE_MAX;
    assert_ok(owi_grow(heap->ctx, &list, &capacity, 100000, sizeof *list));
    assert_int_equal(capacity, 100000); /* more than double: as wanted */
    owi_free(heap->ctx, list);
}

static void a_list_that_cannot_grow_is_unchanged(void **state)
{
    ow_test_heap *heap = *state;
    void *list = NULL, *before;
    size_t capacity = 0;
    assert_ok(owi_grow(heap->ctx, &list, &capacity, 3, 4));
    before = list;
    const size_t was = capacity;

    assert_fails(owi_grow(heap->ctx, &list, &capacity, SIZE_MAX, 4), OW_ERR_MEMORY,
                 "no machine holds");
    assert_fails(owi_grow(heap->ctx, &list, &capacity, SIZE_MAX / 4 + 1, 4), OW_ERR_MEMORY,
                 "no machine holds");
    heap->n_allowed = 0;
    assert_fails(owi_grow(heap->ctx, &list, &capacity, was + 1, 4), OW_ERR_MEMORY,
                 "out of memory");
    assert_ptr_equal(list, before);
    assert_int_equal(capacity, was);
    owi_free(heap->ctx, list);
}

/* The double of such a capacity overflows; what is wanted is asked for, not what is left of
 * the double. */
static void a_list_beyond_half_of_memory_grows_to_what_is_wanted(void **state)
{
    ow_test_heap *heap = *state;
    void *list = owi_alloc(heap->ctx, 1);
    size_t capacity = SIZE_MAX / 2 + 1;
    heap->n_allowed = 0;
    char text[64];
    snprintf(text, sizeof text, "no %zu bytes", SIZE_MAX / 2 + 2);
    assert_fails(owi_grow(heap->ctx, &list, &capacity, SIZE_MAX / 2 + 2, 1), OW_ERR_MEMORY,
                 text);
    owi_free(heap->ctx, list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(zeroed_blocks_are_zero, ow_test_set_up_heap,
                                        ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(no_bytes_at_all_are_a_block_too,
                                        ow_test_set_up_heap, ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(
            products_that_overflow_fail_before_they_are_asked_for, ow_test_set_up_heap,
            ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(a_failing_allocator_gives_null_and_a_sentence,
                                        ow_test_set_up_heap, ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(resizing_keeps_the_contents, ow_test_set_up_heap,
                                        ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(a_block_that_cannot_be_resized_is_unchanged,
                                        ow_test_set_up_heap, ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(aligned_blocks_are_aligned_and_whole,
                                        ow_test_set_up_heap, ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(copied_text_ends_with_nul_and_may_hold_some,
                                        ow_test_set_up_heap, ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(formatted_text_is_as_long_as_it_must_be,
                                        ow_test_set_up_heap, ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(a_growing_list_doubles, ow_test_set_up_heap,
                                        ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(a_list_that_cannot_grow_is_unchanged,
                                        ow_test_set_up_heap, ow_test_tear_down_heap),
        cmocka_unit_test_setup_teardown(
            a_list_beyond_half_of_memory_grows_to_what_is_wanted, ow_test_set_up_heap,
            ow_test_tear_down_heap),
    };
    return cmocka_run_group_tests_name("base/alloc", tests, NULL, NULL);
}
