/* SPDX-License-Identifier: MIT */
/* Readers: which format, which columns, labels from a file of their own, rewinding. */
#include "support/rows_fixture.h"

#include <fcntl.h>
#include <unistd.h>

#include "data/rows/reader.h"

/* Three images of 1 x 2 pixels, the labels 7, 0 and 7 for them, and the labels 7 and 0. */
static const unsigned char images[] = {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0,
                                       1, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6};
static const unsigned char labels[] = {0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 7};
static const unsigned char too_few[] = {0, 0, 8, 1, 0, 0, 0, 2, 7, 0};

static ow_reader *open_text(ow_context *ctx, const char *text,
                            const ow_read_options *options)
{
    ow_reader *reader;
    assert_ok(ow_reader_open_memory(ctx, text, strlen(text), "a.csv", options, &reader));
    return reader;
}

static const char *write_file(const char *name, int slot, const void *bytes, size_t size)
{
    const char *path = ow_test_path(name, slot);
    ow_test_write_file(path, bytes, size);
    return path;
}

static const char *write_labels(const char *text)
{
    return write_file("labels.txt", 1, text, strlen(text));
}

/* The cells of the next row with commas between them; "end" after the last. */
static const char *next_row(ow_reader *reader)
{
    static char line[400];
    const owi_cell *cells;
    bool at_end;
    line[0] = '\0';
    assert_ok(owi_reader_next_cells(reader, &cells, &at_end));
    if (at_end) return "end";
    for (size_t j = 0; j < ow_reader_n_columns(reader); j++) {
        char buffer[64];
        size_t length;
        const char *text = owi_cell_text(&cells[j], buffer, &length);
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%.*s",
                 j == 0 ? "" : ",", (int)length, text);
    }
    return line;
}

static void the_first_bytes_tell_the_format(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const char npy[] = "\x93NUMPY\x01\0\x38\0{'descr':'|u1','fortran_order':False,"
                              "'shape':(1,2)     }\5\6";
    ow_reader *reader;
    reader = open_text(ctx, "age,job\n17,none\n", NULL);
    assert_int_equal(ow_reader_n_columns(reader), 2);
    assert_string_equal(ow_reader_column_name(reader, 1), "job");
    assert_int_equal(ow_reader_layout(reader).kind, OW_LAYOUT_TABLE);
    assert_string_equal(next_row(reader), "17,none");
    ow_reader_free(reader);

    assert_ok(ow_reader_open_memory(ctx, images, sizeof images, "i", NULL, &reader));
    assert_int_equal(ow_reader_n_columns(reader), 2);
    assert_string_equal(ow_reader_column_name(reader, 0), "x0");
    assert_string_equal(ow_reader_column_name(reader, 1), "x1");
    ow_test_assert_layout(ow_reader_layout(reader), (ow_layout){OW_LAYOUT_IMAGE, 1, 2, 1});
    assert_string_equal(next_row(reader), "1,2");
    ow_reader_free(reader);

    assert_ok(ow_reader_open_memory(ctx, npy, sizeof npy - 1, "n", NULL, &reader));
    assert_string_equal(ow_reader_column_name(reader, 1), "x1");
    assert_string_equal(next_row(reader), "5,6");
    ow_reader_free(reader);
    ow_reader_free(NULL);
}

static void csv_without_header_has_made_names(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader =
        open_text(ctx, "1;2;3\n4;5;6\n",
                  &(ow_read_options){.size = sizeof(ow_read_options), .no_header = true});
    assert_int_equal(ow_reader_n_columns(reader), 3);
    assert_string_equal(ow_reader_column_name(reader, 2), "x2");
    assert_string_equal(next_row(reader), "1,2,3");
    ow_reader_free(reader);
}

static void rewinding_gives_the_rows_again_from_anywhere(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader = open_text(ctx, "a\n1\n2\n", NULL);
    for (int n = 0; n <= 4; n++) { /* rows read before rewinding; two are beyond the end */
        const char *const want[] = {"1", "2", "end", "end"};
        for (int i = 0; i < n; i++) assert_string_equal(next_row(reader), want[i]);
        assert_ok(ow_reader_rewind(reader));
        assert_ok(ow_reader_rewind(reader));
    }
    ow_reader_free(reader);
}

static void a_pipe_rewinds_only_while_nothing_was_read(void **state)
{
    ow_context *ctx = ow_test_context(state);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a,b\n1,2\n", 8), 8);
    close(ends[1]);
    const int standard_input = dup(0);
    assert_int_equal(dup2(ends[0], 0), 0);
    close(ends[0]);

    ow_reader *reader;
    assert_ok(ow_reader_open(ctx, "-", NULL, NULL, &reader));
    assert_string_equal(owi_reader_name(reader), "standard input");
    assert_ok(ow_reader_rewind(reader));
    assert_string_equal(next_row(reader), "1,2");
    assert_status(ow_reader_rewind(reader), OW_ERR_IO);
    ow_reader_free(reader);

    assert_int_equal(dup2(standard_input, 0), 0);
    close(standard_input);
}

static void rows_are_named_by_line_or_number(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char place[owi_place_size];
    ow_reader *reader = open_text(ctx, "a\n1\n\n2\n", NULL);
    assert_string_equal(next_row(reader), "1");
    assert_string_equal(next_row(reader), "2");
    owi_reader_place(reader, place, sizeof place);
    assert_string_equal(place, "a.csv:4");
    ow_reader_free(reader);

    assert_ok(ow_reader_open_memory(ctx, images, sizeof images, "i.idx", NULL, &reader));
    (void)next_row(reader);
    (void)next_row(reader);
    owi_reader_place(reader, place, sizeof place);
    assert_string_equal(place, "i.idx: row 2");
    ow_reader_free(reader);
}

/* ---- Labels ---- */

static void assert_labelled(ow_context *ctx, const char *labels_path,
                            const char *const rows[3])
{
    ow_reader *reader;
    assert_ok(ow_reader_open_memory(ctx, images, sizeof images, "i.idx",
                                    &(ow_read_options){.size = sizeof(ow_read_options),
                                                       .labels = labels_path},
                                    &reader));
    assert_int_equal(ow_reader_n_columns(reader), 3);
    assert_string_equal(ow_reader_column_name(reader, 2), "label");
    ow_test_assert_layout(ow_reader_layout(reader), (ow_layout){OW_LAYOUT_IMAGE, 1, 2, 1});
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 3; i++) assert_string_equal(next_row(reader), rows[i]);
        assert_string_equal(next_row(reader), "end");
        assert_string_equal(next_row(reader), "end");
        assert_ok(ow_reader_rewind(reader));
    }
    ow_reader_free(reader);
}

static void labels_come_from_idx_or_text_with_or_without_header(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *const digits[3] = {"1,2,7", "3,4,0", "5,6,7"};
    const char *const words[3] = {"1,2,red, green", "3,4,label", "5,6,light blue"};
    const char *const texts[] = {
        "7\n0\n7\n",
        "7\r\n0\r\n7",
        "label\n7\n0\n7\n",
        "label\r\n7\r\n0\r\n7\r\n",
        "\"label\"\r\n7\r\n0\r\n7\r\n",
        "\xef\xbb\xbflabel\n7\n0\n7\n",
        "\xef\xbb\xbf\"7\"\n0\n7\n",
    };
    assert_labelled(ctx, write_file("labels.idx", 1, labels, sizeof labels), digits);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_labelled(ctx, write_labels(texts[i]), digits);
    assert_labelled(ctx, write_labels("red, green\nlabel\nlight blue\n"), words);
    assert_labelled(ctx, write_labels("label\nred, green\nlabel\nlight blue\n"), words);
}

/* Words that only look like the header are labels. */
static void only_the_word_itself_is_a_header(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const char *const first[] = {"labels", "labe", "label 1", "Label"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        char text[100], row[100];
        snprintf(text, sizeof text, "%s\nb\nc\n", first[i]);
        snprintf(row, sizeof row, "1,2,%s", first[i]);
        const char *const rows[3] = {row, "3,4,b", "5,6,c"};
        assert_labelled(ctx, write_labels(text), rows);
    }
}

static ow_status open_with_labels(ow_context *ctx, const char *labels_path,
                                  ow_reader **reader)
{
    return ow_reader_open_memory(
        ctx, images, sizeof images, "i.idx",
        &(ow_read_options){.size = sizeof(ow_read_options), .labels = labels_path}, reader);
}

static void as_many_labels_as_rows_or_both_counts_are_named(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader;
    assert_fails(open_with_labels(ctx, write_file("labels.idx", 1, too_few, sizeof too_few),
                                  &reader),
                 OW_ERR_FORMAT, "labels.idx: 2 labels, but i.idx has 3 rows");
    assert_null(reader);

    const char *const texts[] = {"1\n", "1\n2\n3\n4\n5\n"};
    const char *const sentences[] = {"labels.txt: 1 label, but i.idx has 3 rows",
                                     "labels.txt: 5 labels, but i.idx has 3 rows"};
    for (int i = 0; i < 2; i++) {
        assert_ok(open_with_labels(ctx, write_labels(texts[i]), &reader));
        for (int again = 0; again < 2; again++) {
            ow_status status = OW_OK;
            bool at_end = false;
            while (status == OW_OK && !at_end) {
                const owi_cell *cells;
                status = owi_reader_next_cells(reader, &cells, &at_end);
            }
            assert_fails(status, OW_ERR_FORMAT, sentences[i]);
            assert_ok(ow_reader_rewind(reader));
        }
        ow_reader_free(reader);
    }
}

static void labels_that_cannot_be_used_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader;
    assert_fails(open_with_labels(ctx, write_labels("1\t2\n3\t4\n5\t6\n"), &reader),
                 OW_ERR_FORMAT, "labels.txt: expected one label a row, got 2 columns");
    assert_fails(open_with_labels(ctx, ow_test_path("nowhere.txt", 2), &reader), OW_ERR_IO,
                 "nowhere.txt");
    assert_fails(open_with_labels(ctx, write_labels(""), &reader), OW_ERR_FORMAT,
                 "labels.txt");
    assert_fails(open_with_labels(ctx, write_labels("\x1f\x8b\x08 is not gzip"), &reader),
                 OW_ERR_FORMAT, "labels.txt: ");
    const ow_read_options options = {.size = sizeof(ow_read_options),
                                     .labels = write_labels("x\n")};
    assert_fails(ow_reader_open_memory(ctx, "a,label\n1,2\n", 12, "a.csv", &options,
                                       &reader),
                 OW_ERR_FORMAT, "a.csv: there is a column \"label\" already");
    assert_fails(ow_reader_open(ctx, "-",
                                &(ow_read_options){.size = sizeof(ow_read_options),
                                                   .labels = "-"},
                                NULL, &reader),
                 OW_ERR_ARGUMENT, "standard input");
}

static void what_cannot_be_opened_leaves_no_reader(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_reader *reader = (ow_reader *)ctx;
    assert_fails(ow_reader_open(ctx, ow_test_path("nowhere.csv", 0), NULL, NULL, &reader),
                 OW_ERR_IO, "nowhere.csv");
    assert_null(reader);
    assert_status(ow_reader_open_memory(ctx, "", 0, "empty.csv", NULL, &reader),
                  OW_ERR_FORMAT);
    assert_null(reader);
}

typedef struct {
    const char *rows_path;
    ow_read_options options;
} opened;

static ow_status open_read_rewind(ow_context *ctx, void *user)
{
    const opened *what = user;
    ow_reader *reader;
    const owi_cell *cells;
    bool at_end;
    ow_status status = ow_reader_open(ctx, what->rows_path, &what->options, NULL, &reader);
    if (status != OW_OK) {
        assert_null(reader);
        return status;
    }
    status = owi_reader_next_cells(reader, &cells, &at_end);
    if (status == OW_OK) status = ow_reader_rewind(reader);
    ow_reader_free(reader);
    return status;
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    char rows_path[1024], labels_path[1024];
    snprintf(rows_path, sizeof rows_path, "%s",
             write_file("rows.idx", 0, images, sizeof images));
    snprintf(labels_path, sizeof labels_path, "%s", write_labels("a\nb\nc\n"));
    opened what = {rows_path, {.size = sizeof(ow_read_options), .labels = labels_path}};
    ow_test_sweep(open_read_rewind, &what);
    snprintf(rows_path, sizeof rows_path, "%s", write_file("rows.csv", 0, "a,b\n1,2\n", 8));
    what.options.labels = NULL;
    ow_test_sweep(open_read_rewind, &what);
}

static void mnist_comes_with_its_labels(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char rows_path[1024];
    snprintf(rows_path, sizeof rows_path, "%s",
             ow_test_data_file("mnist/t10k-images-idx3-ubyte.gz"));
    const ow_read_options options = {.size = sizeof(ow_read_options),
                                     .labels = ow_test_data_file(
                                         "mnist/t10k-labels-idx1-ubyte.gz")};
    ow_reader *reader;
    assert_ok(ow_reader_open(ctx, rows_path, &options, NULL, &reader));
    assert_int_equal(ow_reader_n_columns(reader), 785);
    size_t counts[10] = {0}, n = 0;
    for (bool at_end = false;; n++) {
        const owi_cell *cells;
        assert_ok(owi_reader_next_cells(reader, &cells, &at_end));
        if (at_end) break;
        counts[(size_t)cells[784].number]++;
    }
    assert_int_equal(n, 10000);
    assert_int_equal(counts[0], 980);
    assert_int_equal(counts[9], 1009);
    ow_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_first_bytes_tell_the_format),
        ow_test_on_heap(csv_without_header_has_made_names),
        ow_test_on_heap(rewinding_gives_the_rows_again_from_anywhere),
        ow_test_on_heap(a_pipe_rewinds_only_while_nothing_was_read),
        ow_test_on_heap(rows_are_named_by_line_or_number),
        ow_test_on_heap(labels_come_from_idx_or_text_with_or_without_header),
        ow_test_on_heap(only_the_word_itself_is_a_header),
        ow_test_on_heap(as_many_labels_as_rows_or_both_counts_are_named),
        ow_test_on_heap(labels_that_cannot_be_used_are_refused),
        ow_test_on_heap(what_cannot_be_opened_leaves_no_reader),
        ow_test_on_heap(running_out_of_memory_leaks_nothing),
        ow_test_on_heap(mnist_comes_with_its_labels),
    };
    return cmocka_run_group_tests_name("data/reader", tests, NULL, NULL);
}
