/* SPDX-License-Identifier: MIT */
/* Model files.  What is refused is refused with a sentence that names the file; what is
 * accepted predicts any row without NaN, and is written and read back to the same bytes. */
#include <math.h>
#include <string.h>

#include "fuzz_target.h"
#include "otherwise/otherwise.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { most_columns = 256, most_classes = 16 };

/* Rows of ends, middles and gaps, and what a sample decodes to. */
static void fill_rows(const ow_model *model, size_t n_rows, double *values)
{
    const ow_schema *schema = ow_model_schema(model);
    const size_t n_columns = ow_schema_n_columns(schema);
    for (size_t i = 0; i < n_rows * n_columns; i++) {
        const ow_column *column = ow_schema_column(schema, i % n_columns);
        const double step = (double)((i / n_columns + i) % 4);
        if (step == 3.0)
            values[i] = NAN;
        else if (column->n_levels > 0)
            values[i] = floor(0.5 * step * (double)(column->n_levels - 1));
        else
            values[i] = column->low + 0.5 * step * (column->high - column->low);
    }
    size_t n;
    const float *samples = ow_model_samples(model, 0, &n);
    if (n > 0) ow_model_decode(model, 1, samples, values);
}

static void use(const ow_model *model)
{
    enum { n_rows = 9 };
    static double values[n_rows * most_columns], log_class[n_rows * most_classes],
        posterior[n_rows * most_classes], log_density[n_rows], percentile[n_rows];
    const size_t C = ow_schema_n_classes(ow_model_schema(model));
    int32_t classes[n_rows];
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = classes,
                                   .proba = posterior,
                                   .log_density = log_density,
                                   .log_class = log_class,
                                   .percentile = percentile};
    ow_predictor *predictor = NULL;

    fill_rows(model, n_rows, values);
    expect(ow_predictor_new(model, NULL, &predictor) == OW_OK);
    expect(ow_predictor_predict(predictor, n_rows, values, &how, &wanted) == OW_OK);
    for (size_t i = 0; i < n_rows * C; i++)
        expect(log_class[i] < INFINITY && posterior[i] >= 0.0 && posterior[i] <= 1.0);
    for (size_t i = 0; i < n_rows; i++) {
        expect(classes[i] >= 0 && (size_t)classes[i] < C);
        expect(log_density[i] < INFINITY);
        expect(!(percentile[i] < 0.0 || percentile[i] > 100.0));
    }
    ow_predictor_free(predictor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ow_context *ctx = NULL;
    ow_model *model, *again;
    char *bytes, *bytes_again;
    size_t n_bytes, n_again;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    how.threads = 1;
    if (ow_model_parse(ctx, data, size, "fuzz.ow", &model) != OW_OK) {
        expect(model == NULL);
        expect(strncmp(ow_error_message(), "fuzz.ow", 7) == 0);
        ow_context_free(ctx);
        return 0;
    }
    const ow_schema *schema = ow_model_schema(model);
    if (ow_schema_n_columns(schema) <= most_columns &&
        ow_schema_n_classes(schema) <= most_classes)
        use(model);
    expect(ow_model_format(model, &bytes, &n_bytes) == OW_OK);
    expect(ow_model_parse(ctx, bytes, n_bytes, "again.ow", &again) == OW_OK);
    expect(ow_model_format(again, &bytes_again, &n_again) == OW_OK);
    expect(n_bytes == n_again && memcmp(bytes, bytes_again, n_bytes) == 0);
    ow_bytes_free(bytes);
    ow_bytes_free(bytes_again);
    ow_model_free(model);
    ow_model_free(again);
    ow_context_free(ctx);
    return 0;
}
