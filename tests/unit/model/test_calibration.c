/* SPDX-License-Identifier: MIT */
/* Calibration: bins, their error, and that a model's file keeps them. */
#include "support/ow_test.h"

#include "model/file/training_text.h"
#include "model/model_private.h"
#include "model/train/calibration.h"

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12)) fail_msg("got %.17g, want %.17g", got, want);
}

static void a_row_falls_into_the_bin_of_its_probability(void **state)
{
    (void)state;
    ow_calibration_bin bins[OW_CALIBRATION_BINS] = {0};
    owi_calibration_add(bins, 0.0, false);
    owi_calibration_add(bins, 0.55, true);
    owi_calibration_add(bins, 0.57, false);
    owi_calibration_add(bins, 0.95, true);
    owi_calibration_add(bins, 1.0, true);
    owi_calibration_add(bins, NAN, true); /* no probability, no bin */
    owi_calibration_finish(bins);
    assert_int_equal(bins[0].n_rows, 1);
    assert_int_equal(bins[5].n_rows, 2);
    assert_int_equal(bins[5].n_right, 1);
    assert_near(bins[5].probability, 0.56);
    assert_int_equal(bins[9].n_rows, 2);
    assert_near(bins[9].probability, 0.975);
}

/* By hand: (|0 - 0| + 2 |1/2 - 0.56| + 2 |1 - 0.975|) / 5. */
static void the_error_is_the_mean_gap_over_rows(void **state)
{
    (void)state;
    ow_calibration_bin bins[OW_CALIBRATION_BINS] = {0};
    assert_near(ow_calibration_error(bins), 0.0);
    bins[0] = (ow_calibration_bin){1, 0, 0.0};
    bins[5] = (ow_calibration_bin){2, 1, 0.56};
    bins[9] = (ow_calibration_bin){2, 2, 0.975};
    assert_near(ow_calibration_error(bins), (0.12 + 0.05) / 5.0);
}

/* Rows of two overlapping groups: some decisions are wrong. */
static ow_model *train(ow_context *ctx)
{
    static char text[8000];
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_options options = ow_test_train_defaults();
    size_t used = (size_t)sprintf(text, "a,y\n");
    for (int i = 0; i < 200; i++)
        used += (size_t)sprintf(text + used, "%d.%d,%s\n", i * 37 % 23 + i % 2 * 9, i % 10,
                                i % 2 == 0 ? "no" : "yes");
    options.passes = 2;
    options.towards_rows = 5.0;
    assert_ok(ow_reader_open_memory(ctx, text, used, "rows.csv", NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"}, NULL,
        &schema));
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    ow_schema_free(schema);
    ow_reader_free(reader);
    return model;
}

static void a_model_counts_every_unseen_row_once(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = train(ctx);
    const ow_train_report report = *ow_model_report(model);
    size_t n_rows = 0, n_right = 0;
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) {
        n_rows += report.calibration[b].n_rows;
        n_right += report.calibration[b].n_right;
        if (b < 4) assert_int_equal(report.calibration[b].n_rows, 0); /* two classes */
    }
    assert_int_equal(n_rows, 200);
    assert_near((double)n_right / (double)n_rows, report.unseen->accuracy);
    ow_model_free(model);
}

static void a_file_keeps_them_and_an_older_one_has_none(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = train(ctx);
    const ow_train_report before = model->report;
    memset(model->report.calibration, 0, sizeof model->report.calibration);
    assert_ok(owi_training_text_read(model, "model.ow"));
    for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) {
        assert_int_equal(model->report.calibration[b].n_rows, before.calibration[b].n_rows);
        assert_int_equal(model->report.calibration[b].n_right,
                         before.calibration[b].n_right);
        assert_near(model->report.calibration[b].probability,
                    before.calibration[b].probability);
    }
    char *member = strstr(model->training, "\"calibration\"");
    assert_non_null(member);
    member[1] = 'C'; /* unknown members are passed over */
    memset(model->report.calibration, 0, sizeof model->report.calibration);
    assert_ok(owi_training_text_read(model, "model.ow"));
    assert_near(ow_calibration_error(model->report.calibration), 0.0);
    ow_model_free(model);
}

static void damaged_bins_are_refused(void **state)
{
    static const char *const wrong[] = {
        "{\"calibration\": 3}",
        "{\"calibration\": [[1, 1, 0.5]]}",
        "{\"calibration\": [[1,2,0.5],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],"
        "[0,0,0],[0,0,0],[0,0,0]]}",
        "{\"calibration\": [[-1,-1,0.5],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],"
        "[0,0,0],[0,0,0],[0,0,0]]}",
        "{\"calibration\": [[1,1,1.5],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],"
        "[0,0,0],[0,0,0],[0,0,0]]}",
        "{\"calibration\": [7,[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],"
        "[0,0,0],[0,0,0],[0,0,0]]}",
    };
    ow_context *ctx = ow_test_context(state);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        ow_model model = {.ctx = ctx, .training = text};
        snprintf(text, sizeof text, "%s", wrong[i]);
        assert_int_equal(owi_training_text_read(&model, "bad.ow"), OW_ERR_FORMAT);
        assert_non_null(strstr(ow_error_message(), "bad.ow"));
        assert_non_null(strstr(ow_error_message(), "calibration"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_falls_into_the_bin_of_its_probability),
        cmocka_unit_test(the_error_is_the_mean_gap_over_rows),
        ow_test_on_heap(a_model_counts_every_unseen_row_once),
        ow_test_on_heap(a_file_keeps_them_and_an_older_one_has_none),
        ow_test_on_heap(damaged_bins_are_refused),
    };
    return cmocka_run_group_tests_name("model/calibration", tests, NULL, NULL);
}
