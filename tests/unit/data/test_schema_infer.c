/* SPDX-License-Identifier: MIT */
/* Schemas inferred from small files in memory. */
#include "support/schema_fixture.h"

#include "data/schema/schema_private.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* The type of a file with this one column. */
static ow_column_type type_of(const char *csv)
{
    ow_test_inferred in;
    assert_ok(ow_test_infer(&in, csv, NULL));
    const ow_column_type type = ow_schema_column(in.schema, 0)->type;
    ow_test_inferred_end(&in);
    return type;
}

static void types_follow_from_the_cells(void **state)
{
    (void)state;
    assert_int_equal(type_of("x\n1\n2\n-3\n"), OW_TYPE_INTEGER);
    assert_int_equal(type_of("x\n1\n2.0\n3e2\n"), OW_TYPE_INTEGER);
    assert_int_equal(type_of("x\n1\n?\nNA\n\"\"\n2\n"), OW_TYPE_INTEGER);
    assert_int_equal(type_of("x\n1\n2.5\n"), OW_TYPE_CONTINUOUS);
    assert_int_equal(type_of("x\n1\n9007199254740994\n"), OW_TYPE_CONTINUOUS);
    assert_int_equal(type_of("x\n1\nred\n"), OW_TYPE_CATEGORICAL);
    assert_int_equal(type_of("x\nyes\nno\n"), OW_TYPE_CATEGORICAL);
}

static void figures_are_those_of_the_rows(void **state)
{
    (void)state;
    ow_test_inferred in;
    assert_ok(
        ow_test_infer(&in, "a,b,c\n1,0.25,-1\n,1.5,0\n3,0.25,-2\n8,-0,0.125\n", NULL));
    assert_int_equal(ow_schema_n_rows(in.schema), 4);
    const ow_column *a = ow_schema_column(in.schema, 0),
                    *b = ow_schema_column(in.schema, 1),
                    *c = ow_schema_column(in.schema, 2);
    const double log_mean = (log(2) + log(4) + log(9)) / 3;
    const double got[] = {a->low,      a->high,     a->mean,         a->deviation,
                          a->log_mean, b->low,      b->mean,         b->deviation,
                          c->low,      c->log_mean, c->log_deviation};
    const double want[] = {1,  8,   4,  sqrt(26.0 / 3), log_mean, 0, 0.5, sqrt(0.34375),
                           -2, NAN, NAN};
    assert_close(got, want, 11, 1e-14);
    assert_false(signbit(b->low));
    assert_int_equal(a->n_missing, 1);
    assert_int_equal(a->decimals, 0);
    assert_int_equal(b->decimals, 2);
    assert_int_equal(c->decimals, 3);
    assert_int_equal(a->scaling, OW_SCALE_STANDARD);
    assert_null(ow_schema_label(in.schema));
    ow_test_inferred_end(&in);
}

static void levels_and_classes_are_sorted_or_as_they_appear(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        static const char *const levels[2][3] = {{"blue", "green", "red"},
                                                 {"red", "blue", "green"}};
        static const char *const classes[2][3] = {{"2", "9", "10"}, {"10", "9", "2"}};
        ow_test_inferred in;
        const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                          .label = "y",
                                          .level_order = (ow_level_order)order};
        assert_ok(
            ow_test_infer(&in, "x,y\nred,10\nblue,9\nred,9\ngreen,2\n?,9\n", &options));
        const ow_column *x = ow_schema_column(in.schema, 0);
        assert_int_equal(ow_schema_n_columns(in.schema), 1);
        assert_int_equal(x->n_levels, 3);
        for (size_t k = 0; k < 3; k++) {
            assert_string_equal(x->levels[k], levels[order][k]);
            assert_string_equal(ow_schema_class_name(in.schema, k), classes[order][k]);
        }
        assert_int_equal(ow_schema_class_count(in.schema, 1), 3); /* "9" in either order */
        assert_string_equal(ow_schema_label(in.schema), "y");
        ow_test_inferred_end(&in);
    }
}

/* Squares of such numbers are infinite, or 0. */
static void the_widest_and_the_finest_numbers_have_a_deviation(void **state)
{
    (void)state;
    ow_test_inferred in;
    assert_ok(
        ow_test_infer(&in, "huge,tiny\n1e200,1e-200\n-1e200,3e-200\n3e200,0\n", NULL));
    const ow_column *huge = ow_schema_column(in.schema, 0),
                    *tiny = ow_schema_column(in.schema, 1);
    assert_true(huge->deviation == 4e200);
    assert_true(tiny->deviation == 3e-200 && tiny->log_deviation == 3e-200);
    ow_test_inferred_end(&in);
}

static void wishes_come_true(void **state)
{
    (void)state;
    ow_test_inferred in;
    const char *const drop[] = {"a"}, *const ordinal[] = {"b=low|mid|high", "c"},
                      *const categorical[] = {"d"}, *const immutable[] = {"d", "e"};
    const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                      .drop = drop,
                                      .n_drop = 1,
                                      .ordinal = ordinal,
                                      .n_ordinal = 2,
                                      .categorical = categorical,
                                      .n_categorical = 1,
                                      .immutable = immutable,
                                      .n_immutable = 2,
                                      .scaling = OW_SCALE_LOG1P,
                                      .scaling_given = true};
    assert_ok(
        ow_test_infer(&in, "a,b,c,d,e,f\n1,high,10,2,3,-1\n1,low,9,1,4,5\n", &options));
    assert_int_equal(ow_schema_n_columns(in.schema), 5);
    const ow_column *b = ow_schema_column(in.schema, 0),
                    *c = ow_schema_column(in.schema, 1),
                    *d = ow_schema_column(in.schema, 2),
                    *e = ow_schema_column(in.schema, 3),
                    *f = ow_schema_column(in.schema, 4);
    assert_true(b->type == OW_TYPE_ORDINAL && b->n_levels == 3 && !b->immutable);
    assert_string_equal(b->levels[1], "mid");
    assert_true(c->type == OW_TYPE_ORDINAL && strcmp(c->levels[0], "9") == 0);
    assert_true(d->type == OW_TYPE_CATEGORICAL && d->immutable && d->n_levels == 2);
    assert_true(e->type == OW_TYPE_INTEGER && e->immutable && e->scaling == OW_SCALE_LOG1P);
    assert_int_equal(f->scaling, OW_SCALE_STANDARD);
    assert_string_equal(in.log.text,
                        "t.csv: column \"f\" has numbers below 0 and is scaled "
                        "standard instead of log1p\n");
    ow_test_inferred_end(&in);
}

static void a_level_beyond_those_given_is_named(void **state)
{
    (void)state;
    ow_test_inferred in;
    const char *const ordinal[] = {"b=low|high"};
    assert_fails(ow_test_infer(&in, "a,b\n1,low\n2,middle\n",
                               &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                   .ordinal = ordinal,
                                                   .n_ordinal = 1}),
                 OW_ERR_ARGUMENT,
                 "t.csv: column \"b\" has the level \"middle\", which is not in low|high");
    assert_null(in.schema);
    ow_test_inferred_end(&in);
}

static void a_column_without_values_is_left_out(void **state)
{
    (void)state;
    ow_test_inferred in;
    assert_ok(ow_test_infer(&in, "a,b,c\n1,,x\n2,?,y\n", NULL));
    assert_int_equal(ow_schema_n_columns(in.schema), 2);
    assert_string_equal(ow_schema_column(in.schema, 1)->name, "c");
    assert_string_equal(in.log.text,
                        "t.csv: column \"b\" has no value in any row and is left out\n");
    ow_test_inferred_end(&in);
    assert_fails(ow_test_infer(&in, "a,b\n,\n?,NA\n", NULL), OW_ERR_SCHEMA,
                 "t.csv: no column has a value in any row");
    ow_test_inferred_end(&in);

    const char *const ordinal[] = {"b=no|yes"}; /* that is enough to know */
    assert_ok(ow_test_infer(&in, "a,b\n1,\n2,?\n",
                            &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                .ordinal = ordinal,
                                                .n_ordinal = 1}));
    assert_int_equal(ow_schema_column(in.schema, 1)->n_levels, 2);
    assert_int_equal(ow_schema_column(in.schema, 1)->n_missing, 2);
    ow_test_inferred_end(&in);
}

static void a_column_that_never_varies_is_kept_with_a_warning(void **state)
{
    (void)state;
    ow_test_inferred in;
    assert_ok(ow_test_infer(&in, "a,b\n1,5\n2,5\n", NULL));
    const ow_column *b = ow_schema_column(in.schema, 1);
    assert_true(b->low == 5 && b->high == 5 && b->deviation == 1 && b->log_deviation == 1);
    assert_non_null(strstr(in.log.text, "column \"b\" is \"5\" in every row"));
    ow_test_inferred_end(&in);
}

/* 60 rows: a and b determine each other, c does not. */
static void linked_columns_are_noted(void **state)
{
    (void)state;
    ow_test_inferred in;
    char csv[1000] = "a,c,b\n";
    for (int i = 0; i < 60; i++)
        snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "%c,%d,%d\n", 'p' + i % 5,
                 i * i % 7, 50 - i % 5);
    assert_ok(ow_test_infer(&in, csv, NULL));
    assert_int_equal(ow_schema_column(in.schema, 0)->link, 1);
    assert_int_equal(ow_schema_column(in.schema, 1)->link, 0);
    assert_int_equal(ow_schema_column(in.schema, 2)->link, 1);
    assert_string_equal(
        in.log.text,
        "t.csv: columns that determine each other, now linked: \"a\", \"b\"\n");
    ow_test_inferred_end(&in);

    /* The label is no column, though a determines it, too. */
    assert_ok(ow_test_infer(
        &in, csv, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "b"}));
    assert_int_equal(ow_schema_column(in.schema, 0)->link, 0);
    ow_test_inferred_end(&in);
}

static void many_numbers_may_have_few_texts_among_them(void **state)
{
    (void)state;
    ow_test_inferred in;
    char *csv = malloc(60000);
    size_t used = (size_t)sprintf(csv, "x\n");
    for (int i = 0; i < 5000; i++) used += (size_t)sprintf(csv + used, "%d\n", i);
    sprintf(csv + used, "oops\n");
    assert_ok(ow_test_infer(&in, csv, NULL));
    assert_int_equal(ow_schema_column(in.schema, 0)->type, OW_TYPE_INTEGER);
    assert_int_equal(ow_schema_column(in.schema, 0)->n_missing, 1);
    assert_non_null(strstr(in.log.text, "column \"x\" holds numbers; 1 of its cells "
                                        "(\"oops\") does not, and counts as missing"));
    ow_test_inferred_end(&in);
    for (int i = 0; i < 60; i++) used += (size_t)sprintf(csv + used, "oops%d\n", i % 5);
    assert_fails(
        ow_test_infer(&in, csv, NULL), OW_ERR_SCHEMA,
        "t.csv: column \"x\" has more than 4096 different numbers, but also 60 texts, "
        "the first of them \"oops0\" at t.csv:5002");
    ow_test_inferred_end(&in);
    const char *const categorical[] = {"x"};
    assert_ok(ow_test_infer(&in, csv,
                            &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                .categorical = categorical,
                                                .n_categorical = 1}));
    assert_int_equal(ow_schema_column(in.schema, 0)->n_levels, 5005);
    ow_test_inferred_end(&in);
    free(csv);
}

static void the_place_of_the_first_text_is_told(void **state)
{
    (void)state;
    ow_test_inferred in;
    char csv[1000] = "x,y\n";
    for (int i = 0; i < 60; i++)
        snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "%s,%d\n",
                 i == 40 ? "five" : "5", i % 7);
    assert_ok(ow_test_infer(&in, csv, NULL));
    assert_non_null(strstr(in.log.text, "1 of its 60 values are not numbers (the first is "
                                        "\"five\" at t.csv:42)"));
    ow_test_inferred_end(&in);
}

static void too_many_texts_are_carried_unless_they_are_to_be_kept(void **state)
{
    (void)state;
    ow_test_inferred in;
    char *csv = malloc(1000000);
    size_t used = (size_t)sprintf(csv, "x,y\n");
    for (int i = 0; i < 65537; i++) used += (size_t)sprintf(csv + used, "a%d,1\n", i);
    const char *const x[] = {"x"};
    assert_fails(ow_test_infer(&in, csv,
                               &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                   .keep = x,
                                                   .n_keep = 1}),
                 OW_ERR_SCHEMA, "t.csv: column \"x\" has more than 65536 different texts");
    ow_test_inferred_end(&in);
    assert_ok(ow_test_infer(&in, csv, NULL));
    assert_int_equal(ow_schema_n_columns(in.schema), 1);
    assert_string_equal(ow_schema_carried(in.schema, 0), "x");
    assert_non_null(strstr(in.log.text, "\"x\" is an identifier or free text"));
    ow_test_inferred_end(&in);
    free(csv);
}

static void texts_that_are_not_utf8_become_so(void **state)
{
    (void)state;
    ow_test_inferred in;
    assert_ok(ow_test_infer(&in, "x\ncaf\xE9\ntea\n", NULL));
    const ow_column *column = ow_schema_column(in.schema, 0);
    assert_int_equal(column->n_levels, 2);
    assert_string_equal(column->levels[0], "caf\xC3\xA9");
    ow_test_inferred_end(&in);
}

/* A reader whose rows have been read already is rewound. */
static void it_does_not_matter_where_the_reader_stands(void **state)
{
    (void)state;
    ow_test_inferred in;
    ow_schema *again;
    char *first, *second;
    assert_ok(
        ow_test_infer(&in, "x,y\n1,a\n2,b\n",
                      &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"}));
    assert_ok(ow_schema_infer(
        in.reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
        &how, &again));
    assert_ok(ow_schema_format(in.schema, &first));
    assert_ok(ow_schema_format(again, &second));
    assert_string_equal(first, second);
    ow_bytes_free(first);
    ow_bytes_free(second);
    ow_schema_free(again);
    ow_test_inferred_end(&in);
}

static void a_file_without_rows_is_an_error(void **state)
{
    (void)state;
    ow_test_inferred in;
    ow_test_heap_begin(&in.heap);
    const ow_status status =
        ow_reader_open_memory(in.heap.ctx, "x,y\n", 4, "t.csv", NULL, &in.reader);
    if (status == OW_OK)
        assert_fails(ow_schema_infer(in.reader, NULL, &how, &in.schema), OW_ERR_FORMAT,
                     "t.csv");
    ow_reader_free(in.reader);
    ow_test_heap_end(&in.heap);
}

/* ---- Images and maps ---- */

/* An IDX file of n images of 2 x 2 bytes. */
static size_t make_idx(unsigned char *idx, size_t n, const unsigned char *pixels)
{
    const unsigned char head[] = {0, 0, 8, 3, 0, 0, 0, (unsigned char)n,
                                  0, 0, 0, 2, 0, 0, 0, 2};
    memcpy(idx, head, sizeof head);
    memcpy(idx + sizeof head, pixels, 4 * n);
    return sizeof head + 4 * n;
}

static void infer_images(ow_test_inferred *in, const void *bytes, size_t size,
                         const char *labels, const ow_infer_options *options)
{
    ow_test_heap_begin(&in->heap);
    ow_test_log_attach(&in->log, in->heap.ctx, OW_LOG_INFO);
    assert_ok(ow_reader_open_memory(in->heap.ctx, bytes, size, "i.idx",
                                    &(ow_read_options){.size = sizeof(ow_read_options),
                                                       .labels = labels},
                                    &in->reader));
    assert_ok(ow_schema_infer(in->reader, options, &how, &in->schema));
}

static void pixels_share_one_range_whatever_they_show(void **state)
{
    (void)state;
    static const unsigned char pixels[] = {0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0};
    unsigned char idx[100];
    ow_test_inferred in;
    const char *const immutable[] = {"x3"}, *const labels = ow_test_path("l.txt", 0);
    ow_test_write_file(labels, "b\na\nb\n", 6);
    infer_images(&in, idx, make_idx(idx, 3, pixels), labels,
                 &(ow_infer_options){.size = sizeof(ow_infer_options),
                                     .label = "label",
                                     .immutable = immutable,
                                     .n_immutable = 1});
    assert_int_equal(ow_schema_n_columns(in.schema), 4);
    assert_int_equal(ow_schema_n_classes(in.schema), 2);
    assert_int_equal(ow_schema_class_count(in.schema, 1), 2);
    const ow_layout layout = ow_schema_layout(in.schema);
    assert_true(layout.kind == OW_LAYOUT_IMAGE && layout.height == 2 && layout.width == 2);
    for (size_t j = 0; j < 4; j++) {
        const ow_column *c = ow_schema_column(in.schema, j);
        assert_true(c->type == OW_TYPE_INTEGER && c->low == 0 && c->high == 255);
        assert_true(c->mean == 21.0 / 12 && c->scaling == OW_SCALE_MINMAX);
        assert_int_equal(c->immutable, j == 3);
        assert_int_equal(c->link, 0);
    }
    assert_string_equal(in.log.text, ""); /* nothing about constant pixels */
    ow_test_inferred_end(&in);
}

/* An NPY file of float32, shape (2, 1, 1, 3). */
static size_t make_npy(unsigned char *npy, const float *numbers)
{
    static const char head[] = "\x93NUMPY\x01\x00\x46\x00{'descr': '<f4', 'fortran_order': "
                               "False, 'shape': (2, 1, 1, 3), }";
    memset(npy, ' ', 80);
    memcpy(npy, head, sizeof head - 1);
    npy[79] = '\n';
    memcpy(npy + 80, numbers, 6 * sizeof *numbers);
    return 80 + 6 * sizeof *numbers;
}

static void maps_begin_at_zero_unless_they_go_below(void **state)
{
    (void)state;
    const float positive[] = {0.5f, 1, 2, NAN, 3, 2.5f},
                negative[] = {-1, 1, 2, 0, 3, 2.5f};
    unsigned char npy[200];
    ow_test_inferred in;
    infer_images(&in, npy, make_npy(npy, positive), NULL, NULL);
    const ow_column *c = ow_schema_column(in.schema, 0);
    assert_int_equal(ow_schema_layout(in.schema).kind, OW_LAYOUT_MAP);
    assert_true(c->type == OW_TYPE_CONTINUOUS && c->low == 0 && c->high == 3 &&
                c->decimals == -1);
    assert_true(c->n_missing == 1 && ow_schema_column(in.schema, 1)->n_missing == 0);
    assert_true(isfinite(c->log_mean));
    ow_test_inferred_end(&in);
    infer_images(&in, npy, make_npy(npy, negative), NULL,
                 &(ow_infer_options){.size = sizeof(ow_infer_options),
                                     .scaling = OW_SCALE_STANDARD,
                                     .scaling_given = true});
    c = ow_schema_column(in.schema, 2);
    assert_true(c->low == -1 && c->high == 3 && isnan(c->log_mean));
    assert_int_equal(c->scaling, OW_SCALE_STANDARD);
    ow_test_inferred_end(&in);
}

/* ---- Failing ---- */

static void pictures_without_a_single_number_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const float numbers[] = {NAN, NAN, NAN, NAN, NAN, NAN};
    unsigned char npy[200];
    ow_reader *reader;
    ow_schema *schema;
    assert_ok(
        ow_reader_open_memory(ctx, npy, make_npy(npy, numbers), "m.npy", NULL, &reader));
    assert_fails(ow_schema_infer(reader, NULL, &how, &schema), OW_ERR_SCHEMA,
                 "m.npy: not a single number in 2 rows");
    ow_reader_free(reader);
}

static bool stop(void *user, const ow_progress *progress)
{
    (void)user;
    return progress->done == 0;
}

static void it_can_be_cancelled(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    const char *path = ow_test_path("long.csv", 1);
    char *csv = malloc(2000000);
    size_t used = (size_t)sprintf(csv, "x\n");
    while (used < 1900000) used += (size_t)sprintf(csv + used, "%zu\n", used % 10);
    ow_test_write_file(path, csv, used);
    free(csv);
    ow_test_heap_begin(&heap);
    assert_ok(ow_reader_open(heap.ctx, path, NULL, &how, &reader));
    how.progress = stop;
    how.progress_user = NULL;
    assert_fails(ow_schema_infer(reader, NULL, &how, &schema), OW_ERR_CANCELLED,
                 "stopped while");
    assert_null(schema);
    ow_reader_free(reader);
    ow_test_heap_end(&heap);
}

static ow_status infer_and_free(ow_context *ctx, void *user)
{
    const char *csv = user;
    const char *const ordinal[] = {"o=lo|hi"}, *const categorical[] = {"c"};
    const ow_infer_options options = {.size = sizeof(ow_infer_options),
                                      .label = "y",
                                      .ordinal = ordinal,
                                      .n_ordinal = 1,
                                      .categorical = categorical,
                                      .n_categorical = 1};
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_status status = ow_reader_open_memory(ctx, csv, strlen(csv), "t.csv", NULL, &reader);
    if (status == OW_OK) status = ow_schema_infer(reader, &options, &how, &schema);
    assert_int_equal(schema == NULL, status != OW_OK);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static ow_status infer_images_and_free(ow_context *ctx, void *user)
{
    static const unsigned char pixels[8] = {1, 2, 3};
    unsigned char idx[100];
    (void)user;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_status status =
        ow_reader_open_memory(ctx, idx, make_idx(idx, 2, pixels), "i.idx", NULL, &reader);
    if (status == OW_OK) status = ow_schema_infer(reader, NULL, &how, &schema);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    char csv[2000] = "a,b,o,c,t,y\n";
    for (int i = 0; i < 30; i++)
        snprintf(csv + strlen(csv), sizeof csv - strlen(csv), "%d,%s,%s,%d,t%d,%d\n", i * 3,
                 i % 9 == 4 ? "" : "1.5", i % 2 ? "lo" : "hi", i % 3, i % 4, i % 2);
    ow_test_sweep(infer_and_free, csv);
    ow_test_sweep(infer_images_and_free, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_follow_from_the_cells),
        cmocka_unit_test(figures_are_those_of_the_rows),
        cmocka_unit_test(levels_and_classes_are_sorted_or_as_they_appear),
        cmocka_unit_test(the_widest_and_the_finest_numbers_have_a_deviation),
        cmocka_unit_test(wishes_come_true),
        cmocka_unit_test(a_level_beyond_those_given_is_named),
        cmocka_unit_test(a_column_without_values_is_left_out),
        cmocka_unit_test(a_column_that_never_varies_is_kept_with_a_warning),
        cmocka_unit_test(linked_columns_are_noted),
        cmocka_unit_test(many_numbers_may_have_few_texts_among_them),
        cmocka_unit_test(the_place_of_the_first_text_is_told),
        cmocka_unit_test(too_many_texts_are_carried_unless_they_are_to_be_kept),
        cmocka_unit_test(texts_that_are_not_utf8_become_so),
        cmocka_unit_test(it_does_not_matter_where_the_reader_stands),
        cmocka_unit_test(a_file_without_rows_is_an_error),
        cmocka_unit_test(pixels_share_one_range_whatever_they_show),
        cmocka_unit_test(maps_begin_at_zero_unless_they_go_below),
        ow_test_on_heap(pictures_without_a_single_number_are_refused),
        cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/schema_infer", tests, NULL, NULL);
}
