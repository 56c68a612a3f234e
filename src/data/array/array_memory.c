/* SPDX-License-Identifier: MIT */
/* An array in memory: the elements of an NPY file without its head. */
#include "base/error.h"
#include "base/memory/sizes.h"
#include "data/array/array_rows.h"
#include "data/rows/reader_private.h"

static const owi_format array_in_memory = {
    .name = "array",
    .next = owi_array_rows_next,
    .restart = owi_array_rows_restart,
    .close = owi_array_rows_close,
    .place = owi_array_rows_place,
};

ow_status ow_reader_open_array(ow_context *ctx, ow_element_type type, size_t rank,
                               const size_t *shape, const void *elements, const char *name,
                               ow_reader **out)
{
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(ctx != NULL && name != NULL && elements != NULL);
    OWI_REQUIRE(rank >= 1 && rank <= owi_most_dimensions && shape != NULL);
    owi_array_head head = {.rank = rank};
    OWI_REQUIRE(owi_array_set_type(&head, type));
    size_t size = owi_element_size(head.element);
    bool fits = true;
    for (size_t d = 0; d < rank; d++) {
        head.shape[d] = shape[d];
        fits = fits && owi_size_multiply(size, shape[d], &size);
    }
    if (!fits) size = 0; /* owi_array_rows_open says that it is too large */

    owi_rows rows = {.ctx = ctx, .format = &array_in_memory};
    OWI_TRY(owi_byte_source_open_plain(ctx, elements, size, name, &rows.source));
    rows.name = owi_byte_source_name(rows.source);
    const ow_status status = owi_array_rows_open(&rows, &head, 0);
    if (status == OW_OK) return owi_reader_open_rows(ctx, &rows, NULL, NULL, out);
    owi_rows_clear(&rows);
    return status;
}
