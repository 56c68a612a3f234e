/* SPDX-License-Identifier: MIT */
/* IDX, the format of MNIST: two zero bytes, the elements' type, the rank, the dimensions as
 * 32-bit numbers, then the elements; everything big-endian. */
#include "base/error.h"
#include "data/array/array_rows.h"

enum { magic_size = 4, dimension_size = 4 };

static bool find_element(unsigned char code, owi_element *element)
{
    static const struct {
        unsigned char code;
        owi_element element;
    } codes[] = {{0x08, OWI_UINT8}, {0x09, OWI_INT8},    {0x0B, OWI_INT16},
                 {0x0C, OWI_INT32}, {0x0D, OWI_FLOAT32}, {0x0E, OWI_FLOAT64}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code) {
            *element = codes[i].element;
            return true;
        }
    return false;
}

/* That the file begins with two zero bytes made it an IDX file in the first place. */
static ow_status open_idx(owi_rows *rows, const ow_read_options *options)
{
    (void)options;
    owi_array_head head = {.big_endian = true};
    unsigned char magic[magic_size];
    OWI_TRY(owi_read_head(rows, magic, sizeof magic, 0));
    if (!find_element(magic[2], &head.element))
        return owi_fail(OW_ERR_FORMAT,
                        "%s: expected an IDX element type 0x08, 0x09, 0x0b, 0x0c, 0x0d or "
                        "0x0e, got 0x%02x",
                        rows->name, magic[2]);
    head.rank = magic[3];
    if (head.rank < 1 || head.rank > owi_most_dimensions)
        return owi_fail(OW_ERR_FORMAT, "%s: expected an IDX rank from 1 to %d, got %zu",
                        rows->name, owi_most_dimensions, head.rank);

    size_t at = magic_size;
    for (size_t d = 0; d < head.rank; d++, at += dimension_size) {
        unsigned char b[dimension_size];
        OWI_TRY(owi_read_head(rows, b, sizeof b, at));
        head.shape[d] =
            (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | (size_t)b[3];
    }
    return owi_array_rows_open(rows, &head, at);
}

const owi_format owi_format_idx = {
    .name = "IDX",
    .open = open_idx,
    .next = owi_array_rows_next,
    .restart = owi_array_rows_restart,
    .close = owi_array_rows_close,
    .place = owi_array_rows_place,
    .at = owi_array_rows_at,
    .go_to = owi_array_rows_go_to,
    .row_from = owi_array_rows_row_from,
    .byte_of = owi_array_rows_byte_of,
};
