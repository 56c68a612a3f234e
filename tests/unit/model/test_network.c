/* SPDX-License-Identifier: MIT */
/* Models whose decisions are a network's: learned, saved, loaded, asked. */
#include "support/ow_test.h"

#include "model/model_private.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_rows = 300, n_columns = 3, C = 2 };

/* yes where a and b are on the same side, which no line divides; a category beside, and
 * gaps. */
typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    ow_schema *schema;
    ow_table *table;
} data_set;

static void open_rows(data_set *d, ow_context *ctx)
{
    static char text[16000];
    size_t used = (size_t)sprintf(text, "a,b,kind,y\n");
    for (int i = 0; i < n_rows; i++) {
        const int a = i * 37 % 101 - 50, b = i * 53 % 103 - 51;
        const char *kind = i % 3 == 0 ? "u" : "v", *y = (a > 0) == (b > 0) ? "yes" : "no";
        if (i % 17 == 0)
            used += (size_t)sprintf(text + used, ",%d,%s,%s\n", b, kind, y);
        else
            used += (size_t)sprintf(text + used, "%d,%d,%s,%s\n", a, b, kind, y);
    }
    *d = (data_set){.ctx = ctx};
    assert_ok(ow_reader_open_memory(ctx, text, used, "rows.csv", NULL, &d->reader));
    assert_ok(ow_schema_infer(
        d->reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
        &how, &d->schema));
}

static void close_rows(data_set *d)
{
    ow_table_free(d->table);
    ow_schema_free(d->schema);
    ow_reader_free(d->reader);
}

static ow_train_options quick(void)
{
    ow_train_options options = ow_test_train_defaults();
    options.passes = 2;
    options.inputs = options.repetitions = 2;
    options.towards_rows = 10;
    options.decider = OW_DECIDES_MLP;
    options.hidden = (ow_sizes){2, {24, 8}};
    return options;
}

static ow_model *train(data_set *d, const ow_train_options *options,
                       ow_train_report *report)
{
    ow_model *model = NULL;
    assert_ok(ow_model_train(d->reader, d->schema, options, &how, &model));
    if (report != NULL) *report = *ow_model_report(model);
    assert_ok(ow_reader_bind(d->reader, d->schema, true));
    if (d->table == NULL) assert_ok(ow_table_read(d->reader, &how, &d->table));
    return model;
}

typedef struct {
    int32_t classes[n_rows];
    double log_density[n_rows], percentile[n_rows], posterior[n_rows * C];
} predictions;

static void predict(const ow_model *model, const data_set *d, predictions *p)
{
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = p->classes,
                                   .proba = p->posterior,
                                   .log_density = p->log_density,
                                   .percentile = p->percentile};
    ow_predictor *predictor = NULL;
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    assert_ok(
        ow_predictor_predict(predictor, n_rows, ow_table_row(d->table, 0), &how, &wanted));
    ow_predictor_free(predictor);
}

static void the_network_decides_and_the_circuit_is_the_density(void **state)
{
    static predictions said;
    static double log_proba[n_rows * C];
    data_set d;
    ow_network_size size;
    ow_train_report report;
    ow_classifier *classifier = NULL;
    ow_evaluator *evaluator = NULL;
    const ow_train_options options = quick();
    open_rows(&d, ow_test_context(state));
    ow_model *model = train(&d, &options, &report);

    assert_true(ow_model_network(model, &size));
    assert_int_equal(size.n_hidden, 2);
    assert_int_equal(size.hidden[0], 24);
    assert_int_equal(size.hidden[1], 8);
    assert_true(report.train.accuracy > 0.85 && report.test.accuracy > 0.75);
    assert_int_equal(report.circuit_test.n_rows, report.test.n_rows);
    assert_true(report.circuit_test.log_density == report.test.log_density);

    predict(model, &d, &said);
    assert_ok(ow_model_classifier_new(model, NULL, &classifier));
    assert_ok(ow_evaluator_new(ow_model_circuit(model), NULL, &evaluator));
    const size_t width = ow_model_soft_width(model);
    float *soft = calloc(n_rows * width, sizeof *soft);
    float row[n_columns];
    ow_model_soften(model, n_rows, ow_table_row(d.table, 0), soft);
    assert_ok(ow_classifier_classify(classifier, n_rows, soft, &how, log_proba));
    for (size_t i = 0; i < n_rows; i++) {
        double log_class[C], log_density;
        const size_t best = log_proba[i * C + 1] > log_proba[i * C] ? 1 : 0;
        assert_int_equal(said.classes[i], best);
        assert_true(said.posterior[i * C] == exp(log_proba[i * C]));
        ow_model_encode(model, 1, ow_table_row(d.table, i), row);
        assert_ok(ow_evaluator_evaluate(evaluator, 1, row, &how, log_class));
        ow_circuit_posterior(ow_model_circuit(model), 1, log_class, &log_density, NULL);
        assert_close(&said.log_density[i], &log_density, 1, 1e-6);
    }
    free(soft);
    ow_evaluator_free(evaluator);
    ow_classifier_free(classifier);
    ow_model_free(model);
    close_rows(&d);
}

static void what_is_saved_decides_the_same_when_loaded(void **state)
{
    static predictions before, after;
    ow_context *ctx = ow_test_context(state);
    data_set d;
    char *bytes = NULL, *same = NULL;
    size_t size, same_size;
    ow_model *loaded = NULL;
    const ow_train_options options = quick();
    open_rows(&d, ctx);
    ow_model *model = train(&d, &options, NULL);
    assert_ok(ow_model_format(model, &bytes, &size));
    assert_ok(ow_model_parse(ctx, bytes, size, "network.ow", &loaded));
    assert_ok(ow_model_format(loaded, &same, &same_size));
    assert_int_equal(size, same_size);
    assert_memory_equal(bytes, same, size);
    predict(model, &d, &before);
    predict(loaded, &d, &after);
    assert_memory_equal(&before, &after, sizeof after);
    const ow_train_report was = *ow_model_report(model), is = *ow_model_report(loaded);
    assert_memory_equal(&was.circuit_test, &is.circuit_test, sizeof is.circuit_test);
    ow_bytes_free(bytes);
    ow_bytes_free(same);
    ow_model_free(model);
    ow_model_free(loaded);
    close_rows(&d);
}

/* Format 1 stays what it was: older programs read models without a network. */
static void only_models_with_a_network_need_the_newer_format(void **state)
{
    ow_context *ctx = ow_test_context(state);
    data_set d;
    ow_train_options options = quick();
    open_rows(&d, ctx);
    for (int decider = OW_DECIDES_CIRCUIT; decider <= OW_DECIDES_MLP; decider++) {
        char *bytes = NULL;
        size_t size;
        ow_network_size network;
        options.decider = (ow_decider)decider;
        if (decider == OW_DECIDES_CIRCUIT) options.hidden.n = 0;
        ow_model *model = train(&d, &options, NULL);
        assert_ok(ow_model_format(model, &bytes, &size));
        bytes[size - 1] = '\0';
        assert_non_null(strstr(bytes + 8, decider == OW_DECIDES_MLP
                                              ? "\"format_version\": \"2\""
                                              : "\"format_version\": \"1\""));
        assert_true(ow_model_network(model, &network) == (decider == OW_DECIDES_MLP));
        ow_bytes_free(bytes);
        ow_model_free(model);
    }
    close_rows(&d);
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char *one = NULL;
    size_t size, more_size;
    const ow_train_options options = quick();
    for (size_t n_threads = 1; n_threads <= 5; n_threads += 2) {
        data_set d;
        char *more = NULL;
        how.threads = n_threads;
        open_rows(&d, ctx);
        ow_model *model = train(&d, &options, NULL);
        assert_ok(ow_model_format(model, one == NULL ? &one : &more,
                                  one == NULL ? &size : &more_size));
        if (more != NULL) {
            assert_int_equal(size, more_size);
            assert_memory_equal(one, more, size);
        }
        ow_bytes_free(more);
        ow_model_free(model);
        close_rows(&d);
    }
    ow_bytes_free(one);
}

/* ---- Files that are wrong ---- */

/* The file with one text in its header replaced by another of the same length. */
static void assert_refused(ow_context *ctx, const char *bytes, size_t size, const char *was,
                           const char *is, const char *sentence)
{
    char *changed = malloc(size);
    ow_model *model = NULL;
    assert_int_equal(strlen(was), strlen(is));
    memcpy(changed, bytes, size);
    for (size_t i = 0; i + strlen(was) < size; i++)
        if (memcmp(changed + i, was, strlen(was)) == 0) {
            memcpy(changed + i, is, strlen(is));
            break;
        }
    assert_fails(ow_model_parse(ctx, changed, size, "bad.ow", &model), OW_ERR_FORMAT,
                 sentence);
    assert_null(model);
    free(changed);
}

static void networks_of_other_sizes_and_numbers_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    data_set d;
    char *bytes = NULL;
    size_t size;
    const ow_train_options options = quick();
    open_rows(&d, ctx);
    ow_model *model = train(&d, &options, NULL);
    model->network->bias[1][3] = 4.0f;
    assert_ok(ow_model_format(model, &bytes, &size));
    static const char hidden[] = "{\\\"hidden\\\": [24, 8]}";
    assert_refused(ctx, bytes, size, hidden, "{\\\"hidden\\\": [23, 8]}",
                   "network.weight.1");
    assert_refused(ctx, bytes, size, hidden, "{\\\"hidden\\\": [24008]}",
                   "network.weight.1");
    assert_refused(ctx, bytes, size, hidden, "{\\\"hidden\\\": [24.08]}", "hidden");
    assert_refused(ctx, bytes, size, hidden, "[\\\"hidden\\\", [24, 8]]",
                   "bad.ow, network: expected an object");
    assert_refused(ctx, bytes, size, "\"network.bias.2\"", "\"network.bios.2\"",
                   "network.bias.2");
    ow_bytes_free(bytes);
    bytes = NULL;
    model->network->bias[1][3] = NAN;
    assert_ok(ow_model_format(model, &bytes, &size));
    assert_refused(ctx, bytes, size, "otherwise", "otherwise",
                   "bad.ow: number 4 of network.bias.2 is nan");
    ow_bytes_free(bytes);
    bytes = NULL;
    model->network->bias[1][3] = 0.0f;
    model->network->scale[0] = INFINITY;
    assert_ok(ow_model_format(model, &bytes, &size));
    assert_refused(ctx, bytes, size, "otherwise", "otherwise",
                   "shift or scale of input 0 is not finite");
    ow_bytes_free(bytes);
    ow_model_free(model);
    close_rows(&d);
}

typedef struct {
    const char *bytes;
    size_t size;
} file_bytes;

static ow_status load_and_ask(ow_context *ctx, void *user)
{
    const file_bytes *file = user;
    ow_model *model = NULL;
    ow_predictor *predictor = NULL;
    double percentile;
    const ow_predictions wanted = {.size = sizeof wanted, .percentile = &percentile};
    const double values[n_columns] = {1.0, 2.0, 0.0};
    ow_status status = ow_model_parse(ctx, file->bytes, file->size, "network.ow", &model);
    if (status == OW_OK) status = ow_predictor_new(model, NULL, &predictor);
    if (status == OW_OK) status = ow_predictor_predict(predictor, 1, values, &how, &wanted);
    ow_predictor_free(predictor);
    ow_model_free(model);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    ow_context *ctx = ow_test_context(state);
    data_set d;
    char *bytes = NULL;
    size_t size;
    const ow_train_options options = quick();
    open_rows(&d, ctx);
    ow_model *model = train(&d, &options, NULL);
    assert_ok(ow_model_format(model, &bytes, &size));
    ow_test_sweep(load_and_ask, &(file_bytes){bytes, size});
    ow_bytes_free(bytes);
    ow_model_free(model);
    close_rows(&d);
}

static bool stop_in_the_network(void *user, const ow_progress *progress)
{
    size_t *n = user;
    if (strcmp(progress->stage, "learning the network") != 0) return true;
    return ++*n < 3;
}

static void stopping_keeps_the_network_so_far(void **state)
{
    ow_context *ctx = ow_test_context(state);
    data_set d;
    ow_model *model = NULL;
    ow_network_size size;
    size_t n = 0;
    const ow_train_options options = quick();
    open_rows(&d, ctx);
    how.progress = stop_in_the_network;
    how.progress_user = &n;
    assert_status(ow_model_train(d.reader, d.schema, &options, &how, &model),
                  OW_ERR_CANCELLED);
    how.progress = NULL;
    how.progress_user = NULL;
    assert_non_null(model);
    assert_true(ow_model_network(model, &size));
    ow_model_free(model);
    close_rows(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_network_decides_and_the_circuit_is_the_density),
        ow_test_on_heap(what_is_saved_decides_the_same_when_loaded),
        ow_test_on_heap(only_models_with_a_network_need_the_newer_format),
        ow_test_on_heap(the_same_bytes_on_any_number_of_threads),
        ow_test_on_heap(networks_of_other_sizes_and_numbers_are_refused),
        ow_test_on_heap(any_failing_allocation_is_survived),
        ow_test_on_heap(stopping_keeps_the_network_so_far),
    };
    return cmocka_run_group_tests_name("model/network", tests, NULL, NULL);
}
