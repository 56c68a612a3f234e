/* SPDX-License-Identifier: MIT */
/* What a command that puts the rows of a file to a model begins with. */
#ifndef CLI_MODEL_ROWS_H
#define CLI_MODEL_ROWS_H

#include "commands/command.h"
#include "models/foreign_run.h"
#include "options/compute_settings.h"
#include "options/read_settings.h"

/* The command's own, lent. */
typedef struct {
    const read_settings *read;
    const compute_settings *compute;
    const foreign_run_settings *foreign;
    const char *also_read; /* a further file that it reads; NULL: none */
    const char *written;   /* the file that it writes; NULL: none      */
} model_rows_settings;

/* Opens the model and the rows that the two operands name, and gives them to `use`, whose
 * exit code it returns; another one after saying what went wrong. */
int model_rows_open(const invocation *call, const model_rows_settings *set,
                    int (*use)(const invocation *call, const ow_model *model,
                               ow_reader *reader));

#endif
