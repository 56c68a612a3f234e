/* SPDX-License-Identifier: MIT */
/* Strips of images: every panel in its place, in the right colours. */
#include "otherwise/report.h"
#include "support/ow_test.h"

/* The pictures as src/report/image_strip.c lays them out. */
enum { gap = 6, zoom = 8, side = 2, n_columns = side * side };

/* A model of 2 x 2 images whose pixels run from 0 to 100. */
static ow_model *image_model(ow_context *ctx)
{
    /* NPY of shape (8, 2, 2), uint8, and labels beside it. */
    static const char head[] =
        "{'descr': '|u1', 'fortran_order': False, 'shape': (8, 2, 2), }";
    char bytes[256] = "\x93NUMPY\x01";
    size_t size = 10 + sizeof head - 1;
    bytes[7] = 0;
    bytes[8] = (char)(sizeof head - 1);
    memcpy(bytes + 10, head, sizeof head - 1);
    for (int i = 0; i < 8 * n_columns; i++) bytes[size++] = (char)(i * 29 % 101);
    bytes[size - 1] = 100;
    const char *labels = ow_test_path("labels.txt", 1);
    ow_test_write_file(labels, "a\nb\na\nb\na\nb\na\nb\n", 16);

    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_options options = ow_test_train_defaults();
    options.test_share = 0.0;
    options.passes = 1;
    assert_ok(ow_reader_open_memory(
        ctx, bytes, size, "images.npy",
        &(ow_read_options){.size = sizeof(ow_read_options), .labels = labels}, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"},
        NULL, &schema));
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    ow_schema_free(schema);
    ow_reader_free(reader);
    return model;
}

/* The whole zoomed pixel (row y, column x) of panel p on line l has this colour. */
static void assert_pixel(const ow_pixels *picture, size_t l, size_t p, size_t y, size_t x,
                         int red, int green, int blue)
{
    const size_t panel = side * zoom + gap;
    for (size_t i = 0; i < zoom * zoom; i++) {
        const size_t top = gap + l * panel + y * zoom + i / zoom;
        const size_t left = gap + p * panel + x * zoom + i % zoom;
        const unsigned char *got = picture->pixels + 3 * (top * picture->width + left);
        assert_int_equal(got[0], red);
        assert_int_equal(got[1], green);
        assert_int_equal(got[2], blue);
    }
}

static void panels_stand_beside_each_other_and_lines_below(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = image_model(ctx);
    const ow_column *column = ow_schema_column(ow_model_schema(model), 0);
    double high = column->high;
    for (size_t j = 1; j < n_columns; j++)
        high = fmax(high, ow_schema_column(ow_model_schema(model), j)->high);
    const double query[] = {0.0, high, 0.0, NAN}, answer[] = {high, 0.0, 0.0, 0.0};
    const ow_strip strips[] = {{query, NULL, answer}, {answer, NULL, NULL}};
    ow_pixels picture;
    assert_ok(ow_report_strips(model, 2, strips, &picture));
    assert_int_equal(picture.channels, 3);
    assert_int_equal(picture.width, gap + 3 * (side * zoom + gap));
    assert_int_equal(picture.height, gap + 2 * (side * zoom + gap));

    assert_pixel(&picture, 0, 0, 0, 0, 0, 0, 0);       /* the query: black, white */
    assert_pixel(&picture, 0, 0, 0, 1, 255, 255, 255); /*                          */
    assert_pixel(&picture, 0, 1, 0, 0, 255, 255, 255); /* the answer               */
    assert_pixel(&picture, 0, 2, 0, 0, 255, 0, 0);     /* more is red              */
    assert_pixel(&picture, 0, 2, 0, 1, 0, 0, 255);     /* less is blue             */
    assert_pixel(&picture, 0, 2, 1, 0, 255, 255, 255); /* the same is white        */
    assert_pixel(&picture, 0, 0, 1, 1, 236, 214, 150); /* missing                  */
    assert_pixel(&picture, 0, 2, 1, 1, 236, 214, 150);
    assert_pixel(&picture, 1, 0, 0, 0, 255, 255, 255); /* the second line          */
    assert_pixel(&picture, 1, 1, 0, 0, 255, 255, 255); /* has no answer            */
    ow_pixels_clear(&picture);
    ow_model_free(model);
}

static void the_intermediate_point_gets_a_panel_of_its_own(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = image_model(ctx);
    const double query[n_columns] = {0.0}, answer[n_columns] = {0.0};
    double middle[n_columns] = {100.0, 0.0, 0.0, 0.0};
    float *soft = calloc(ow_model_soft_width(model), sizeof *soft);
    ow_model_soften(model, 1, middle, soft);
    const ow_strip strip = {query, soft, answer};
    ow_pixels picture;
    assert_ok(ow_report_strips(model, 1, &strip, &picture));
    assert_int_equal(picture.width, gap + 4 * (side * zoom + gap));
    const size_t at = 3 * ((size_t)gap * picture.width + gap + side * zoom + gap);
    assert_true(picture.pixels[at] > 90); /* u is bright there, the query is black */
    assert_pixel(&picture, 0, 0, 0, 0, 0, 0, 0);
    ow_pixels_clear(&picture);
    free(soft);
    ow_model_free(model);
}

static void rows_of_a_table_cannot_be_drawn(void **state)
{
    static const char text[] = "a,c\n1,x\n2,y\n3,x\n4,y\n5,x\n6,y\n";
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_options options = ow_test_train_defaults();
    options.test_share = 0.0;
    options.passes = 1;
    assert_ok(ow_reader_open_memory(ctx, text, sizeof text - 1, "a.csv", NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "c"}, NULL,
        &schema));
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    const double query[] = {1.0};
    ow_pixels picture;
    assert_fails(ow_report_strips(model, 1, &(ow_strip){query, NULL, NULL}, &picture),
                 OW_ERR_ARGUMENT, "only images and maps");
    assert_null(picture.pixels);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(panels_stand_beside_each_other_and_lines_below),
        ow_test_on_heap(the_intermediate_point_gets_a_panel_of_its_own),
        ow_test_on_heap(rows_of_a_table_cannot_be_drawn),
    };
    return cmocka_run_group_tests_name("image_strip", tests, NULL, NULL);
}
