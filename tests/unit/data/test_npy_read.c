/* SPDX-License-Identifier: MIT */
/* NPY files: NumPy's arrays. */
#include "support/fortran_order.h"
#include "support/rows_fixture.h"

/* A file put together by hand: version, dictionary, elements. */
typedef struct {
    unsigned char bytes[2048];
    size_t size;
} npy_file;

static npy_file make_file(unsigned char version, const char *dictionary,
                          const void *elements, size_t size)
{
    npy_file file = {.size = 0};
    const size_t length = strlen(dictionary);
    assert_true(12 + length + size <= sizeof file.bytes);
    memcpy(file.bytes, "\x93NUMPY", 6);
    file.bytes[6] = version;
    file.bytes[8] = (unsigned char)(length & 0xff);
    file.bytes[9] = (unsigned char)(length >> 8);
    file.size = version == 1 ? 10 : 12; /* length in 2 or 4 bytes */
    memcpy(file.bytes + file.size, dictionary, length);
    file.size += length;
    memcpy(file.bytes + file.size, elements, size);
    file.size += size;
    return file;
}

/* Version 1, with a dictionary of these values. */
static npy_file make_array(const char *type, bool fortran_order, const char *shape,
                           const void *elements, size_t size)
{
    char dictionary[200];
    snprintf(dictionary, sizeof dictionary,
             "{'descr': '%s', 'fortran_order': %s, 'shape': %s}", type,
             fortran_order ? "True" : "False", shape);
    return make_file(1, dictionary, elements, size);
}

static ow_status read_file(ow_context *ctx, const npy_file *file, ow_test_rows *rows)
{
    return ow_test_rows_read(ctx, file->bytes, file->size, "a.npy", rows);
}

static const char small_dictionary[] =
    "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }";

static void versions_1_to_3_read_the_same(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double want[] = {1, 2, 3, 4, 5, 6};
    for (unsigned char version = 1; version <= 3; version++) {
        const npy_file file = make_file(version, small_dictionary, "\1\2\3\4\5\6", 6);
        ow_test_rows rows;
        assert_ok(read_file(ctx, &file, &rows));
        assert_int_equal(rows.n_rows, 2);
        assert_int_equal(rows.n_columns, 3);
        assert_close(rows.numbers, want, 6, 0.0);
        ow_test_rows_clear(&rows);
    }
}

static void the_rank_decides_rows_columns_and_layout(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const struct {
        const char *shape;
        size_t n_rows, n_columns;
        ow_layout layout;
    } shapes[] = {
        {"()", 1, 1, {OW_LAYOUT_TABLE, 0, 0, 0}},
        {"(6,)", 6, 1, {OW_LAYOUT_TABLE, 0, 0, 0}},
        {"(3, 4)", 3, 4, {OW_LAYOUT_TABLE, 0, 0, 0}},
        {"(2, 3, 4)", 2, 12, {OW_LAYOUT_IMAGE, 3, 4, 1}},
        {"(2, 3, 2, 5)", 2, 30, {OW_LAYOUT_MAP, 3, 2, 5}},
        {"(2, 1, 2, 3, 4)", 2, 24, {OW_LAYOUT_TABLE, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        static const unsigned char elements[64];
        const npy_file file = make_array("|b1", false, shapes[i].shape, elements,
                                         shapes[i].n_rows * shapes[i].n_columns);
        ow_test_rows rows;
        assert_ok(read_file(ctx, &file, &rows));
        assert_int_equal(rows.n_rows, shapes[i].n_rows);
        assert_int_equal(rows.n_columns, shapes[i].n_columns);
        ow_test_assert_layout(rows.layout, shapes[i].layout);
        ow_test_rows_clear(&rows);
    }
}

static void both_orders_hold_the_same_rows(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const size_t shapes[][6] = {{7},
                                       {1},
                                       {5, 3},
                                       {3, 5},
                                       {1, 6},
                                       {6, 1},
                                       {4, 2, 3},
                                       {2, 3, 4},
                                       {1, 3, 4},
                                       {1, 1, 4},
                                       {1, 4, 1, 2},
                                       {3, 1, 1, 1},
                                       {3, 1, 1, 2},
                                       {3, 2, 2, 4},
                                       {2, 1, 5, 3},
                                       {2, 3, 1, 2, 4},
                                       {2, 2, 2, 2, 2, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const size_t *shape = shapes[i];
        size_t rank = 0, n = 1;
        char text[64] = "(";
        for (; rank < 6 && shape[rank] > 0; rank++) {
            n *= shape[rank];
            snprintf(text + strlen(text), sizeof text - strlen(text), "%zu,", shape[rank]);
        }
        strcat(text, ")");
        unsigned char c_order[2 * 100], fortran_order[2 * 100];
        assert_in_range(n, 1, 100);
        for (size_t k = 0; k < n; k++) { /* 16 bits: 7 k, most significant byte first */
            const size_t place = ow_test_fortran_place(k, rank, shape);
            c_order[2 * k] = fortran_order[2 * place] = (unsigned char)(7 * k >> 8);
            c_order[2 * k + 1] = fortran_order[2 * place + 1] =
                (unsigned char)(7 * k & 0xff);
        }
        for (int fortran = 0; fortran <= 1; fortran++) {
            const npy_file file = make_array(">u2", fortran == 1, text,
                                             fortran ? fortran_order : c_order, 2 * n);
            ow_test_rows rows;
            assert_ok(read_file(ctx, &file, &rows));
            assert_int_equal(rows.n_rows, shape[0]);
            assert_int_equal(rows.n_rows * rows.n_columns, n);
            for (size_t k = 0; k < n; k++) assert_true(rows.numbers[k] == 7.0 * (double)k);
            ow_test_rows_clear(&rows);
        }
    }
}

static void numbers_beyond_53_bits_become_the_nearest_double(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const npy_file file =
        make_array("<i8", false, "(2,)",
                   "\xff\xff\xff\xff\xff\xff\xff\x7f\x01\0\0\0\0\0\x20\0", 16);
    const double want[] = {9223372036854775808.0, 9007199254740992.0};
    ow_test_rows rows;
    assert_ok(read_file(ctx, &file, &rows));
    assert_close(rows.numbers, want, 2, 0.0);
    ow_test_rows_clear(&rows);
}

static void nan_is_missing_and_infinity_an_error(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const float nothing[4] = {1, NAN, 3, 4}, infinite[4] = {1, 2, INFINITY, 4};
    ow_test_rows rows;
    npy_file file = make_array("<f4", false, "(2, 2)", nothing, sizeof nothing);
    assert_ok(read_file(ctx, &file, &rows));
    assert_true(isnan(rows.numbers[1]));
    ow_test_rows_clear(&rows);

    file = make_array("<f4", false, "(2, 2)", infinite, sizeof infinite);
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT,
                 "a.npy: row 2: column x0: expected a finite number, got inf");
    file = make_array("<f4", true, "(2, 2)", infinite, sizeof infinite);
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT, "a.npy: row 1: column x1");
}

static void a_bad_head_is_described(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_rows rows;
    npy_file file = make_file(4, small_dictionary, "123456", 6);
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_UNSUPPORTED,
                 "a.npy: expected NPY version 1.0, 2.0 or 3.0, got 4.0");
    file = make_file(1, small_dictionary, "123456", 6);
    file.bytes[7] = 1;
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_UNSUPPORTED, "got 1.1");
    file = make_file(2, small_dictionary, "123456", 6);
    file.bytes[11] = 1; /* 16 MB more */
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT,
                 "expected an NPY header of at most 65536 bytes, got 16777275");
    file = make_file(1, small_dictionary, "", 0);
    file.bytes[8]++;
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT,
                 "a.npy: the file ends in its NPY head, expected 70 bytes, got 69");
    file = make_array("|O", false, "(1,)", "x", 1);
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_UNSUPPORTED, "type '|O'");
    file = make_array("|u1", false, "(0,)", "", 0);
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT, "a.npy: no rows");
    file = make_array("<f8", false, "(2305843009213693952,)", "", 0);
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT, "no file holds");
}

static void bytes_missing_or_left_over_are_counted(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_rows rows;
    for (int fortran = 0; fortran <= 1; fortran++) {
        npy_file file = make_array("<i2", fortran == 1, "(2, 3)", "12345678901", 11);
        assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT,
                     "a.npy: expected 12 bytes of elements (2 x 3 of 2), got 11");
        file = make_array("<i2", fortran == 1, "(2, 3)", "1234567890123", 13);
        assert_fails(read_file(ctx, &file, &rows), OW_ERR_FORMAT, "(2 x 3 of 2), got 13");
    }
}

static void fortran_order_has_a_limit_that_is_told(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_rows rows;
    const npy_file file =
        make_file(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (65536, 65536)}", "",
                  0);
    assert_fails(read_file(ctx, &file, &rows), OW_ERR_UNSUPPORTED,
                 "at most 4294967296 bytes, but this one has 34359738368");
}

static size_t largest_request;

static void *watch_allocate(void *user, size_t size)
{
    (void)user;
    if (size > largest_request) largest_request = size;
    return malloc(size);
}

static void *watch_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size > largest_request) largest_request = size;
    return realloc(block, size);
}

static void watch_release(void *user, void *block)
{
    (void)user;
    free(block);
}

static void a_head_that_promises_too_much_costs_no_memory(void **state)
{
    (void)state;
    const ow_allocator watch = {NULL, watch_allocate, watch_resize, watch_release};
    ow_context *ctx;
    ow_test_rows rows;
    assert_ok(ow_context_new(&watch, &ctx));
    for (int fortran = 0; fortran <= 1; fortran++) {
        const npy_file file = make_array("<f8", fortran == 1, "(500, 1000000)", "12345", 5);
        assert_fails(ow_test_rows_read(ctx, file.bytes, file.size, "a.npy", &rows),
                     OW_ERR_FORMAT, "expected 4000000000 bytes of elements");
        assert_true(largest_request < 1 << 20);
    }
    ow_context_free(ctx);
}

static void a_file_cut_anywhere_is_an_error(void **state)
{
    (void)state;
    const npy_file rows_first = make_file(1, small_dictionary, "123456", 6);
    const npy_file columns_first =
        make_file(2, "{'fortran_order':True,'shape':(2, 3),'descr':'<i2'}", "123456789012",
                  12);
    ow_test_rows_cut_everywhere(rows_first.bytes, rows_first.size, "a.npy");
    ow_test_rows_cut_everywhere(columns_first.bytes, columns_first.size, "a.npy");
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    const npy_file rows_first = make_file(1, small_dictionary, "123456", 6);
    const npy_file columns_first =
        make_file(2, "{'fortran_order':True,'shape':(2, 3),'descr':'<i2'}", "123456789012",
                  12);
    ow_test_rows_sweep(rows_first.bytes, rows_first.size, "a.npy");
    ow_test_rows_sweep(columns_first.bytes, columns_first.size, "a.npy");
}

static void what_we_write_we_read(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *path = ow_test_path("round.npy", 0);
    float floats[60];
    double doubles[60], want[60];
    int32_t integers[60];
    int64_t large[60];
    uint8_t bytes[60];
    for (size_t i = 0; i < 60; i++) {
        want[i] = (double)(i * 3 % 101);
        floats[i] = (float)(doubles[i] = want[i]);
        integers[i] = (int32_t)(large[i] = (int64_t)want[i]);
        bytes[i] = (uint8_t)want[i];
    }
    const void *const elements[] = {floats, doubles, integers, large, bytes};
    const size_t shape[] = {3, 4, 5, 1};
    for (int type = OW_ELEMENT_FLOAT32; type <= OW_ELEMENT_UINT8; type++)
        for (size_t rank = 3; rank <= 4; rank++) {
            assert_ok(ow_npy_write(ctx, path, (ow_element_type)type, rank, shape,
                                   elements[type]));
            size_t size;
            char *content = ow_test_read_file(path, &size);
            ow_test_rows rows;
            assert_ok(ow_test_rows_read(ctx, content, size, path, &rows));
            free(content);
            assert_int_equal(rows.n_rows, 3);
            assert_int_equal(rows.n_columns, 20);
            assert_close(rows.numbers, want, 60, 0.0);
            ow_test_rows_clear(&rows);
        }
}

/* Figures from the description that comes with the file. */
static void the_bird_features_have_their_shape_and_figures(void **state)
{
    ow_context *ctx = ow_test_context(state);
    size_t size, n_positive = 0;
    double largest = 0;
    char *bytes =
        ow_test_read_file(ow_test_data_file("cub/features_resnet50_7x7x100.npy"), &size);
    ow_test_rows rows;
    assert_ok(ow_test_rows_read(ctx, bytes, size, "features", &rows));
    free(bytes);
    assert_int_equal(rows.n_rows, 336);
    assert_int_equal(rows.n_columns, 4900);
    ow_test_assert_layout(rows.layout, (ow_layout){OW_LAYOUT_MAP, 7, 7, 100});
    for (size_t i = 0; i < rows.n_rows * rows.n_columns; i++) {
        assert_true(rows.numbers[i] >= 0);
        if (rows.numbers[i] > 0) n_positive++;
        if (rows.numbers[i] > largest) largest = rows.numbers[i];
    }
    const double share = (double)n_positive / (336.0 * 4900.0);
    assert_true(fabs(share - 0.126) < 0.0005);
    assert_true(fabs(largest - 53.2) < 0.05);
    ow_test_rows_clear(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(versions_1_to_3_read_the_same),
        ow_test_on_heap(the_rank_decides_rows_columns_and_layout),
        ow_test_on_heap(both_orders_hold_the_same_rows),
        ow_test_on_heap(numbers_beyond_53_bits_become_the_nearest_double),
        ow_test_on_heap(nan_is_missing_and_infinity_an_error),
        ow_test_on_heap(a_bad_head_is_described),
        ow_test_on_heap(bytes_missing_or_left_over_are_counted),
        ow_test_on_heap(fortran_order_has_a_limit_that_is_told),
        ow_test_on_heap(a_head_that_promises_too_much_costs_no_memory),
        ow_test_on_heap(a_file_cut_anywhere_is_an_error),
        ow_test_on_heap(running_out_of_memory_leaks_nothing),
        ow_test_on_heap(what_we_write_we_read),
        ow_test_on_heap(the_bird_features_have_their_shape_and_figures),
    };
    return cmocka_run_group_tests_name("data/npy_read", tests, NULL, NULL);
}
