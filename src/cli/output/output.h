/* SPDX-License-Identifier: MIT */
/* Results on standard output, checked: a full disk is an error and not a short result. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "otherwise/context.h"
#include "terminal/format_check.h"

/* Once, before any file is opened: a standard stream that the caller closed is taken by one
 * that cannot be used, so that no other file gets its number. */
void output_start(void);

/* As fprintf; takes a progress line away first, and remembers standard output's first
 * failure. */
void output_print(FILE *file, const char *format, ...) CLI_PRINTF(2, 3);

/* The same for bytes that are no text. */
void output_write(FILE *file, const void *bytes, size_t size);

/* What has been printed appears now: before a message, so that the two keep their order. */
void output_flush(void);

/* Whether standard output has failed: what is still to come need not be made. */
bool output_failed(void);

/* From here on what is printed to standard output goes to the file that --output names,
 * which appears whole or not at all; NULL and "-" change nothing.  An exit code, after
 * saying what went wrong. */
int output_begin_file(ow_context *ctx, const char *path);
/* Whether it does. */
bool output_is_file(void);
/* Puts the file in its place (keep), or drops it and leaves an older one as it was; nothing
 * where there is none.  The code given, or EXIT_RESOURCES after saying why it could not be
 * written. */
int output_end_file(int code, bool keep);

/* "-", which stands for standard output or input. */
bool output_is_dash(const char *path);

/* False, after a complaint, if writing the output would overwrite the input.  Either may be
 * NULL. */
bool output_spares(const char *output, const char *input);

/* The same for all files that a command reads and writes, and that at most one of those it
 * reads is standard input.  Any may be NULL. */
bool output_files_differ(const char *const *read, size_t n_read, const char *const *written,
                         size_t n_written);

/* Flushes and closes standard output, and turns its failure into the program's: the code
 * given if all is written, or if the reader has gone away (a closed pipe: it has seen
 * enough, which is no failure); otherwise, after saying why, EXIT_RESOURCES. */
int output_finish(int code);

#endif
