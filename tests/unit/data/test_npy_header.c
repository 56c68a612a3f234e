/* SPDX-License-Identifier: MIT */
/* The dictionary at the head of an NPY file. */
#include "support/ow_test.h"

#include "data/array/npy_header.h"

static ow_status parse(const char *text, owi_array_head *head)
{
    return owi_npy_parse_header(text, strlen(text), "a.npy", head);
}

static void assert_shape(const owi_array_head *head, size_t rank, const size_t *shape)
{
    assert_int_equal(head->rank, rank);
    for (size_t d = 0; d < rank; d++) assert_int_equal(head->shape[d], shape[d]);
}

static void what_numpy_writes_is_understood(void **state)
{
    (void)state;
    owi_array_head head;
    assert_ok(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (336, 7, 7, 100), }"
                    "                                          \n",
                    &head));
    assert_int_equal(head.element, OWI_FLOAT32);
    assert_false(head.big_endian);
    assert_false(head.fortran_order);
    assert_shape(&head, 4, (const size_t[]){336, 7, 7, 100});
}

static void keys_come_in_any_order_with_any_blanks_and_either_quote(void **state)
{
    (void)state;
    owi_array_head head;
    assert_ok(parse(
        " {\t\"shape\" :( 3 , ) , 'fortran_order':True,\n'descr' : \">i2\" } \n", &head));
    assert_int_equal(head.element, OWI_INT16);
    assert_true(head.big_endian);
    assert_true(head.fortran_order);
    assert_shape(&head, 1, (const size_t[]){3});
}

static void shapes_of_every_rank_are_tuples(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t rank, shape[3];
    } good[] = {{"()", 0, {0}},
                {"(7,)", 1, {7}},
                {"(7, 8)", 2, {7, 8}},
                {"(7,8,)", 2, {7, 8}},
                {"(0, 5)", 2, {0, 5}},
                {"(3L, 4L)", 2, {3, 4}},
                {"( 1,2 ,3 )", 3, {1, 2, 3}},
                {"(18446744073709551615,)", 1, {SIZE_MAX}}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char text[200];
        owi_array_head head;
        snprintf(text, sizeof text, "{'descr':'|u1','fortran_order':False,'shape':%s}",
                 good[i].text);
        assert_ok(parse(text, &head));
        assert_shape(&head, good[i].rank, good[i].shape);
    }
}

static void every_element_type_is_known_by_its_code(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        owi_element element;
        size_t size;
    } types[] = {{"f4", OWI_FLOAT32, 4}, {"f8", OWI_FLOAT64, 8}, {"u1", OWI_UINT8, 1},
                 {"u2", OWI_UINT16, 2},  {"u4", OWI_UINT32, 4},  {"u8", OWI_UINT64, 8},
                 {"i1", OWI_INT8, 1},    {"i2", OWI_INT16, 2},   {"i4", OWI_INT32, 4},
                 {"i8", OWI_INT64, 8},   {"b1", OWI_BOOL, 1}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (const char *order = "<>|"; *order != '\0'; order++) {
            char text[200];
            owi_array_head head;
            snprintf(text, sizeof text,
                     "{'descr':'%c%s','fortran_order':False,'shape':(1,)}", *order,
                     types[i].code);
            if (*order == '|' && types[i].size > 1) {
                assert_fails(parse(text, &head), OW_ERR_UNSUPPORTED, types[i].code);
                continue;
            }
            assert_ok(parse(text, &head));
            assert_int_equal(head.element, types[i].element);
            assert_int_equal(owi_element_size(head.element), types[i].size);
            assert_int_equal(head.big_endian, *order == '>');
        }
}

/* { text, status, part of the sentence } */
static const struct {
    const char *text;
    ow_status status;
    const char *sentence;
} bad[] = {
    {"", OW_ERR_FORMAT, "a.npy: NPY header, character 1: expected '{', got its end"},
    {"[", OW_ERR_FORMAT, "expected '{', got '['"},
    {"{", OW_ERR_FORMAT, "character 2: expected a key in quotes or '}', got its end"},
    {"{}", OW_ERR_FORMAT, "the key descr is missing"},
    {"{'descr': '<f4', 'shape': (3,)}", OW_ERR_FORMAT, "the key fortran_order is missing"},
    {"{'descr': '<f4', 'descr': '<f4'}", OW_ERR_FORMAT, "once each, got descr twice"},
    {"{'colour': 1}", OW_ERR_FORMAT, "once each, got colour"},
    {"{'descr' '<f4'}", OW_ERR_FORMAT, "character 10: expected ':', got '''"},
    {"{'descr': '<f4' 'shape': ()}", OW_ERR_FORMAT, "expected ',' or '}', got '''"},
    {"{'descr': '<f2'}", OW_ERR_UNSUPPORTED, "type '<f2'"},
    {"{'descr': '<c16'}", OW_ERR_UNSUPPORTED, "type '<c16'"},
    {"{'descr': '|O'}", OW_ERR_UNSUPPORTED, "type '|O'"},
    {"{'descr': '=f4'}", OW_ERR_UNSUPPORTED, "type '=f4'"},
    {"{'descr': ''}", OW_ERR_UNSUPPORTED, "type ''"},
    {"{'descr': [('a', '<f4')]}", OW_ERR_UNSUPPORTED, "records"},
    {"{'descr': 4}", OW_ERR_FORMAT, "expected an element type in quotes, got '4'"},
    {"{'descr': '<f4}", OW_ERR_FORMAT, "expected ''', got its end"},
    {"{'de\\x73cr': 1}", OW_ERR_FORMAT, "expected a plain character, got '\\'"},
    {"{'fortran_order': 0}", OW_ERR_FORMAT, "expected True or False, got '0'"},
    {"{'fortran_order': Trueish}", OW_ERR_FORMAT, "expected ',' or '}', got 'i'"},
    {"{'shape': 3}", OW_ERR_FORMAT, "expected '(', got '3'"},
    {"{'shape': (3)}", OW_ERR_FORMAT, "expected ',', got ')'"},
    {"{'shape': (,)}", OW_ERR_FORMAT, "expected a dimension, got ','"},
    {"{'shape': (3, -1)}", OW_ERR_FORMAT, "expected a dimension, got '-'"},
    {"{'shape': (3 4)}", OW_ERR_FORMAT, "expected ',', got '4'"},
    {"{'shape': (3, 4 5)}", OW_ERR_FORMAT, "expected ',' or ')', got '5'"},
    {"{'shape': (18446744073709551616,)}", OW_ERR_FORMAT, "too large"},
    {"{'shape': (99999999999999999999999,)}", OW_ERR_FORMAT, "too large"},
    {"{'descr':'<f4','shape':(3,),'fortran_order':True} x", OW_ERR_FORMAT,
     "expected blanks after '}', got 'x'"},
};

static void what_is_wrong_is_said_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        owi_array_head head;
        assert_fails(parse(bad[i].text, &head), bad[i].status, bad[i].sentence);
        assert_memory_equal(ow_error_message(), "a.npy: ", 7);
    }
}

static void a_nul_byte_is_no_blank_and_no_letter(void **state)
{
    (void)state;
    static const char outside[] = "{\0'descr'", inside[] = "{'de\0scr'";
    owi_array_head head;
    assert_fails(owi_npy_parse_header(outside, sizeof outside - 1, "a.npy", &head),
                 OW_ERR_FORMAT, "got byte 0x00");
    assert_fails(owi_npy_parse_header(inside, sizeof inside - 1, "a.npy", &head),
                 OW_ERR_FORMAT, "got byte 0x00");
}

static void more_than_32_dimensions_are_too_many(void **state)
{
    (void)state;
    for (size_t rank = 31; rank <= 33; rank++) {
        char text[400] = "{'descr':'|u1','fortran_order':False,'shape':(";
        for (size_t d = 0; d < rank; d++) strcat(text, "1,");
        strcat(text, ")}");
        owi_array_head head;
        if (rank <= 32) {
            assert_ok(parse(text, &head));
            assert_int_equal(head.rank, rank);
        } else {
            assert_fails(parse(text, &head), OW_ERR_FORMAT, "after 32 dimensions");
        }
    }
}

static void a_header_cut_anywhere_is_an_error(void **state)
{
    (void)state;
    static const char text[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
    for (size_t size = 0; size < sizeof text - 1; size++) {
        char *copy = malloc(size + 1); /* so that a read beyond the cut is noticed */
        assert_non_null(copy);
        memcpy(copy, text, size);
        owi_array_head head;
        assert_fails(owi_npy_parse_header(copy, size, "a.npy", &head), OW_ERR_FORMAT,
                     "a.npy: NPY header");
        free(copy);
    }
}

static void heads_that_we_write_are_read_back_and_aligned(void **state)
{
    (void)state;
    for (size_t rank = 0; rank <= owi_most_dimensions; rank++)
        for (size_t size = 1; size != 0; size = size > SIZE_MAX / 7 ? 0 : size * 7) {
            owi_array_head head = {.element = rank % 2 == 0 ? OWI_FLOAT64 : OWI_UINT8,
                                   .rank = rank},
                           back;
            for (size_t d = 0; d < rank; d++) head.shape[d] = size + d;
            char bytes[owi_npy_head_size];
            const size_t length = owi_npy_print_head(&head, bytes);
            assert_int_equal(length % 64, 0);
            assert_memory_equal(bytes, "\x93NUMPY\x01\0", 8);
            assert_int_equal((unsigned char)bytes[8] + 256 * (unsigned char)bytes[9],
                             length - 10);
            assert_int_equal(bytes[length - 1], '\n');
            assert_ok(owi_npy_parse_header(bytes + 10, length - 10, "b.npy", &back));
            assert_int_equal(back.element, head.element);
            assert_shape(&back, head.rank, head.shape);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_numpy_writes_is_understood),
        cmocka_unit_test(keys_come_in_any_order_with_any_blanks_and_either_quote),
        cmocka_unit_test(shapes_of_every_rank_are_tuples),
        cmocka_unit_test(every_element_type_is_known_by_its_code),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(a_nul_byte_is_no_blank_and_no_letter),
        cmocka_unit_test(more_than_32_dimensions_are_too_many),
        cmocka_unit_test(a_header_cut_anywhere_is_an_error),
        cmocka_unit_test(heads_that_we_write_are_read_back_and_aligned),
    };
    return cmocka_run_group_tests_name("data/npy_header", tests, NULL, NULL);
}
