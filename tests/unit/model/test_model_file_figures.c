/* SPDX-License-Identifier: MIT */
/* Reference figures that no model can have are refused when a file is read, each with its
 * sentence. */
#include "model/model_private.h"
#include "support/ow_test.h"

static void falling_densities(ow_model *model)
{
    float *densities = model->classes[1].densities;
    densities[7] = densities[model->classes[1].n_densities - 1] + 1.0f;
}

static void a_density_that_is_no_number(ow_model *model)
{
    model->classes[0].densities[0] = NAN;
}

static void an_infinite_density(ow_model *model)
{
    model->classes[0].densities[model->classes[0].n_densities - 1] = INFINITY;
}

static void an_infinite_sample(ow_model *model)
{
    model->classes[1].samples[3] = INFINITY;
}

static void an_infinite_range(ow_model *model)
{
    model->columns[1].high = INFINITY;
}

static void a_range_upside_down(ow_model *model)
{
    model->columns[1].low = model->columns[1].high + 1.0;
}

static void a_negative_distance(ow_model *model)
{
    model->columns[2].mad = -1.0;
}

static void falling_quantiles(ow_model *model)
{
    static const double falling[] = {1.0, 2.0, 1.5};
    model->columns[0].quantiles = falling;
    model->columns[0].n_quantiles = 3;
}

static void a_seen_value_that_is_no_number(ow_model *model)
{
    static const double none[] = {NAN};
    model->columns[3].seen = none;
    model->columns[3].n_seen = 1;
}

static void a_negative_count(ow_model *model)
{
    model->confusion[1] = SIZE_MAX;
}

static void damaged_figures_are_refused(void **state)
{
    static const struct {
        void (*damage)(ow_model *model);
        const char *sentence;
    } cases[] = {
        {falling_densities, "bad.ow: the densities of class 1 do not ascend"},
        {a_density_that_is_no_number, "bad.ow: the densities of class 0 do not ascend"},
        {an_infinite_density, "bad.ow: the densities of class 0 do not ascend"},
        {an_infinite_sample, "bad.ow: "},
        {an_infinite_range, "bad.ow: the figures of column 1 are damaged"},
        {a_range_upside_down, "bad.ow: the figures of column 1 are damaged"},
        {a_negative_distance, "bad.ow: the figures of column 2 are damaged"},
        {falling_quantiles, "bad.ow: the figures of column 0 are damaged"},
        {a_seen_value_that_is_no_number, "bad.ow: the figures of column 3 are damaged"},
        {a_negative_count, "bad.ow: the confusion table has a count of -1"},
    };
    ow_context *ctx = ow_test_context(state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ow_model *model = NULL, *loaded = NULL;
        char *bytes = NULL;
        size_t size;
        assert_ok(ow_model_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, &model));
        assert_ok(ow_model_format(model, &bytes, &size));
        assert_ok(ow_model_parse(ctx, bytes, size, "good.ow", &loaded));
        ow_model_free(loaded);
        ow_bytes_free(bytes);
        cases[i].damage(model);
        assert_ok(ow_model_format(model, &bytes, &size));
        assert_fails(ow_model_parse(ctx, bytes, size, "bad.ow", &loaded), OW_ERR_FORMAT,
                     cases[i].sentence);
        assert_null(loaded);
        ow_bytes_free(bytes);
        ow_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(damaged_figures_are_refused),
    };
    return cmocka_run_group_tests_name("model/model_file_figures", tests, NULL, NULL);
}
