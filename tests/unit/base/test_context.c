/* SPDX-License-Identifier: MIT */
/* The context: where memory comes from, who hears messages and progress, what was set. */
#include "support/ow_test.h"

#include "base/clock.h"
#include "base/context.h"
#include "base/memory/alloc.h"

static ow_context *new_context(void)
{
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    return ctx;
}

static void without_an_allocator_memory_comes_from_malloc(void **state)
{
    (void)state;
    ow_context *ctx = new_context();
    char *block = owi_alloc(ctx, 10);
    block = owi_resize_array(ctx, block, 20, 1);
    assert_non_null(block);
    memset(block, 1, 20);
    owi_free(ctx, block);
    ow_context_free(ctx);
    ow_context_free(NULL);
}

static void *refuse(void *user, size_t size)
{
    (void)user, (void)size;
    return NULL;
}

static void *refuse_resize(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
    return NULL;
}

static void release_nothing(void *user, void *block)
{
    (void)user, (void)block;
}

static void an_allocator_without_memory_makes_no_context(void **state)
{
    (void)state;
    const ow_allocator empty = {NULL, refuse, refuse_resize, release_nothing};
    ow_context *ctx = (ow_context *)&ctx;
    assert_fails(ow_context_new(&empty, &ctx), OW_ERR_MEMORY, "no room for a context");
    assert_null(ctx);
}

static void an_allocator_has_to_be_complete(void **state)
{
    (void)state;
    const ow_allocator parts[] = {
        {NULL, NULL, refuse_resize, release_nothing},
        {NULL, refuse, NULL, release_nothing},
        {NULL, refuse, refuse_resize, NULL},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        ow_context *ctx = (ow_context *)&ctx;
        assert_fails(ow_context_new(&parts[i], &ctx), OW_ERR_ARGUMENT, "allocate != NULL");
        assert_null(ctx);
    }
    assert_fails(ow_context_new(NULL, NULL), OW_ERR_ARGUMENT, "out != NULL");
}

static void the_temporary_folder_is_copied_and_can_be_taken_back(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    char folder[] = "somewhere";
    assert_ok(ow_context_new(NULL, &ctx));
    assert_string_equal(ow_context_temporary_folder(ctx), "/var/tmp");
    assert_ok(ow_context_set_temporary_folder(ctx, folder));
    folder[0] = 'S';
    assert_string_equal(ow_context_temporary_folder(ctx), "somewhere");
    assert_ok(ow_context_set_temporary_folder(ctx, "elsewhere"));
    assert_string_equal(ow_context_temporary_folder(ctx), "elsewhere");
    assert_ok(ow_context_set_temporary_folder(ctx, NULL));
    assert_string_equal(ow_context_temporary_folder(ctx), "/var/tmp");
    assert_ok(ow_context_set_temporary_folder(ctx, "freed with the context"));
    ow_context_free(ctx);
}

static void messages_below_the_level_are_not_heard(void **state)
{
    (void)state;
    ow_context *ctx = new_context();
    ow_test_log log;
    ow_test_log_attach(&log, ctx, OW_LOG_WARN);
    owi_log(ctx, OW_LOG_DEBUG, "too small");
    owi_log(ctx, OW_LOG_INFO, "too small");
    owi_log(ctx, OW_LOG_WARN, "row %d, column %s", 17, "age");
    owi_log(ctx, OW_LOG_ERROR, "%s", "100 %");
    assert_string_equal(log.text, "row 17, column age\n100 %\n");
    assert_int_equal(log.n_messages, 2);

    ow_test_log_attach(&log, ctx, OW_LOG_DEBUG);
    owi_log(ctx, OW_LOG_DEBUG, "now heard");
    assert_string_equal(log.text, "now heard\n");
    ow_context_free(ctx);
}

static void nobody_listening_is_silence(void **state)
{
    (void)state;
    ow_context *ctx = new_context();
    owi_log(ctx, OW_LOG_ERROR, "unheard");
    ow_context_set_log(ctx, NULL, NULL, OW_LOG_DEBUG);
    owi_log(ctx, OW_LOG_ERROR, "unheard");
    ow_context_free(ctx);
}

static void a_message_too_long_is_cut_not_overrun(void **state)
{
    (void)state;
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    ow_context *ctx = new_context();
    ow_test_log log;
    ow_test_log_attach(&log, ctx, OW_LOG_DEBUG);
    owi_log(ctx, OW_LOG_INFO, "%s", long_text);
    assert_in_range(strlen(log.text), 500, 1024);
    ow_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_allocator_memory_comes_from_malloc),
        cmocka_unit_test(an_allocator_without_memory_makes_no_context),
        cmocka_unit_test(an_allocator_has_to_be_complete),
        cmocka_unit_test(the_temporary_folder_is_copied_and_can_be_taken_back),
        cmocka_unit_test(messages_below_the_level_are_not_heard),
        cmocka_unit_test(nobody_listening_is_silence),
        cmocka_unit_test(a_message_too_long_is_cut_not_overrun),
    };
    return cmocka_run_group_tests_name("base/context", tests, NULL, NULL);
}
