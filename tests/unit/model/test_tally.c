/* SPDX-License-Identifier: MIT */
/* Figures of rows that were not learned from: computed a second time, pair by pair and
 * prediction by prediction. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "model/file/training_text.h"
#include "model/model_private.h"
#include "model/train/tally.h"

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9)) fail_msg("got %.17g, want %.17g", got, want);
}

/* ---- Of numbers ---- */

enum { n_rows = 300, most_classes = 3 };

/* Every pair of a row of class c and one of another class. */
static double auc_by_pairs(size_t C, size_t c, const double *log_proba, const int32_t *y)
{
    double wins = 0.0, pairs = 0.0;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < n_rows; k++) {
            if (y[i] != (int32_t)c || y[k] == (int32_t)c) continue;
            const double a = log_proba[i * C + c], b = log_proba[k * C + c];
            wins += a > b ? 1.0 : a == b ? 0.5 : 0.0;
            pairs += 1.0;
        }
    return wins / pairs;
}

/* Classes, and one of 40 rows of probabilities that lean towards them: many are equal. */
static void draw_rows(size_t C, double *log_proba, int32_t *y)
{
    owi_rng rng;
    for (size_t i = 0; i < n_rows; i++) {
        double weight[most_classes], sum = 0.0;
        owi_rng_init(&rng, 7, i % 40);
        const size_t leaning = owi_rng_below(&rng, C);
        for (size_t c = 0; c < C; c++)
            sum += weight[c] = owi_rng_uniform(&rng) + (c == leaning ? 0.5 : 0.0);
        for (size_t c = 0; c < C; c++) log_proba[i * C + c] = log(weight[c] / sum);
        y[i] = (int32_t)(i % 3 == 0 ? i / 7 % C : leaning);
    }
}

static void check_figures(ow_context *ctx, size_t C)
{
    static double log_proba[n_rows * most_classes];
    int32_t y[n_rows];
    size_t confusion[most_classes * most_classes], n_right = 0;
    ow_calibration_bin bins[OW_CALIBRATION_BINS];
    owi_tally tally;
    ow_quality got;
    owi_call call;
    double loss = 0.0, auc = 0.0;
    draw_rows(C, log_proba, y);
    assert_ok(owi_call_begin(&call, ctx, NULL));
    owi_tally_begin(&tally, ctx, C, 1, confusion, bins);
    for (size_t i = 0; i < n_rows; i++) {
        const double *row = log_proba + i * C;
        size_t best = 0;
        for (size_t c = 1; c < C; c++)
            if (row[c] > row[best]) best = c;
        n_right += best == (size_t)y[i];
        loss -= row[y[i]];
        assert_ok(owi_tally_add(&tally, row, (size_t)y[i]));
    }
    assert_ok(owi_tally_finish(&tally, &call, &got));
    owi_tally_clear(&tally);
    for (size_t c = 0; c < C; c++) auc += auc_by_pairs(C, c, log_proba, y) / (double)C;
    assert_int_equal(got.n_rows, n_rows);
    assert_near(got.accuracy, (double)n_right / n_rows);
    assert_near(got.log_loss, loss / n_rows);
    assert_near(got.auc, auc);
    assert_true(auc > 0.55 && auc < 0.95);
}

static void auc_is_the_share_of_pairs_in_order(void **state)
{
    check_figures(ow_test_context(state), 2);
    check_figures(ow_test_context(state), 3);
}

/* 15 of 20: .531 to .888 (Newcombe 1998's formula by hand); 0 of 10: 0 to .278. */
static void the_interval_is_wilsons(void **state)
{
    (void)state;
    ow_quality q = {0};
    owi_quality_from_confusion(&q, 2, (const size_t[]){5, 2, 3, 10});
    assert_true(fabs(q.accuracy_low - 0.5313) < 1e-4 &&
                fabs(q.accuracy_high - 0.8881) < 1e-4);
    assert_int_equal(q.majority_class, 1);
    assert_near(q.majority, 0.65);
    q = (ow_quality){0};
    owi_quality_from_confusion(&q, 2, (const size_t[]){0, 10, 0, 0});
    assert_near(q.accuracy_low, 0.0);
    assert_true(fabs(q.accuracy_high - 0.2775) < 1e-4);
    q = (ow_quality){0};
    owi_quality_from_confusion(&q, 2, (const size_t[]){0, 0, 0, 0});
    assert_int_equal(q.n_rows, 0);
    assert_int_equal(q.majority_class, OW_NO_CLASS);
}

static void rows_of_one_class_have_no_auc(void **state)
{
    ow_context *ctx = ow_test_context(state);
    size_t confusion[4];
    ow_calibration_bin bins[OW_CALIBRATION_BINS];
    owi_tally tally;
    ow_quality got;
    owi_call call;
    assert_ok(owi_call_begin(&call, ctx, NULL));
    owi_tally_begin(&tally, ctx, 2, 1, confusion, bins);
    assert_ok(owi_tally_add(&tally, (const double[]){log(0.25), log(0.75)}, 1));
    assert_ok(owi_tally_finish(&tally, &call, &got));
    owi_tally_clear(&tally);
    assert_true(isnan(got.auc));
    assert_near(got.accuracy, 1.0);
}

/* ---- Of models ---- */

/* Rows of two classes; signal: how far apart their means are, in standard deviations. */
static ow_model *train(ow_context *ctx, size_t n, double signal, double share,
                       ow_decider decider, const bool *is_test)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    ow_train_options options = ow_test_train_defaults();
    owi_rng rng;
    char *text = malloc(n * 64 + 16);
    size_t used = (size_t)sprintf(text, "a,b,y\n");
    owi_rng_init(&rng, 3, 1);
    for (size_t i = 0; i < n; i++) {
        const double a = owi_rng_normal(&rng) + signal * (double)(i % 2);
        const double b = owi_rng_normal(&rng);
        used +=
            (size_t)sprintf(text + used, "%.6f,%.6f,%s\n", a, b, i % 2 == 0 ? "no" : "yes");
    }
    options.test_share = share;
    options.decider = decider;
    options.is_test = is_test;
    options.n_is_test = is_test != NULL ? n : 0;
    options.towards_rows = 5.0;
    assert_ok(ow_reader_open_memory(ctx, text, used, "rows.csv", NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"}, NULL,
        &schema));
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    ow_schema_free(schema);
    ow_reader_free(reader);
    free(text);
    return model;
}

static void every_row_of_a_small_table_is_unseen_once(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double shares[] = {0.2, 0.0};
    for (size_t i = 0; i < 2; i++) {
        ow_model *model = train(ctx, 400, 1.5, shares[i], OW_DECIDES_CIRCUIT, NULL);
        const ow_train_report *report = ow_model_report(model);
        size_t n = 0;
        for (size_t b = 0; b < OW_CALIBRATION_BINS; b++) n += report->calibration[b].n_rows;
        assert_int_equal(report->unseen->n_rows, 400);
        assert_int_equal(report->unseen->n_folds, 10);
        assert_int_equal(n, 400);
        assert_int_equal(report->test.n_rows, i == 0 ? 80 : 0);
        /* The best rule is right for 77 %, and has an AUC of .856. */
        assert_true(report->unseen->accuracy > 0.70 && report->unseen->accuracy < 0.84);
        assert_true(report->unseen->auc > 0.80 && report->unseen->auc < 0.91);
        ow_model_free(model);
    }
}

/* What was learned by heart does not help where rows are unseen. */
static void labels_by_chance_are_not_foretold(void **state)
{
    ow_model *model =
        train(ow_test_context(state), 400, 0.0, 0.2, OW_DECIDES_CIRCUIT, NULL);
    const ow_quality *unseen = ow_model_report(model)->unseen;
    assert_true(unseen->auc > 0.38 && unseen->auc < 0.60);
    assert_true(unseen->accuracy > 0.42 && unseen->accuracy < 0.57);
    ow_model_free(model);
}

/* A network is measured on the rows held out, which predicting them gives again. */
static void a_networks_figures_are_those_of_its_predictions(void **state)
{
    ow_context *ctx = ow_test_context(state);
    enum { n = 200, n_test = 50 };
    bool is_test[n];
    double values[n * 2], proba[n_test * 2];
    owi_rng rng;
    for (size_t i = 0; i < n; i++) is_test[i] = i % 8 < 2;
    ow_model *model = train(ctx, n, 1.5, 0.2, OW_DECIDES_MLP, is_test);
    const ow_quality *unseen = ow_model_report(model)->unseen;
    ow_predictor *predictor = NULL;
    size_t m = 0, wins = 0;
    owi_rng_init(&rng, 3, 1);
    for (size_t i = 0; i < n; i++) {
        char a[32], b[32];
        snprintf(a, sizeof a, "%.6f", owi_rng_normal(&rng) + 1.5 * (double)(i % 2));
        snprintf(b, sizeof b, "%.6f", owi_rng_normal(&rng));
        if (!is_test[i]) continue;
        values[2 * m] = strtod(a, NULL);
        values[2 * m++ + 1] = strtod(b, NULL);
    }
    assert_int_equal(m, n_test);
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    const ow_predictions wanted = {.size = sizeof wanted, .proba = proba};
    assert_ok(ow_predictor_predict(predictor, n_test, values, NULL, &wanted));
    for (size_t i = 0; i < n_test; i += 2) /* even rows are "no" */
        for (size_t k = 1; k < n_test; k += 2) wins += proba[2 * k + 1] > proba[2 * i + 1];
    assert_int_equal(unseen->n_rows, n_test);
    assert_int_equal(unseen->n_folds, 0);
    assert_near(unseen->auc, (double)wins / (n_test / 2.0) / (n_test / 2.0));
    ow_predictor_free(predictor);
    ow_model_free(model);
}

/* ---- In files ---- */

static void a_file_keeps_them_and_an_older_one_has_no_auc(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = train(ctx, 200, 1.5, 0.2, OW_DECIDES_CIRCUIT, NULL);
    const ow_quality before = model->quality;
    model->quality = (ow_quality){0};
    assert_ok(owi_training_text_read(model, "model.ow"));
    assert_memory_equal(&model->quality, &before, sizeof before);
    char *member = strstr(model->training, "\"unseen\"");
    assert_non_null(member);
    memcpy(member, "\"before\"", strlen("\"before\""));
    assert_ok(owi_training_text_read(model, "model.ow"));
    assert_true(isnan(model->quality.auc));
    assert_near(model->quality.log_loss, model->report.test.log_loss);
    ow_model_free(model);
}

static void damaged_figures_are_refused(void **state)
{
    static const char *const texts[] = {"{\"unseen\": 3}", "{\"unseen\": {\"auc\": 1.5}}",
                                        "{\"unseen\": {\"folds\": -1}}"};
    ow_model *model =
        train(ow_test_context(state), 200, 1.5, 0.2, OW_DECIDES_CIRCUIT, NULL);
    char *own = model->training;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", texts[i]);
        model->training = text;
        assert_int_equal(owi_training_text_read(model, "model.ow"), OW_ERR_FORMAT);
        assert_non_null(strstr(ow_error_message(), "unseen"));
    }
    model->training = own;
    ow_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(auc_is_the_share_of_pairs_in_order),
        cmocka_unit_test(the_interval_is_wilsons),
        ow_test_on_heap(rows_of_one_class_have_no_auc),
        ow_test_on_heap(every_row_of_a_small_table_is_unseen_once),
        ow_test_on_heap(labels_by_chance_are_not_foretold),
        ow_test_on_heap(a_networks_figures_are_those_of_its_predictions),
        ow_test_on_heap(a_file_keeps_them_and_an_older_one_has_no_auc),
        ow_test_on_heap(damaged_figures_are_refused),
    };
    return cmocka_run_group_tests_name("model/tally", tests, NULL, NULL);
}
