/* SPDX-License-Identifier: MIT */
/* Elements of arrays as they lie in files. */
#include "support/ow_test.h"

#include "data/array/array.h"

/* The same bytes in the other order. */
static void reversed(const unsigned char *bytes, size_t size, unsigned char *out)
{
    for (size_t i = 0; i < size; i++) out[i] = bytes[size - 1 - i];
}

/* Big-endian bytes and what they mean; each is decoded in both orders, at an odd address,
 * and between two others. */
static const struct {
    owi_element element;
    unsigned char bytes[8];
    double number;
} elements[] = {
    {OWI_UINT8, {0xff}, 255},
    {OWI_INT8, {0xff}, -1},
    {OWI_INT8, {0x7f}, 127},
    {OWI_UINT16, {0x12, 0x34}, 0x1234},
    {OWI_UINT16, {0xff, 0xfe}, 65534},
    {OWI_INT16, {0xff, 0xfe}, -2},
    {OWI_UINT32, {0x80, 0, 0, 1}, 2147483649.0},
    {OWI_INT32, {0x80, 0, 0, 1}, -2147483647.0},
    {OWI_INT32, {0x01, 0x02, 0x03, 0x04}, 16909060},
    {OWI_UINT64, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 18446744073709551616.0},
    {OWI_INT64, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd}, -3},
    {OWI_INT64, {0x80, 0, 0, 0, 0, 0, 0, 0}, -9223372036854775808.0},
    {OWI_INT64, {0, 0x20, 0, 0, 0, 0, 0, 1}, 9007199254740992.0}, /* 2^53 + 1: to even */
    {OWI_INT64, {0, 0x20, 0, 0, 0, 0, 0, 3}, 9007199254740996.0}, /* 2^53 + 3: to even */
    {OWI_FLOAT32, {0x3f, 0xc0, 0, 0}, 1.5},
    {OWI_FLOAT32, {0xff, 0x80, 0, 0}, -INFINITY},
    {OWI_FLOAT32, {0x7f, 0xc0, 0, 0}, NAN},
    {OWI_FLOAT32, {0, 0, 0, 1}, 1.401298464324817e-45},
    {OWI_FLOAT64, {0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18}, 3.141592653589793},
    {OWI_FLOAT64, {0x7f, 0xf8, 0, 0, 0, 0, 0, 0}, NAN},
    {OWI_BOOL, {0}, 0},
    {OWI_BOOL, {2}, 1},
};

static void every_type_is_decoded_in_both_byte_orders(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        const size_t size = owi_element_size(elements[i].element);
        for (int big = 0; big <= 1; big++) {
            unsigned char bytes[1 + 3 * 8] = {0};
            unsigned char *middle = bytes + 1 + size;
            if (big)
                memcpy(middle, elements[i].bytes, size);
            else
                reversed(elements[i].bytes, size, middle);
            const owi_array_head head = {.element = elements[i].element,
                                         .big_endian = big == 1};
            double got[3];
            const double want[3] = {0, elements[i].number, 0};
            owi_array_decode(&head, bytes + 1, 3, got);
            assert_close(got, want, 3, 0.0);
        }
    }
}

static void shapes_are_printed_and_long_ones_cut(void **state)
{
    (void)state;
    char text[owi_shape_text_size];
    owi_array_head head = {.rank = 3, .shape = {60000, 28, 28}};
    owi_print_shape(&head, text);
    assert_string_equal(text, "60000 x 28 x 28");
    head.rank = 0;
    owi_print_shape(&head, text);
    assert_string_equal(text, "1");
    head.rank = owi_most_dimensions;
    for (size_t d = 0; d < head.rank; d++) head.shape[d] = SIZE_MAX;
    owi_print_shape(&head, text);
    assert_int_equal(strlen(text), owi_shape_text_size - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_decoded_in_both_byte_orders),
        cmocka_unit_test(shapes_are_printed_and_long_ones_cut),
    };
    return cmocka_run_group_tests_name("data/array", tests, NULL, NULL);
}
