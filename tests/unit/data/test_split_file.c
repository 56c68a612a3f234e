/* SPDX-License-Identifier: MIT */
/* Splits that come in a file. */
#include "support/ow_test.h"

static const char *write_split(const char *text)
{
    const char *path = ow_test_path("split.txt", 0);
    ow_test_write_file(path, text, strlen(text));
    return path;
}

/* The file means these four rows. */
static void assert_reads(ow_context *ctx, const char *text, const bool want[4])
{
    bool is_test[4];
    assert_ok(ow_split_by_file(ctx, write_split(text), 4, NULL, is_test));
    assert_memory_equal(is_test, want, sizeof is_test);
}

static void the_last_field_of_each_line_decides(void **state)
{
    const ow_test_heap *heap = *state;
    const bool want[] = {true, false, false, true};
    assert_reads(heap->ctx, "test\ntrain\ntrain\ntest\n", want);
    assert_reads(heap->ctx, "0\n1\n1\n0\n", want);
    assert_reads(heap->ctx, "1 0\n2 1\n3 1\n4 0\n", want);
    assert_reads(heap->ctx, "a,b,test\r\na,b,train\r\na,\"b,c\",1\r\na,b,0", want);
    assert_reads(heap->ctx, "\xef\xbb\xbfTest\nTRAIN\ntrain\nTEST\n\n\n", want);
    assert_reads(heap->ctx, "id\ttest\nid\ttrain\nid\ttrain\nid\ttest\n", want);
}

static void anything_else_is_named_with_its_line(void **state)
{
    const ow_test_heap *heap = *state;
    bool is_test[4];
    assert_fails(ow_split_by_file(heap->ctx, write_split("a 1\nb 2\nc 1\nd 0\n"), 4, NULL,
                                  is_test),
                 OW_ERR_FORMAT,
                 "split.txt:2: the last field is \"2\", expected train or test, or 1 or 0");
    assert_fails(ow_split_by_file(heap->ctx, write_split("row,part\n1,train\n"), 1, NULL,
                                  is_test),
                 OW_ERR_FORMAT, "split.txt:1: the last field is \"part\"");
    assert_fails(ow_split_by_file(heap->ctx, write_split("train\nNA\n"), 2, NULL, is_test),
                 OW_ERR_FORMAT, "split.txt:2: the last field is \"NA\"");
    assert_fails(ow_split_by_file(heap->ctx, write_split("testing\n"), 1, NULL, is_test),
                 OW_ERR_FORMAT, "\"testing\"");
}

static void there_must_be_as_many_lines_as_rows(void **state)
{
    const ow_test_heap *heap = *state;
    bool is_test[5] = {false};
    const char *path = write_split("test\ntest\ntrain\n");
    assert_fails(ow_split_by_file(heap->ctx, path, 4, NULL, is_test), OW_ERR_FORMAT,
                 "split.txt: 3 lines, expected one for each of 4 rows");
    assert_fails(ow_split_by_file(heap->ctx, path, 2, NULL, is_test), OW_ERR_FORMAT,
                 "split.txt: 3 lines, expected one for each of 2 rows");
}

static void a_file_that_cannot_be_read_is_said(void **state)
{
    const ow_test_heap *heap = *state;
    bool is_test[1];
    assert_fails(ow_split_by_file(heap->ctx, ow_test_path("absent.txt", 1), 1, NULL,
                                  is_test),
                 OW_ERR_IO, "absent.txt: No such file");
    assert_fails(ow_split_by_file(heap->ctx, "x", 1, NULL, NULL), OW_ERR_ARGUMENT,
                 "is_test != NULL");
}

static ow_status read_split(ow_context *ctx, void *path)
{
    bool is_test[2];
    return ow_split_by_file(ctx, path, 2, NULL, is_test);
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s", write_split("train\ntest\n"));
    ow_test_sweep(read_split, path);
}

/* 11788 images: 5994 for training, 5794 for testing. */
static void the_split_of_cub_reads_as_it_comes(void **state)
{
    const ow_test_heap *heap = *state;
    enum { n_rows = 11788 };
    static bool is_test[n_rows];
    const char *path = ow_test_data_file("cub/train_test_split.txt");
    assert_ok(ow_split_by_file(heap->ctx, path, n_rows, NULL, is_test));
    size_t n_test = 0;
    for (size_t i = 0; i < n_rows; i++) n_test += is_test[i];
    assert_int_equal(n_test, 5794);
    assert_true(is_test[0]);
    assert_false(is_test[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_field_of_each_line_decides),
        cmocka_unit_test(anything_else_is_named_with_its_line),
        cmocka_unit_test(there_must_be_as_many_lines_as_rows),
        cmocka_unit_test(a_file_that_cannot_be_read_is_said),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
        cmocka_unit_test(the_split_of_cub_reads_as_it_comes),
    };
    return cmocka_run_group_tests_name("data/split_file", tests, ow_test_set_up_heap,
                                       ow_test_tear_down_heap);
}
