/* SPDX-License-Identifier: MIT */
/* Some rows of a block at a time: the same as all of them at once, and nothing else is
 * touched. */
#include "support/model_fixture.h"

#include "backend/backend.h"
#include "explain/descent/row_batch.h"
#include "support/test_call.h"

enum { n_rows = 90, n_classes = 2 };

static void rows_come_back_as_the_classifier_gives_them(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    ow_classifier *classifier = NULL;
    float *soft = calloc(n_rows * width, sizeof *soft);
    float *want = calloc(n_rows * width, sizeof *want);
    float *got = calloc(n_rows * width, sizeof *got);
    double factor[n_rows * n_classes], want_log[n_rows * n_classes],
        got_log[n_rows * n_classes];
    uint32_t which[n_rows];
    assert_ok(ow_model_classifier_new(m.model, NULL, &classifier));
    ow_model_soften(m.model, n_rows, m.values, soft);
    for (size_t i = 0; i < n_rows * n_classes; i++) factor[i] = i % 2 == 0 ? 1.0 : 0.0;
    assert_ok(ow_classifier_differentiate(classifier, n_rows, soft, factor, NULL, want_log,
                                          want));

    for (size_t step = 1; step < 40; step += 13) {
        owi_row_batch batch;
        size_t n = 0;
        for (uint32_t i = 0; i < n_rows; i += (uint32_t)step) which[n++] = i;
        memset(got, 0, n_rows * width * sizeof *got);
        memset(got_log, 0, sizeof got_log);
        assert_ok(owi_row_batch_init(&batch, ow_test_call(ctx, NULL), classifier, n_rows));
        assert_ok(
            owi_row_batch_differentiate(&batch, n, which, soft, factor, got_log, got));
        for (size_t i = 0; i < n_rows; i++) {
            const bool asked = i % step == 0;
            for (size_t c = 0; c < n_classes; c++) {
                const double log = asked ? want_log[i * n_classes + c] : 0.0;
                assert_close(&got_log[i * n_classes + c], &log, 1, 1e-5);
            }
            for (size_t j = 0; j < width; j++) {
                const double a = (double)got[i * width + j];
                const double b = asked ? (double)want[i * width + j] : 0.0;
                assert_close(&a, &b, 1, 1e-4);
            }
        }
        memset(got_log, 0, sizeof got_log);
        assert_ok(owi_row_batch_classify(&batch, n, which, soft, got_log));
        for (size_t a = 0; a < n; a++)
            assert_close(&got_log[which[a] * n_classes], &want_log[which[a] * n_classes],
                         n_classes, 1e-5);
        owi_row_batch_clear(&batch);
    }
    free(soft);
    free(want);
    free(got);
    ow_classifier_free(classifier);
    ow_test_model_free(&m);
}

/* Whole tiles from the block's beginning are not copied; the same rows one place further on
 * are. */
static void whole_tiles_come_back_as_rows_that_are_picked_do(void **state)
{
    enum { n = owi_tile_lanes, n_all = n + 1 };
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    ow_classifier *classifier = NULL;
    float *soft = calloc(n_all * width, sizeof *soft);
    float *whole = calloc(n * width, sizeof *whole);
    float *picked = calloc(n_all * width, sizeof *picked);
    double factor[n_all * n_classes], whole_log[n * n_classes];
    double picked_log[n_all * n_classes];
    uint32_t first[n], later[n];
    owi_row_batch batch;
    assert_ok(ow_model_classifier_new(m.model, NULL, &classifier));
    ow_model_soften(m.model, n_all, m.values, soft);
    for (size_t i = 0; i < n_all * width; i++)
        if (isnan(soft[i])) soft[i] = 0.25f;
    for (uint32_t i = 0; i < n; i++) {
        first[i] = i;
        later[i] = i + 1;
    }
    for (size_t i = 0; i < n_all * n_classes; i++) factor[i] = i % 2 == 0 ? 1.0 : 0.0;
    assert_ok(owi_row_batch_init(&batch, ow_test_call(ctx, NULL), classifier, n_all));
    assert_ok(owi_row_batch_differentiate(&batch, n, first, soft + width, factor, whole_log,
                                          whole));
    assert_ok(
        owi_row_batch_differentiate(&batch, n, later, soft, factor, picked_log, picked));
    assert_memory_equal(whole, picked + width, n * width * sizeof *whole);
    assert_memory_equal(whole_log, picked_log + n_classes, sizeof whole_log);
    assert_ok(owi_row_batch_classify(&batch, n, first, soft + width, picked_log));
    assert_memory_equal(whole_log, picked_log, sizeof whole_log);
    owi_row_batch_clear(&batch);
    free(soft);
    free(whole);
    free(picked);
    ow_classifier_free(classifier);
    ow_test_model_free(&m);
}

/* One row, seventeen, or all: the same bytes. */
static void few_rows_come_back_as_among_many(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    ow_classifier *classifier = NULL;
    float *soft = calloc(n_rows * width, sizeof *soft);
    float *want = calloc(n_rows * width, sizeof *want);
    float *got = calloc(n_rows * width, sizeof *got);
    double factor[n_rows * n_classes], want_log[n_rows * n_classes];
    double got_log[n_rows * n_classes];
    uint32_t which[n_rows];
    owi_row_batch batch;
    assert_ok(ow_model_classifier_new(m.model, NULL, &classifier));
    ow_model_soften(m.model, n_rows, m.values, soft);
    for (size_t i = 0; i < n_rows * n_classes; i++) factor[i] = i % 2 == 0 ? 1.0 : -1.0;
    assert_ok(owi_row_batch_init(&batch, ow_test_call(ctx, NULL), classifier, n_rows));
    assert_ok(
        owi_row_batch_differentiate_all(&batch, n_rows, soft, factor, want_log, want));
    for (size_t n = 1; n < n_rows; n += 16) {
        for (size_t i = 0; i < n; i++) which[i] = (uint32_t)(n_rows - n + i);
        assert_ok(
            owi_row_batch_differentiate(&batch, n, which, soft, factor, got_log, got));
        for (size_t i = n_rows - n; i < n_rows; i++) {
            assert_memory_equal(got + i * width, want + i * width, width * sizeof *got);
            assert_memory_equal(got_log + i * n_classes, want_log + i * n_classes,
                                n_classes * sizeof *got_log);
        }
    }
    owi_row_batch_clear(&batch);
    free(soft);
    free(want);
    free(got);
    ow_classifier_free(classifier);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(rows_come_back_as_the_classifier_gives_them),
        ow_test_on_heap(whole_tiles_come_back_as_rows_that_are_picked_do),
        ow_test_on_heap(few_rows_come_back_as_among_many),
    };
    return cmocka_run_group_tests_name("explain/row_batch", tests, NULL, NULL);
}
