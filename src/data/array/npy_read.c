/* SPDX-License-Identifier: MIT */
/* NPY, the file format of NumPy's arrays, versions 1.0 to 3.0. */
#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/array/array_rows.h"
#include "data/array/npy_header.h"

/* Longer headers name more dimensions or fields than any array of numbers has. */
enum { longest_header = 1 << 16, version_size = 2 };

/* Magic (which made it an NPY file in the first place), version and the header's length: 10
 * bytes in all for version 1, 12 after it. */
static ow_status read_prefix(owi_rows *rows, size_t *prefix_size, size_t *header_size)
{
    unsigned char prefix[owi_npy_magic_size + version_size], length[4] = {0};
    OWI_TRY(owi_read_head(rows, prefix, sizeof prefix, 0));
    const unsigned major = prefix[owi_npy_magic_size],
                   minor = prefix[owi_npy_magic_size + 1];
    if (major < 1 || major > 3 || minor != 0)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: expected NPY version 1.0, 2.0 or 3.0, got %u.%u", rows->name,
                        major, minor);
    const size_t length_size = major == 1 ? 2 : 4;
    OWI_TRY(owi_read_head(rows, length, length_size, sizeof prefix));
    *prefix_size = sizeof prefix + length_size;
    *header_size = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
                   (size_t)length[3] << 24;
    if (*header_size > longest_header)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: expected an NPY header of at most %d bytes, got %zu",
                        rows->name, longest_header, *header_size);
    return OW_OK;
}

static ow_status open_npy(owi_rows *rows, const ow_read_options *options)
{
    (void)options;
    size_t prefix_size = 0, header_size = 0;
    owi_array_head head;
    OWI_TRY(read_prefix(rows, &prefix_size, &header_size));
    char *header = owi_alloc(rows->ctx, header_size);
    if (header == NULL) return OW_ERR_MEMORY;
    ow_status status = owi_read_head(rows, header, header_size, prefix_size);
    if (status == OW_OK)
        status = owi_npy_parse_header(header, header_size, rows->name, &head);
    owi_free(rows->ctx, header);
    if (status != OW_OK) return status;
    return owi_array_rows_open(rows, &head, prefix_size + header_size);
}

const owi_format owi_format_npy = {
    .name = "NPY",
    .open = open_npy,
    .next = owi_array_rows_next,
    .restart = owi_array_rows_restart,
    .close = owi_array_rows_close,
    .place = owi_array_rows_place,
    .at = owi_array_rows_at,
    .go_to = owi_array_rows_go_to,
    .row_from = owi_array_rows_row_from,
    .byte_of = owi_array_rows_byte_of,
};
