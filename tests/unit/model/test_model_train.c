/* SPDX-License-Identifier: MIT */
/* From rows to a model: rows come back from the circuit's space, the same bytes whatever
 * the threads, and a sentence for what cannot be learned from. */
#include "support/ow_test.h"

#include "data/rows/reader.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* A reader, and the schema inferred from it. */
typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    ow_schema *schema;
} data_set;

static void open_csv(data_set *d, const char *text, const char *label)
{
    assert_ok(ow_context_new(NULL, &d->ctx));
    if (text != NULL)
        assert_ok(ow_reader_open_memory(d->ctx, text, strlen(text), "rows.csv", NULL,
                                        &d->reader));
    else
        assert_ok(ow_reader_open(d->ctx, "data/credit.csv", NULL, &how, &d->reader));
    assert_ok(ow_schema_infer(
        d->reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = label},
        &how, &d->schema));
}

static void close_csv(data_set *d)
{
    ow_schema_free(d->schema);
    ow_reader_free(d->reader);
    ow_context_free(d->ctx);
}

/* Quick: a small circuit, few passes, no search for the pull, one structure. */
static ow_train_options quick(void)
{
    ow_train_options options = ow_test_train_defaults();
    options.repetitions = 3;
    options.inputs = 4;
    options.passes = 4;
    options.towards_rows = 50;
    options.regions = OW_REGIONS_RANDOM;
    return options;
}

/* The same with the choice between both structures. */
static ow_train_options quick_choice(void)
{
    ow_train_options options = quick();
    options.regions = OW_REGIONS_AUTO;
    return options;
}

/* 2000 rows of 3000 columns for each class would be 48 MB; 8 million numbers are 1333
 * rows. */
static void a_wide_table_has_fewer_samples(void **state)
{
    (void)state;
    enum { n_columns = 3000, n_rows = 8, room = 8 };
    char *text = calloc((n_rows + 1) * (n_columns + 1), room), *at = text;
    data_set d;
    ow_model *model = NULL;
    ow_train_options options = quick();
    size_t n = 0;
    assert_non_null(text);
    for (size_t j = 0; j < n_columns; j++) at += sprintf(at, "x%zu,", j);
    at += sprintf(at, "class\n");
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++)
            at += sprintf(at, "%zu.5,", (i * 7 + j * 3 + i * j) % 97);
        at += sprintf(at, i % 2 ? "a\n" : "b\n");
    }
    open_csv(&d, text, "class");
    options.leaves = OW_LEAVES_GAUSSIAN;
    options.depth = 0;
    options.inputs = 1;
    options.passes = 1;
    assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
    assert_non_null(ow_model_samples(model, 1, &n));
    assert_int_equal(n, 8000000 / 2 / n_columns);
    ow_model_free(model);
    close_csv(&d);
    free(text);
}

/* Once for the schema, once for training: labels, sample, rows and test rows come from the
 * same pass. */
static void a_file_is_read_twice_at_most(void **state)
{
    (void)state;
    data_set d;
    ow_model *model = NULL;
    const ow_train_options options = quick();
    size_t size = 0;
    free(ow_test_read_file("data/credit.csv", &size));
    open_csv(&d, NULL, "risk");
    assert_int_equal(owi_reader_bytes_read(d.reader), size);
    assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
    assert_int_equal(owi_reader_bytes_read(d.reader), 2 * size);
    ow_model_free(model);
    close_csv(&d);
}

static void every_row_comes_back_from_the_circuits_space_and_from_soft_rows(void **state)
{
    (void)state;
    const ow_leaf_choice choices[] = {OW_LEAVES_AUTO, OW_LEAVES_GAUSSIAN};
    for (size_t i = 0; i < 2; i++) {
        data_set d;
        ow_model *model = NULL;
        ow_table *table = NULL;
        ow_train_options options = quick();
        open_csv(&d, NULL, "risk");
        options.leaves = choices[i];
        options.inputs = 2;
        options.repetitions = 2;
        assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
        assert_ok(ow_reader_bind(d.reader, d.schema, true));
        assert_ok(ow_table_read(d.reader, &how, &table));
        const size_t n = ow_table_n_columns(table);
        const size_t width = ow_circuit_get_spec(ow_model_circuit(model))->n_columns;
        const size_t soft_width = ow_model_soft_width(model);
        assert_int_equal(soft_width, ow_circuit_soft_width(ow_model_circuit(model)));
        float *row = calloc(width, sizeof *row);
        float *soft = calloc(2 * soft_width, sizeof *soft);
        double *back = calloc(n, sizeof *back);
        for (size_t r = 0; r < ow_table_n_rows(table); r++) {
            ow_model_encode(model, 1, ow_table_row(table, r), row);
            ow_model_decode(model, 1, row, back);
            assert_memory_equal(back, ow_table_row(table, r), n * sizeof *back);
            ow_model_soften(model, 1, ow_table_row(table, r), soft);
            ow_circuit_soften(ow_model_circuit(model), 1, row, soft + soft_width);
            assert_memory_equal(soft, soft + soft_width, soft_width * sizeof *soft);
            ow_model_harden(model, 1, soft, back);
            assert_memory_equal(back, ow_table_row(table, r), n * sizeof *back);
        }
        free(soft);
        free(row);
        free(back);
        ow_table_free(table);
        ow_model_free(model);
        close_csv(&d);
    }
}

static char *trained_bytes(size_t n_threads, size_t *size)
{
    data_set d;
    ow_model *model = NULL;
    const ow_train_options options = quick_choice();
    open_csv(&d, NULL, "risk");
    how.threads = n_threads;
    how.seed = 7;
    assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
    assert_ok(ow_model_save(model, ow_test_path("threads.ow", 0)));
    ow_model_free(model);
    close_csv(&d);
    return ow_test_read_file(ow_test_path("threads.ow", 0), size);
}

static void the_same_file_on_any_number_of_threads(void **state)
{
    (void)state;
    size_t size, more_size;
    char *one = trained_bytes(1, &size);
    for (size_t n_threads = 2; n_threads <= 5; n_threads += 3) {
        char *more = trained_bytes(n_threads, &more_size);
        assert_int_equal(size, more_size);
        assert_memory_equal(one, more, size);
        free(more);
    }
    free(one);
}

static void training_rows_have_percentiles_from_0_to_100(void **state)
{
    (void)state;
    data_set d;
    ow_model *model = NULL;
    ow_predictor *predictor = NULL;
    ow_train_options options = quick();
    options.test_share = 0.0;
    open_csv(&d, NULL, "risk");
    assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
    const ow_train_report report = *ow_model_report(model);
    assert_int_equal(report.train.n_rows, 1000);
    assert_int_equal(report.test.n_rows, 0);
    assert_true(report.train.accuracy > 0.7);

    double values[100 * 20], percentile[100], mean = 0.0;
    const ow_predictions wanted = {.size = sizeof wanted, .percentile = percentile};
    size_t n;
    assert_ok(ow_reader_bind(d.reader, ow_model_schema(model), true));
    assert_ok(ow_reader_rewind(d.reader));
    assert_ok(ow_reader_next(d.reader, 100, &how, values, NULL, &n));
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    assert_ok(ow_predictor_predict(predictor, n, values, &how, &wanted));
    for (size_t i = 0; i < n; i++) {
        assert_true(percentile[i] >= 0.0 && percentile[i] <= 100.0);
        mean += percentile[i] / (double)n;
    }
    assert_true(mean > 30.0 && mean < 70.0);

    /* A gap: compared with samples over what is there. */
    values[0] = NAN;
    assert_ok(ow_predictor_predict(predictor, 1, values, &how, &wanted));
    assert_true(percentile[0] >= 0.0 && percentile[0] <= 100.0);
    ow_predictor_free(predictor);
    ow_model_free(model);
    close_csv(&d);
}

static bool stop_after_three(void *user, const ow_progress *progress)
{
    size_t *n = user;
    if (strncmp(progress->stage, "learning", 8) != 0) return true;
    return ++*n < 3;
}

static void stopping_leaves_a_whole_model(void **state)
{
    (void)state;
    data_set d;
    ow_model *model = NULL, *loaded = NULL;
    size_t n = 0;
    const ow_train_options options = quick_choice();
    open_csv(&d, NULL, "risk");
    how.progress = stop_after_three;
    how.progress_user = &n;
    assert_status(ow_model_train(d.reader, d.schema, &options, &how, &model),
                  OW_ERR_CANCELLED);
    assert_non_null(model);
    how.progress = NULL;
    how.progress_user = NULL;
    assert_ok(ow_model_save(model, ow_test_path("stopped.ow", 0)));
    assert_ok(ow_model_load(d.ctx, ow_test_path("stopped.ow", 0), &how, &loaded));
    ow_model_free(loaded);
    ow_model_free(model);
    close_csv(&d);
}

/* Small odd tables: each is learned from without a NaN. */
static void odd_tables_can_be_learned_from(void **state)
{
    (void)state;
    const char *const tables[] = {
        "x,y\n1,a\n2,b\n3,a\n4,b\n",           /* one column          */
        "x,z,y\n1,5,a\n2,5,b\n3,5,a\n4,5,b\n", /* a constant column   */
        "x,z,y\n1,,a\n,q,b\n3,q,a\n4,r,b\n",   /* gaps                */
        "x,y\n0,a\n1,b\n",                     /* one row a class     */
        /* three classes, far apart */
        "x,z,y\n1e9,u,a\n-1e9,u,b\n1e9,v,c\n3,v,a\n2,u,b\n1,v,c\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        data_set d;
        ow_model *model = NULL;
        ow_train_options options = quick_choice();
        options.test_share = 0.0;
        open_csv(&d, tables[i], "y");
        assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
        const ow_train_report report = *ow_model_report(model);
        assert_true(isfinite(report.train.log_density));
        assert_true(isfinite(report.train.log_loss));
        ow_model_free(model);
        close_csv(&d);
    }
}

/* Rows are held out to choose by, but never the only one of a class. */
static void a_class_with_one_row_is_learned_from(void **state)
{
    (void)state;
    char text[1024] = "x,y\n99,c\n";
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "%d,%s\n", i * 7 % 23, i % 2 != 0 ? "a" : "b");
    for (int learner = 0; learner < 2; learner++) {
        data_set d;
        ow_model *model = NULL;
        ow_train_options options = ow_test_train_defaults();
        options.passes = 2;
        options.learner = (ow_learner)learner;
        open_csv(&d, text, "y");
        assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
        ow_model_free(model);
        close_csv(&d);
    }
}

/* Point masses need variances that are learned; with a fixed one there are none. */
static void a_fixed_variance_leaves_out_point_masses(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        data_set d;
        ow_model *model = NULL;
        ow_train_options options = quick();
        if (fixed) options.variance = 1.0;
        open_csv(&d, NULL, "risk");
        assert_ok(ow_model_train(d.reader, d.schema, &options, &how, &model));
        const ow_circuit_spec *spec = ow_circuit_get_spec(ow_model_circuit(model));
        size_t n_masses = 0;
        for (size_t j = 0; j < spec->n_columns; j++)
            n_masses += spec->leaves[j].kind == OW_LEAF_POINT_MASSES;
        assert_int_equal(n_masses > 0, !fixed);
        ow_model_free(model);
        close_csv(&d);
    }
}

static void a_class_without_training_rows_is_named(void **state)
{
    (void)state;
    data_set d;
    ow_model *model = NULL;
    ow_train_options options = quick();
    const bool is_test[4] = {false, true, false, true};
    open_csv(&d, "x,y\n1,a\n2,b\n3,a\n4,b\n", "y");
    options.is_test = is_test;
    options.n_is_test = 4;
    assert_fails(ow_model_train(d.reader, d.schema, &options, &how, &model), OW_ERR_SCHEMA,
                 "class \"b\" has no training rows");
    assert_null(model);
    close_csv(&d);
}

static void every_row_must_be_said_to_be_held_out_or_not(void **state)
{
    (void)state;
    const bool is_test[5] = {false, true, false, false, false};
    const size_t n[] = {3, 5, 0};
    const char *const want[] = {"is_test has 3 entries (n_is_test), but there are",
                                "is_test has 5 entries (n_is_test), but there are 4 rows",
                                "is_test has 0 entries"};
    for (size_t i = 0; i < 3; i++) {
        data_set d;
        ow_model *model = NULL;
        ow_train_options options = quick();
        open_csv(&d, "x,y\n1,a\n2,b\n3,a\n4,b\n", "y");
        options.is_test = is_test;
        options.n_is_test = n[i];
        assert_fails(ow_model_train(d.reader, d.schema, &options, &how, &model),
                     OW_ERR_ARGUMENT, want[i]);
        assert_null(model);
        close_csv(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_twice_at_most),
        cmocka_unit_test(a_wide_table_has_fewer_samples),
        cmocka_unit_test(every_row_comes_back_from_the_circuits_space_and_from_soft_rows),
        cmocka_unit_test(the_same_file_on_any_number_of_threads),
        cmocka_unit_test(training_rows_have_percentiles_from_0_to_100),
        cmocka_unit_test(stopping_leaves_a_whole_model),
        cmocka_unit_test(odd_tables_can_be_learned_from),
        cmocka_unit_test(a_class_with_one_row_is_learned_from),
        cmocka_unit_test(a_fixed_variance_leaves_out_point_masses),
        cmocka_unit_test(a_class_without_training_rows_is_named),
        cmocka_unit_test(every_row_must_be_said_to_be_held_out_or_not),
    };
    return cmocka_run_group_tests_name("model/model_train", tests, NULL, NULL);
}
