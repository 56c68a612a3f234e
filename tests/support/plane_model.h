/* SPDX-License-Identifier: MIT */
/* Models of the plane whose answers are known by hand: one Gaussian of variance 1 for each
 * class, so that
 *
 *     log P(a given x) / P(b given x) = (mean_a - mean_b) x - (|mean_a|^2 - |mean_b|^2) / 2
 *
 * and boundaries are straight lines half way between the means. */
#ifndef OW_PLANE_MODEL_H
#define OW_PLANE_MODEL_H

#include "support/ow_test.h"

/* Columns x0 and x1, unscaled; classes 0, 1, ...; up to 4 of them. */
ow_status ow_test_plane_new(ow_context *ctx, size_t n_classes, const double means[][2],
                            ow_model **out);
ow_model *ow_test_plane(ow_context *ctx, size_t n_classes, const double means[][2]);

/* An explainer of a method with parameters "name=value name=value"; preset NULL: none. */
ow_explainer *ow_test_method(ow_model *model, const char *method, const char *preset,
                             const char *parameters);
/* The answers to rows (n x columns) for one target class, without a search for what stands
 * in the way; constraints may be NULL. */
ow_explanation *ow_test_explain(ow_explainer *explainer, const ow_constraints *constraints,
                                int32_t target, size_t n, const double *rows);
/* The only answer to the first row. */
const ow_counterfactual *ow_test_first_answer(const ow_explanation *explanation);

/* Asserts that the encoded answers to n rows are the same bytes on 1, 2 and 5 threads, and
 * the same answers for each row alone: a compiler may round otherwise in another lane of a
 * tile. */
void ow_test_same_answers(ow_explainer *explainer, size_t width, size_t n, size_t n_columns,
                          const double *rows);

#endif
