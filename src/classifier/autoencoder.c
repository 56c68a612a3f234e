/* SPDX-License-Identifier: MIT */
#include "classifier/autoencoder.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"

/* ---- Training ---- */

/* Rows in memory without classes. */
typedef struct {
    size_t n_rows, width, at;
    const float *rows;
} plain_rows;

static ow_status rewind_rows(void *user)
{
    ((plain_rows *)user)->at = 0;
    return OW_OK;
}

static ow_status next_rows(void *user, size_t max_rows, float *rows, int32_t *classes,
                           size_t *n_rows)
{
    plain_rows *plain = user;
    const size_t left = plain->n_rows - plain->at;
    *n_rows = left < max_rows ? left : max_rows;
    if (*n_rows == 0) return OW_OK;
    memcpy(rows, plain->rows + plain->at * plain->width,
           *n_rows * plain->width * sizeof *rows);
    memset(classes, 0, *n_rows * sizeof *classes);
    plain->at += *n_rows;
    return OW_OK;
}

ow_status owi_autoencoder_train(ow_context *ctx, size_t n_rows, size_t width,
                                const float *rows, size_t n_hidden, const size_t *hidden,
                                const owi_mlp_options *options, owi_mlp **out,
                                owi_mlp_score *score)
{
    plain_rows plain = {.n_rows = n_rows, .width = width, .rows = rows};
    const ow_row_source source = {&plain, rewind_rows, next_rows};
    owi_mlp_spec spec;
    *out = NULL;
    OWI_REQUIRE(owi_mlp_spec_fill(&spec, OWI_MLP_NUMBERS, width, n_hidden, hidden, width));
    return owi_mlp_train(ctx, &spec, options, &source, out, score);
}

/* ---- Errors ---- */

typedef struct {
    size_t width;
    const float *rows;
    double *errors; /* may be NULL */
} comparison;

/* d/d out of |x - out|^2 is 2 (out - x), and d/dx as far as x itself goes is its negative. */
OWI_WIDE static void compare(void *user, size_t row, const float *out, float *restrict flow,
                             float *restrict direct)
{
    const comparison *with = user;
    const float *x = with->rows + row * with->width;
    double sum = 0.0;
    for (size_t j = 0; j < with->width; j++)
        flow[j] = 2.0f * (isnan(x[j]) ? 0.0f : out[j] - x[j]);
    for (size_t j = 0; j < with->width && direct != NULL; j++) direct[j] = -flow[j];
    if (with->errors == NULL) return;
    for (size_t j = 0; j < with->width; j++) {
        const double error = 0.5 * (double)flow[j];
        sum += error * error;
    }
    with->errors[row] = sum;
}

ow_status owi_autoencoder_errors(owi_mlp_runner *runner, size_t n_rows, const float *rows,
                                 double *errors, float *gradient)
{
    comparison with = {owi_mlp_n_inputs(owi_mlp_runner_network(runner)), rows, errors};
    return owi_mlp_backward_input(runner, n_rows, rows, compare, &with, gradient);
}
