/* SPDX-License-Identifier: MIT */
/* IDX files.  One that is read holds no byte too many or too few, and gives the same rows
 * when its elements are put into an NPY file of the same shape. */
#include "array_target.h"
#include "data/array/npy_header.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 4 || bytes[0] != 0 || bytes[1] != 0) return 0; /* the business of others */
    const array_seen seen = read_array(bytes, size);
    expect(seen.status == OW_OK || seen.status == OW_ERR_FORMAT);
    if (seen.status != OW_OK) return 0;

    static const owi_element elements[] = {
        [0x08] = OWI_UINT8, [0x09] = OWI_INT8,    [0x0b] = OWI_INT16,
        [0x0c] = OWI_INT32, [0x0d] = OWI_FLOAT32, [0x0e] = OWI_FLOAT64};
    owi_array_head head = {.element = elements[bytes[2]],
                           .big_endian = true,
                           .rank = bytes[3]};
    const size_t head_size = 4 + 4 * head.rank;
    expect(size ==
           head_size + seen.n_rows * seen.n_columns * owi_element_size(head.element));
    for (size_t d = 0; d < head.rank; d++)
        for (size_t i = 0; i < 4; i++)
            head.shape[d] = head.shape[d] * 256 + bytes[4 + 4 * d + i];
    char npy_head[owi_npy_head_size];
    const size_t npy_head_size = owi_npy_print_head(&head, npy_head);
    expect_same_as_npy(&seen, npy_head, npy_head_size, bytes + head_size, size - head_size);
    return 0;
}
