/* SPDX-License-Identifier: MIT */
/* The picture of explained images: collected row by row, written at the end. */
#ifndef CLI_IMAGE_STRIPS_H
#define CLI_IMAGE_STRIPS_H

#include "otherwise/explain.h"

typedef struct image_strips image_strips;

/* For the file at this path, which is checked for being one that can be written.  An exit
 * code, after saying what went wrong. */
int image_strips_new(const ow_model *model, const char *path, image_strips **out);
void image_strips_free(image_strips *strips);

/* Of the first rows only, as many as fit into one picture; later ones are counted. */
void image_strips_add(image_strips *strips, const double *query, const ow_outcome *outcome);

/* Writes the file.  An exit code, after saying what went wrong. */
int image_strips_save(image_strips *strips, ow_context *ctx);

#endif
