/* SPDX-License-Identifier: MIT */
/* Models that are learned in a moment, with rows to explain. */
#ifndef OW_MODEL_FIXTURE_H
#define OW_MODEL_FIXTURE_H

#include "support/ow_test.h"

typedef struct {
    ow_context *ctx;
    ow_model *model;
    ow_table *table; /* the rows that it was learned from */
    const double *values;
    size_t n_rows, n_columns;
} ow_test_model;

/* data/credit.csv: 20 columns, classes good and bad. */
ow_test_model ow_test_credit_model(ow_context *ctx, ow_leaf_choice leaves);

/* A table of 600 made-up applicants that has everything: `income` (two decimals) and `age`
 * (whole) count for the class, `school` and `years` determine each other and count too,
 * `size` is ordinal (small, middle, large), `town` a category without meaning, `dependents`
 * a number of four values, `debt` mostly 0.  Some cells are missing.  Classes yes and
 * no. */
ow_test_model ow_test_applicants(ow_context *ctx, ow_leaf_choice leaves);
/* The same from these bytes of a CSV file; label: the class column. */
ow_test_model ow_test_model_from_csv(ow_context *ctx, const char *csv, const char *label,
                                     const ow_infer_options *infer,
                                     const ow_train_options *train);
/* The same from a reader, which it takes over. */
ow_test_model ow_test_learn(ow_context *ctx, ow_reader *reader,
                            const ow_infer_options *infer, const ow_train_options *train);
void ow_test_model_free(ow_test_model *m);

/* The CSV of the applicants; caller frees with free(). */
char *ow_test_applicants_csv(size_t n_rows);

#endif
