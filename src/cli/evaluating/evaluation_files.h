/* SPDX-License-Identifier: MIT */
/* A comparison of methods as files: one JSON document and a CSV file with a line for each
 * method and row for programs, a page for people. */
#ifndef CLI_EVALUATION_FILES_H
#define CLI_EVALUATION_FILES_H

#include "otherwise/evaluate.h"
#include "otherwise/model.h"
#include "output/asked.h"

/* The name of the file that is written last. */
extern const char evaluation_files_last[];

/* Before the work: that none of the n files that are read (any may be NULL) would be
 * overwritten, and makes the folder where it is not there.  folder may be NULL: nothing
 * will be written.  An exit code, after saying what is wrong. */
int evaluation_files_check(const char *folder, const char *const *read, size_t n);
/* summary.json, rows.csv and index.html, each whole or not at all.  seed is the first one;
 * target is the class's name, or NULL: any other; summary the JSON document.  An exit
 * code. */
int evaluation_files_write(ow_context *ctx, uint64_t seed, const char *folder,
                           const ow_evaluation *evaluation, const ow_model *model,
                           const char *target, const asked *question, const char *summary,
                           size_t size);

#endif
