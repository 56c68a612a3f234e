/* SPDX-License-Identifier: MIT */
/* Whether an exported model decides as its original did: a column of the table has the
 * original's decisions. */
#ifndef CLI_ORIGINAL_DECISIONS_H
#define CLI_ORIGINAL_DECISIONS_H

#include "otherwise/data.h"
#include "otherwise/model.h"

/* Has the column left out of a schema that is inferred: the caller frees *drop.  Does
 * nothing if column is NULL. */
void original_decisions_drop(const char *column, ow_infer_options *infer,
                             const char ***drop);
/* Reads the rows again, from the beginning, and says how many of them the model decides
 * otherwise than the column.  An exit code; EXIT_DONE if column is NULL. */
int original_decisions_tell(const ow_model *model, ow_reader *reader, const char *column,
                            const char *backend, const ow_call *how);

#endif
