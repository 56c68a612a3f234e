/* SPDX-License-Identifier: MIT */
/* Rows of the known data sets come back from their encoding as they were, in double and
 * through float.  Where a file is not there, its test is skipped. */
#include "support/ow_test.h"

enum { rows_a_block = 100, most_rows = 2000 };

typedef struct {
    const char *path;
    ow_read_options reading;
    double tolerance, float_tolerance; /* 0: exactly */
} data_case;

/* Encodes and decodes n rows, rounded to float in between if asked for. */
static void assert_come_back(const ow_encoding *encoding, size_t n, size_t n_columns,
                             const double *rows, bool through_float, double tolerance)
{
    const size_t width = ow_encoding_width(encoding);
    double *encoded = malloc(n * width * sizeof *encoded);
    double *back = malloc(n * n_columns * sizeof *back);
    assert_non_null(encoded);
    assert_non_null(back);
    ow_encoding_encode(encoding, n, rows, encoded);
    for (size_t i = 0; through_float && i < n * width; i++)
        encoded[i] = (double)(float)encoded[i];
    ow_encoding_decode(encoding, n, encoded, back);
    assert_close(back, rows, n * n_columns, tolerance);
    free(encoded);
    free(back);
}

static void check_rows(ow_context *ctx, const data_case *data, ow_reader *reader,
                       const ow_infer_options *options, ow_category_form form)
{
    ow_schema *schema;
    ow_encoding *encoding;
    assert_ok(ow_schema_infer(reader, options, NULL, &schema));
    assert_ok(ow_encoding_new(ctx, schema, form, &encoding));
    assert_ok(ow_reader_bind(reader, schema, true));
    assert_ok(ow_reader_rewind(reader));
    const size_t n_columns = ow_schema_n_columns(schema);
    double *rows = malloc(rows_a_block * n_columns * sizeof *rows);
    assert_non_null(rows);
    size_t n = 1;
    for (size_t i = 0; i < most_rows && n > 0; i += n) {
        assert_ok(ow_reader_next(reader, rows_a_block, NULL, rows, NULL, &n));
        if (n == 0) break;
        assert_come_back(encoding, n, n_columns, rows, false, data->tolerance);
        /* Logarithms through a float are exact for smaller numbers than adult's only. */
        if (options->scaling != OW_SCALE_LOG1P)
            assert_come_back(encoding, n, n_columns, rows, true, data->float_tolerance);
    }
    free(rows);
    ow_encoding_free(encoding);
    ow_schema_free(schema);
}

/* In both forms, with every scaling for tables and the usual one for pictures. */
static void check_data(const data_case *data)
{
    ow_test_heap heap;
    ow_reader *reader;
    ow_test_heap_begin(&heap);
    ow_read_options reading = data->reading;
    reading.size = sizeof reading;
    assert_ok(ow_reader_open(heap.ctx, data->path, &reading, NULL, &reader));
    const bool is_table = ow_reader_layout(reader).kind == OW_LAYOUT_TABLE;
    const ow_scaling last = is_table ? OW_SCALE_LOG1P : OW_SCALE_NONE;
    for (ow_scaling scaling = OW_SCALE_NONE; scaling <= last; scaling++) {
        const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                          .scaling = scaling,
                                          .scaling_given = is_table};
        check_rows(heap.ctx, data, reader, &options, OW_CATEGORY_ONE_HOT);
        if (is_table) check_rows(heap.ctx, data, reader, &options, OW_CATEGORY_CODE);
    }
    ow_reader_free(reader);
    ow_test_heap_end(&heap);
}

static void rows_of_credit_come_back(void **state)
{
    (void)state;
    check_data(&(data_case){.path = "data/credit.csv"});
}

static void rows_of_adult_come_back(void **state)
{
    (void)state;
    check_data(&(data_case){.path = ow_test_data_file("adult/adult.data"),
                            .reading = {.no_header = true}});
}

static void images_of_mnist_come_back(void **state)
{
    (void)state;
    check_data(&(data_case){.path = ow_test_data_file("mnist/t10k-images-idx3-ubyte.gz")});
}

/* Floats of which every digit matters: 2^-50 (|x| + |low|) as encode.h says, with low = 0,
 * and a float's own precision. */
static void maps_of_cub_come_back_within_the_stated_bound(void **state)
{
    (void)state;
    check_data(&(data_case){.path = ow_test_data_file("cub/features_resnet50_7x7x100.npy"),
                            .tolerance = 0x1p-50,
                            .float_tolerance = 0x1p-23});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_credit_come_back),
        cmocka_unit_test(rows_of_adult_come_back),
        cmocka_unit_test(images_of_mnist_come_back),
        cmocka_unit_test(maps_of_cub_come_back_within_the_stated_bound),
    };
    return cmocka_run_group_tests_name("data/encode_known_data", tests, NULL, NULL);
}
