/* SPDX-License-Identifier: MIT */
/* Rows in a temporary file, read in a mixed order. */
#include "model/train/rows/row_spool.h"
#include "support/ow_test.h"

#include "base/numeric/rng.h"

enum { most_rows = 5000, width = 2 };

/* Row i is (i, -i) of class i / (n / 2): sorted by class. */
static owi_row_spool *spool_new(ow_context *ctx, size_t n, uint64_t seed)
{
    owi_row_spool *spool = NULL;
    assert_ok(owi_row_spool_new(ctx, width, &spool));
    for (size_t i = 0; i < n; i++) {
        const float row[width] = {(float)i, -(float)i};
        const int32_t y = 2 * i >= n;
        assert_ok(owi_row_spool_add(spool, 1, row, &y));
    }
    assert_ok(owi_row_spool_finish(spool, seed));
    return spool;
}

static void every_row_comes_once_in_blocks_of_any_size(void **state)
{
    static const size_t sizes[] = {0, 1, 15, 1023, 1024, 1025, 4999};
    static const size_t blocks[] = {1, 7, 16, 1000, most_rows};
    static float rows[most_rows * width], order[most_rows];
    static int32_t classes[most_rows];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        owi_row_spool *spool = spool_new(ow_test_context(state), sizes[s], 3);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            int seen[most_rows] = {0};
            size_t at = 0, n = 1;
            for (; n > 0; at += n) {
                assert_ok(owi_row_spool_read(spool, at, blocks[b], rows, classes, &n));
                for (size_t i = 0; i < n; i++) {
                    const float x = rows[i * width];
                    assert_true(rows[i * width + 1] == -x);
                    assert_int_equal(classes[i], 2 * (size_t)x >= sizes[s]);
                    seen[(size_t)x]++;
                    if (b == 0) order[at + i] = x;
                    assert_true(order[at + i] == x); /* the same order for any block */
                }
            }
            assert_int_equal(at, sizes[s]);
            for (size_t i = 0; i < sizes[s]; i++) assert_int_equal(seen[i], 1);
        }
        owi_row_spool_free(spool);
    }
}

static void a_sorted_file_has_all_classes_in_every_round(void **state)
{
    float rows[1024 * width];
    int32_t classes[1024];
    size_t n;
    owi_row_spool *spool = spool_new(ow_test_context(state), most_rows, 3);
    for (size_t round = 0; round < most_rows / 1024; round++) {
        size_t n_second = 0;
        assert_ok(owi_row_spool_read(spool, round * 1024, 1024, rows, classes, &n));
        assert_int_equal(n, 1024);
        for (size_t i = 0; i < n; i++) n_second += classes[i] == 1;
        assert_true(n_second > 300 && n_second < 724);
    }
    owi_row_spool_free(spool);
}

static void the_seed_draws_the_order(void **state)
{
    static float rows[3][most_rows * width];
    static int32_t classes[most_rows];
    for (size_t i = 0; i < 3; i++) {
        size_t n;
        owi_row_spool *spool = spool_new(ow_test_context(state), most_rows, i < 2 ? 3 : 4);
        assert_ok(owi_row_spool_read(spool, 0, most_rows, rows[i], classes, &n));
        assert_int_equal(n, most_rows);
        owi_row_spool_free(spool);
    }
    assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
    assert_memory_not_equal(rows[0], rows[2], sizeof rows[0]);
}

/* ---- Learning from a sorted file ---- */

typedef struct {
    owi_row_spool *spool;
    size_t at;
} spooled;

static ow_status rewind_spool(void *user)
{
    ((spooled *)user)->at = 0;
    return OW_OK;
}

static ow_status next_of_spool(void *user, size_t max_rows, float *rows, int32_t *classes,
                               size_t *n_rows)
{
    spooled *s = user;
    const ow_status status =
        owi_row_spool_read(s->spool, s->at, max_rows, rows, classes, n_rows);
    s->at += *n_rows;
    return status;
}

static double log_loss_after(ow_context *ctx, const ow_row_source *learned,
                             const ow_row_source *judged)
{
    const ow_leaf leaves[width] = {{.kind = OW_LEAF_GAUSSIAN, .group = 0},
                                   {.kind = OW_LEAF_GAUSSIAN, .group = 1}};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = OW_STRUCTURE_PER_CLASS,
                                  .depth = 1,
                                  .repetitions = 2,
                                  .inputs = 3,
                                  .n_classes = 2,
                                  .n_columns = width,
                                  .leaves = leaves,
                                  .same_regions = true};
    ow_learn_options options = ow_test_learn_defaults();
    ow_pooling pooling = {.size = sizeof pooling, .towards_rows = 20.0};
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    ow_score score;
    options.passes = 2;
    options.batch = 256;
    options.prior_rows = 4.0;
    assert_ok(ow_circuit_new(ctx, &spec, &circuit));
    assert_ok(
        ow_circuit_learn_pooled(circuit, &options, learned, ow_test_seed(1), &pooling));
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(ow_circuit_score(evaluator, judged, NULL, &score));
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return score.log_loss;
}

/* Two bells, 2 apart in both columns, the one class after the other. */
static void online_learning_from_a_file_sorted_by_class_is_not_misled(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static float rows[most_rows * width];
    static int32_t classes[most_rows];
    owi_rng rng;
    spooled mixed = {0};
    owi_rng_init(&rng, 1, 0);
    assert_ok(owi_row_spool_new(ctx, width, &mixed.spool));
    for (size_t i = 0; i < most_rows; i++) {
        classes[i] = 4 * i >= 3 * most_rows;
        for (size_t j = 0; j < width; j++)
            rows[i * width + j] = (float)(owi_rng_normal(&rng) + 2.0 * classes[i]);
    }
    assert_ok(owi_row_spool_add(mixed.spool, most_rows, rows, classes));
    assert_ok(owi_row_spool_finish(mixed.spool, 1));
    ow_row_array array = {most_rows, width, rows, classes, 0};
    const ow_row_source sorted = ow_row_source_of_array(&array);
    const ow_row_source source = {&mixed, rewind_spool, next_of_spool};
    const double in_order = log_loss_after(ctx, &sorted, &sorted);
    const double spooled_loss = log_loss_after(ctx, &source, &sorted);
    assert_true(spooled_loss < in_order);
    assert_true(spooled_loss < 0.21); /* without prior, the best that can be is 0.19 */
    owi_row_spool_free(mixed.spool);
}

static ow_status write_and_read(ow_context *ctx, void *user)
{
    (void)user;
    const float row[width] = {1.0f, 2.0f};
    const int32_t y = 1;
    float got[width];
    int32_t class_index;
    size_t n = 0;
    owi_row_spool *spool = NULL;
    ow_status status = owi_row_spool_new(ctx, width, &spool);
    if (status == OW_OK) status = owi_row_spool_add(spool, 1, row, &y);
    if (status == OW_OK) status = owi_row_spool_finish(spool, 1);
    if (status == OW_OK) status = owi_row_spool_read(spool, 0, 1, got, &class_index, &n);
    if (status == OW_OK) assert_true(n == 1 && class_index == 1 && got[1] == 2.0f);
    owi_row_spool_free(spool);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(write_and_read, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(every_row_comes_once_in_blocks_of_any_size),
        ow_test_on_heap(a_sorted_file_has_all_classes_in_every_round),
        ow_test_on_heap(the_seed_draws_the_order),
        ow_test_on_heap(online_learning_from_a_file_sorted_by_class_is_not_misled),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("model/row_spool", tests, NULL, NULL);
}
