/* SPDX-License-Identifier: MIT */
/* Learning networks: what no line divides is divided, the best state is kept, the same
 * bytes on any number of threads. */
#include "support/ow_test.h"
#include "support/tiny_networks.h"

#include "base/numeric/rng.h"
#include "network/mlp_train.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_rows = 600, width = 3, C = 2 };

/* Class 1 where x0 and x1 have the same sign; x2 is noise of another scale, now and then
 * missing. */
typedef struct {
    float rows[n_rows * width];
    int32_t classes[n_rows];
    ow_row_array array;
} corners;

static void make_corners(corners *made)
{
    owi_rng rng;
    owi_rng_init(&rng, 4, 2);
    for (size_t i = 0; i < n_rows; i++) {
        float *row = made->rows + i * width;
        row[0] = (float)(1000.0 + 50.0 * owi_rng_normal(&rng));
        row[1] = (float)(0.01 * owi_rng_normal(&rng));
        row[2] = i % 5 == 0 ? NAN : (float)owi_rng_normal(&rng);
        made->classes[i] = (row[0] > 1000.0f) == (row[1] > 0.0f);
    }
    made->array = (ow_row_array){n_rows, width, made->rows, made->classes, 0};
}

static owi_mlp_spec spec_of(owi_mlp_output output)
{
    owi_mlp_spec spec;
    assert_true(owi_mlp_spec_fill(&spec, output, width, 1, (const size_t[]){16},
                                  output == OWI_MLP_CLASSES ? C : width));
    return spec;
}

static double accuracy(const owi_mlp *mlp, const corners *data)
{
    static float out[n_rows * C];
    owi_mlp_runner *runner = NULL;
    size_t n = 0;
    assert_ok(owi_mlp_runner_new(mlp, NULL, &runner));
    assert_ok(owi_mlp_forward(ow_test_call(owi_mlp_runner_network(runner)->ctx, &how),
                              runner, n_rows, data->rows, out));
    for (size_t i = 0; i < n_rows; i++)
        n += (out[2 * i + 1] > out[2 * i]) == (data->classes[i] == 1);
    owi_mlp_runner_free(runner);
    return (double)n / n_rows;
}

static void what_no_line_divides_is_learned(void **state)
{
    static corners data;
    make_corners(&data);
    const ow_row_source source = ow_row_source_of_array(&data.array);
    const owi_mlp_spec spec = spec_of(OWI_MLP_CLASSES);
    owi_mlp_options options = owi_mlp_defaults();
    owi_mlp_score score;
    owi_mlp *mlp = NULL;
    options.rate = 0.01;
    assert_ok(owi_mlp_train(ow_test_call(ow_test_context(state), &how), &spec, &options,
                            &source, &mlp, &score));
    assert_true(accuracy(mlp, &data) > 0.95);
    assert_true(score.accuracy > 0.9 && score.loss < 0.25);
    assert_true(score.n_held_out > 20 && score.n_held_out < 120);
    assert_int_equal(score.n_rows + score.n_held_out, n_rows);
    assert_true(score.best_pass <= score.passes);
    owi_mlp_free(mlp);
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    static corners data;
    make_corners(&data);
    const owi_mlp_spec spec = spec_of(OWI_MLP_CLASSES);
    owi_mlp_options options = owi_mlp_defaults();
    owi_mlp *one = NULL;
    options.passes = 5;
    options.batch = 200;
    for (size_t n_threads = 1; n_threads <= 5; n_threads += 2) {
        const ow_row_source source = ow_row_source_of_array(&data.array);
        owi_mlp *mlp = NULL;
        how.threads = n_threads;
        assert_ok(owi_mlp_train(ow_test_call(ow_test_context(state), &how), &spec, &options,
                                &source, &mlp, NULL));
        if (one == NULL)
            one = mlp;
        else {
            assert_memory_equal(one->block, mlp->block,
                                mlp->n_parameters * sizeof *mlp->block);
            owi_mlp_free(mlp);
        }
    }
    owi_mlp_free(one);
}

/* Rows of an array, so many at a time; counts how often they are read. */
typedef struct {
    ow_row_source from;
    size_t most_rows, n_rewinds;
} counted_rows;

static ow_status rewind_counted(void *user)
{
    counted_rows *counted = user;
    counted->n_rewinds++;
    return counted->from.rewind(counted->from.user);
}

static ow_status next_counted(void *user, size_t max_rows, float *rows, int32_t *classes,
                              size_t *n)
{
    counted_rows *counted = user;
    return counted->from.next(counted->from.user,
                              max_rows < counted->most_rows ? max_rows : counted->most_rows,
                              rows, classes, n);
}

/* Three times: to look at them, to learn from them and for those held out.  A source that
 * hands them out in portions is read in every pass, and learned from all the same. */
static void rows_that_come_at_once_are_read_no_more_often_for_more_passes(void **state)
{
    static corners data;
    make_corners(&data);
    const owi_mlp_spec spec = spec_of(OWI_MLP_CLASSES);
    owi_mlp_options options = owi_mlp_defaults();
    options.rate = 0.01;
    options.passes = options.patience = 60;
    for (size_t most_rows = n_rows; most_rows > 70; most_rows /= 5) {
        counted_rows counted = {ow_row_source_of_array(&data.array), most_rows, 0};
        const ow_row_source source = {&counted, rewind_counted, next_counted};
        owi_mlp_score score;
        owi_mlp *mlp = NULL;
        assert_ok(owi_mlp_train(ow_test_call(ow_test_context(state), &how), &spec, &options,
                                &source, &mlp, &score));
        assert_int_equal(counted.n_rewinds,
                         most_rows == n_rows ? 3 : 1 + 2 * options.passes);
        assert_int_equal(score.n_rows + score.n_held_out, n_rows);
        assert_true(accuracy(mlp, &data) > 0.95);
        owi_mlp_free(mlp);
    }
}

/* So long a step that it gets worse after the first passes: what is left is the best of
 * them. */
static void the_best_state_is_kept(void **state)
{
    static corners data;
    make_corners(&data);
    const owi_mlp_spec spec = spec_of(OWI_MLP_CLASSES);
    owi_mlp_options options = owi_mlp_defaults();
    owi_mlp_score score, shorter;
    owi_mlp *mlp = NULL, *again = NULL;
    options.rate = 0.2;
    options.patience = 6;
    ow_row_source source = ow_row_source_of_array(&data.array);
    assert_ok(owi_mlp_train(ow_test_call(ow_test_context(state), &how), &spec, &options,
                            &source, &mlp, &score));
    assert_int_equal(score.passes, score.best_pass + options.patience);
    options.passes = score.best_pass;
    assert_ok(owi_mlp_train(ow_test_call(ow_test_context(state), &how), &spec, &options,
                            &source, &again, &shorter));
    assert_memory_equal(mlp->block, again->block, mlp->n_parameters * sizeof *mlp->block);
    assert_true(score.loss == shorter.loss);
    owi_mlp_free(mlp);
    owi_mlp_free(again);
}

static bool stop_after_two(void *user, const ow_progress *progress)
{
    size_t *n = user;
    if (strcmp(progress->stage, "learning the network") == 0) *n = progress->done;
    return *n < 2;
}

static void cancelling_leaves_a_network(void **state)
{
    static corners data;
    size_t n = 0;
    make_corners(&data);
    const owi_mlp_spec spec = spec_of(OWI_MLP_CLASSES);
    owi_mlp_options options = owi_mlp_defaults();
    const ow_row_source source = ow_row_source_of_array(&data.array);
    owi_mlp_score score;
    owi_mlp *mlp = NULL;
    const ow_call stopped = {.size = sizeof stopped,
                             .progress = stop_after_two,
                             .progress_user = &n};
    assert_status(owi_mlp_train(ow_test_call(ow_test_context(state), &stopped), &spec,
                                &options, &source, &mlp, &score),
                  OW_ERR_CANCELLED);
    assert_non_null(mlp);
    assert_int_equal(score.passes, 2);
    owi_mlp_free(mlp);
}

static void what_cannot_be_learned_from_is_named(void **state)
{
    static corners data;
    ow_context *ctx = ow_test_context(state);
    const owi_mlp_spec spec = spec_of(OWI_MLP_CLASSES);
    owi_mlp_options options = owi_mlp_defaults();
    owi_mlp *mlp = NULL;
    make_corners(&data);
    ow_row_source source = ow_row_source_of_array(&data.array);
    options.held_out = 0.0;

    data.classes[7] = 2;
    assert_fails(owi_mlp_train(ow_test_call(ctx, &how), &spec, &options, &source, &mlp,
                               NULL),
                 OW_ERR_ARGUMENT, "class 2, expected 0 to 1");
    data.classes[7] = 0;
    data.rows[5 * width + 1] = INFINITY;
    assert_fails(owi_mlp_train(ow_test_call(ctx, &how), &spec, &options, &source, &mlp,
                               NULL),
                 OW_ERR_NUMERIC, "row 6, entry 1: expected a number, got infinity");
    data.rows[5 * width + 1] = 0.0f;
    options.backend = "abacus";
    assert_fails(owi_mlp_train(ow_test_call(ctx, &how), &spec, &options, &source, &mlp,
                               NULL),
                 OW_ERR_UNSUPPORTED, "no backend abacus");
    options.backend = NULL;
    options.rate = 1e30;
    assert_fails(owi_mlp_train(ow_test_call(ctx, &how), &spec, &options, &source, &mlp,
                               NULL),
                 OW_ERR_NUMERIC, "does not converge");
    data.array.n_rows = 0;
    assert_fails(owi_mlp_train(ow_test_call(ctx, &how), &spec, &options, &source, &mlp,
                               NULL),
                 OW_ERR_ARGUMENT, "needs rows to learn from");
    assert_null(mlp);
}

static ow_status build(ow_context *ctx, void *user)
{
    corners *data = user;
    const ow_row_source source = ow_row_source_of_array(&data->array);
    const owi_mlp_spec spec = spec_of(OWI_MLP_CLASSES);
    owi_mlp_options options = owi_mlp_defaults();
    owi_mlp *mlp = NULL;
    options.passes = 1;
    const ow_status status =
        owi_mlp_train(ow_test_call(ctx, &how), &spec, &options, &source, &mlp, NULL);
    assert_true((mlp != NULL) == (status == OW_OK));
    owi_mlp_free(mlp);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    static corners data;
    (void)state;
    make_corners(&data);
    data.array.n_rows = 20;
    ow_test_sweep(build, &data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(what_no_line_divides_is_learned),
        ow_test_on_heap(the_same_bytes_on_any_number_of_threads),
        ow_test_on_heap(rows_that_come_at_once_are_read_no_more_often_for_more_passes),
        ow_test_on_heap(the_best_state_is_kept),
        ow_test_on_heap(cancelling_leaves_a_network),
        ow_test_on_heap(what_cannot_be_learned_from_is_named),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("classifier/mlp_train", tests, NULL, NULL);
}
