/* SPDX-License-Identifier: MIT */
/* Files out of archives on disk. */
#include "datasets/unzip_file.h"
#include "support/ow_test.h"

/* A stored member, as an archiver writes it: the smallest archive there is. */
static const unsigned char archive[] =
    "PK\3\4\24\0\0\0\0\0\0\0\0\0\xc2\x41\x24\x35\3\0\0\0\3\0\0\0\1\0\0\0"
    "fabc"
    "PK\1\2\24\0\24\0\0\0\0\0\0\0\0\0\xc2\x41\x24\x35\3\0\0\0\3\0\0\0\1\0\0\0\0\0\0\0\0\0"
    "\0\0\0\0\0\0\0\0"
    "f"
    "PK\5\6\0\0\0\0\1\0\1\0\x2f\0\0\0\x22\0\0\0\0\0";

static ow_status unzip(ow_context *ctx, void *user)
{
    (void)user;
    return unzip_file(ctx, ow_test_path("a.zip", 0), "f", ow_test_path("f", 1));
}

static void a_member_is_written_whole_or_not_at_all(void **state)
{
    ow_context *ctx = ow_test_context(state);
    size_t size;
    ow_test_write_file(ow_test_path("a.zip", 0), archive, sizeof archive - 1);
    assert_ok(unzip(ctx, NULL));
    char *text = ow_test_read_file(ow_test_path("f", 1), &size);
    assert_int_equal(size, 3);
    assert_memory_equal(text, "abc", 3);
    free(text);

    assert_fails(unzip_file(ctx, ow_test_path("a.zip", 0), "g", ow_test_path("g", 2)),
                 OW_ERR_FORMAT, "holds no g");
    FILE *file = fopen(ow_test_path("g", 2), "rb");
    assert_null(file);
    assert_status(unzip_file(ctx, ow_test_path("no.zip", 3), "f", ow_test_path("h", 4)),
                  OW_ERR_IO);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    ow_test_write_file(ow_test_path("a.zip", 0), archive, sizeof archive - 1);
    ow_test_sweep(unzip, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_member_is_written_whole_or_not_at_all),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("cli/unzip_file", tests, NULL, NULL);
}
