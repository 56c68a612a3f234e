/* SPDX-License-Identifier: MIT */
/* Blocks that the library hands out. */
#include "support/ow_test.h"

static void new_blocks_are_zero_and_aligned(void **state)
{
    ow_context *ctx = ow_test_context(state);
    for (size_t size = 0; size < 100; size++) {
        unsigned char *bytes = ow_bytes_new(ctx, size);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
        memset(bytes, 7, size);
        ow_bytes_free(bytes);
    }
    ow_bytes_free(NULL);
}

static void a_resized_block_keeps_its_bytes(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char *bytes = ow_bytes_resize(ctx, NULL, 3);
    assert_non_null(bytes);
    memcpy(bytes, "abc", 3);
    bytes = ow_bytes_resize(ctx, bytes, 100000);
    assert_memory_equal(bytes, "abc", 3);
    bytes = ow_bytes_resize(ctx, bytes, 2);
    assert_memory_equal(bytes, "ab", 2);
    ow_bytes_free(bytes);
}

static void a_block_may_outlive_its_context(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    char *bytes = ow_bytes_new(ctx, 4);
    ow_context_free(ctx);
    memcpy(bytes, "late", 4);
    ow_bytes_free(bytes);
}

static void too_much_is_a_sentence(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_null(ow_bytes_new(ctx, SIZE_MAX));
    assert_non_null(strstr(ow_error_message(), "out of memory"));
    char *bytes = ow_bytes_new(ctx, 1);
    assert_null(ow_bytes_resize(ctx, bytes, SIZE_MAX - 1));
    ow_bytes_free(bytes);
}

static ow_status make_one(ow_context *ctx, void *user)
{
    (void)user;
    char *bytes = ow_bytes_new(ctx, 10);
    if (bytes == NULL) return OW_ERR_MEMORY;
    char *larger = ow_bytes_resize(ctx, bytes, 20);
    ow_bytes_free(larger != NULL ? larger : bytes);
    return larger != NULL ? OW_OK : OW_ERR_MEMORY;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    ow_test_sweep(make_one, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(new_blocks_are_zero_and_aligned),
        ow_test_on_heap(a_resized_block_keeps_its_bytes),
        cmocka_unit_test(a_block_may_outlive_its_context),
        ow_test_on_heap(too_much_is_a_sentence),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("base/bytes", tests, NULL, NULL);
}
