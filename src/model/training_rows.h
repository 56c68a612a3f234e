/* SPDX-License-Identifier: MIT */
/* The rows of a reader as training and test rows, encoded: kept in memory where they fit, else read from the file again in
 * every pass. */
#ifndef OWI_TRAINING_ROWS_H
#define OWI_TRAINING_ROWS_H

#include "model/column_plan.h"
#include "otherwise/learn.h"

typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    const owi_plan *plan; /* NULL until the plan is made */
    size_t n_columns;     /* of the schema                          */
    size_t n_rows;        /* of the file, those without label too   */
    int32_t *classes;     /* of each; -1: none                      */
    bool *is_test;
    size_t n_train, n_test, n_unlabelled;

    float *
        kept; /* training rows in memory, in an order of their own; NULL: they are read again */
    int32_t *kept_classes;
    double *values; /* a block of rows as they are read */
} owi_training_rows;

/* Reads all labels, and divides the rows. */
ow_status owi_training_rows_init(owi_training_rows *rows, ow_reader *reader,
                                 const ow_schema *schema, double test_share,
                                 const bool *is_test, uint64_t seed, ow_context *ctx);
void owi_training_rows_clear(owi_training_rows *rows);

/* A uniform sample of the training rows, as large as memory allows; the caller frees its values. */
ow_status owi_training_rows_sample(owi_training_rows *rows, uint64_t seed,
                                   owi_row_sample *sample);

/* With the plan: keeps the training rows, shuffled, if they fit into `most_bytes`. */
ow_status owi_training_rows_encode(owi_training_rows *rows, const owi_plan *plan,
                                   uint64_t seed, size_t most_bytes);

/* The training or the test rows as a source; the view is the caller's. */
typedef struct {
    owi_training_rows *rows;
    bool test;
    size_t at; /* next row of the file, or of those kept */
} owi_rows_view;
ow_row_source owi_training_rows_source(owi_rows_view *view);

#endif
