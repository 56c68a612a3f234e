/* SPDX-License-Identifier: MIT */
/* How typical a row is of its class: the rank of log S(x given c) among reference rows of
 * the class, 0 to 100.
 *
 * A whole row is compared with the training rows.  One with gaps is compared with the rows
 * drawn from the class, over the columns that it has: their marginals.  Those are the same
 * for all rows with the same gaps and class, so that they are worked out once and kept. */
#ifndef OWI_PERCENTILE_H
#define OWI_PERCENTILE_H

#include "model/model_private.h"

void owi_sort_figures(float *figures, size_t n);
/* Percent of n ascending figures that are below x, equal ones counted half; NaN without
 * figures. */
double owi_percentile_of(const float *sorted, size_t n, double x);

typedef struct owi_gap_percentiles owi_gap_percentiles;

/* Keeps the marginals of up to `most` different gaps; after that, remembering starts anew.
 * The model and the evaluator are borrowed. */
enum { owi_most_gaps = 4096 }; /* 8000 bytes each */
ow_status owi_gap_percentiles_new(const ow_model *model, ow_evaluator *evaluator,
                                  size_t most, owi_gap_percentiles **out);
void owi_gap_percentiles_free(owi_gap_percentiles *gaps);

/* The percentile of an encoded row with gaps, NaN in some of its columns, whose log S(x
 * given c) is known. */
ow_status owi_gap_percentile(const owi_call *call, owi_gap_percentiles *gaps,
                             const float *row, size_t class_index, double log_class,
                             double *percentile);

/* The same of any encoded row; *gaps is made when a row with gaps comes first (NULL before
 * that), and the caller's to free. */
ow_status owi_row_percentile(const owi_call *call, const ow_model *model,
                             ow_evaluator *evaluator, owi_gap_percentiles **gaps,
                             const float *row, size_t class_index, double log_class,
                             double *percentile);

#endif
