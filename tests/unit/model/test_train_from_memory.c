/* SPDX-License-Identifier: MIT */
/* The same rows from a file, from arrays and from an Arrow stream: the same schema, the
 * same model byte by byte, and the same explanation. */
#include "support/arrow_stream.h"
#include "support/columns_of_csv.h"

/* ---- Credit as an Arrow stream of two batches ---- */

enum { n_parts = 2, most_bytes = 1 << 16 };

/* The columns in turn as float64, int32 and int16, or as utf8, dictionaries of utf8 and
 * views. */
typedef struct {
    ow_test_arrow stream;
    ow_test_arrow_field fields[ow_test_most_columns];
    ow_test_arrow_array arrays[n_parts][ow_test_most_columns];
    ow_test_arrow_array dictionaries[ow_test_most_columns];
    ow_test_arrow_batch batches[n_parts];
    void *blocks[8 * ow_test_most_columns];
    size_t n_blocks;
} arrow_table;

static void *room(arrow_table *t, size_t size)
{
    void *block = calloc(1, size);
    assert_non_null(block);
    assert_true(t->n_blocks < sizeof t->blocks / sizeof *t->blocks);
    return t->blocks[t->n_blocks++] = block;
}

static void add_numbers(arrow_table *t, size_t j, const double *numbers, size_t n)
{
    static const char *const formats[] = {"g", "i", "s"};
    const size_t kind = j % 3;
    double *doubles = room(t, n * sizeof *doubles);
    int32_t *wide = room(t, n * sizeof *wide);
    int16_t *narrow = room(t, n * sizeof *narrow);
    for (size_t i = 0; i < n; i++) {
        assert_true(numbers[i] == numbers[i]); /* none is missing */
        doubles[i] = numbers[i];
        wide[i] = (int32_t)numbers[i];
        narrow[i] = (int16_t)numbers[i];
    }
    t->fields[j].format = formats[kind];
    t->arrays[0][j] = (ow_test_arrow_array){.n_buffers = 2};
    t->arrays[0][j].buffers[1] = kind == 0   ? (const void *)doubles
                                 : kind == 1 ? (const void *)wide
                                             : narrow;
}

/* Offsets and bytes of n texts. */
static ow_test_arrow_array make_texts(arrow_table *t, const char *const *texts, size_t n)
{
    int32_t *offsets = room(t, (n + 1) * sizeof *offsets);
    char *bytes = room(t, most_bytes);
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(texts[i]);
        assert_true((size_t)offsets[i] + length < most_bytes);
        memcpy(bytes + offsets[i], texts[i], length);
        offsets[i + 1] = offsets[i] + (int32_t)length;
    }
    return (ow_test_arrow_array){.length = (int64_t)n,
                                 .n_buffers = 3,
                                 .buffers = {NULL, offsets, bytes}};
}

/* The first text of each kind, and where it stands among those. */
static void add_dictionary(arrow_table *t, size_t j, char **texts, size_t n)
{
    const char *levels[64];
    size_t n_levels = 0;
    int8_t *codes = room(t, n);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < n_levels && strcmp(levels[k], texts[i]) != 0) k++;
        if (k == n_levels) levels[n_levels++] = texts[i];
        codes[i] = (int8_t)k;
    }
    t->fields[j].format = "c";
    t->fields[j].dictionary = "u";
    t->dictionaries[j] = make_texts(t, levels, n_levels);
    t->arrays[0][j] = (ow_test_arrow_array){.n_buffers = 2,
                                            .buffers = {NULL, codes},
                                            .dictionary = &t->dictionaries[j]};
}

static void open_arrow(arrow_table *t, const ow_test_columns *columns)
{
    const size_t n = columns->n_rows, half = n / 3;
    *t = (arrow_table){0};
    for (size_t j = 0; j < columns->n_columns; j++) {
        t->fields[j].name = columns->names[j];
        if (columns->numbers[j] != NULL) {
            add_numbers(t, j, columns->numbers[j], n);
        } else if (j % 2 == 0) {
            add_dictionary(t, j, columns->texts[j], n);
        } else {
            t->fields[j].format = "u";
            t->arrays[0][j] = make_texts(t, (const char *const *)columns->texts[j], n);
        }
        t->arrays[1][j] = t->arrays[0][j];
        t->arrays[0][j].length = (int64_t)half;
        t->arrays[1][j].offset = (int64_t)half; /* the rest, as a slice */
        t->arrays[1][j].length = (int64_t)(n - half);
    }
    for (size_t i = 0; i < n_parts; i++)
        t->batches[i] = (ow_test_arrow_batch){.length = t->arrays[i][0].length,
                                              .columns = t->arrays[i]};
    t->stream = (ow_test_arrow){.n_fields = (int64_t)columns->n_columns,
                                .fields = t->fields,
                                .n_batches = n_parts,
                                .batches = t->batches};
}

/* ---- From rows to an explanation ---- */

typedef struct {
    char *schema, *model;
    size_t model_size;
    double answer[ow_test_most_columns];
} outcome;

static void explain(const ow_model *model, const double *row, outcome *out)
{
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    assert_ok(ow_schema_find_class(ow_model_schema(model), "good", &options.target));
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = model},
                               "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, NULL, &options, 1, row, NULL, &explanation));
    const ow_outcome *came = ow_explanation_outcome(explanation, 0);
    assert_int_equal(came->kind, OW_OUTCOME_FOUND);
    memcpy(out->answer, came->answers[0]->values,
           ow_schema_n_columns(ow_model_schema(model)) * sizeof(double));
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
}

static void run(ow_reader *reader, outcome *out)
{
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_table *table = NULL;
    ow_train_options options = ow_test_train_defaults();
    options.passes = 2;
    options.repetitions = options.inputs = 2;
    options.towards_rows = 50;
    *out = (outcome){0};
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "risk"},
        NULL, &schema));
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    assert_ok(ow_table_read(reader, NULL, &table));
    assert_ok(ow_schema_format(schema, &out->schema));
    assert_ok(ow_model_format(model, &out->model, &out->model_size));
    explain(model, ow_table_row(table, 1), out);
    ow_table_free(table);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

static void clear(outcome *out)
{
    ow_bytes_free(out->schema);
    ow_bytes_free(out->model);
}

static void assert_same(const outcome *got, const outcome *want)
{
    assert_string_equal(got->schema, want->schema);
    assert_int_equal(got->model_size, want->model_size);
    assert_memory_equal(got->model, want->model, want->model_size);
    assert_memory_equal(got->answer, want->answer, sizeof want->answer);
}

static void arrays_and_streams_give_the_model_of_the_file(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_columns columns;
    arrow_table table;
    struct ArrowArrayStream stream;
    ow_reader *reader = NULL;
    outcome file, arrays, streamed;
    assert_ok(ow_reader_open(ctx, "data/credit.csv", NULL, NULL, &reader));
    run(reader, &file);

    ow_test_columns_read("data/credit.csv", &columns);
    run(ow_test_columns_reader(ctx, &columns, "credit"), &arrays);
    assert_same(&arrays, &file);

    open_arrow(&table, &columns);
    ow_test_arrow_open(&table.stream, &stream);
    assert_ok(ow_reader_open_arrow(ctx, &stream, "credit", true, &reader));
    run(reader, &streamed);
    assert_same(&streamed, &file);
    assert_int_equal(table.stream.n_live, 0);

    for (size_t i = 0; i < table.n_blocks; i++) free(table.blocks[i]);
    ow_test_columns_clear(&columns);
    clear(&file);
    clear(&arrays);
    clear(&streamed);
}

/* From the stream to JSON: the first column is the label. */
static void train_and_tell(ow_context *ctx, ow_test_arrow *made, size_t n_fields)
{
    struct ArrowArrayStream stream;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_table *table = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    char *json = NULL;
    size_t size = 0;
    ow_train_options options;
    ow_explain_options how;
    const ow_infer_options infer = {.size = sizeof infer, .label = "column0"};
    ow_train_options_init(&options, sizeof options);
    ow_explain_options_init(&how, sizeof how);
    how.target = OW_ANY_OTHER_CLASS;
    options.passes = 3;
    options.towards_rows = 50;
    ow_test_arrow_open(made, &stream);
    assert_ok(ow_reader_open_arrow(ctx, &stream, "types", true, &reader));
    assert_ok(ow_schema_infer(reader, &infer, NULL, &schema));
    assert_int_equal(ow_schema_n_columns(schema), n_fields - 2); /* label and null */
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    assert_ok(ow_table_read(reader, NULL, &table));
    const ow_explain_model of = {.size = sizeof of, .model = model};
    assert_ok(ow_explainer_new(&of, "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, NULL, &how, 1, ow_table_row(table, 1), NULL,
                                   &explanation));
    const ow_explain_about about = {.size = sizeof about,
                                    .explainer = explainer,
                                    .options = &how};
    assert_ok(
        ow_explanation_json(&about, explanation, ow_table_row(table, 1), &json, &size));
    assert_non_null(strstr(json, "\"status\": \"found\""));
    assert_non_null(strstr(json, "\"1970-01-03\"")); /* a level of the dates */
    ow_bytes_free(json);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_table_free(table);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
    assert_int_equal(made->n_live, 0);
}

/* ---- Every type at once ---- */

enum { n_typed = 80 };

/* Value k, from 0 to 4, of row i in a buffer of this format. */
static void put(const char *format, unsigned char *buffer, size_t i, int k)
{
    const int64_t large = strcmp(format, "tdm") == 0      ? k * INT64_C(86400000)
                          : strncmp(format, "ts", 2) == 0 ? k * INT64_C(1000000000)
                                                          : k;
    const double wide = k + 0.5;
    const float single = (float)wide;
    const uint16_t half = (uint16_t)(0x3c00 + 0x40 * k); /* 1, 1.0625, ... */
    const int32_t middle = k;
    const int16_t small = (int16_t)k;
    const int64_t decimal[2] = {125 * k, 0};
    if (strchr("cC", format[0]) != NULL) buffer[i] = (unsigned char)k;
    if (format[0] == 'b') buffer[i / 8] |= (unsigned char)((k % 2) << i % 8);
    if (strchr("sS", format[0]) != NULL) memcpy(buffer + 2 * i, &small, 2);
    if (format[0] == 'e') memcpy(buffer + 2 * i, &half, 2);
    if (strchr("iI", format[0]) != NULL || strcmp(format, "tdD") == 0)
        memcpy(buffer + 4 * i, &middle, 4);
    if (format[0] == 'f') memcpy(buffer + 4 * i, &single, 4);
    if (format[0] == 'g') memcpy(buffer + 8 * i, &wide, 8);
    if (strchr("lL", format[0]) != NULL || strcmp(format, "tdm") == 0 ||
        strncmp(format, "ts", 2) == 0)
        memcpy(buffer + 8 * i, &large, 8);
    if (format[0] == 'd') memcpy(buffer + 16 * i, decimal, 16);
}

/* Texts "a" to "e" in the three forms. */
static ow_test_arrow_array put_texts(arrow_table *t, const char *format, const int *values)
{
    const bool large = format[0] == 'U';
    char *bytes = room(t, n_typed);
    int32_t *offsets = room(t, (n_typed + 1) * sizeof *offsets);
    int64_t *wide = room(t, (n_typed + 1) * sizeof *wide);
    unsigned char *views = room(t, 16 * n_typed);
    for (size_t i = 0; i < n_typed; i++) {
        bytes[i] = (char)('a' + values[i]);
        views[16 * i] = 1; /* little-endian, as all machines that tests run on */
        views[16 * i + 4] = (unsigned char)bytes[i];
        offsets[i + 1] = (int32_t)(wide[i + 1] = (int64_t)i + 1);
    }
    if (format[0] == 'v')
        return (ow_test_arrow_array){.n_buffers = 3, .buffers = {NULL, views}};
    return (ow_test_arrow_array){
        .n_buffers = 3,
        .buffers = {NULL, large ? (const void *)wide : (const void *)offsets, bytes}};
}

/* Each column says the class with some noise of its own; every ninth value is null. */
static void every_type_is_trained_on_explained_and_told_as_json(void **state)
{
    static const char *const formats[] = {
        "u", "U", "vu", "c",   "C",   "s",    "S",    "i",    "I",       "l",     "L", "e",
        "f", "g", "b",  "tdD", "tdm", "tss:", "tsm:", "tsu:", "tsn:UTC", "d:5,2", "n", "i"};
    enum { n_formats = sizeof formats / sizeof *formats };
    static char names[n_formats][16];
    ow_context *ctx = ow_test_context(state);
    arrow_table *t = calloc(1, sizeof *t);
    unsigned char valid[n_typed / 8];
    int classes[n_typed];
    assert_non_null(t);
    memset(valid, 0xff, sizeof valid);
    for (size_t i = 0; i < n_typed; i += 9) valid[i / 8] &= (unsigned char)~(1 << i % 8);
    for (size_t i = 0; i < n_typed; i++) classes[i] = i * 7 % 13 < 6;
    for (size_t j = 0; j < n_formats; j++) {
        int values[n_typed];
        unsigned char *buffer = room(t, 16 * n_typed);
        for (size_t i = 0; i < n_typed; i++) {
            values[i] = j == 0 ? classes[i] : (int)((i * (j + 3)) % 3) + 2 * classes[i];
            put(formats[j], buffer, i, values[i]);
        }
        snprintf(names[j], sizeof names[j], "column%zu", j);
        t->fields[j] = (ow_test_arrow_field){names[j], formats[j], NULL};
        t->arrays[0][j] = (ow_test_arrow_array){.n_buffers = 2, .buffers = {NULL, buffer}};
        if (strchr("uUv", formats[j][0]) != NULL)
            t->arrays[0][j] = put_texts(t, formats[j], values);
        t->arrays[0][j].length = n_typed;
        if (j > 0) t->arrays[0][j].null_count = -1;
        if (j > 0) t->arrays[0][j].buffers[0] = valid;
    }
    /* The last is a dictionary of texts, the one before it all null. */
    t->fields[n_formats - 1].dictionary = "u";
    t->dictionaries[0] = make_texts(t, (const char *const[]){"v", "w", "x", "y", "z"}, 5);
    t->arrays[0][n_formats - 1].dictionary = &t->dictionaries[0];
    t->arrays[0][n_formats - 2] =
        (ow_test_arrow_array){n_typed, n_typed, 0, 0, {NULL}, NULL};
    t->batches[0] = (ow_test_arrow_batch){.length = n_typed, .columns = t->arrays[0]};
    t->stream = (ow_test_arrow){
        .n_fields = n_formats, .fields = t->fields, .n_batches = 1, .batches = t->batches};
    train_and_tell(ctx, &t->stream, n_formats);
    for (size_t i = 0; i < t->n_blocks; i++) free(t->blocks[i]);
    free(t);
}

/* A schema made by a program, so that even a stream that can be read once will do. */
static void a_stream_that_comes_once_is_enough_with_a_schema(void **state)
{
    enum { n = 60 };
    static const char *const classes[] = {"0", "1"};
    static const ow_test_arrow_field fields[] = {{"x", "g", NULL}, {"y", "b", NULL}};
    static double x[n];
    static uint8_t y[(n + 7) / 8];
    ow_context *ctx = ow_test_context(state);
    ow_schema_builder *builder = NULL;
    ow_schema *schema = NULL;
    ow_reader *reader = NULL;
    ow_model *model = NULL;
    struct ArrowArrayStream stream;
    ow_train_options options = ow_test_train_defaults();
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)(i % 10);
        if (i % 10 >= 5) y[i / 8] |= (uint8_t)(1 << i % 8);
    }
    const ow_test_arrow_array columns[] = {{n, 0, 0, 2, {NULL, x}, NULL},
                                           {n, 0, 0, 2, {NULL, y}, NULL}};
    const ow_test_arrow_batch batch = {n, 0, 0, NULL, columns};
    ow_test_arrow made = {
        .n_fields = 2, .fields = fields, .n_batches = 1, .batches = &batch};
    assert_ok(ow_schema_builder_new(ctx, NULL, &builder));
    assert_ok(ow_schema_builder_add_number(builder, "x", OW_TYPE_INTEGER, 0, 9, NULL));
    assert_ok(ow_schema_builder_set_label(builder, "y", 2, classes));
    assert_ok(ow_schema_builder_build(builder, &schema));
    ow_schema_builder_free(builder);
    ow_test_arrow_open(&made, &stream);
    assert_ok(ow_reader_open_arrow(ctx, &stream, "once", false, &reader));
    options.passes = 5;
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    const ow_train_report report = *ow_model_report(model);
    assert_int_equal(report.train.n_rows + report.test.n_rows, n);
    assert_true(report.train.accuracy > 0.9);
    ow_model_free(model);
    ow_reader_free(reader);
    ow_schema_free(schema);
    assert_int_equal(made.n_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(arrays_and_streams_give_the_model_of_the_file),
        ow_test_on_heap(every_type_is_trained_on_explained_and_told_as_json),
        ow_test_on_heap(a_stream_that_comes_once_is_enough_with_a_schema),
    };
    return cmocka_run_group_tests_name("model/train_from_memory", tests, NULL, NULL);
}
