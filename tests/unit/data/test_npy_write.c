/* SPDX-License-Identifier: MIT */
/* NPY files as NumPy writes them. */
#include "support/ow_test.h"

/* The file is this dictionary, padded to 128 bytes with the ten before it, and these
 * elements. */
static void assert_file(const char *path, const char *dictionary, const void *elements,
                        size_t size)
{
    char want[128];
    memset(want, ' ', sizeof want);
    memcpy(want, "\x93NUMPY\x01\x00\x76\x00", 10); /* 0x76 = 118 = 128 - 10 */
    memcpy(want + 10, dictionary, strlen(dictionary));
    want[127] = '\n';

    size_t got_size;
    char *got = ow_test_read_file(path, &got_size);
    assert_int_equal(got_size, sizeof want + size);
    assert_memory_equal(got, want, sizeof want);
    if (size > 0) assert_memory_equal(got + sizeof want, elements, size);
    free(got);
}

/* The expected bytes are those that numpy.save writes for the same arrays on a
 * little-endian machine (NumPy 1.24). */
static void files_are_those_of_numpy_save(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("a.npy", 0);
    const float floats[6] = {0, 1, 2.5f, -3, 4e10f, NAN};
    const unsigned char bytes_of_1_5[8] = {0, 0, 0, 0, 0, 0, 0xf8, 0x3f};
    const double one_and_a_half = 1.5;
    const int32_t integers[2] = {1, -1};
    const int64_t large[1] = {1};

    assert_ok(
        ow_npy_write(ctx, path, OW_ELEMENT_FLOAT32, 2, (const size_t[]){2, 3}, floats));
    assert_file(path, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", floats,
                sizeof floats);
    assert_ok(ow_npy_write(ctx, path, OW_ELEMENT_FLOAT64, 0, NULL, &one_and_a_half));
    assert_file(path, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
                bytes_of_1_5, 8);
    assert_ok(ow_npy_write(ctx, path, OW_ELEMENT_INT32, 1, (const size_t[]){2}, integers));
    assert_file(path, "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }",
                "\x01\0\0\0\xff\xff\xff\xff", 8);
    assert_ok(
        ow_npy_write(ctx, path, OW_ELEMENT_INT64, 3, (const size_t[]){1, 1, 1}, large));
    assert_file(path, "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1, 1), }",
                "\x01\0\0\0\0\0\0\0", 8);
    assert_ok(ow_npy_write(ctx, path, OW_ELEMENT_UINT8, 2, (const size_t[]){2, 2}, "abcd"));
    assert_file(path, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }", "abcd",
                4);
    assert_ok(ow_npy_write(ctx, path, OW_ELEMENT_UINT8, 2, (const size_t[]){0, 2}, NULL));
    assert_file(path, "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 2), }", NULL,
                0);
}

static void a_shape_that_no_memory_holds_is_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("never.npy", 0);
    const size_t shape[33] = {SIZE_MAX, 2};
    assert_fails(ow_npy_write(ctx, path, OW_ELEMENT_UINT8, 2, shape, "x"), OW_ERR_ARGUMENT,
                 "never.npy");
    assert_fails(ow_npy_write(ctx, path, OW_ELEMENT_INT64, 1, shape, "x"), OW_ERR_ARGUMENT,
                 "more elements");
    assert_fails(ow_npy_write(ctx, path, OW_ELEMENT_UINT8, 33, shape, "x"), OW_ERR_ARGUMENT,
                 "rank");
    assert_fails(ow_npy_write(ctx, path, (ow_element_type)99, 0, NULL, "x"),
                 OW_ERR_ARGUMENT, "type");
}

static void a_failing_file_is_reported(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const double many[20000];
    const size_t shape[1] = {20000};
    assert_fails(ow_npy_write(ctx, ow_test_path("nowhere/a.npy", 0), OW_ELEMENT_FLOAT64, 1,
                              shape, many),
                 OW_ERR_IO, "nowhere/a.npy");
    assert_fails(ow_npy_write(ctx, "/dev/full", OW_ELEMENT_FLOAT64, 1, shape, many),
                 OW_ERR_IO, "/dev/full: No space left");
}

static ow_status write_small(ow_context *ctx, void *user)
{
    return ow_npy_write(ctx, user, OW_ELEMENT_UINT8, 1, (const size_t[]){4}, "abcd");
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s", ow_test_path("swept.npy", 0));
    ow_test_sweep(write_small, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(files_are_those_of_numpy_save),
        ow_test_on_heap(a_shape_that_no_memory_holds_is_refused),
        ow_test_on_heap(a_failing_file_is_reported),
        ow_test_on_heap(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests_name("data/npy_write", tests, NULL, NULL);
}
