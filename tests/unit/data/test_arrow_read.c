/* SPDX-License-Identifier: MIT */
/* Arrow streams made by hand: every type that is read, with nulls, slices and chunks; what
 * is not read, and what breaks the interface, with its sentence; all is released. */
#include "support/arrow_stream.h"
#include "support/columns_of_csv.h"
#include "support/csv_fixture.h"

#include <errno.h>

#include "base/text/number.h"

enum { n_values = 4 };
/* Of the four values the third is null. */
static const uint8_t third_is_null[] = {0xfb};

static ow_reader *open_stream(ow_context *ctx, ow_test_arrow *made, bool keep)
{
    struct ArrowArrayStream stream;
    ow_reader *reader = NULL;
    ow_test_arrow_open(made, &stream);
    assert_ok(ow_reader_open_arrow(ctx, &stream, "table", keep, &reader));
    assert_null(stream.release); /* it was moved */
    return reader;
}

/* The rows as text: cells by | and rows by a new line; missing ones are -. */
static void add_rows(ow_reader *reader, ow_test_text *out)
{
    for (;;) {
        const owi_cell *cells;
        bool at_end;
        char buffer[owi_number_size];
        assert_ok(owi_reader_next_cells(reader, &cells, &at_end));
        if (at_end) break;
        for (size_t j = 0; j < ow_reader_n_columns(reader); j++) {
            size_t length;
            const char *text = owi_cell_text(&cells[j], buffer, &length);
            if (cells[j].text == NULL && isnan(cells[j].number)) text = "-", length = 1;
            if (j > 0) ow_test_text_add(out, "|", 1);
            ow_test_text_add(out, text, length);
        }
        ow_test_text_add(out, "\n", 1);
    }
    ow_test_text_add(out, "", 1);
}

/* Read twice; all is released at the end. */
static void assert_stream(ow_context *ctx, ow_test_arrow *made, const char *want)
{
    ow_reader *reader = open_stream(ctx, made, true);
    for (int pass = 0; pass < 2; pass++) {
        ow_test_text got = {0};
        assert_ok(ow_reader_rewind(reader));
        add_rows(reader, &got);
        assert_string_equal(got.text, want);
        free(got.text);
    }
    ow_reader_free(reader);
    assert_int_equal(made->n_live, 0);
}

/* One column of one batch. */
static void assert_column(ow_context *ctx, const char *format, const void *values,
                          const char *want)
{
    const ow_test_arrow_field field = {"x", format, NULL};
    const ow_test_arrow_array array = {n_values, 1, 0, 2, {third_is_null, values}, NULL};
    const ow_test_arrow_batch batch = {n_values, 0, 0, NULL, &array};
    ow_test_arrow made = {
        .n_fields = 1, .fields = &field, .n_batches = 1, .batches = &batch};
    assert_stream(ctx, &made, want);
}

static void numbers_of_all_widths(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_column(ctx, "c", (int8_t[]){1, -128, 0, 127}, "1\n-128\n-\n127\n");
    assert_column(ctx, "C", (uint8_t[]){1, 0, 0, 255}, "1\n0\n-\n255\n");
    assert_column(ctx, "s", (int16_t[]){1, -32768, 0, 7}, "1\n-32768\n-\n7\n");
    assert_column(ctx, "S", (uint16_t[]){1, 65535, 0, 7}, "1\n65535\n-\n7\n");
    assert_column(ctx, "i", (int32_t[]){1, INT32_MIN, 0, 7}, "1\n-2147483648\n-\n7\n");
    assert_column(ctx, "I", (uint32_t[]){1, UINT32_MAX, 0, 7}, "1\n4294967295\n-\n7\n");
    assert_column(ctx, "l", (int64_t[]){1, -(INT64_C(1) << 53), 0, 7},
                  "1\n-9007199254740992\n-\n7\n");
    assert_column(ctx, "L", (uint64_t[]){1, UINT64_C(1) << 63, 0, 7},
                  "1\n9.223372036854776e18\n-\n7\n");
    assert_column(ctx, "e", (uint16_t[]){0x3c00, 0xc000, 0, 0x3555},
                  "1\n-2\n-\n0.333251953125\n");
    assert_column(ctx, "f", (float[]){0.5f, -1.5f, 0, NAN}, "0.5\n-1.5\n-\n-\n");
    assert_column(ctx, "g", (double[]){0.1, -1e-300, 0, 1e300}, "0.1\n-1e-300\n-\n1e300\n");
    assert_column(ctx, "b", (uint8_t[]){0x0d}, "1\n0\n-\n1\n");
    assert_column(ctx, "d:5,2", (int64_t[]){1250, 0, -1, -1, 7, 7, INT64_MAX, INT64_MAX},
                  "12.50\n-0.01\n-\n1701411834604692317224639316790293299.19\n");
    assert_column(ctx, "d:38,0,128", (int64_t[]){5, 0, -3, -1, 7, 7, 0, 0},
                  "5\n-3\n-\n0\n");
}

static void dates_and_times(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_column(ctx, "tdD", (int32_t[]){0, -1, 9, 19782},
                  "1970-01-01\n1969-12-31\n-\n2024-02-29\n");
    assert_column(ctx, "tdm", (int64_t[]){0, -1, 9, INT64_C(1709164800000)},
                  "1970-01-01\n1969-12-31\n-\n2024-02-29\n");
    assert_column(ctx, "tss:", (int64_t[]){0, 1, 2, 3},
                  "1970-01-01T00:00:00\n1970-01-01T00:00:01\n-\n1970-01-01T00:00:03\n");
    assert_column(ctx, "tsm:Europe/Berlin", (int64_t[]){0, 1, 2, 3000},
                  "1970-01-01T00:00:00Z\n1970-01-01T00:00:00.001Z\n-\n"
                  "1970-01-01T00:00:03Z\n");
    assert_column(ctx, "tsu:", (int64_t[]){0, 1, 2, -1},
                  "1970-01-01T00:00:00\n1970-01-01T00:00:00.000001\n-\n"
                  "1969-12-31T23:59:59.999999\n");
    assert_column(ctx, "tsn:UTC", (int64_t[]){0, 1, 2, 5},
                  "1970-01-01T00:00:00Z\n1970-01-01T00:00:00.000000001Z\n-\n"
                  "1970-01-01T00:00:00.000000005Z\n");
}

/* A view: length, then the text itself or prefix, buffer and start. */
typedef struct {
    int32_t length;
    union {
        char inside[12];
        struct {
            char prefix[4];
            int32_t buffer, start;
        } outside;
    } text;
} view;

static const char long_text[] = "..somewhat longer than twelve bytes";
static const view views[] = {
    {2, {.inside = "ab"}},
    {12, {.inside = {'1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '1', '2'}}},
    {99, {.outside = {"none", 9, 9}}}, /* null: not looked at */
    {sizeof long_text - 3, {.outside = {"some", 0, 2}}},
};
static const int64_t view_lengths[] = {sizeof long_text - 1};

/* Texts in all forms, and all of them in dictionaries; the first array is sliced, too. */
static void texts_and_dictionaries(void **state)
{
    static const int32_t offsets[] = {0, 0, 3, 4, 4, 6};
    static const int64_t large_offsets[] = {2, 4, 4, 4, 6};
    static const char bytes[] = "abc\xff..";
    static const uint8_t not_second[] = {0x1d}; /* third of the five is not null */
    static const int8_t indices[] = {1, 0, 3, 1};
    static const uint64_t wide_indices[] = {3, 2, 0, 1};
    static const double tens[] = {10, 20, 30};
    const ow_test_arrow_array texts = {4, -1, 1, 3, {not_second, offsets, bytes}, NULL};
    const ow_test_arrow_array large = {4, 0, 0, 3, {NULL, large_offsets, bytes}, NULL};
    const ow_test_arrow_array viewed = {
        4, 1, 0, 4, {third_is_null, views, long_text, view_lengths}, NULL};
    const ow_test_arrow_array numbers = {2, 0, 1, 2, {NULL, tens}, NULL};
    const ow_test_arrow_field fields[] = {
        {"u", "u", NULL},  {"U", "U", NULL}, {"vu", "vu", NULL}, {"", "n", NULL},
        {"du", "c", "vu"}, {"dU", "L", "U"}, {"dn", "c", "g"},
    };
    const ow_test_arrow_array columns[] = {
        texts,
        large,
        viewed,
        {.length = 4, .null_count = 4},
        {4, 0, 0, 2, {NULL, indices}, &viewed},
        {4, 1, 0, 2, {third_is_null, wide_indices}, &large},
        {4, 1, 0, 2, {(uint8_t[]){0x0b}, (int8_t[]){1, 0, 9, 1}}, &numbers},
    };
    const ow_test_arrow_batch batch = {4, 0, 0, NULL, columns};
    ow_test_arrow made = {
        .n_fields = 7, .fields = fields, .n_batches = 1, .batches = &batch};
    assert_stream(ow_test_context(state), &made,
                  "-|c\xff|ab|-|123456789012|..|30\n"
                  "\xff||123456789012|-|ab||20\n"
                  "||-|-|somewhat longer than twelve bytes|-|-\n"
                  "..|..|somewhat longer than twelve bytes|-|123456789012||30\n");
    ow_reader *reader = open_stream(ow_test_context(state), &made, false);
    assert_string_equal(ow_reader_column_name(reader, 3), "x3"); /* it had no name */
    ow_reader_free(reader);
}

/* Batches of any length, slices of slices, a row that is null as a whole. */
static void chunks_and_slices(void **state)
{
    static const double values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const uint8_t even[] = {0x55, 0x55}, all_but_fourth[] = {0xf7};
    static const ow_test_arrow_field field = {"x", "g", NULL};
    static const ow_test_arrow_array whole = {10, 0, 0, 2, {NULL, values}, NULL};
    static const ow_test_arrow_array sliced = {7, -1, 3, 2, {even, values}, NULL};
    static const ow_test_arrow_array none = {0, 0, 0, 2, {NULL, NULL}, NULL};
    static const ow_test_arrow_batch batches[] = {
        {0, 0, 0, NULL, &none},   {2, 0, 0, NULL, &whole},
        {3, 4, 0, NULL, &sliced}, {4, 1, 1, all_but_fourth, &whole},
        {0, 10, 0, NULL, &whole},
    };
    ow_test_arrow made = {
        .n_fields = 1, .fields = &field, .n_batches = 5, .batches = batches};
    assert_stream(ow_test_context(state), &made, "0\n1\n-\n8\n-\n1\n2\n-\n4\n");
    made.n_batches = 1;
    assert_stream(ow_test_context(state), &made, "");
}

static void without_keep_rows_come_once(void **state)
{
    static const double values[] = {0, 1};
    static const ow_test_arrow_field field = {"x", "g", NULL};
    static const ow_test_arrow_array array = {2, 0, 0, 2, {NULL, values}, NULL};
    static const ow_test_arrow_batch batch = {2, 0, 0, NULL, &array};
    const ow_test_arrow_batch batches[] = {batch, batch, batch};
    ow_test_arrow made = {
        .n_fields = 1, .fields = &field, .n_batches = 3, .batches = batches};
    ow_reader *reader = open_stream(ow_test_context(state), &made, false);
    ow_test_text got = {0};
    add_rows(reader, &got);
    assert_string_equal(got.text, "0\n1\n0\n1\n0\n1\n");
    assert_int_equal(made.n_live, 1); /* only the stream itself */
    assert_fails(ow_reader_rewind(reader), OW_ERR_IO,
                 "table can be read only once: its arrays were not to be kept");
    free(got.text);
    ow_reader_free(reader);
    assert_int_equal(made.n_live, 0);
}

/* ---- What is refused ---- */

static void refuse_stream(ow_context *ctx, ow_test_arrow *made, ow_status want,
                          const char *sentence)
{
    struct ArrowArrayStream stream;
    ow_reader *reader = NULL;
    const owi_cell *cells;
    bool at_end = false;
    ow_test_arrow_open(made, &stream);
    ow_status status = ow_reader_open_arrow(ctx, &stream, "table", true, &reader);
    while (status == OW_OK && !at_end)
        status = owi_reader_next_cells(reader, &cells, &at_end);
    assert_fails(status, want, sentence);
    ow_reader_free(reader);
    assert_null(stream.release);
    assert_int_equal(made->n_live, 0);
}

static void refuse_format(ow_context *ctx, const char *format, const char *dictionary,
                          ow_status want, const char *sentence)
{
    const ow_test_arrow_field fields[] = {{"a", "g", NULL}, {"b", format, dictionary}};
    ow_test_arrow made = {.n_fields = 2, .fields = fields};
    refuse_stream(ctx, &made, want, sentence);
}

static void other_types_are_refused_by_name(void **state)
{
    static const struct {
        const char *format, *word;
    } others[] = {
        {"z", "binary"},
        {"Z", "large binary"},
        {"vz", "binary view"},
        {"w:16", "fixed-width binary"},
        {"tts", "time of day"},
        {"ttn", "time of day"},
        {"tDs", "duration"},
        {"tiM", "interval"},
        {"+l", "list"},
        {"+L", "large list"},
        {"+vl", "list view"},
        {"+w:3", "fixed-size list"},
        {"+s", "struct"},
        {"+m", "map"},
        {"+ud:0,1", "dense union"},
        {"+us:0,1", "sparse union"},
        {"+r", "run-end encoded"},
        {"d:50,2,256", "decimal of this kind"},
        {"d:9,2,32", "decimal of this kind"},
        {"d:39,0", "decimal of this kind"},
        {"d:5,99", "decimal of this kind"},
        {"d:x", "decimal of this kind"},
    };
    ow_context *ctx = ow_test_context(state);
    char sentence[256];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(sentence, sizeof sentence,
                 "table: column \"b\": the Arrow type %s, format \"%s\", is not read",
                 others[i].word, others[i].format);
        refuse_format(ctx, others[i].format, NULL, OW_ERR_UNSUPPORTED, sentence);
    }
    refuse_format(ctx, "tsx:", NULL, OW_ERR_UNSUPPORTED, "format \"tsx:\", is not read");
    refuse_format(ctx, "tss", NULL, OW_ERR_UNSUPPORTED, "format \"tss\", is not read");
    refuse_format(ctx, "", NULL, OW_ERR_UNSUPPORTED, "column \"b\"");
    refuse_format(ctx, NULL, NULL, OW_ERR_FORMAT, "column \"b\": no format");
    refuse_format(ctx, "i", "+l", OW_ERR_UNSUPPORTED,
                  "column \"b\": dictionary: the Arrow type list");
    refuse_format(ctx, "g", "u", OW_ERR_FORMAT,
                  "column \"b\": dictionary indices are float64, expected integers");
}

static void broken_streams_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const ow_test_arrow_field twice[] = {{"a", "g", NULL}, {"a", "g", NULL}};
    ow_test_arrow made = {.n_fields = 2, .fields = twice};
    refuse_stream(ctx, &made, OW_ERR_FORMAT, "table: two columns are named \"a\"");
    made.n_fields = 0;
    refuse_stream(ctx, &made, OW_ERR_FORMAT, "table: 0 columns");
    made = (ow_test_arrow){.n_fields = 1, .fields = twice, .format = "g"};
    refuse_stream(ctx, &made, OW_ERR_UNSUPPORTED,
                  "table: expected a stream of record batches (format \"+s\"), got \"g\"");
    made = (ow_test_arrow){.n_fields = 1, .fields = twice, .schema_error = EIO};
    refuse_stream(ctx, &made, OW_ERR_IO,
                  "table: the stream gives no schema: Input/output error");
    made = (ow_test_arrow){
        .n_fields = 1, .fields = twice, .next_error = EIO, .reason = "the cable was cut"};
    refuse_stream(ctx, &made, OW_ERR_IO,
                  "table: the stream gives no further rows: the cable was cut");
}

/* One column of this format in one batch of so many rows. */
static void refuse_array(ow_context *ctx, const char *format, const char *dictionary,
                         int64_t n_rows, ow_test_arrow_array array, const char *sentence)
{
    const ow_test_arrow_field field = {"x", format, dictionary};
    const ow_test_arrow_batch batch = {n_rows, 0, 0, NULL, &array};
    ow_test_arrow made = {
        .n_fields = 1, .fields = &field, .n_batches = 1, .batches = &batch};
    refuse_stream(ctx, &made, OW_ERR_FORMAT, sentence);
}

static void broken_arrays_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const double x[] = {1, INFINITY};
    static const int32_t falling[] = {0, 3, 2}, below[] = {-1, 1, 2}, beyond[] = {0, 9, 3};
    static const char nul[] = "a\0b";
    static const ow_test_arrow_array values = {2, 0, 0, 2, {NULL, x}, NULL};
    const int64_t huge = INT64_MAX;
    refuse_array(ctx, "g", NULL, 3, values,
                 "table: column \"x\": the array has 2 rows, expected at least 3");
    refuse_array(ctx, "g", NULL, 2, values,
                 "table: row 2: column \"x\": expected a finite number, got inf");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){1, 0, -1, 2, {NULL, x}, NULL},
                 "an array of length 1 at offset -1");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){1, 0, huge, 2, {NULL, x}, NULL},
                 "at offset 9223372036854775807");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){huge, 0, 5, 2, {NULL, x}, NULL},
                 "an array of length 9223372036854775807");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){1, 2, 0, 2, {x, x}, NULL},
                 "2 nulls in an array of length 1");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){1, -2, 0, 2, {x, x}, NULL},
                 "-2 nulls");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){1, 1, 0, 2, {NULL, x}, NULL},
                 "1 nulls, but no bitmap that says where");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){1, 0, 0, 1, {NULL}, NULL},
                 "float64 array with 1 buffers, expected 2");
    refuse_array(ctx, "vu", NULL, 1, (ow_test_arrow_array){1, 0, 0, 2, {NULL, x}, NULL},
                 "utf8 view array with 2 buffers, expected at least 3");
    refuse_array(ctx, "g", NULL, 1, (ow_test_arrow_array){1, 0, 0, 2, {NULL, NULL}, NULL},
                 "float64 array without its values");
    refuse_array(ctx, "u", NULL, 2,
                 (ow_test_arrow_array){2, 0, 0, 3, {NULL, falling, nul}, NULL},
                 "row 1: column \"x\": a text from byte 0 to 3 of 2");
    refuse_array(ctx, "u", NULL, 2,
                 (ow_test_arrow_array){2, 0, 0, 3, {NULL, below, nul}, NULL},
                 "a text from byte -1 to 1 of 2");
    refuse_array(ctx, "u", NULL, 2,
                 (ow_test_arrow_array){2, 0, 0, 3, {NULL, beyond, nul}, NULL},
                 "a text from byte 0 to 9 of 3");
    refuse_array(ctx, "u", NULL, 1,
                 (ow_test_arrow_array){1, 0, 1, 3, {NULL, beyond, NULL}, NULL},
                 "a text from byte 9 to 3 of 3");
    refuse_array(ctx, "u", NULL, 1,
                 (ow_test_arrow_array){1, 0, 0, 3, {NULL, (int32_t[]){0, 3}, nul}, NULL},
                 "row 1: column \"x\": a text with a NUL byte in it");
    refuse_array(ctx, "u", NULL, 1,
                 (ow_test_arrow_array){1, 0, 0, 3, {NULL, (int32_t[]){0, 3}, NULL}, NULL},
                 "a text in a buffer that is not there");
    refuse_array(ctx, "i", "u", 1, (ow_test_arrow_array){1, 0, 0, 2, {NULL, beyond}, NULL},
                 "indices without their dictionary");
    refuse_array(ctx, "i", "g", 2,
                 (ow_test_arrow_array){2, 0, 0, 2, {NULL, beyond}, &values},
                 "row 2: column \"x\": index 9 in a dictionary of 2 values");
    refuse_array(ctx, "i", "g", 2,
                 (ow_test_arrow_array){2, 0, 0, 2, {NULL, below}, &values},
                 "row 1: column \"x\": index -1 in a dictionary of 2 values");
}

static void broken_views_are_refused(void **state)
{
    static const view wrong[] = {
        {-1, {.inside = ""}},
        {13, {.outside = {"some", 1, 0}}},
        {13, {.outside = {"some", -1, 0}}},
        {13, {.outside = {"some", 0, -1}}},
        {13, {.outside = {"some", 0, 23}}},
        {INT32_MAX, {.outside = {"some", 0, INT32_MAX}}},
    };
    static const char *const sentences[] = {
        "a text of -1 bytes",
        "a text in data buffer 1 of 1",
        "a text in data buffer -1 of 1",
        "a text from byte -1 to 12 of 35",
        "a text from byte 23 to 36 of 35",
        "a text from byte 2147483647 to 4294967294 of 35",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse_array(ow_test_context(state), "vu", NULL, 1,
                     (ow_test_arrow_array){
                         1, 0, 0, 4, {NULL, &wrong[i], long_text, view_lengths}, NULL},
                     sentences[i]);
    refuse_array(
        ow_test_context(state), "vu", NULL, 1,
        (ow_test_arrow_array){1, 0, 0, 4, {NULL, &views[3], long_text, NULL}, NULL},
        "without the lengths of its buffers");
    static const int64_t wrong_length[] = {INT64_MIN};
    refuse_array(
        ow_test_context(state), "vu", NULL, 1,
        (ow_test_arrow_array){1, 0, 0, 4, {NULL, &views[3], long_text, wrong_length}, NULL},
        "of -9223372036854775808");
}

static ow_status read_all(ow_context *ctx, void *user)
{
    ow_test_arrow *made = user;
    struct ArrowArrayStream stream;
    ow_reader *reader = NULL;
    const owi_cell *cells;
    bool at_end = false;
    ow_test_arrow_open(made, &stream);
    ow_status status = ow_reader_open_arrow(ctx, &stream, "table", true, &reader);
    while (status == OW_OK && !at_end)
        status = owi_reader_next_cells(reader, &cells, &at_end);
    ow_reader_free(reader);
    assert_int_equal(made->n_live, 0);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    static const int32_t days[] = {0, 1};
    static const ow_test_arrow_field fields[] = {{"x", "tdD", NULL}, {"y", "c", "tdD"}};
    static const ow_test_arrow_array dates = {2, 0, 0, 2, {NULL, days}, NULL};
    static const ow_test_arrow_array columns[] = {
        {2, 0, 0, 2, {NULL, days}, NULL},
        {2, 0, 0, 2, {NULL, days}, &dates},
    };
    static const ow_test_arrow_batch batch = {2, 0, 0, NULL, columns};
    ow_test_arrow made = {
        .n_fields = 2, .fields = fields, .n_batches = 1, .batches = &batch};
    (void)state;
    ow_test_sweep(read_all, &made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(numbers_of_all_widths),
        ow_test_on_heap(dates_and_times),
        ow_test_on_heap(texts_and_dictionaries),
        ow_test_on_heap(chunks_and_slices),
        ow_test_on_heap(without_keep_rows_come_once),
        ow_test_on_heap(other_types_are_refused_by_name),
        ow_test_on_heap(broken_streams_are_refused),
        ow_test_on_heap(broken_arrays_are_refused),
        ow_test_on_heap(broken_views_are_refused),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("data/arrow_read", tests, NULL, NULL);
}
