/* SPDX-License-Identifier: MIT */
/* Which leaf and scaling each column of a table gets. */
#include "model/model_private.h"
#include "support/ow_test.h"

enum { n_rows = 300 };

/* Skewed amounts; the same, but half of them 0; the same below 0; numbers spread evenly;
 * few values. */
enum { amount, gain, loss, even, few, n_columns };

typedef struct {
    ow_reader *reader;
    ow_schema *schema;
    ow_model *model;
} fixture;

static void train(fixture *f, ow_context *ctx, const ow_infer_options *infer,
                  ow_leaf_choice leaves)
{
    static char text[64 * n_rows];
    size_t used = (size_t)sprintf(text, "amount,gain,loss,even,few,y\n");
    ow_train_options options = ow_test_train_defaults();
    for (int i = 0; i < n_rows; i++) {
        const double skewed = 10.0 * exp(7.0 * (i * 97 % n_rows) / n_rows);
        used += (size_t)sprintf(text + used, "%.0f,%.0f,%.0f,%d,%d,%s\n", skewed,
                                i % 2 == 0 ? skewed : 0.0, -skewed, i * 53 % n_rows, i % 4,
                                i % 3 == 0 ? "no" : "yes");
    }
    options.leaves = leaves;
    options.passes = 1;
    options.inputs = options.repetitions = 1;
    options.towards_rows = 10;
    assert_ok(ow_reader_open_memory(ctx, text, used, "rows.csv", NULL, &f->reader));
    assert_ok(ow_schema_infer(f->reader, infer, NULL, &f->schema));
    assert_ok(ow_model_train(f->reader, f->schema, &options, NULL, &f->model));
}

static void clear(fixture *f)
{
    ow_model_free(f->model);
    ow_schema_free(f->schema);
    ow_reader_free(f->reader);
}

static void assert_scalings(const ow_schema *schema, const ow_scaling *want)
{
    for (size_t j = 0; j < n_columns; j++)
        assert_int_equal(ow_schema_column(schema, j)->scaling, want[j]);
}

static void skewed_amounts_are_scaled_by_their_logarithm(void **state)
{
    static const ow_scaling want[n_columns] = {OW_SCALE_LOG1P, OW_SCALE_LOG1P,
                                               OW_SCALE_STANDARD, OW_SCALE_STANDARD,
                                               OW_SCALE_STANDARD};
    static const ow_scaling given[n_columns] = {OW_SCALE_STANDARD, OW_SCALE_STANDARD,
                                                OW_SCALE_STANDARD, OW_SCALE_STANDARD,
                                                OW_SCALE_STANDARD};
    fixture f;
    train(&f, ow_test_context(state),
          &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
          OW_LEAVES_AUTO);
    assert_scalings(ow_model_schema(f.model), want);
    assert_scalings(f.schema, given); /* the caller's own stays as it is */
    assert_int_equal(f.model->plan.columns[amount].kind, OWI_PLAN_NUMBER);
    assert_int_equal(f.model->plan.columns[gain].kind, OWI_PLAN_MASSES);
    assert_int_equal(f.model->plan.columns[few].kind, OWI_PLAN_VALUES);
    /* So that hardly an amount is drawn that cannot be; a Gaussian of the amounts
     * themselves has a quarter of them below 0. */
    for (size_t c = 0; c < 2; c++) {
        size_t n, n_below = 0;
        const float *samples = ow_model_samples(f.model, c, &n);
        for (size_t i = 0; i < n; i++) {
            double values[n_columns];
            ow_model_decode(f.model, 1, samples + i * n_columns, values);
            n_below += values[amount] < 0.0;
        }
        assert_true(n_below < n / 50);
    }
    clear(&f);
}

static void rows_come_back_from_the_logarithm(void **state)
{
    fixture f;
    train(&f, ow_test_context(state),
          &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
          OW_LEAVES_AUTO);
    for (double x = 0.0; x < 2000.0; x += 37.0) {
        const double row[n_columns] = {x, x, -x, 5.0, 1.0};
        double back[n_columns];
        float encoded[n_columns];
        ow_model_encode(f.model, 1, row, encoded);
        ow_model_decode(f.model, 1, encoded, back);
        assert_close(back, row, n_columns, 0.0);
    }
    clear(&f);
}

static void a_scaling_that_was_asked_for_stays(void **state)
{
    static const ow_scaling want[n_columns] = {OW_SCALE_MINMAX, OW_SCALE_MINMAX,
                                               OW_SCALE_MINMAX, OW_SCALE_MINMAX,
                                               OW_SCALE_MINMAX};
    fixture f;
    train(&f, ow_test_context(state),
          &(ow_infer_options){.size = sizeof(ow_infer_options),
                              .label = "y",
                              .scaling_given = true,
                              .scaling = OW_SCALE_MINMAX},
          OW_LEAVES_AUTO);
    assert_scalings(ow_model_schema(f.model), want);
    clear(&f);
}

static void a_standard_scaling_that_was_asked_for_stays_and_the_file_says_so(void **state)
{
    static const ow_scaling want[n_columns] = {OW_SCALE_STANDARD, OW_SCALE_STANDARD,
                                               OW_SCALE_STANDARD, OW_SCALE_STANDARD,
                                               OW_SCALE_STANDARD};
    fixture f;
    ow_context *ctx = ow_test_context(state);
    ow_schema *again = NULL;
    char *text = NULL;
    train(&f, ctx,
          &(ow_infer_options){.size = sizeof(ow_infer_options),
                              .label = "y",
                              .scaling_given = true,
                              .scaling = OW_SCALE_STANDARD},
          OW_LEAVES_AUTO);
    assert_scalings(ow_model_schema(f.model), want);
    assert_ok(ow_schema_format(f.schema, &text));
    assert_ok(ow_schema_parse(ctx, text, strlen(text), "schema", &again));
    for (size_t j = 0; j < n_columns; j++)
        assert_true(ow_schema_column(again, j)->scaling_fixed);
    ow_bytes_free(text);
    ow_schema_free(again);
    clear(&f);
}

static void the_papers_leaves_leave_the_scaling_alone(void **state)
{
    fixture f;
    train(&f, ow_test_context(state),
          &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
          OW_LEAVES_GAUSSIAN);
    assert_int_equal(ow_schema_column(ow_model_schema(f.model), amount)->scaling,
                     OW_SCALE_STANDARD);
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(skewed_amounts_are_scaled_by_their_logarithm),
        ow_test_on_heap(rows_come_back_from_the_logarithm),
        ow_test_on_heap(a_scaling_that_was_asked_for_stays),
        ow_test_on_heap(a_standard_scaling_that_was_asked_for_stays_and_the_file_says_so),
        ow_test_on_heap(the_papers_leaves_leave_the_scaling_alone),
    };
    return cmocka_run_group_tests_name("model/plan_choose", tests, NULL, NULL);
}
