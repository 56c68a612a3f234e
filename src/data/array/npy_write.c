/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/memory/sizes.h"
#include "data/array/npy_header.h"
#include "otherwise/data.h"
#include "otherwise/file.h"

/* Elements are written as they lie in memory, in the machine's own byte order, which the
 * head tells. */
ow_status ow_npy_write(ow_context *ctx, const char *path, ow_element_type type, size_t rank,
                       const size_t *shape, const void *elements)
{
    OWI_REQUIRE(ctx != NULL && path != NULL);
    OWI_REQUIRE(rank <= owi_most_dimensions && (rank == 0 || shape != NULL));
    owi_array_head head = {.rank = rank};
    OWI_REQUIRE(owi_array_set_type(&head, type));
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
