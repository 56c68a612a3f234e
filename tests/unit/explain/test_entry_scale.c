/* SPDX-License-Identifier: MIT */
#include "support/model_fixture.h"

#include "explain/descent/entry_scale.h"

/* MAD 2 of the first column (1 ... 9 around 5), 0 of the second (mostly 3, range 4), and
 * levels. */
static void entries_weigh_by_mad_or_range_and_levels_by_one(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char csv[4096] = "a,b,colour,class\n";
    for (int i = 0, n = (int)strlen(csv); i < 108; i++)
        n += snprintf(csv + n, sizeof csv - (size_t)n, "%d.%d,%d.5,%s,%s\n", 1 + i % 9, 0,
                      i % 12 == 0 ? 1 + i / 12 % 5 : 3, i % 2 == 0 ? "red" : "blue",
                      i % 3 == 0 ? "yes" : "no");
    ow_train_options train = ow_test_train_defaults();
    train.leaves = OW_LEAVES_GAUSSIAN;
    train.test_share = 0.0;
    train.repetitions = train.inputs = 2;
    ow_test_model m =
        ow_test_model_from_csv(ctx, csv, "class",
                               &(ow_infer_options){.size = sizeof(ow_infer_options),
                                                   .scaling = OW_SCALE_MINMAX,
                                                   .scaling_given = true},
                               &train);
    float weight[8];
    assert_int_equal(ow_model_soft_width(m.model), 4);
    assert_ok(owi_entry_scales(m.model, ctx, weight));
    const double got[] = {(double)weight[0], (double)weight[1], (double)weight[2],
                          (double)weight[3]};
    const double want[] = {8.0 / 2.0, 1.0, 1.0, 1.0}; /* in units of the range */
    assert_close(got, want, 4, 1e-5);
    ow_test_model_free(&m);
}

static ow_status find_scales(ow_context *ctx, void *user)
{
    float *weight = calloc(ow_model_soft_width(user), sizeof *weight);
    const ow_status status = owi_entry_scales(user, ctx, weight);
    free(weight);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_test_sweep(find_scales, m.model);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(entries_weigh_by_mad_or_range_and_levels_by_one),
        ow_test_on_heap(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/entry_scale", tests, NULL, NULL);
}
