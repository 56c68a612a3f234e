/* SPDX-License-Identifier: MIT */
/* Answers that another tool has written to files, as they are named on the command line. */
#ifndef CLI_GIVEN_FILES_H
#define CLI_GIVEN_FILES_H

#include "options/args.h"
#include "otherwise/evaluate.h"

typedef struct {
    size_t n;
    ow_given_answers *answers;
} given_files;

/* files: "NAME=FILE" or FILE, which is then its own name.  A file has a line for each query
 * in their order; or it has a column "row", the number of the query that a line answers
 * (the first line counts, where a query has several), as `explain --format csv` writes it.
 * An exit code, after a complaint; either way given_files_clear. */
int given_files_read(ow_context *ctx, const ow_call *how, const text_list *files,
                     const ow_read_options *read, const ow_schema *schema, size_t n_queries,
                     given_files *out);
void given_files_clear(given_files *files);

#endif
