/* SPDX-License-Identifier: MIT */
/* Pictures of models and explanations, as SVG text or as pixels.
 *
 *     ow_model *model = NULL;
 *     ow_status st = ow_model_load(ctx, "credit.ow", NULL, &model);
 *     if (st == OW_OK) st = ow_report_structure_save(model, "credit.svg");
 *     ow_model_free(model);
 *
 * Threads: a model may be drawn by several threads at once. */
#ifndef OTHERWISE_REPORT_H
#define OTHERWISE_REPORT_H

#include <stddef.h>

#include "otherwise/context.h"
#include "otherwise/model.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structure of a model's circuit as an SVG picture: the mixture of the classes, the
 * roots, partitions, inner sums, and the leaf regions with their columns.  If there are
 * many classes or repetitions, the first few are drawn and the number of the others is
 * given.  The text is NUL-terminated; the caller frees it with ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_report_structure(const ow_model *model, char **svg);
/* The same to a file, which appears complete or not at all. */
OW_API OW_MUST_CHECK ow_status ow_report_structure_save(const ow_model *model,
                                                        const char *path);

/* For teaching, and for checking a model by eye: how a model of two number columns works,
 * as an SVG picture with four panels: the rows given; the predicted class over the plane;
 * the log-ratio of the first two class densities with its gradient (the first step of the
 * two-step method); and the density with its gradient at points away from the data (the
 * second step).  values is n_rows x 2, classes has n_rows entries.  The caller frees *svg
 * with ow_bytes_free.  Fails with OW_ERR_ARGUMENT if the model does not have exactly two
 * columns, both numbers. */
OW_API OW_MUST_CHECK ow_status ow_report_plane(const ow_model *model, size_t n_rows,
                                               const double *values, const int32_t *classes,
                                               const char *title, char **svg);

/* ---- Pictures of pixels ---- */

/* A picture of 8 bits for each channel, line by line from the upper left corner.  channels
 * is 1 (grey) or 3 (red, green, blue). */
typedef struct {
    size_t width, height, channels;
    unsigned char *pixels; /* height x width x channels */
} ow_pixels;

/* Makes a PNG file in memory; the caller frees *bytes with ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_png_format(ow_context *ctx, const ow_pixels *picture,
                                             char **bytes, size_t *size);
/* The same to a file, which appears complete or not at all. */
OW_API OW_MUST_CHECK ow_status ow_png_save(ow_context *ctx, const ow_pixels *picture,
                                           const char *path);

/* One explained image or map: the query and its counterfactual x'.  All borrowed. */
typedef struct {
    const double *query;       /* one value for each schema column */
    const float *intermediate; /* u of the two-step method, a soft row; NULL: none */
    const double *values;      /* x', as query; NULL: none was found */
} ow_strip;

/* Draws one line for each strip: query, u, x', and the signed difference x' - query, red
 * where x' is larger and blue where it is smaller.  Small images are enlarged.  The
 * caller frees the pixels with ow_pixels_clear.  Fails with OW_ERR_ARGUMENT if the
 * model's rows are not images or maps. */
OW_API OW_MUST_CHECK ow_status ow_report_strips(const ow_model *model, size_t n_strips,
                                                const ow_strip *strips, ow_pixels *picture);

/* Frees the pixels, not the struct, which is the caller's. */
OW_API void ow_pixels_clear(ow_pixels *picture);

#ifdef __cplusplus
}
#endif
#endif
