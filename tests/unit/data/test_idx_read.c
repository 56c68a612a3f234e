/* SPDX-License-Identifier: MIT */
/* IDX files: MNIST's format. */
#include "support/rows_fixture.h"

/* Two images of 2 x 3 pixels. */
static const unsigned char images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0,   0, 2,  0,  0,
                                       0, 3, 1, 2, 3, 4, 5, 6, 7, 255, 9, 10, 11, 12};

static ow_test_rows read_good(ow_context *ctx, const void *bytes, size_t size)
{
    ow_test_rows rows;
    assert_ok(ow_test_rows_read(ctx, bytes, size, "a.idx", &rows));
    return rows;
}

#define assert_bad(bytes, size, sentence)                                                  \
    do {                                                                                   \
        ow_test_rows bad_rows;                                                             \
        assert_fails(ow_test_rows_read(ctx, bytes, size, "a.idx", &bad_rows),              \
                     OW_ERR_FORMAT, sentence);                                             \
    } while (0)

static void images_are_rows_of_pixels(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_rows rows = read_good(ctx, images, sizeof images);
    const double want[] = {1, 2, 3, 4, 5, 6, 7, 255, 9, 10, 11, 12};
    assert_int_equal(rows.n_rows, 2);
    assert_int_equal(rows.n_columns, 6);
    ow_test_assert_layout(rows.layout, (ow_layout){OW_LAYOUT_IMAGE, 2, 3, 1});
    assert_close(rows.numbers, want, 12, 0.0);
    ow_test_rows_clear(&rows);
}

/* The same twelve numbers under every rank. */
static void the_rank_decides_columns_and_layout(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const struct {
        size_t rank;
        unsigned char shape[5];
        size_t n_rows;
        ow_layout layout;
    } shapes[] = {
        {1, {12}, 12, {OW_LAYOUT_TABLE, 0, 0, 0}},
        {2, {3, 4}, 3, {OW_LAYOUT_TABLE, 0, 0, 0}},
        {3, {1, 3, 4}, 1, {OW_LAYOUT_IMAGE, 3, 4, 1}},
        {4, {2, 1, 3, 2}, 2, {OW_LAYOUT_MAP, 1, 3, 2}},
        {5, {3, 1, 2, 1, 2}, 3, {OW_LAYOUT_TABLE, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        unsigned char bytes[4 + 5 * 4 + 12] = {0, 0, 9, (unsigned char)shapes[i].rank};
        double want[12];
        for (size_t d = 0; d < shapes[i].rank; d++)
            bytes[4 + 4 * d + 3] = shapes[i].shape[d];
        const size_t head = 4 + 4 * shapes[i].rank;
        for (size_t k = 0; k < 12; k++) {
            bytes[head + k] = (unsigned char)(k * 20);
            want[k] = k * 20 < 128 ? (double)(k * 20) : (double)(k * 20) - 256;
        }
        ow_test_rows rows = read_good(ctx, bytes, head + 12);
        assert_int_equal(rows.n_rows, shapes[i].n_rows);
        assert_int_equal(rows.n_rows * rows.n_columns, 12);
        ow_test_assert_layout(rows.layout, shapes[i].layout);
        assert_close(rows.numbers, want, 12, 0.0);
        ow_test_rows_clear(&rows);
    }
}

static void every_element_type_is_read_big_endian(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const struct {
        unsigned char type, size, bytes[8];
        double want;
    } types[] = {
        {0x08, 1, {200}, 200},
        {0x09, 1, {200}, -56},
        {0x0b, 2, {0xff, 0x01}, -255},
        {0x0c, 4, {0, 1, 0, 2}, 65538},
        {0x0d, 4, {0xbf, 0xc0, 0, 0}, -1.5},
        {0x0d, 4, {0x7f, 0xc0, 0, 0}, NAN},
        {0x0e, 8, {0x3f, 0xf8, 0, 0, 0, 0, 0, 0}, 1.5},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        unsigned char bytes[16] = {0, 0, types[i].type, 1, 0, 0, 0, 1};
        memcpy(bytes + 8, types[i].bytes, types[i].size);
        ow_test_rows rows = read_good(ctx, bytes, 8 + (size_t)types[i].size);
        assert_int_equal(rows.n_rows, 1);
        assert_close(rows.numbers, &types[i].want, 1, 0.0);
        ow_test_rows_clear(&rows);
    }
}

static void an_infinity_is_named_with_its_row_and_column(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const unsigned char bytes[] = {0, 0, 0x0d, 2, 0, 0, 0,    2,    0, 0, 0, 2, 0, 0,
                                   0, 0, 0,    0, 0, 0, 0xff, 0x80, 0, 0, 0, 0, 0, 0};
    assert_bad(bytes, sizeof bytes,
               "a.idx: row 2: column x0: expected a finite number, got -inf");
}

static void a_bad_head_is_described(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_bad("\0\0\x0a\x01", 4, "got 0x0a");
    assert_bad("\0\0\x08\x00", 4, "a.idx: expected an IDX rank from 1 to 32, got 0");
    assert_bad("\0\0\x08\x21", 4, "rank from 1 to 32, got 33");
    assert_bad("\0\0\x08", 3, "ends in its IDX head, expected 4 bytes, got 3");
    assert_bad("\0\0\x08\x02\0\0\0\x05\0", 9, "expected 12 bytes, got 9");
    assert_bad("\0\0\x08\x02\0\0\0\0\0\0\0\x05", 12,
               "no rows: the array has 0 x 5 elements");
    assert_bad("\0\0\x08\x02\0\0\0\x05\0\0\0\0", 12, "the array has 5 x 0 elements");
    assert_bad(
        "\0\0\x0e\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16,
        "a.idx: no file holds an array of 4294967295 x 4294967295 x 4294967295 elements");
    assert_bad("\0\0\x08\x03\0\0\0\x01\0\x10\0\x01\0\0\0\x01", 16,
               "a.idx: 1048577 columns (1 x 1048577 x 1), at most 1048576 are possible");
}

static void bytes_missing_or_left_over_are_counted(void **state)
{
    ow_context *ctx = ow_test_context(state);
    unsigned char longer[sizeof images + 5000] = {0};
    memcpy(longer, images, sizeof images);
    const char *expected = "a.idx: expected 12 bytes of elements (2 x 2 x 3 of 1), "
                           "got ";
    const size_t sizes[] = {16, 17, 21, 22, 27, 29, 30, sizeof longer};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char want[200];
        const size_t got = sizes[i] - 16;
        snprintf(want, sizeof want, "%s%zu%s", expected, got < 4108 ? got : 4108,
                 got < 4108 ? "" : " or more");
        assert_bad(longer, sizes[i], want);
        assert_string_equal(ow_error_message(), want);
    }
}

static void a_file_cut_anywhere_is_an_error(void **state)
{
    (void)state;
    ow_test_rows_cut_everywhere(images, sizeof images, "a.idx");
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    ow_test_rows_sweep(images, sizeof images, "a.idx");
}

/* ---- MNIST ---- */

static void assert_mnist(ow_context *ctx, const char *images_name, const char *labels_name,
                         size_t n_rows, const size_t digit_counts[10], double mean_pixel)
{
    size_t counts[10] = {0};
    char *bytes;
    size_t size;
    ow_test_rows rows;

    bytes = ow_test_read_file(ow_test_data_file(labels_name), &size);
    assert_ok(ow_test_rows_read(ctx, bytes, size, "labels", &rows));
    free(bytes);
    assert_int_equal(rows.n_rows, n_rows);
    assert_int_equal(rows.n_columns, 1);
    for (size_t i = 0; i < n_rows; i++) {
        assert_in_range(rows.numbers[i], 0, 9);
        counts[(size_t)rows.numbers[i]]++;
    }
    for (size_t digit = 0; digit < 10; digit++)
        assert_int_equal(counts[digit], digit_counts[digit]);
    ow_test_rows_clear(&rows);

    bytes = ow_test_read_file(ow_test_data_file(images_name), &size);
    assert_ok(ow_test_rows_read(ctx, bytes, size, "images", &rows));
    free(bytes);
    const ow_layout layout = {OW_LAYOUT_IMAGE, 28, 28, 1};
    assert_int_equal(rows.n_rows, n_rows);
    ow_test_assert_layout(rows.layout, layout);
    double sum = 0;
    for (size_t i = 0; i < n_rows * 784; i++) sum += rows.numbers[i];
    sum /= (double)n_rows * 784 * 255;
    assert_close(&sum, &mean_pixel, 1, 5e-5);
    ow_test_rows_clear(&rows);
}

/* Counts as in the publisher's description; the mean of the training pixels is the 0.1307
 * that everybody normalizes MNIST with, and 0.1325 that of the test pixels. */
static void mnist_test_files_have_their_rows_and_digits(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const size_t counts[10] = {980, 1135, 1032, 1010, 982,
                                      892, 958,  1028, 974,  1009};
    assert_mnist(ctx, "mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz",
                 10000, counts, 0.1325);
}

static void mnist_training_files_have_their_rows_and_digits(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const size_t counts[10] = {5923, 6742, 5958, 6131, 5842,
                                      5421, 5918, 6265, 5851, 5949};
    assert_mnist(ctx, "mnist/train-images-idx3-ubyte.gz",
                 "mnist/train-labels-idx1-ubyte.gz", 60000, counts, 0.1307);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(images_are_rows_of_pixels),
        ow_test_on_heap(the_rank_decides_columns_and_layout),
        ow_test_on_heap(every_element_type_is_read_big_endian),
        ow_test_on_heap(an_infinity_is_named_with_its_row_and_column),
        ow_test_on_heap(a_bad_head_is_described),
        ow_test_on_heap(bytes_missing_or_left_over_are_counted),
        ow_test_on_heap(a_file_cut_anywhere_is_an_error),
        ow_test_on_heap(running_out_of_memory_leaks_nothing),
        ow_test_on_heap(mnist_test_files_have_their_rows_and_digits),
        ow_test_on_heap(mnist_training_files_have_their_rows_and_digits),
    };
    return cmocka_run_group_tests_name("data/idx_read", tests, NULL, NULL);
}
