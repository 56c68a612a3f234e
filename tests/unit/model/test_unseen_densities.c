/* SPDX-License-Identifier: MIT */
/* Percentiles are ranks among rows that were not learned from, samples are as dense as
 * these, and rows with gaps count as whole ones. */
#include "support/ow_test.h"

#include "model/train/class_figures.h"

static ow_call how = {.size = sizeof how};

/* Columns that say nothing: what a circuit learns of them it learns by heart.  Every row is
 * a test row or a training row by turns; gaps: a cell of every third row is missing. */
typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    ow_schema *schema;
    ow_model *model;
    bool *is_test;
    char *text;
} noise;

enum { n_rows = 800, n_columns = 8 };

static char *noise_text(bool gaps)
{
    char *text = calloc((n_rows + 1) * (n_columns + 1), 8), *at = text;
    uint64_t state = 12345;
    assert_non_null(text);
    for (size_t j = 0; j < n_columns; j++) at += sprintf(at, "x%zu,", j);
    at += sprintf(at, "class\n");
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            if (gaps && i % 3 == 0 && j == i % n_columns)
                at += sprintf(at, ",");
            else
                at += sprintf(at, "l%u,", (unsigned)(state >> 33) % 6U);
        }
        at += sprintf(at, i / 2 % 2 ? "a\n" : "b\n");
    }
    return text;
}

static void train(noise *d, bool gaps, size_t threads)
{
    const char *text = d->text = noise_text(gaps);
    ow_train_options options = ow_test_train_defaults();
    const ow_call call = {.size = sizeof call, .threads = threads};
    options.towards_rows = 4;
    options.passes = 12;
    options.inputs = 12;
    d->is_test = calloc(n_rows, sizeof *d->is_test);
    assert_non_null(d->is_test);
    for (size_t i = 0; i < n_rows; i++) d->is_test[i] = i % 2 == 0;
    options.is_test = d->is_test;
    options.n_is_test = n_rows;
    assert_ok(ow_context_new(NULL, &d->ctx));
    assert_ok(ow_reader_open_memory(d->ctx, text, strlen(text), "n.csv", NULL, &d->reader));
    assert_ok(ow_schema_infer(
        d->reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "class"},
        &how, &d->schema));
    assert_ok(ow_model_train(d->reader, d->schema, &options, &call, &d->model));
}

static void end(noise *d)
{
    ow_model_free(d->model);
    ow_schema_free(d->schema);
    ow_reader_free(d->reader);
    ow_context_free(d->ctx);
    free(d->is_test);
    free(d->text);
}

/* The mean percentile of the whole rows that are, or are not, test rows, in their own
 * class. */
static double mean_percentile(noise *d, bool test)
{
    ow_table *table = NULL;
    ow_predictor *predictor = NULL;
    double sum = 0.0, n = 0.0;
    assert_ok(ow_reader_rewind(d->reader));
    assert_ok(ow_table_read(d->reader, &how, &table));
    assert_ok(ow_predictor_new(d->model, NULL, &predictor));
    const int32_t *labels = ow_table_classes(table);
    for (size_t i = 0; i < n_rows; i++) {
        const double *values = ow_table_row(table, i);
        double log_class[2];
        bool whole = true;
        for (size_t j = 0; j < n_columns; j++) whole &= !isnan(values[j]);
        if (d->is_test[i] != test || !whole) continue;
        const ow_predictions wanted = {.size = sizeof wanted, .log_class = log_class};
        assert_ok(ow_predictor_predict(predictor, 1, values, &how, &wanted));
        sum += ow_model_percentile(d->model, (size_t)labels[i], log_class[labels[i]]);
        n++;
    }
    ow_predictor_free(predictor);
    ow_table_free(table);
    return sum / n;
}

static void unseen_rows_stand_in_the_middle_and_learned_ones_above(void **state)
{
    (void)state;
    for (size_t gaps = 0; gaps < 2; gaps++) {
        noise d = {0};
        train(&d, gaps == 1, 1);
        const double unseen = mean_percentile(&d, true);
        assert_in_range((uint64_t)unseen, 42, 58);
        assert_true(mean_percentile(&d, false) > unseen + 4.0);
        end(&d);
    }
}

static void samples_are_as_dense_as_unseen_rows(void **state)
{
    (void)state;
    noise d = {0};
    train(&d, false, 1);
    for (size_t c = 0; c < 2; c++) {
        size_t n, n_below = 0;
        const float *samples = ow_model_samples(d.model, c, &n);
        ow_evaluator *evaluator = NULL;
        double *log_class = calloc(2 * n, sizeof *log_class);
        assert_non_null(log_class);
        assert_ok(ow_evaluator_new(ow_model_circuit(d.model), NULL, &evaluator));
        assert_ok(ow_evaluator_evaluate(evaluator, n, samples, &how, log_class));
        for (size_t i = 0; i < n; i++)
            n_below += log_class[2 * i + c] < ow_model_density_at(d.model, c, 25.0);
        assert_in_range(n_below, n * 23 / 100, n * 27 / 100);
        ow_evaluator_free(evaluator);
        free(log_class);
    }
    end(&d);
}

static void threads_do_not_change_a_byte(void **state)
{
    (void)state;
    char *bytes[2];
    size_t size[2];
    for (size_t i = 0; i < 2; i++) {
        noise d = {0};
        train(&d, true, 1 + 2 * i);
        assert_ok(ow_model_format(d.model, &bytes[i], &size[i]));
        end(&d);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    ow_bytes_free(bytes[0]);
    ow_bytes_free(bytes[1]);
}

/* Figures lie at (i + 1/2) / n, and the ends are not left. */
static void quantiles_lie_between_the_figures(void **state)
{
    (void)state;
    const float figures[4] = {1.0f, 2.0f, 4.0f, 8.0f};
    assert_true(fabs(owi_density_between(figures, 4, 0.0) - 1.0) <= 0.0);
    assert_true(fabs(owi_density_between(figures, 4, 0.125) - 1.0) <= 1e-12);
    assert_true(fabs(owi_density_between(figures, 4, 0.5) - 3.0) <= 1e-12);
    assert_true(fabs(owi_density_between(figures, 4, 0.75) - 6.0) <= 1e-12);
    assert_true(fabs(owi_density_between(figures, 4, 1.0) - 8.0) <= 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unseen_rows_stand_in_the_middle_and_learned_ones_above),
        cmocka_unit_test(samples_are_as_dense_as_unseen_rows),
        cmocka_unit_test(threads_do_not_change_a_byte),
        cmocka_unit_test(quantiles_lie_between_the_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
