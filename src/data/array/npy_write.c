/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "base/error.h"
#include "base/io/file_write.h"
#include "base/memory/sizes.h"
#include "data/array/npy_header.h"
#include "otherwise/data.h"

static const owi_element elements_of_type[] = {
    [OW_NPY_FLOAT32] = OWI_FLOAT32, [OW_NPY_FLOAT64] = OWI_FLOAT64,
    [OW_NPY_INT32] = OWI_INT32,     [OW_NPY_INT64] = OWI_INT64,
    [OW_NPY_UINT8] = OWI_UINT8,
};
enum { n_types = sizeof elements_of_type / sizeof *elements_of_type };

static bool machine_is_big_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 0;
}

/* Elements are written as they lie in memory, in the machine's own byte order, which the
 * head tells. */
ow_status ow_npy_write(ow_context *ctx, const char *path, ow_npy_type type, size_t rank,
                       const size_t *shape, const void *elements)
{
    OWI_REQUIRE(ctx != NULL && path != NULL);
    OWI_REQUIRE((int)type >= 0 && (int)type < n_types);
    OWI_REQUIRE(rank <= owi_most_dimensions && (rank == 0 || shape != NULL));
    owi_array_head head = {
        .element = elements_of_type[type],
        .big_endian = machine_is_big_endian(),
        .rank = rank,
    };
    size_t size = owi_element_size(head.element);
    for (size_t d = 0; d < rank; d++) {
        head.shape[d] = shape[d];
        if (!owi_size_multiply(size, shape[d], &size))
            return owi_fail(
                OW_ERR_ARGUMENT,
                "cannot write %s: the shape has more elements than memory holds", path);
    }
    OWI_REQUIRE(elements != NULL || size == 0);

    char bytes[owi_npy_head_size];
    const size_t head_size = owi_npy_print_head(&head, bytes);
    ow_file_writer *writer;
    OWI_TRY(ow_file_writer_open(ctx, path, &writer));
    ow_status status = ow_file_writer_write(writer, bytes, head_size);
    if (status == OW_OK) status = ow_file_writer_write(writer, elements, size);
    if (status == OW_OK) return ow_file_writer_commit(writer);
    ow_file_writer_abort(writer);
    return status;
}
