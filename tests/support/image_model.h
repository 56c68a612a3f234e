/* SPDX-License-Identifier: MIT */
/* A model of small images. */
#ifndef OW_IMAGE_MODEL_H
#define OW_IMAGE_MODEL_H

#include "support/model_fixture.h"

enum {
    ow_test_side = 4,
    ow_test_n_pixels = ow_test_side * ow_test_side,
    ow_test_n_images = 120
};

/* Bright above (class 0) or below (class 1), with noise; the corners are always black. */
ow_test_model ow_test_images(ow_context *ctx);

#endif
