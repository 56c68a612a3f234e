/* SPDX-License-Identifier: MIT */
/* A program of the user's that answers rows on a pipe (doc/own_models.md). */
#ifndef OWI_MODEL_COMMAND_H
#define OWI_MODEL_COMMAND_H

#include "base/call.h"
#include "otherwise/schema.h"

typedef struct owi_command owi_command;

/* Does not start the program: the first question does.  seconds: how long it may neither
 * read nor write while rows are without answer. */
ow_status owi_command_new(ow_context *ctx, const char *text, double seconds,
                          owi_command **out);
/* Ends the program.  Does nothing for NULL. */
void owi_command_free(owi_command *command);

/* What it says of rows (n x columns of the schema): scores is n x n_scores.  Of two
 * probabilities it may print the second alone.  After a failure the program is ended, and
 * the next question starts it anew.  May be called on several threads, one after the
 * other. */
ow_status owi_command_ask(const owi_call *call, owi_command *command,
                          const ow_schema *schema, size_t n, const double *values,
                          size_t n_scores, bool are_proba, double *scores);

#endif
