/* SPDX-License-Identifier: MIT */
#include "network/autoencoder.h"

#include <string.h>

#include "base/error.h"

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

ow_status owi_autoencoder_train(const owi_call *call, size_t n_rows, size_t width,
                                const float *rows, size_t n_hidden, const size_t *hidden,
                                const owi_mlp_options *options, owi_mlp **out,
                                owi_mlp_score *score)
{
    plain_rows plain = {.n_rows = n_rows, .width = width, .rows = rows};
    const ow_row_source source = {&plain, rewind_rows, next_rows};
    owi_mlp_spec spec;
    *out = NULL;
    OWI_REQUIRE(owi_mlp_spec_fill(&spec, OWI_MLP_NUMBERS, width, n_hidden, hidden, width));
    return owi_mlp_train(call, &spec, options, &source, out, score);
}
