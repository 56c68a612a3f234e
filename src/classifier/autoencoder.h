/* SPDX-License-Identifier: MIT */
/* A network that gives rows back through a narrow layer, so that what is unlike its training rows comes back otherwise. */
#ifndef OWI_AUTOENCODER_H
#define OWI_AUTOENCODER_H

#include "classifier/mlp_train.h"

/* From rows in memory, n_rows x width; hidden layers as the spec's. */
ow_status owi_autoencoder_train(ow_context *ctx, size_t n_rows, size_t width,
                                const float *rows, size_t n_hidden, const size_t *hidden,
                                const owi_mlp_options *options, owi_mlp **out,
                                owi_mlp_score *score);

/* |x - AE(x)|^2 of each row over what is there, and its gradient with respect to x (n_rows x width); either may be NULL. */
ow_status owi_autoencoder_errors(owi_mlp_runner *runner, size_t n_rows, const float *rows,
                                 double *errors, float *gradient);

/* That gradient for rows in lanes (base/row_lanes.h), n_tiles times as many as a tile of the backend has. */
ow_status owi_autoencoder_gradient_lanes(owi_mlp_runner *runner, size_t n_tiles,
                                         const float *lanes, float *gradient);

#endif
