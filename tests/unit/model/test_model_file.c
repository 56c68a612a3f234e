/* SPDX-License-Identifier: MIT */
/* The model file: what is written is read back to the last bit, and nothing damaged gets
 * in. */
#include "base/io/sha256.h"
#include "support/ow_test.h"

static ow_model *imported(ow_context *ctx, const char *name)
{
    char path[256];
    ow_model *model = NULL;
    snprintf(path, sizeof path, "tests/golden/circuits/%s.json", name);
    assert_ok(ow_model_import(ctx, path, NULL, &model));
    return model;
}

/* log S(x given c) of the model's own samples, through a predictor. */
static void densities(const ow_model *model, double *log_class, size_t n_rows)
{
    ow_predictor *predictor = NULL;
    size_t n;
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(model));
    const float *samples = ow_model_samples(model, 0, &n);
    assert_true(n >= n_rows);
    double *values = calloc(n_rows * n_columns, sizeof *values);
    const ow_predictions wanted = {.size = sizeof wanted, .log_class = log_class};
    ow_model_decode(model, n_rows, samples, values);
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    assert_ok(ow_predictor_predict(predictor, n_rows, values, NULL, &wanted));
    ow_predictor_free(predictor);
    free(values);
}

static void what_is_saved_is_loaded_to_the_last_bit(void **state)
{
    (void)state;
    const char *const names[] = {"a_d4_D1", "b_d8_D2", "c_d16_D1_var",
                                 "g_d40_D1_underflow32"};
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    for (size_t i = 0; i < 4; i++) {
        enum { n_rows = 100 };
        double before[n_rows * 3], after[n_rows * 3];
        ow_model *model = imported(ctx, names[i]), *loaded = NULL;
        const size_t C = ow_schema_n_classes(ow_model_schema(model));
        densities(model, before, n_rows);
        assert_ok(ow_model_save(model, ow_test_path("one.ow", 0)));
        assert_ok(ow_model_load(ctx, ow_test_path("one.ow", 0), NULL, &loaded));
        densities(loaded, after, n_rows);
        assert_memory_equal(before, after, n_rows * C * sizeof *before);

        size_t size, again_size;
        assert_ok(ow_model_save(loaded, ow_test_path("two.ow", 1)));
        char *bytes = ow_test_read_file(ow_test_path("one.ow", 0), &size);
        char *again = ow_test_read_file(ow_test_path("two.ow", 1), &again_size);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        free(again);
        assert_ok(ow_model_format(loaded, &again, &again_size));
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        ow_bytes_free(again);
        owi_sha256 hash;
        char want[OW_SHA256_SIZE], got[OW_SHA256_SIZE];
        owi_sha256_init(&hash);
        owi_sha256_add(&hash, bytes, size);
        owi_sha256_finish(&hash, want);
        assert_ok(ow_model_sha256(loaded, got));
        assert_string_equal(got, want);
        free(bytes);
        ow_model_free(model);
        ow_model_free(loaded);
    }
    ow_context_free(ctx);
}

static char *small_file(ow_context *ctx, size_t *size)
{
    ow_model *model = imported(ctx, "a_d4_D1");
    assert_ok(ow_model_save(model, ow_test_path("small.ow", 0)));
    ow_model_free(model);
    return ow_test_read_file(ow_test_path("small.ow", 0), size);
}

static void a_file_cut_off_anywhere_is_a_sentence(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    size_t size;
    char *bytes = small_file(heap.ctx, &size);
    for (size_t cut = 0; cut < size; cut += cut < 4000 ? 1 : 997) {
        ow_model *model = NULL;
        assert_status(ow_model_parse(heap.ctx, bytes, cut, "cut.ow", &model),
                      OW_ERR_FORMAT);
        assert_null(model);
        assert_true(strncmp(ow_error_message(), "cut.ow", 6) == 0);
    }
    free(bytes);
    ow_test_heap_end(&heap);
}

/* A flipped bit may leave a model that is merely another one; it never crashes or leaks. */
static void a_flipped_bit_is_a_sentence_or_another_model(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    size_t size, n_refused = 0;
    char *bytes = small_file(heap.ctx, &size);
    for (size_t at = 0; at < 4000; at += 3) {
        ow_model *model = NULL;
        bytes[at] = (char)(bytes[at] ^ (1 << (at % 7)));
        const ow_status status = ow_model_parse(heap.ctx, bytes, size, "flip.ow", &model);
        n_refused += status != OW_OK;
        assert_true((status == OW_OK) == (model != NULL));
        ow_model_free(model);
        bytes[at] = (char)(bytes[at] ^ (1 << (at % 7)));
    }
    assert_true(n_refused > 100);
    free(bytes);
    ow_test_heap_end(&heap);
}

static void a_newer_format_is_told_so(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_model *model = NULL;
    size_t size;
    assert_ok(ow_context_new(NULL, &ctx));
    char *bytes = small_file(ctx, &size);
    const char key[] = "\"format_version\":";
    for (size_t i = 0; i + sizeof key + 4 < size; i++)
        if (memcmp(bytes + i, key, sizeof key - 1) == 0) {
            char *digit = memchr(bytes + i + sizeof key, '1', 4);
            assert_non_null(digit);
            *digit = '7';
            break;
        }
    assert_fails(ow_model_parse(ctx, bytes, size, "new.ow", &model), OW_ERR_FORMAT,
                 "use a newer otherwise");
    free(bytes);
    ow_context_free(ctx);
}

/* Two columns and two classes, told apart by the number. */
static ow_model *trained_as(ow_context *ctx, ow_region_choice regions)
{
    static char text[4096] = "size,colour,class\n";
    size_t length = strlen("size,colour,class\n");
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_options options = ow_test_train_defaults();
    for (int i = 0; i < 100; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%s,%s\n",
                                   i * 7 % 50 + 40 * (i % 2), i % 3 != 0 ? "red" : "blue",
                                   i % 2 != 0 ? "large" : "small");
    assert_ok(ow_reader_open_memory(ctx, text, length, "sizes.csv", NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "class"},
        NULL, &schema));
    options.passes = 4;
    options.test_share = 0.3;
    options.regions = regions;
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    ow_schema_free(schema);
    ow_reader_free(reader);
    return model;
}

static ow_model *trained(ow_context *ctx)
{
    return trained_as(ctx, OW_REGIONS_RANDOM);
}

static void assert_same_score(ow_score got, ow_score want)
{
    assert_int_equal(got.n_rows, want.n_rows);
    assert_close(&got.accuracy, &want.accuracy, 1, 0.0);
    assert_close(&got.log_loss, &want.log_loss, 1, 0.0);
    assert_close(&got.log_density, &want.log_density, 1, 0.0);
    assert_close(&got.log_density_class, &want.log_density_class, 1, 0.0);
}

static void a_loaded_model_knows_how_well_it_was_trained(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = trained(ctx), *loaded = NULL;
    char *bytes;
    size_t size;
    assert_ok(ow_model_format(model, &bytes, &size));
    assert_ok(ow_model_parse(ctx, bytes, size, "sizes.ow", &loaded));
    const ow_train_report want = *ow_model_report(model), got = *ow_model_report(loaded);
    assert_int_equal(want.train.n_rows, 70);
    assert_int_equal(want.test.n_rows, 30);
    assert_same_score(got.train, want.train);
    assert_same_score(got.test, want.test);
    assert_close(&got.towards_rows, &want.towards_rows, 1, 0.0);
    assert_memory_equal(got.confusion, want.confusion, 4 * sizeof *got.confusion);
    assert_string_equal(ow_model_training(loaded), ow_model_training(model));
    ow_bytes_free(bytes);
    ow_model_free(model);
    ow_model_free(loaded);
}

/* The bytes of a tensor in a model file; *size gets their number. */
static char *tensor_bytes(char *file, const char *name, size_t *size)
{
    uint64_t header = 0;
    char key[64];
    unsigned long long begin, end;
    memcpy(&header, file, sizeof header);
    snprintf(key, sizeof key, "\"%s\"", name);
    const char *at = strstr(file + 8, key);
    assert_non_null(at);
    at = strstr(at, "data_offsets");
    assert_non_null(at);
    at += strcspn(at, "[");
    assert_int_equal(sscanf(at, "[%llu,%llu]", &begin, &end), 2);
    *size = end - begin;
    return file + 8 + header + begin;
}

static void trees_are_saved_and_loaded_to_the_last_bit(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = trained_as(ctx, OW_REGIONS_TREE), *loaded = NULL;
    char *bytes, *again;
    size_t size, again_size;
    double before[2 * 50], after[2 * 50];
    assert_non_null(ow_circuit_get_spec(ow_model_circuit(model))->parents);
    assert_ok(ow_model_format(model, &bytes, &size));
    assert_ok(ow_model_parse(ctx, bytes, size, "trees.ow", &loaded));
    const ow_circuit_spec *spec = ow_circuit_get_spec(ow_model_circuit(loaded));
    assert_memory_equal(spec->parents,
                        ow_circuit_get_spec(ow_model_circuit(model))->parents,
                        spec->repetitions * 2 * sizeof *spec->parents);
    assert_ok(ow_model_format(loaded, &again, &again_size));
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    densities(model, before, 50);
    densities(loaded, after, 50);
    assert_memory_equal(before, after, sizeof before);
    ow_bytes_free(bytes);
    ow_bytes_free(again);
    ow_model_free(model);
    ow_model_free(loaded);
}

/* A parent that is no region, a root that is not the first, and a list of regions that is
 * not that of the trees. */
static void damaged_trees_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = trained_as(ctx, OW_REGIONS_TREE), *loaded = NULL;
    const struct {
        const char *tensor;
        size_t at;
        uint32_t value;
    } damages[] = {{"circuit.parents", 1, 7},        {"circuit.parents", 1, 1},
                   {"circuit.parents", 0, 1},        {"circuit.region_columns", 0, 9},
                   {"circuit.region_columns", 2, 1}, {"circuit.region_columns", 3, 0},
                   {"circuit.region_start", 1, 0},   {"circuit.region_start", 0, 77}};
    char *bytes;
    size_t size;
    assert_ok(ow_model_format(model, &bytes, &size));
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        size_t n;
        char *tensor = tensor_bytes(bytes, damages[i].tensor, &n);
        uint32_t right;
        assert_true((damages[i].at + 1) * sizeof right <= n);
        tensor += damages[i].at * sizeof right;
        memcpy(&right, tensor, sizeof right);
        if (right == damages[i].value) continue; /* the tree has its root elsewhere */
        memcpy(tensor, &damages[i].value, sizeof right);
        assert_fails(ow_model_parse(ctx, bytes, size, "trees.ow", &loaded), OW_ERR_FORMAT,
                     "trees.ow");
        assert_null(loaded);
        memcpy(tensor, &right, sizeof right);
    }
    assert_ok(ow_model_parse(ctx, bytes, size, "trees.ow", &loaded));
    ow_bytes_free(bytes);
    ow_model_free(loaded);
    ow_model_free(model);
}

static ow_status load_trees(ow_context *ctx, void *user)
{
    ow_model *model = NULL;
    (void)user;
    const ow_status status = ow_model_load(ctx, ow_test_path("trees.ow", 0), NULL, &model);
    ow_model_free(model);
    return status;
}

static void running_out_of_memory_with_trees_is_clean(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = trained_as(ctx, OW_REGIONS_TREE);
    assert_ok(ow_model_save(model, ow_test_path("trees.ow", 0)));
    ow_model_free(model);
    ow_test_sweep(load_trees, NULL);
}

static ow_status load_again(ow_context *ctx, void *user)
{
    ow_model *model = NULL;
    (void)user;
    const ow_status status = ow_model_load(ctx, ow_test_path("small.ow", 0), NULL, &model);
    ow_model_free(model);
    return status;
}

static void running_out_of_memory_anywhere_is_clean(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    size_t size;
    assert_ok(ow_context_new(NULL, &ctx));
    free(small_file(ctx, &size));
    ow_context_free(ctx);
    ow_test_sweep(load_again, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_is_loaded_to_the_last_bit),
        cmocka_unit_test(a_file_cut_off_anywhere_is_a_sentence),
        cmocka_unit_test(a_flipped_bit_is_a_sentence_or_another_model),
        cmocka_unit_test(a_newer_format_is_told_so),
        ow_test_on_heap(a_loaded_model_knows_how_well_it_was_trained),
        cmocka_unit_test(running_out_of_memory_anywhere_is_clean),
        ow_test_on_heap(trees_are_saved_and_loaded_to_the_last_bit),
        ow_test_on_heap(damaged_trees_are_refused),
        ow_test_on_heap(running_out_of_memory_with_trees_is_clean),
    };
    return cmocka_run_group_tests_name("model/model_file", tests, NULL, NULL);
}
