/* SPDX-License-Identifier: MIT */
/* NPY files.  One that is read gives the same rows when it is written again with a head of
 * ours and its elements in C order. */
#include "array_target.h"
#include "data/array/npy_header.h"
#include "support/fortran_order.h"

static uint8_t *to_c_order(const owi_array_head *head, const uint8_t *elements, size_t size)
{
    const size_t element_size = owi_element_size(head->element);
    uint8_t *turned = malloc(size);
    expect(turned != NULL);
    for (size_t k = 0; k < size / element_size; k++) {
        const size_t place =
            head->fortran_order ? ow_test_fortran_place(k, head->rank, head->shape) : k;
        memcpy(turned + k * element_size, elements + place * element_size, element_size);
    }
    return turned;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < owi_npy_magic_size || memcmp(bytes, owi_npy_magic, owi_npy_magic_size) != 0)
        return 0; /* the business of others */
    const array_seen seen = read_array(bytes, size);
    expect(seen.status == OW_OK || seen.status == OW_ERR_FORMAT ||
           seen.status == OW_ERR_UNSUPPORTED);
    if (seen.status != OW_OK) return 0;

    /* Version 1 has two bytes for the header's length, the others four. */
    const size_t start = bytes[6] == 1 ? 10 : 12;
    const size_t length =
        bytes[8] + 256u * bytes[9] + 65536u * (start == 12 ? bytes[10] : 0);
    const size_t head_size = start + length;
    owi_array_head head;
    expect(owi_npy_parse_header((const char *)bytes + start, length, "again", &head) ==
           OW_OK);
    uint8_t *elements = to_c_order(&head, bytes + head_size, size - head_size);
    head.fortran_order = false;
    char npy_head[owi_npy_head_size];
    const size_t npy_head_size = owi_npy_print_head(&head, npy_head);
    expect_same_as_npy(&seen, npy_head, npy_head_size, elements, size - head_size);
    free(elements);
    return 0;
}
