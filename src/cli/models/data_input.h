/* SPDX-License-Identifier: MIT */
/* A data file for work that reads it more than once: what comes through a pipe is kept in
 * memory. */
#ifndef CLI_DATA_INPUT_H
#define CLI_DATA_INPUT_H

#include "otherwise/data.h"
#include "otherwise/model.h"

typedef struct {
    ow_reader *reader;
    char *bytes; /* of standard input or a pipe; NULL: the file is read again */
} data_input;

/* An exit code, after saying what went wrong; either way data_input_close. */
int data_input_open(ow_context *ctx, const ow_call *how, const char *path,
                    const ow_read_options *options, data_input *input);
void data_input_close(data_input *input);

/* All rows of a file under a schema.  option, which may be NULL, is named in complaints.
 * An exit code, after one; the table is the caller's. */
int data_input_read_table(ow_context *ctx, const ow_call *how, const char *option,
                          const char *path, const ow_read_options *options,
                          const ow_schema *schema, ow_table **table);

/* That --strict has training rows to compare with: an imported model has seen none.
 * EXIT_DONE, or EXIT_USAGE after a complaint. */
int data_input_check_strict(const ow_model *model, const char *path);

#endif
