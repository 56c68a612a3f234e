/* SPDX-License-Identifier: MIT */
/* Models in ONNX format, exported by skl2onnx (tests/golden/onnx): what onnxruntime says of
 * them through its C interface is what it said in Python.  Where there is no onnxruntime,
 * only the sentences are tested that need none. */
#include "support/ow_test.h"

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "model/foreign/onnx_library.h"
#include "model/foreign/onnx_model.h"

static ow_call how = {.size = sizeof how};

enum { most_rows = 300, most_columns = 8 };

typedef struct {
    ow_context *ctx;
    owi_call call;
    ow_schema *schema;
    ow_table *table;
    size_t n_rows;
} data_set;

/* rows.csv without some of its columns. */
static void begin(data_set *d, ow_context *ctx, const char *label, const char *drop,
                  const char *also)
{
    const char *const dropped[] = {drop, also};
    ow_reader *reader = NULL;
    d->ctx = ctx;
    assert_ok(owi_call_begin(&d->call, ctx, &how));
    assert_ok(ow_reader_open(ctx, "tests/golden/onnx/rows.csv", NULL, &how, &reader));
    const ow_infer_options options = {.size = sizeof options,
                                      .label = label,
                                      .drop = dropped,
                                      .n_drop = also != NULL ? 2 : 1};
    assert_ok(ow_schema_infer(reader, &options, &how, &d->schema));
    assert_ok(ow_reader_rewind(reader));
    assert_ok(ow_reader_bind(reader, d->schema, false));
    assert_ok(ow_table_read(reader, &how, &d->table));
    d->n_rows = ow_table_n_rows(d->table);
    assert_true(d->n_rows <= most_rows && ow_schema_n_columns(d->schema) <= most_columns);
    ow_reader_free(reader);
}

static void end(data_set *d)
{
    ow_table_free(d->table);
    ow_schema_free(d->schema);
}

static char *read_file(ow_context *ctx, const char *name, size_t *size)
{
    char path[256], *bytes = NULL;
    owi_byte_source *source = NULL;
    snprintf(path, sizeof path, "tests/golden/onnx/%s", name);
    assert_ok(owi_byte_source_open(ctx, path, NULL, &source));
    assert_ok(owi_byte_source_read_all(source, 1 << 20, &bytes, size));
    owi_byte_source_free(source);
    return bytes;
}

static owi_onnx *model_of(ow_context *ctx, const char *name, size_t most)
{
    size_t size;
    owi_onnx *onnx = NULL;
    char *bytes = read_file(ctx, name, &size);
    assert_ok(owi_onnx_new(ctx, name, bytes, size < most ? size : most, &onnx));
    assert_ok(owi_onnx_set_library(onnx, getenv("OW_TEST_ONNXRUNTIME")));
    return onnx;
}

/* False, with a word, where there is no onnxruntime. */
static bool has_library(ow_context *ctx)
{
    owi_ort_api api;
    if (owi_onnx_library_load(ctx, getenv("OW_TEST_ONNXRUNTIME"), &api) == OW_OK)
        return true;
    print_message("left out: %s\n", ow_error_message());
    return false;
}

/* Probabilities of all rows beside those in NAME.proba.csv. */
static void compare(data_set *d, const char *name, size_t n_classes)
{
    static double scores[most_rows * 3];
    char file[64];
    size_t size;
    snprintf(file, sizeof file, "%s.onnx", name);
    owi_onnx *onnx = model_of(d->ctx, file, SIZE_MAX);
    snprintf(file, sizeof file, "%s.proba.csv", name);
    char *text = read_file(d->ctx, file, &size), *at = text;
    assert_ok(owi_onnx_match(onnx, d->schema, n_classes));
    assert_ok(owi_onnx_ask(&d->call, onnx, d->schema, d->n_rows, ow_table_row(d->table, 0),
                           n_classes, true, scores));
    for (size_t i = 0; i < d->n_rows * n_classes; i++) {
        const double want = strtod(at, &at);
        assert_close(&scores[i], &want, 1, 1e-6);
        at++;
    }
    owi_free(d->ctx, text);
    owi_onnx_free(onnx);
}

static void probabilities_are_those_of_python(void **state)
{
    data_set d;
    if (!has_library(ow_test_context(state))) skip();
    begin(&d, ow_test_context(state), "paid", "grade", "town");
    compare(&d, "logistic", 2); /* one tensor; maps */
    compare(&d, "forest", 2);   /* one tensor; tensor */
    end(&d);
    begin(&d, ow_test_context(state), "grade", "paid", NULL);
    compare(&d, "boosting", 3); /* an input for each column; tensor */
    end(&d);
    begin(&d, ow_test_context(state), "paid", "grade", NULL);
    compare(&d, "network", 2); /* an input for each column; maps */
    end(&d);
}

static void a_number_is_a_score(void **state)
{
    static double scores[most_rows];
    data_set d;
    if (!has_library(ow_test_context(state))) skip();
    begin(&d, ow_test_context(state), "paid", "grade", "town");
    owi_onnx *onnx = model_of(d.ctx, "linear.onnx", SIZE_MAX);
    assert_ok(owi_onnx_match(onnx, d.schema, 1));
    assert_ok(owi_onnx_ask(&d.call, onnx, d.schema, d.n_rows, ow_table_row(d.table, 0), 1,
                           false, scores));
    size_t income, debt;
    assert_ok(ow_schema_find_column(d.schema, "income", &income));
    assert_ok(ow_schema_find_column(d.schema, "debt", &debt));
    for (size_t i = 0; i < d.n_rows; i++) {
        const double *row = ow_table_row(d.table, i);
        const double want = row[income] - row[debt];
        assert_close(&scores[i], &want, 1, 1e-4);
    }
    owi_onnx_free(onnx);
    end(&d);
}

static void expect(data_set *d, const char *name, size_t most, size_t n_scores,
                   const char *sentence)
{
    owi_onnx *onnx = model_of(d->ctx, name, most);
    const ow_status status = owi_onnx_match(onnx, d->schema, n_scores);
    assert_int_not_equal(status, OW_OK);
    if (strstr(ow_error_message(), sentence) == NULL)
        fail_msg("%s, expected %s", ow_error_message(), sentence);
    owi_onnx_free(onnx);
}

static void what_does_not_fit_is_named(void **state)
{
    data_set d;
    if (!has_library(ow_test_context(state))) skip();
    begin(&d, ow_test_context(state), "paid", "grade", NULL);
    expect(&d, "logistic.onnx", SIZE_MAX, 2,
           "logistic.onnx has one input of 3 columns; the table has 4 columns that the "
           "model would "
           "read");
    expect(&d, "boosting.onnx", SIZE_MAX, 2,
           "boosting.onnx has no output of probabilities for the 2 classes of the table");
    expect(&d, "network.onnx", 100, 2, "network.onnx: onnxruntime cannot read the file");
    expect(&d, "rows.csv", SIZE_MAX, 2, "rows.csv: onnxruntime cannot read the file");
    end(&d);
    begin(&d, ow_test_context(state), "paid", "income", "grade");
    expect(&d, "network.onnx", SIZE_MAX, 2,
           "network.onnx has an input \"income\", the table has no such column");
    expect(&d, "logistic.onnx", SIZE_MAX, 2,
           "column \"town\" is a category in the table; logistic.onnx wants numbers");
    end(&d);
}

static void asks_labels(data_set *d, const char *name, size_t n_classes,
                        const char *expected)
{
    owi_onnx_labels labels;
    owi_onnx *onnx = model_of(d->ctx, name, SIZE_MAX);
    assert_ok(owi_onnx_match(onnx, d->schema, n_classes));
    assert_ok(owi_onnx_ask_labels(&d->call, onnx, d->schema, 2, ow_table_row(d->table, 0),
                                  &labels));
    if (expected == NULL)
        assert_null(labels.texts);
    else
        assert_string_equal(labels.texts[1], expected);
    owi_onnx_labels_clear(&labels);
    owi_onnx_free(onnx);
}

/* What the second row is called in Python. */
static void classes_are_named_as_in_python(void **state)
{
    data_set d;
    if (!has_library(ow_test_context(state))) skip();
    begin(&d, ow_test_context(state), "paid", "grade", "town");
    asks_labels(&d, "logistic.onnx", 2, "no");
    asks_labels(&d, "whole.onnx", 2, "9");
    asks_labels(&d, "linear.onnx", 1, NULL);
    end(&d);
    begin(&d, ow_test_context(state), "grade", "paid", NULL);
    asks_labels(&d, "boosting.onnx", 3, "low");
    end(&d);
}

static void whole_numbers_are_whole(void **state)
{
    double row[most_columns] = {0}, scores[2];
    size_t years;
    data_set d;
    if (!has_library(ow_test_context(state))) skip();
    begin(&d, ow_test_context(state), "paid", "grade", NULL);
    owi_onnx *onnx = model_of(d.ctx, "whole.onnx", SIZE_MAX);
    assert_ok(owi_onnx_match(onnx, d.schema, 2));
    assert_ok(ow_schema_find_column(d.schema, "years", &years));
    row[years] = 4;
    assert_ok(owi_onnx_ask(&d.call, onnx, d.schema, 1, row, 2, true, scores));
    row[years] = 4.5;
    assert_fails(
        owi_onnx_ask(&d.call, onnx, d.schema, 1, row, 2, true, scores), OW_ERR_ARGUMENT,
        "column \"years\" has the value 4.5; the model wants whole numbers (int64)");
    row[years] = 1e300;
    assert_fails(owi_onnx_ask(&d.call, onnx, d.schema, 1, row, 2, true, scores),
                 OW_ERR_ARGUMENT, "column \"years\" has the value 1e+300");
    row[years] = NAN;
    assert_fails(owi_onnx_ask(&d.call, onnx, d.schema, 1, row, 2, true, scores),
                 OW_ERR_ARGUMENT, "column \"years\" has a missing value");
    owi_onnx_free(onnx);
    end(&d);
}

static void a_library_that_is_not_there_is_told(void **state)
{
    owi_ort_api api;
    assert_fails(owi_onnx_library_load(ow_test_context(state), "/no/such/folder", &api),
                 OW_ERR_IO, "/no/such/folder is no onnxruntime library, nor a folder with");
    assert_fails(owi_onnx_library_load(ow_test_context(state), "libm.so.6", &api),
                 OW_ERR_UNSUPPORTED, "libm.so.6 is a library, but not onnxruntime");
}

static ow_status make_one(ow_context *ctx, void *user)
{
    owi_onnx *onnx = NULL;
    (void)user;
    char *bytes = owi_copy_text(ctx, "x", 1);
    if (bytes == NULL) return OW_ERR_MEMORY;
    ow_status status = owi_onnx_new(ctx, "m", bytes, 1, &onnx);
    if (status == OW_OK)
        status = owi_onnx_set_library(onnx, "/nowhere");
    else
        owi_free(ctx, bytes);
    owi_onnx_free(onnx);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    ow_test_sweep(make_one, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(probabilities_are_those_of_python),
        ow_test_on_heap(a_number_is_a_score),
        ow_test_on_heap(what_does_not_fit_is_named),
        ow_test_on_heap(classes_are_named_as_in_python),
        ow_test_on_heap(whole_numbers_are_whole),
        ow_test_on_heap(a_library_that_is_not_there_is_told),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("model/onnx", tests, NULL, NULL);
}
