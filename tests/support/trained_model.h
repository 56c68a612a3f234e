/* SPDX-License-Identifier: MIT */
/* Small models trained in a test, and the rows they were trained on. */
#ifndef OW_TRAINED_MODEL_H
#define OW_TRAINED_MODEL_H

#include "support/ow_test.h"

typedef struct {
    ow_model *model;
    ow_table *table; /* all rows, under the model's schema */
} ow_test_trained;

/* Few passes, two repetitions of four components, no search for the pull, no rows held
 * out. */
ow_train_options ow_test_quick_training(void);

/* Trains on all rows of a CSV: of its text, or of a file where text is NULL. */
void ow_test_train(ow_context *ctx, const char *text, const char *path, const char *label,
                   const ow_train_options *options, ow_test_trained *out);
void ow_test_trained_clear(ow_test_trained *trained);

/* The rows of a file under the model's schema. */
ow_table *ow_test_read_rows(ow_context *ctx, const char *path, const ow_schema *schema);

#endif
