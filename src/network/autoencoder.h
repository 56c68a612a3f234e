/* SPDX-License-Identifier: MIT */
/* A network that gives rows back through a narrow layer, so that what is unlike its
 * training rows comes back otherwise. */
#ifndef OWI_AUTOENCODER_H
#define OWI_AUTOENCODER_H

#include "network/mlp_train.h"

/* From rows in memory, n_rows x width; hidden layers as the spec's. */
ow_status owi_autoencoder_train(const owi_call *call, size_t n_rows, size_t width,
                                const float *rows, size_t n_hidden, const size_t *hidden,
                                const owi_mlp_options *options, owi_mlp **out,
                                owi_mlp_score *score);

/* The gradient of |x - AE(x)|^2, over what is there, with respect to x, for n_rows rows in
 * lanes (base/row_lanes.h), with room for whole tiles of the backend, whose last lanes may
 * hold any number.  An infinity fails with OW_ERR_NUMERIC and its row and entry. */
ow_status owi_autoencoder_gradient_lanes(const owi_call *call, owi_mlp_runner *runner,
                                         size_t n_rows, const float *lanes,
                                         float *gradient);

#endif
