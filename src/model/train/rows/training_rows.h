/* SPDX-License-Identifier: MIT */
/* The rows of a reader as training and test rows, encoded.  The reader is read once: its
 * rows go into a store (value_store.h), which serves all later passes.
 *
 *     reader -> store -> labels -> division      which rows are test rows; the processes of
 *                                                a team share the reading
 *                     -> sample                  for choosing leaves
 *                     -> encoded training rows   shuffled in memory, or a mixed spool
 *                     -> test rows               encoded as they are asked for */
#ifndef OWI_TRAINING_ROWS_H
#define OWI_TRAINING_ROWS_H

#include "classifier/classifier.h"
#include "model/column_plan.h"
#include "model/train/rows/row_spool.h"
#include "model/train/rows/shared_rows.h"
#include "model/train/rows/value_store.h"
#include "otherwise/learn.h"

/* Which rows are held out to measure by. */
typedef struct {
    const bool
        *is_test; /* as the caller says, n_is_test rows of the file; NULL: by share */
    size_t n_is_test;
    double share; /* of every class, up to... */
    /* ...so many rows in all; in longer files each row by a draw of its own, so that
     * nothing has to be remembered of it */
    size_t most_by_class;
    size_t most_stored; /* bytes of rows that may stay in memory until they are encoded */
} owi_division;

/* A model that decides the classes of rows without label. */
typedef struct {
    /* P(c given x) of n rows of values; NULL: the rows have labels */
    owi_values_fn predict;
    void *user;
    const ow_model *model; /* whose classes and cut-offs they are */
} owi_labeller;

/* Memory is bounded: what does not fit goes to temporary files.  In files of more than
 * division.most_by_class rows nothing is remembered of a single row. */
typedef struct {
    ow_context *ctx;
    const owi_call *call;
    ow_reader *reader;
    owi_shared_rows
        *shared;            /* while they are read for the first time, by several processes;
                              * else NULL */
    owi_value_store *store; /* NULL: no temporary file could be written, and rows are read *
                             * from the reader again                                     */
    const owi_plan *plan;   /* NULL until the plan is made */
    size_t n_columns;       /* of the schema                          */
    size_t n_rows;          /* of the file, those without label too   */
    size_t n_train, n_test, n_unlabelled;
    size_t *class_rows;  /* (classes) training rows of each        */
    size_t *class_tests; /* likewise test rows                     */
    owi_labeller labeller;
    double *proba; /* of a block, by the labeller */

    owi_division division;
    bool *is_test; /* what division.is_test points at where it is our own */
    uint64_t seed;
    uint64_t sum; /* of what was read (owi_training_rows_sum) */

    float *kept; /* training rows in memory, in an order of their own; or NULL */
    int32_t *kept_classes;
    owi_row_spool *spool; /* or in a temporary file; NULL, too: in the order of the file */
    double *values;       /* a block of rows as they are read, and their classes */
    int32_t *labels;
} owi_training_rows;

/* Reads all rows, and divides them. */
ow_status owi_training_rows_init(owi_training_rows *rows, const owi_call *call,
                                 ow_reader *reader, const ow_schema *schema,
                                 owi_division division, owi_labeller labeller);
/* A number that other rows, or other classes of them, hardly have. */
uint64_t owi_training_rows_sum(const owi_training_rows *rows);
/* From now on rows and reader work for this call, which is borrowed. */
void owi_training_rows_set_call(owi_training_rows *rows, const owi_call *call);
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

/* Bytes of rows that are stored, packed and encoded, in memory and in temporary files. */
void owi_training_rows_size(const owi_training_rows *rows, size_t *in_memory,
                            size_t *in_files);

/* Further training or test rows as they were read, values (n x columns) and classes; at is
 * where they begin among all rows, 0 at first, and moves on.  *n_rows is 0 at the end. */
ow_status owi_training_rows_values(owi_training_rows *rows, bool test, size_t *at,
                                   size_t max_rows, double *values, int32_t *classes,
                                   size_t *n_rows);

/* The training or the test rows as a source; the view is the caller's. */
typedef struct {
    owi_training_rows *rows;
    bool test;
    size_t at; /* next row of the file, or of those kept */
} owi_rows_view;
ow_row_source owi_training_rows_source(owi_rows_view *view);

#endif
