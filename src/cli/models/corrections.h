/* SPDX-License-Identifier: MIT */
/* Corrections of a decision, "this should not change it", as rows to learn from.
 *
 * A correction is a row (`values`), what an answer changes of it (`changes`), and the class
 * that both should have (`class`).  It becomes labelled rows: the row and the changed row,
 * and of the training rows that are nearest to it in all other columns two copies each,
 * with the correction's old and new values, both with their own class.  Where somebody has
 * corrected the model, what the change says of the class is thereby as often wrong as
 * right. */
#ifndef CLI_CORRECTIONS_H
#define CLI_CORRECTIONS_H

#include "otherwise/data.h"

typedef struct {
    const char *path; /* NULL: none                                                   */
    uint64_t weight;  /* training rows that a correction is carried over to           */
} corrections_settings;

/* A table with its added rows; the reader replaces the one that the rows came from. */
typedef struct {
    ow_table *table;
    ow_reader *reader;
    bool *is_test; /* one for each row: added rows are never held out */
    size_t n_rows, n_added, n_corrections;
} corrected_rows;

/* Reads the file (an object with the key "corrections", as the page of `serve` keeps and
 * saves it), and all rows of the reader.  share: of the table's rows that are held out.  An
 * exit code, after saying what went wrong; either way corrected_rows_clear. */
int corrected_rows_make(const corrections_settings *set, ow_context *ctx,
                        const ow_call *call, ow_reader *reader, const ow_schema *schema,
                        double share, corrected_rows *out);
void corrected_rows_clear(corrected_rows *rows);

#endif
