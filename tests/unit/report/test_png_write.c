/* SPDX-License-Identifier: MIT */
/* Pictures written and read back by libpng's other half. */
#include <png.h>

#include "otherwise/report.h"
#include "support/ow_test.h"

static ow_pixels picture_of(size_t width, size_t height, size_t channels)
{
    ow_pixels picture = {width, height, channels, calloc(width * height, channels)};
    for (size_t i = 0; i < width * height * channels; i++)
        picture.pixels[i] = (unsigned char)(i * 37 + i / 11);
    return picture;
}

static void assert_reads_back(const ow_pixels *picture, const char *bytes, size_t size)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, size) != 0);
    assert_int_equal(image.width, picture->width);
    assert_int_equal(image.height, picture->height);
    image.format = picture->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    unsigned char *got = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, got, 0, NULL) != 0);
    assert_memory_equal(got, picture->pixels,
                        picture->width * picture->height * picture->channels);
    free(got);
    png_image_free(&image);
}

static void grey_and_coloured_pictures_come_back_pixel_by_pixel(void **state)
{
    static const size_t sizes[][2] = {{1, 1}, {7, 3}, {300, 2}, {1, 90}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t channels = 1; channels <= 3; channels += 2) {
            ow_pixels picture = picture_of(sizes[i][0], sizes[i][1], channels);
            char *bytes = NULL;
            size_t size = 0;
            assert_ok(ow_png_format(ow_test_context(state), &picture, &bytes, &size));
            assert_reads_back(&picture, bytes, size);
            ow_bytes_free(bytes);
            free(picture.pixels);
        }
}

static void the_file_holds_the_same_bytes(void **state)
{
    ow_pixels picture = picture_of(20, 10, 3);
    char *bytes = NULL;
    size_t size = 0, file_size = 0;
    const char *path = ow_test_path("a.png", 0);
    assert_ok(ow_png_format(ow_test_context(state), &picture, &bytes, &size));
    assert_ok(ow_png_save(ow_test_context(state), &picture, path));
    char *file = ow_test_read_file(path, &file_size);
    assert_int_equal(file_size, size);
    assert_memory_equal(file, bytes, size);
    free(file);
    ow_bytes_free(bytes);
    assert_fails(ow_png_save(ow_test_context(state), &picture, "/nowhere/a.png"), OW_ERR_IO,
                 "/nowhere/a.png");
    free(picture.pixels);
}

static void what_png_cannot_hold_is_refused(void **state)
{
    unsigned char pixel[3] = {0};
    char *bytes = NULL;
    size_t size = 0;
    ow_pixels empty = {0, 1, 3, pixel};
    assert_fails(ow_png_format(ow_test_context(state), &empty, &bytes, &size),
                 OW_ERR_ARGUMENT, "cannot make a PNG");
    assert_null(bytes);
    ow_pixels odd = {1, 1, 2, pixel};
    assert_status(ow_png_format(ow_test_context(state), &odd, &bytes, &size),
                  OW_ERR_ARGUMENT);
}

static ow_status write_one(ow_context *ctx, void *user)
{
    char *bytes = NULL;
    size_t size = 0;
    const ow_status status = ow_png_format(ctx, user, &bytes, &size);
    if (status != OW_OK) assert_null(bytes);
    ow_bytes_free(bytes);
    return status;
}

static void nothing_leaks_whichever_allocation_fails(void **state)
{
    (void)state;
    ow_pixels picture = picture_of(40, 30, 3);
    ow_test_sweep(write_one, &picture);
    free(picture.pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(grey_and_coloured_pictures_come_back_pixel_by_pixel),
        ow_test_on_heap(the_file_holds_the_same_bytes),
        ow_test_on_heap(what_png_cannot_hold_is_refused),
        cmocka_unit_test(nothing_leaks_whichever_allocation_fails),
    };
    return cmocka_run_group_tests_name("png_write", tests, NULL, NULL);
}
