/* SPDX-License-Identifier: MIT */
/* A model file whose header says something else than it should: each thing that is wrong
 * has its sentence, and writing where one cannot says so, too. */
#include "support/ow_test.h"

static char *good_file(ow_context *ctx, size_t *size)
{
    ow_model *model = NULL;
    char *bytes = NULL;
    assert_ok(ow_model_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, &model));
    assert_ok(ow_model_format(model, &bytes, size));
    ow_model_free(model);
    return bytes;
}

/* A piece of a header as these tests write it: ' stands for \", the quotation mark of a
 * JSON text within a JSON text. */
static void write_out(const char *text, char *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') *out++ = '\\';
        *out++ = *text == '\'' ? '"' : *text;
    }
    *out = '\0';
}

static const char *find(const char *bytes, size_t size, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, text, length) == 0) return bytes + i;
    return NULL;
}

/* The file with the first `from` of its header replaced by `to`, whose length the first
 * eight bytes then tell.  Caller frees with free(). */
static char *replaced(const char *bytes, size_t size, const char *from, const char *to,
                      size_t *new_size)
{
    char was[512], is[512];
    write_out(from, was);
    write_out(to, is);
    const char *at = find(bytes, size, was);
    if (at == NULL) print_error("no %s in the header\n", was);
    assert_non_null(at);
    const size_t before = (size_t)(at - bytes), rest = size - before - strlen(was);
    char *result = malloc(size + strlen(is));
    assert_non_null(result);
    memcpy(result, bytes, before);
    memcpy(result + before, is, strlen(is));
    memcpy(result + before + strlen(is), at + strlen(was), rest);
    *new_size = before + strlen(is) + rest;
    uint64_t header = 0;
    for (int i = 7; i >= 0; i--) header = header << 8 | (unsigned char)result[i];
    header = header + *new_size - size;
    for (int i = 0; i < 8; i++) result[i] = (char)(header >> (8 * i) & 255);
    return result;
}

static const struct {
    const char *from, *to, *sentence;
} cases[] = {
    /* What kind of file it is. */
    {"\"otherwise-model\"", "\"another\"", "a tensor file, but not a model of otherwise"},
    {"\"otherwise-model\"", "3", "a tensor file, but not a model of otherwise"},
    {"\"format_version\": \"1\"", "\"format_version\": \"one\"",
     "its format version is \"one\", not a number"},
    {"\"format_version\": \"1\"", "\"format_version\": \"0\"",
     "its format version is \"0\", not a number"},
    {"\"format_version\": \"1\"", "\"format_version\": \"1a\"",
     "its format version is \"1a\", not a number"},
    {"\"format_version\": \"1\"", "\"format_version\": 1",
     "its metadata has no text \"format_version\""},
    {"\"format_version\": \"1\"", "\"format_version\": \"4\"",
     "written in format 4; this version reads up to format 3"},

    /* Its texts. */
    {"\"schema\":", "\"scheme\":", "its metadata has no text \"schema\""},
    {"\"encoding\":", "\"encodings\":", "its metadata has no text \"encoding\""},
    {"\"circuit\":", "\"circus\":", "its metadata has no text \"circuit\""},
    {"\"training\":", "\"trainings\":", "its metadata has no text \"training\""},
    {"\"training\": \"{}\"", "\"training\": \"[]\"",
     "bad.ow, training: expected an object"},
    {"\"training\": \"{}\"", "\"training\": \"{\"", "bad.ow, training"},
    {"'schema_version'", "'version'", "bad.ow, schema"},

    /* How columns are encoded. */
    {"[{'kind': 'number'}, ", "[", "bad.ow, encoding: 3 columns, expected 4"},
    {"[{'kind': 'number'}, ", "[7, ",
     "bad.ow, encoding: column \"x0\", expected an object"},
    {"[{'kind': 'number'}", "[{'kind': 'nothing'}", "bad.ow, encoding: column \"x0\""},
    {"[{'kind': 'number'}", "[{'kind': 'levels'}",
     "column \"x0\", its kind does not fit its type"},
    {"[{'kind': 'number'}", "[{'kind': 'masses'}",
     "column \"x0\", its kind does not fit its type"},
    {"[{'kind': 'number'}", "[{'kind': 'number', 'values': [1]}",
     "column \"x0\", its kind does not fit its type"},
    {"[{'kind': 'number'}", "[{'kind': 'masses', 'values': [1, 1]}",
     "column \"x0\", its values are not ascending"},
    {"[{'kind': 'number'}", "[{'kind': 'masses', 'values': [1, 'x']}",
     "bad.ow, encoding: column \"x0\""},
    {"[{'kind': 'number'}", "[{'kind': 'number', 'tails': [1]}", "two numbers"},
    {"[{'kind': 'number'}", "[{'kind': 'number', 'log_cell': 'x'}",
     "bad.ow, encoding: column \"x0\""},

    /* The circuit. */
    {"'shared'", "'spread'", "bad.ow, circuit"},
    {"'depth': 1", "'depth': 32", "bad.ow, circuit"},
    {"'depth': 1", "'depth': -1", "bad.ow, circuit"},
    {"'repetitions': 2", "'repetitions': 0", "a size or the variance is missing"},
    {"'inputs': 2", "'inputs': 0", "a size or the variance is missing"},
    {"'variance': 0", "'variance': -1", "a size or the variance is missing"},
    {"'columns': 4", "'columns': 5",
     "a circuit of 5 columns and 2 classes, expected 4 and 2"},
    {"'classes': 2", "'classes': 3",
     "a circuit of 4 columns and 3 classes, expected 4 and 2"},
    {"'inputs': 2", "'inputs': 3",
     "the circuit's tensors have not the sizes that its structure asks for"},
    {"'repetitions': 2", "'repetitions': 268435456",
     "the circuit's tensors have not the sizes that its structure asks for"},
    {"'shared'", "'per-class'",
     "the circuit's tensors have not the sizes that its structure asks for"},

    /* Its tensors. */
    {"\"circuit.leaf\":", "\"circuit.leaves\":", "it has no tensor \"circuit.leaf\""},
    {"\"circuit.shift\": {\"dtype\": \"F32\"", "\"circuit.shift\": {\"dtype\": \"I32\"",
     "tensor \"circuit.shift\" holds I32, expected F32"},
    {"\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": [4]",
     "\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": [5]",
     "tensor \"circuit.shift\" lies at bytes 308 to 324 of 80516, expected 5 elements"},
    {"\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": [4]",
     "\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": "
     "[4294967296,4294967296,4294967296]",
     "tensor \"circuit.shift\" is too large"},
    {"\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": [4]",
     "\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": [-4]", "bad.ow: "},
    {"\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": [4], \"data_offsets\": [308, 324]",
     "\"circuit.shift\": {\"dtype\": \"F32\", \"shape\": [3], \"data_offsets\": [308, 320]",
     "tensor \"circuit.shift\" has 3 elements, expected 4"},
    {"\"data_offsets\": [16516, 80516]", "\"data_offsets\": [16520, 80520]",
     "lies at bytes 16520 to 80520 of 80516, expected 16000 elements there: damaged or cut "
     "off"},
    {"\"data_offsets\": [16516, 80516]", "\"data_offsets\": [80516, 16516]",
     "lies at bytes 80516 to 16516"},
    {"\"data_offsets\": [16516, 80516]", "\"data_offsets\": [16516]",
     "it has no tensor \"classes.samples\""},
    {"\"classes.limits\": {\"dtype\": \"F64\"", "\"classes.limits\": {\"dtype\": \"F32\"",
     "tensor \"classes.limits\" holds F32, expected F64"},
    {"\"classes.robust_margin\": {\"dtype\": \"F64\"",
     "\"classes.robust_margin\": {\"dtype\": \"I64\"",
     "tensor \"classes.robust_margin\" holds I64, expected F64"},
};

static void what_a_header_may_not_say_is_refused_with_a_sentence(void **state)
{
    ow_context *ctx = ow_test_context(state);
    size_t size;
    char *good = good_file(ctx, &size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ow_model *model = NULL;
        size_t bad_size;
        char *bad = replaced(good, size, cases[i].from, cases[i].to, &bad_size);
        assert_fails(ow_model_parse(ctx, bad, bad_size, "bad.ow", &model), OW_ERR_FORMAT,
                     cases[i].sentence);
        assert_null(model);
        assert_true(strncmp(ow_error_message(), "bad.ow", 6) == 0);
        free(bad);
    }
    ow_bytes_free(good);
}

static void a_header_that_says_the_same_in_other_words_is_read(void **state)
{
    ow_context *ctx = ow_test_context(state);
    size_t size, same_size;
    ow_model *model = NULL;
    char *good = good_file(ctx, &size);
    char *same = replaced(good, size, "[{'kind': 'number'}",
                          "[{'log_cell': 0, 'values': [], 'kind': 'number'}", &same_size);
    assert_ok(ow_model_parse(ctx, same, same_size, "same.ow", &model));
    ow_model_free(model);
    free(same);
    ow_bytes_free(good);
}

static void bytes_that_are_no_header_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = NULL;
    const struct {
        const char *bytes;
        size_t size;
        const char *sentence;
    } files[] = {
        {"", 0, "0 bytes, too few for a model file"},
        {"\2\0\0\0\0\0\0\0", 8, "its header should have 2 bytes, but 0 are left"},
        {"\2\0\0\0\0\0\0\0[]", 10, "not a model file"},
        {"\1\0\0\0\0\0\0\0{", 9, "bad.ow"},
        {"\2\0\0\0\0\0\0\0{}", 10, "a tensor file, but not a model of otherwise"},
        {"\377\377\377\377\377\377\377\377{}", 10, "not a model file"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_fails(ow_model_parse(ctx, files[i].bytes, files[i].size, "bad.ow", &model),
                     OW_ERR_FORMAT, files[i].sentence);
        assert_null(model);
    }
}

static void writing_where_one_cannot_is_a_sentence(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = NULL;
    assert_ok(ow_model_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, &model));
    const char *nowhere = ow_test_path("nowhere/m.ow", 0);
    assert_fails(ow_model_save(model, nowhere), OW_ERR_IO, "No such file or directory");
    assert_non_null(strstr(ow_error_message(), nowhere));
    assert_fails(ow_model_save(model, "tests"), OW_ERR_IO, "Is a directory");
    assert_status(ow_model_save(model, NULL), OW_ERR_ARGUMENT);
    assert_status(ow_model_save(NULL, nowhere), OW_ERR_ARGUMENT);
    ow_model_free(model);
    assert_fails(ow_model_load(ctx, nowhere, NULL, &model), OW_ERR_IO,
                 "No such file or directory");
    assert_null(model);
}

static ow_status write_again(ow_context *ctx, void *user)
{
    ow_model *model = NULL;
    char *bytes = NULL;
    size_t size;
    ow_status status = ow_model_import(ctx, user, NULL, &model);
    if (status == OW_OK) status = ow_model_format(model, &bytes, &size);
    if (status == OW_OK) status = ow_model_save(model, ow_test_path("swept.ow", 1));
    ow_bytes_free(bytes);
    ow_model_free(model);
    return status;
}

static void running_out_of_memory_while_writing_is_clean(void **state)
{
    (void)state;
    static char path[] = "tests/golden/circuits/a_d4_D1.json";
    ow_test_sweep(write_again, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(what_a_header_may_not_say_is_refused_with_a_sentence),
        ow_test_on_heap(a_header_that_says_the_same_in_other_words_is_read),
        ow_test_on_heap(bytes_that_are_no_header_are_refused),
        ow_test_on_heap(writing_where_one_cannot_is_a_sentence),
        cmocka_unit_test(running_out_of_memory_while_writing_is_clean),
    };
    return cmocka_run_group_tests_name("model/model_file_header", tests, NULL, NULL);
}
