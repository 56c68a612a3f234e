/* SPDX-License-Identifier: MIT */
/* The rows of a reader as training and test rows, encoded: training rows are kept in memory
 * where they fit, else in a temporary file; test rows are read from the reader again. */
#ifndef OWI_TRAINING_ROWS_H
#define OWI_TRAINING_ROWS_H

#include "model/column_plan.h"
#include "model/train/row_spool.h"
#include "otherwise/learn.h"

/* Which rows are held out to measure by. */
typedef struct {
    const bool *is_test; /* (rows of the file) as the caller says; NULL: by share        */
    double share;        /* of every class, up to... */
    /* ...so many rows in all; in longer files each row by a draw of its own, so that
     * nothing has to be remembered of it */
    size_t most_by_class;
} owi_division;

/* Nothing but what is said to be `kept` grows with the number of rows, once there are more
 * than division.most_by_class. */
typedef struct {
    ow_context *ctx;
    ow_reader *reader;
    const owi_plan *plan; /* NULL until the plan is made */
    size_t n_columns;     /* of the schema                          */
    size_t n_rows;        /* of the file, those without label too   */
    size_t n_train, n_test, n_unlabelled;
    size_t *class_rows; /* (classes) training rows of each        */

    owi_division division;
    bool *is_test; /* what division.is_test points at where it is our own */
    uint64_t seed;

    float *
        /* training rows in memory, in an order of their own; NULL: they are read again */
        kept;
    int32_t *kept_classes;
    owi_row_spool *
        spool; /* or in a temporary file; NULL, too: read again, in the order of the file */
    double *values; /* a block of rows as they are read, and their classes */
    int32_t *labels;
} owi_training_rows;

/* Reads all labels, and divides the rows. */
ow_status owi_training_rows_init(owi_training_rows *rows, ow_reader *reader,
                                 const ow_schema *schema, owi_division division,
                                 uint64_t seed, ow_context *ctx);
void owi_training_rows_clear(owi_training_rows *rows);

/* A uniform sample of the training rows, as large as memory allows; the caller frees its
 * values. */
ow_status owi_training_rows_sample(owi_training_rows *rows, owi_row_sample *sample);

/* With the plan: keeps the training rows, shuffled, if all that takes fits into
 * `most_bytes`; else writes them to a temporary file, which is read in a mixed order.
 * Where no such file can be written a warning says so, and the order is that of the
 * reader. */
ow_status owi_training_rows_encode(owi_training_rows *rows, const owi_plan *plan,
                                   size_t most_bytes);

/* The training or the test rows as a source; the view is the caller's. */
typedef struct {
    owi_training_rows *rows;
    bool test;
    size_t at; /* next row of the file, or of those kept */
} owi_rows_view;
ow_row_source owi_training_rows_source(owi_rows_view *view);

#endif
