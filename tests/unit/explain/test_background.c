/* SPDX-License-Identifier: MIT */
/* What the classifier makes of known rows, of which only a block is encoded at a time. */
#include "support/model_fixture.h"
#include "support/ow_test.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/alloc.h"
#include "explain/core/background.h"
#include "support/test_call.h"

/* More rows than a block has, and not a multiple of it. */
enum { n_rows = 4096 + 300 };

static double *many_rows(const ow_test_model *m)
{
    const size_t d = m->n_columns;
    double *values = calloc(n_rows * d, sizeof *values);
    for (size_t i = 0; i < n_rows; i++)
        memcpy(values + i * d, m->values + (i * 7 % m->n_rows) * d, d * sizeof *values);
    return values;
}

static void rows_are_decided_as_they_would_be_all_at_once(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_classifier *classifier = NULL;
    double *values = many_rows(&m), *want = calloc(n_rows * 2, sizeof *want);
    owi_background background = {.n_rows = n_rows, .values = values};
    const owi_problem problem = {.ctx = ctx,
                                 .model = m.model,
                                 .n_columns = m.n_columns,
                                 .soft_width = ow_model_soft_width(m.model),
                                 .call = ow_test_call(ctx, NULL)};
    float *soft = NULL;
    assert_ok(owi_soft_rows(&problem, n_rows, values, &soft));
    assert_ok(ow_model_classifier_new(m.model, NULL, &classifier));
    assert_ok(ow_classifier_classify(classifier, n_rows, soft, NULL, want));

    assert_ok(
        owi_background_decide(ow_test_call(ctx, NULL), &background, m.model, classifier));
    assert_close(background.log_proba, want, n_rows * 2, 1e-5);
    for (size_t i = 0; i < n_rows; i++)
        assert_int_equal(background.predicted[i],
                         background.log_proba[2 * i + 1] > background.log_proba[2 * i]);
    owi_background_clear(&background, ctx);
    owi_free(ctx, soft);
    ow_classifier_free(classifier);
    ow_test_model_free(&m);
    free(values);
    free(want);
}

static ow_status decide(ow_context *ctx, void *user)
{
    const ow_test_model *m = user;
    ow_classifier *classifier = NULL;
    owi_background background = {.n_rows = 9, .values = m->values};
    ow_status status = ow_model_classifier_new(m->model, NULL, &classifier);
    if (status == OW_OK)
        status = owi_background_decide(ow_test_call(ctx, NULL), &background, m->model,
                                       classifier);
    if (status != OW_OK) {
        assert_null(background.log_proba);
        assert_null(background.predicted);
    }
    owi_background_clear(&background, ctx);
    ow_classifier_free(classifier);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_test_sweep(decide, &m);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(rows_are_decided_as_they_would_be_all_at_once),
        ow_test_on_heap(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/background", tests, NULL, NULL);
}
