/* SPDX-License-Identifier: MIT */
/* Pictures for people.
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
 * roots, partitions, inner sums, and the leaf regions with their columns.  Of many classes
 * and repetitions the first few are drawn and the rest is counted.  The text is
 * NUL-terminated and the caller's: give it to ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_report_structure(const ow_model *model, char **svg);
/* The same to a file, whole or not at all. */
OW_API OW_MUST_CHECK ow_status ow_report_structure_save(const ow_model *model,
                                                        const char *path);

/* What a model of two number columns does, in four panels as SVG: the rows given, the
 * classes on the plane, the log-ratio of the first two class densities with its gradient
 * (the first step of the two-step method), and the density with its gradient from points
 * off the data (the second step).  values is n_rows x 2.  Fails with OW_ERR_ARGUMENT for
 * other models. */
OW_API OW_MUST_CHECK ow_status ow_report_plane(const ow_model *model, size_t n_rows,
                                               const double *values, const int32_t *classes,
                                               const char *title, char **svg);

/* ---- Pictures of pixels ---- */

/* From the upper left corner, line by line, 8 bits for each channel: 1 is grey, 3 are red,
 * green and blue. */
typedef struct {
    size_t width, height, channels;
    unsigned char *pixels; /* height x width x channels */
} ow_pixels;

/* As a PNG file; the bytes are the caller's, who gives them to ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_png_format(ow_context *ctx, const ow_pixels *picture,
                                             char **bytes, size_t *size);
/* The same to a file, whole or not at all. */
OW_API OW_MUST_CHECK ow_status ow_png_save(ow_context *ctx, const ow_pixels *picture,
                                           const char *path);

/* A row of an image or map, and what became of it; all borrowed. */
typedef struct {
    const double *query;       /* schema columns                                   */
    const float *intermediate; /* two-step's u, a soft row; NULL: none             */
    const double *values;      /* x'; NULL: none was found                         */
} ow_strip;

/* One line for each of them: query, u, x', and the signed difference x' - query, red where
 * it is more and blue where less.  Small images are enlarged.  Fails with OW_ERR_ARGUMENT
 * for the rows of tables. */
OW_API OW_MUST_CHECK ow_status ow_report_strips(const ow_model *model, size_t n_strips,
                                                const ow_strip *strips, ow_pixels *picture);

/* Frees the pixels. */
OW_API void ow_pixels_clear(ow_pixels *picture);

#ifdef __cplusplus
}
#endif
#endif
