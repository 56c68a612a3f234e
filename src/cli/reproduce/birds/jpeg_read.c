/* SPDX-License-Identifier: MIT */
/* JPEG through libjpeg, which leaves by longjmp when it fails: all that has to be freed
 * lives in one struct outside of the frame that it jumps into.  The picture is made smaller
 * line by line, so that no more than one line of the file's own size is held (by us:
 * libjpeg keeps a progressive file's coefficients).  libjpeg cannot be told where to
 * allocate; its blocks are its own. */
#include "reproduce/birds/jpeg_read.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "datasets/whole_file.h"
#include "terminal/failure.h"

enum { colours = 3, most_reduction = 8 };
static const size_t largest_file = (size_t)256 << 20;

typedef struct {
    struct jpeg_error_mgr errors; /* first: libjpeg hands it back          */
    jmp_buf leave;
    struct jpeg_decompress_struct jpeg;
    ow_context *ctx;
    const char *path;
    unsigned char *line; /* of the file, reduced by libjpeg                         */
    uint32_t *sums;      /* one line of the picture: sums over the file's pixels       */
    uint32_t *counts;    /* how many of these pixels                                */
    ow_pixels *picture;
    ow_status status;
} jpeg_reader;

/* ---- libjpeg's complaints ---- */

static void stop(j_common_ptr jpeg)
{
    jpeg_reader *reader = (jpeg_reader *)jpeg->err;
    char reason[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, reason);
    reader->status = jpeg->err->msg_code == JERR_OUT_OF_MEMORY
                         ? OW_ERR_MEMORY
                         : failure(OW_ERR_FORMAT, "%s: cannot be read as a JPEG file: %s",
                                   reader->path, reason);
    longjmp(reader->leave, 1);
}

/* A file that is cut off is only a warning to libjpeg, which fills the rest with grey. */
static void hear(j_common_ptr jpeg, int level)
{
    const int code = jpeg->err->msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER)) stop(jpeg);
}

/* ---- Smaller ---- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t scaled(size_t side, size_t longer, size_t most_side)
{
    if (longer <= most_side) return side;
    return larger(1, (side * most_side + longer / 2) / longer);
}

/* Means over the pixels that fall onto each of the picture's, which has no more of them
 * than the file in either direction. */
static void finish_line(jpeg_reader *reader, size_t y)
{
    const size_t n = reader->picture->width * colours;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = reader->counts[i / colours];
        reader->picture->pixels[y * n + i] =
            (unsigned char)((reader->sums[i] + count / 2) / count);
    }
    memset(reader->sums, 0, n * sizeof *reader->sums);
    memset(reader->counts, 0, reader->picture->width * sizeof *reader->counts);
}

static void add_line(jpeg_reader *reader)
{
    const size_t width = reader->jpeg.output_width;
    for (size_t x = 0; x < width; x++) {
        const size_t to = x * reader->picture->width / width;
        for (size_t c = 0; c < colours; c++)
            reader->sums[to * colours + c] += reader->line[x * colours + c];
        reader->counts[to]++;
    }
}

/* ---- Reading ---- */

static ow_status make_room(jpeg_reader *reader)
{
    ow_pixels *picture = reader->picture;
    /* A side of a JPEG has at most 65535 pixels: no product overflows. */
    const size_t n_pixels = picture->width * picture->height;
    picture->pixels = ow_bytes_new(reader->ctx, n_pixels * colours);
    reader->line = ow_bytes_new(reader->ctx, reader->jpeg.output_width * colours);
    reader->sums =
        ow_bytes_new(reader->ctx, picture->width * colours * sizeof *reader->sums);
    reader->counts = ow_bytes_new(reader->ctx, picture->width * sizeof *reader->counts);
    if (picture->pixels == NULL || reader->line == NULL || reader->sums == NULL ||
        reader->counts == NULL)
        return OW_ERR_MEMORY;
    return OW_OK;
}

static void decode(jpeg_reader *reader, const char *bytes, size_t size, size_t most_side)
{
    j_decompress_ptr jpeg = &reader->jpeg;
    ow_pixels *picture = reader->picture;
    if (setjmp(reader->leave) != 0) return;
    jpeg_create_decompress(jpeg);
    jpeg_mem_src(jpeg, (const unsigned char *)bytes, (unsigned long)size);
    (void)jpeg_read_header(jpeg, TRUE);
    const size_t longer = larger(jpeg->image_width, jpeg->image_height);
    unsigned int reduction = most_reduction;
    while (reduction > 1 && longer / reduction < most_side) reduction /= 2;
    jpeg->out_color_space = JCS_RGB;
    jpeg->scale_num = 1;
    jpeg->scale_denom = reduction;
    (void)jpeg_start_decompress(jpeg);
    const size_t h = jpeg->output_height;
    picture->width = scaled(jpeg->image_width, longer, most_side);
    picture->height = scaled(jpeg->image_height, longer, most_side);
    picture->channels = colours;
    reader->status = make_room(reader);
    if (reader->status != OW_OK) return;
    for (size_t y = 0; y < h; y++) {
        const size_t to = y * picture->height / h;
        (void)jpeg_read_scanlines(jpeg, &reader->line, 1);
        add_line(reader);
        if ((y + 1) * picture->height / h != to) finish_line(reader, to);
    }
    (void)jpeg_finish_decompress(jpeg);
}

ow_status jpeg_read(ow_context *ctx, const char *path, size_t most_side, ow_pixels *picture,
                    size_t *full_width, size_t *full_height)
{
    char *bytes = NULL;
    size_t size = 0;
    *picture = (ow_pixels){0};
    const ow_status status = whole_file_read(ctx, path, largest_file, &bytes, &size);
    if (status != OW_OK) return status;
    jpeg_reader reader = {.ctx = ctx, .path = path, .picture = picture};
    reader.jpeg.err = jpeg_std_error(&reader.errors);
    reader.errors.error_exit = stop;
    reader.errors.emit_message = hear;
    decode(&reader, bytes, size, most_side);
    *full_width = reader.jpeg.image_width;
    *full_height = reader.jpeg.image_height;
    jpeg_destroy_decompress(&reader.jpeg);
    ow_bytes_free(reader.line);
    ow_bytes_free(reader.sums);
    ow_bytes_free(reader.counts);
    ow_bytes_free(bytes);
    if (reader.status != OW_OK) ow_pixels_clear(picture);
    return reader.status;
}
