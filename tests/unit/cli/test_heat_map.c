/* SPDX-License-Identifier: MIT */
/* Photographs made here by libjpeg's other half, with heat over them. */
#include "otherwise/report.h"
#include "support/ow_test.h"

#include <jpeglib.h>

#include "reproduce/birds/heat_map.h"

enum { grey = 120 };

/* A photograph of one grey, written as a JPEG file. */
static const char *write_photo(size_t width, size_t height)
{
    struct jpeg_compress_struct jpeg = {0};
    struct jpeg_error_mgr errors;
    const char *path = ow_test_path("photo.jpg", 0);
    FILE *file = fopen(path, "wb");
    unsigned char *line = malloc(width * 3);
    assert_non_null(file);
    memset(line, grey, width * 3);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (size_t y = 0; y < height; y++) jpeg_write_scanlines(&jpeg, &line, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    free(line);
    fclose(file);
    return path;
}

static const unsigned char *pixel_at(const ow_pixels *picture, size_t x, size_t y)
{
    return picture->pixels + (y * picture->width + x) * picture->channels;
}

static void a_photograph_is_made_smaller_but_never_larger(void **state)
{
    static const size_t sizes[][4] = {/* of the file, of the picture */
                                      {40, 20, 40, 20}, {100, 50, 50, 25},
                                      {50, 500, 5, 50}, {333, 500, 33, 50},
                                      {900, 1, 50, 1},  {51, 51, 50, 50}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ow_pixels picture = {0};
        const heat_map map = {.photo = write_photo(sizes[i][0], sizes[i][1]),
                              .most_side = 50};
        assert_ok(heat_map_draw(ow_test_context(state), &map, &picture));
        assert_int_equal(picture.width, sizes[i][2]);
        assert_int_equal(picture.height, sizes[i][3]);
        for (size_t k = 0; k < picture.width * picture.height * 3; k++)
            assert_in_range(picture.pixels[k], grey - 2, grey + 2);
        ow_pixels_clear(&picture);
    }
}

static void heat_lies_where_the_map_has_it_and_nowhere_else(void **state)
{
    const double heat[3 * 2] = {0, 0, 0, 0, 0, 5};
    ow_pixels picture = {0};
    const heat_map map = {.photo = write_photo(60, 90),
                          .most_side = 90,
                          .rows = 3,
                          .columns = 2,
                          .heat = heat};
    assert_ok(heat_map_draw(ow_test_context(state), &map, &picture));
    /* The lower right corner is red at full strength: 0.25 of the photograph and 0.75 of
     * (225, 25, 25). */
    const unsigned char *corner = pixel_at(&picture, 59, 89);
    assert_in_range(corner[0], 197, 201);
    assert_in_range(corner[1], 47, 51);
    assert_in_range(pixel_at(&picture, 0, 0)[0], grey - 2, grey + 2);
    assert_in_range(pixel_at(&picture, 14, 89)[0], grey - 2, grey + 2);
    /* Between the middles of two cells it goes over from one to the other. */
    const int left = pixel_at(&picture, 30, 89)[2], right = pixel_at(&picture, 44, 89)[2];
    assert_true(left > right);
    ow_pixels_clear(&picture);
}

static void full_strength_may_be_given(void **state)
{
    const double heat[1] = {1.0};
    ow_pixels picture = {0};
    const heat_map map = {.photo = write_photo(8, 8),
                          .most_side = 8,
                          .rows = 1,
                          .columns = 1,
                          .heat = heat,
                          .full = 3.0};
    assert_ok(heat_map_draw(ow_test_context(state), &map, &picture));
    /* A third of full strength: 0.75 of the photograph and 0.25 of (40, 190, 170). */
    assert_in_range(pixel_at(&picture, 4, 4)[0], 98, 102);
    assert_in_range(pixel_at(&picture, 4, 4)[1], 136, 140);
    ow_pixels_clear(&picture);
}

static void the_box_is_drawn_at_its_place_and_cut_at_the_edge(void **state)
{
    const double box[4] = {20, 40, 500, 20};
    ow_pixels picture = {0};
    const heat_map map = {.photo = write_photo(100, 100), .most_side = 50, .box = box};
    assert_ok(heat_map_draw(ow_test_context(state), &map, &picture));
    assert_int_equal(pixel_at(&picture, 10, 20)[0], 255);
    assert_int_equal(pixel_at(&picture, 49, 30)[0], 255);
    assert_in_range(pixel_at(&picture, 9, 20)[0], grey - 2, grey + 2);
    assert_in_range(pixel_at(&picture, 20, 25)[0], grey - 2, grey + 2);
    ow_pixels_clear(&picture);
}

static void a_cut_photograph_is_refused_wherever_it_is_cut(void **state)
{
    size_t size = 0;
    char *whole = ow_test_read_file(write_photo(24, 24), &size);
    const char *path = ow_test_path("cut.jpg", 1);
    const heat_map map = {.photo = path, .most_side = 24};
    /* Without the last two bytes, the mark of the end, everything is there all the same. */
    for (size_t n = 0; n + 2 < size; n++) {
        ow_pixels picture = {0};
        ow_test_write_file(path, whole, n);
        assert_fails(heat_map_draw(ow_test_context(state), &map, &picture), OW_ERR_FORMAT,
                     "cut.jpg");
        assert_null(picture.pixels);
    }
    free(whole);
}

static void what_is_no_photograph_or_no_heat_is_named(void **state)
{
    const double cold[2] = {0.0, -1.0};
    const char *path = ow_test_path("no.jpg", 1);
    ow_pixels picture = {0};
    heat_map map = {.photo = path, .most_side = 24};
    ow_test_write_file(path, "no photograph", 13);
    assert_fails(heat_map_draw(ow_test_context(state), &map, &picture), OW_ERR_FORMAT,
                 "no.jpg: cannot be read as a JPEG file");
    map.photo = ow_test_path("nothing.jpg", 2);
    assert_fails(heat_map_draw(ow_test_context(state), &map, &picture), OW_ERR_IO,
                 "nothing.jpg");
    map.rows = 1;
    map.columns = 2;
    map.heat = cold;
    assert_fails(heat_map_draw(ow_test_context(state), &map, &picture), OW_ERR_ARGUMENT,
                 "row 1, column 2 of the heat map");
}

static ow_status draw_one(ow_context *ctx, void *user)
{
    ow_pixels picture = {0};
    const ow_status status = heat_map_draw(ctx, user, &picture);
    if (status != OW_OK) assert_null(picture.pixels);
    ow_pixels_clear(&picture);
    return status;
}

static void nothing_leaks_whichever_allocation_fails(void **state)
{
    (void)state;
    heat_map map = {.photo = write_photo(30, 20), .most_side = 10};
    ow_test_sweep(draw_one, &map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_photograph_is_made_smaller_but_never_larger),
        ow_test_on_heap(heat_lies_where_the_map_has_it_and_nowhere_else),
        ow_test_on_heap(full_strength_may_be_given),
        ow_test_on_heap(the_box_is_drawn_at_its_place_and_cut_at_the_edge),
        ow_test_on_heap(a_cut_photograph_is_refused_wherever_it_is_cut),
        ow_test_on_heap(what_is_no_photograph_or_no_heat_is_named),
        cmocka_unit_test(nothing_leaks_whichever_allocation_fails),
    };
    return cmocka_run_group_tests_name("cli/heat_map", tests, NULL, NULL);
}
