/* SPDX-License-Identifier: MIT */
/* Tuning: the grid, the best of it, and that it depends on nothing but rows, options and
 * seed. */
#include "support/ow_test.h"

#include "data/rows/reader.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

typedef struct {
    ow_reader *reader;
    ow_schema *schema;
    ow_train_options options;
    ow_tune_trial trials[OW_TUNE_TRIALS];
    size_t n_trials, best;
} tuning;

static void begin(tuning *t, ow_context *ctx, size_t n_rows)
{
    static char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, "size,weight,colour,class\n");
    *t = (tuning){.options = ow_test_train_defaults()};
    for (size_t i = 0; i < n_rows; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%zu.5,%zu,%s,%s\n",
                             i * 7 % 50 + 20 * (i % 2), i * i % 83,
                             i % 3 != 0 ? "red" : "blue", i % 2 != 0 ? "large" : "small");
    assert_ok(ow_reader_open_memory(ctx, text, length, "sizes.csv", NULL, &t->reader));
    assert_ok(ow_schema_infer(
        t->reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "class"},
        &how, &t->schema));
    t->options.passes = 2;
}

static void run(tuning *t)
{
    assert_ok(ow_model_tune(t->reader, t->schema, &t->options, &how, t->trials,
                            &t->n_trials, &t->best, NULL));
}

static void end(tuning *t)
{
    ow_schema_free(t->schema);
    ow_reader_free(t->reader);
}

static void the_best_of_the_grid_is_put_into_the_options(void **state)
{
    tuning t;
    begin(&t, ow_test_context(state), 200);
    run(&t);
    assert_int_equal(t.n_trials, 9);
    for (size_t i = 0; i < t.n_trials; i++) {
        const ow_score *score = &t.trials[i].score;
        const double want = 0.1 * score->log_density - score->log_loss;
        assert_int_equal(t.trials[i].repetitions, (size_t)4 << i / 3);
        assert_int_equal(t.trials[i].inputs, (size_t)4 << i % 3);
        assert_int_equal(score->n_rows, 160); /* each training row is held out once */
        assert_close(&t.trials[i].value, &want, 1, 1e-12);
        assert_true(t.trials[i].value <= t.trials[t.best].value);
    }
    assert_int_equal(t.options.repetitions, t.trials[t.best].repetitions);
    assert_int_equal(t.options.inputs, t.trials[t.best].inputs);
    end(&t);
}

static void options_that_end_before_the_sizes_are_not_written_to(void **state)
{
    tuning t;
    begin(&t, ow_test_context(state), 200);
    for (size_t n_bytes = 0; n_bytes < sizeof t.options.inputs; n_bytes += 7) {
        t.options.size = offsetof(ow_train_options, inputs) + n_bytes;
        t.options.inputs = OW_AUTO; /* which tuning would replace */
        assert_fails(ow_model_tune(t.reader, t.schema, &t.options, &how, t.trials,
                                   &t.n_trials, &t.best, NULL),
                     OW_ERR_ARGUMENT, "option inputs is newer than the program");
        assert_int_equal(t.options.inputs, OW_AUTO);
    }
    end(&t);
}

/* As for training with the options that it found, but the rows are read once. */
static void the_model_of_the_best_size_comes_from_the_same_reading(void **state)
{
    tuning t;
    ow_model *models[2] = {NULL, NULL};
    char *bytes[2];
    size_t sizes[2], size;
    t = (tuning){.options = ow_test_train_defaults()};
    free(ow_test_read_file("data/credit.csv", &size));
    assert_ok(
        ow_reader_open(ow_test_context(state), "data/credit.csv", NULL, NULL, &t.reader));
    assert_ok(ow_schema_infer(
        t.reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "risk"},
        NULL, &t.schema));
    t.options.passes = 1;
    t.options.inputs = 1;
    t.options.towards_rows = 50;
    assert_ok(ow_model_tune(t.reader, t.schema, &t.options, &how, t.trials, &t.n_trials,
                            &t.best, &models[0]));
    assert_int_equal(owi_reader_bytes_read(t.reader), 2 * size);
    assert_ok(ow_model_train(t.reader, t.schema, &t.options, NULL, &models[1]));
    for (size_t i = 0; i < 2; i++)
        assert_ok(ow_model_format(models[i], &bytes[i], &sizes[i]));
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    for (size_t i = 0; i < 2; i++) {
        ow_bytes_free(bytes[i]);
        ow_model_free(models[i]);
    }
    end(&t);
}

static void gaussian_leaves_have_the_papers_grid_and_objective(void **state)
{
    static const size_t repetitions[3] = {19, 29, 40}, inputs[3] = {20, 25, 33};
    tuning t;
    begin(&t, ow_test_context(state), 40);
    t.options.leaves = OW_LEAVES_GAUSSIAN;
    t.options.passes = 1;
    run(&t);
    assert_int_equal(t.n_trials, 9);
    for (size_t i = 0; i < t.n_trials; i++) {
        const double want = t.trials[i].score.log_density - t.trials[i].score.log_loss;
        assert_int_equal(t.trials[i].repetitions, repetitions[i / 3]);
        assert_int_equal(t.trials[i].inputs, inputs[i % 3]);
        assert_close(&t.trials[i].value, &want, 1, 1e-12);
    }
    end(&t);
}

static void what_is_given_stays(void **state)
{
    tuning t;
    begin(&t, ow_test_context(state), 100);
    t.options.inputs = 3;
    run(&t);
    assert_int_equal(t.n_trials, 3);
    for (size_t i = 0; i < t.n_trials; i++) assert_int_equal(t.trials[i].inputs, 3);
    assert_int_equal(t.options.inputs, 3);
    end(&t);
    begin(&t, ow_test_context(state), 100);
    t.options.depth = 0; /* nothing to repeat */
    run(&t);
    assert_int_equal(t.n_trials, 3);
    assert_int_equal(t.options.repetitions, 1);
    end(&t);
}

static void the_number_of_threads_changes_nothing(void **state)
{
    tuning one, five;
    ow_context *ctx = ow_test_context(state);
    how.threads = 1;
    begin(&one, ctx, 150);
    run(&one);
    end(&one);
    how.threads = 5;
    begin(&five, ctx, 150);
    run(&five);
    end(&five);
    assert_memory_equal(one.trials, five.trials, sizeof one.trials);
    assert_int_equal(one.best, five.best);
}

typedef struct {
    size_t n_calls, stop_at;
    uint64_t last;
    bool rises;
} listener;

static bool listen(void *user, const ow_progress *progress)
{
    listener *heard = user;
    if (strncmp(progress->stage, "learning", 8) != 0) return true;
    heard->rises &= progress->done >= heard->last && progress->done <= progress->total;
    heard->last = progress->done;
    return ++heard->n_calls != heard->stop_at;
}

static void progress_rises_through_all_trials_and_stops_them(void **state)
{
    ow_context *ctx = ow_test_context(state);
    listener heard = {.rises = true};
    tuning t;
    how.progress = listen;
    how.progress_user = &heard;
    begin(&t, ctx, 100);
    run(&t);
    assert_true(heard.rises);
    assert_true(heard.n_calls >= 9 * 5);

    heard = (listener){.rises = true, .stop_at = 20};
    t.options = ow_test_train_defaults();
    assert_status(ow_model_tune(t.reader, t.schema, &t.options, &how, t.trials, &t.n_trials,
                                &t.best, NULL),
                  OW_ERR_CANCELLED);
    how.progress = NULL;
    assert_int_equal(heard.n_calls, 20);
    assert_int_equal(t.options.inputs, OW_AUTO);
    end(&t);
}

static ow_status tune_again(ow_context *ctx, void *user)
{
    tuning *t = user;
    ow_reader *reader = NULL;
    static const char text[] = "x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n9,a\n1,b\n";
    ow_train_options options = t->options;
    ow_status status =
        ow_reader_open_memory(ctx, text, sizeof text - 1, "x.csv", NULL, &reader);
    ow_schema *schema = NULL;
    if (status == OW_OK)
        status = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
            &how, &schema);
    if (status == OW_OK)
        status = ow_model_tune(reader, schema, &options, &how, t->trials, &t->n_trials,
                               &t->best, NULL);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static void running_out_of_memory_anywhere_is_clean(void **state)
{
    (void)state;
    tuning t = {.options = ow_test_train_defaults()};
    t.options.passes = 1;
    t.options.repetitions = t.options.inputs = 1;
    t.options.test_share = 0.0;
    ow_test_sweep(tune_again, &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_best_of_the_grid_is_put_into_the_options),
        ow_test_on_heap(options_that_end_before_the_sizes_are_not_written_to),
        ow_test_on_heap(the_model_of_the_best_size_comes_from_the_same_reading),
        ow_test_on_heap(gaussian_leaves_have_the_papers_grid_and_objective),
        ow_test_on_heap(what_is_given_stays),
        ow_test_on_heap(the_number_of_threads_changes_nothing),
        ow_test_on_heap(progress_rises_through_all_trials_and_stops_them),
        cmocka_unit_test(running_out_of_memory_anywhere_is_clean),
    };
    return cmocka_run_group_tests_name("model/tune", tests, NULL, NULL);
}
