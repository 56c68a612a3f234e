/* SPDX-License-Identifier: MIT */
#include "support/image_model.h"

#include "base/numeric/rng.h"

enum { side = ow_test_side, n_pixels = ow_test_n_pixels, n_images = ow_test_n_images };

ow_test_model ow_test_images(ow_context *ctx)
{
    static unsigned char pixels[n_images * n_pixels];
    static int32_t labels[n_images];
    const size_t shape[3] = {n_images, side, side};
    char images[256], classes[256];
    owi_rng rng;
    owi_rng_init(&rng, 3, 3);
    for (size_t i = 0; i < n_images; i++) {
        labels[i] = (int32_t)(i % 2);
        for (size_t j = 0; j < n_pixels; j++) {
            const bool bright = (j / 8 == 0) == (i % 2 == 0);
            const bool corner = j == 0 || j == 3 || j == 12 || j == 15;
            pixels[i * n_pixels + j] =
                corner ? 0 : (unsigned char)((bright ? 150 : 10) + owi_rng_below(&rng, 90));
        }
    }
    snprintf(images, sizeof images, "%s", ow_test_path("images.npy", 0));
    snprintf(classes, sizeof classes, "%s", ow_test_path("labels.npy", 1));
    assert_ok(ow_npy_write(ctx, images, OW_ELEMENT_UINT8, 3, shape, pixels));
    assert_ok(ow_npy_write(ctx, classes, OW_ELEMENT_INT32, 1, shape, labels));

    ow_reader *reader = NULL;
    ow_train_options train = ow_test_train_defaults();
    train.repetitions = train.inputs = 2;
    train.test_share = 0.0;
    assert_ok(ow_reader_open(
        ctx, images, &(ow_read_options){.size = sizeof(ow_read_options), .labels = classes},
        NULL, &reader));
    return ow_test_learn(
        ctx, reader,
        &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "label"}, &train);
}
