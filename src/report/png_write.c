/* SPDX-License-Identifier: MIT */
/* PNG through libpng, whose memory comes from the context and whose errors come back as
 * statuses.  libpng leaves by longjmp when it fails, so everything that has to be freed
 * lives in one struct outside of the frame it jumps into. */
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "otherwise/file.h"
#include "otherwise/report.h"
#include "report/support.h"

typedef struct {
    ow_context *ctx;
    png_structp png;
    png_infop info;
    char *bytes; /* what has been written so far */
    size_t size, capacity;
    ow_status status;
} png_writer;

static void *allocate(png_structp png, png_alloc_size_t size)
{
    const png_writer *writer = png_get_mem_ptr(png);
    return owi_report_alloc(writer->ctx, 1, size);
}

static void release(png_structp png, void *block)
{
    (void)png;
    ow_bytes_free(block);
}

/* Ends libpng's call.  A failed allocation has said so itself. */
static void stop(png_structp png, const char *reason)
{
    png_writer *writer = png_get_error_ptr(png);
    if (writer->status == OW_OK && strstr(reason, "emory") != NULL)
        writer->status = OW_ERR_MEMORY;
    if (writer->status == OW_OK)
        writer->status =
            owi_report_fail(OW_ERR_ARGUMENT, "cannot make a PNG of it: %s", reason);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, const char *text)
{
    (void)png;
    (void)text;
}

static void add_bytes(png_structp png, png_bytep bytes, size_t size)
{
    png_writer *writer = png_get_io_ptr(png);
    writer->status = owi_report_grow(writer->ctx, &writer->bytes, &writer->capacity,
                                     writer->size + size);
    if (writer->status != OW_OK) png_longjmp(png, 1);
    memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void write_picture(png_writer *writer, const ow_pixels *picture)
{
    png_structp png = writer->png;
    if (setjmp(png_jmpbuf(png)) != 0) return;
    writer->info = png_create_info_struct(png);
    if (writer->info == NULL) {
        writer->status = OW_ERR_MEMORY;
        return;
    }
    png_set_write_fn(png, writer, add_bytes, flush_nothing);
    png_set_IHDR(png, writer->info, (png_uint_32)picture->width,
                 (png_uint_32)picture->height, 8,
                 picture->channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, writer->info);
    for (size_t y = 0; y < picture->height; y++)
        png_write_row(png, picture->pixels + y * picture->width * picture->channels);
    png_write_end(png, writer->info);
}

ow_status ow_png_format(ow_context *ctx, const ow_pixels *picture, char **bytes,
                        size_t *size)
{
    OWI_REQUIRE(ctx != NULL && picture != NULL && bytes != NULL && size != NULL);
    OWI_REQUIRE(picture->channels == 1 || picture->channels == 3);
    *bytes = NULL;
    *size = 0;
    png_writer writer = {.ctx = ctx};
    writer.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, stop,
                                           ignore_warning, &writer, allocate, release);
    if (writer.png == NULL) return OW_ERR_MEMORY;
    write_picture(&writer, picture);
    png_destroy_write_struct(&writer.png, &writer.info);
    if (writer.status == OW_OK) {
        *bytes = writer.bytes;
        *size = writer.size;
    } else {
        ow_bytes_free(writer.bytes);
    }
    return writer.status;
}

ow_status ow_png_save(ow_context *ctx, const ow_pixels *picture, const char *path)
{
    char *bytes;
    size_t size;
    OWI_REQUIRE(path != NULL);
    OWI_TRY(ow_png_format(ctx, picture, &bytes, &size));
    const ow_status status = ow_file_write(ctx, path, bytes, size);
    ow_bytes_free(bytes);
    return status;
}
