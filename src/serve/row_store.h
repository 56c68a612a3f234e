/* SPDX-License-Identifier: MIT */
/* The rows of the table that is served, with what the model says of each.  Read-only once
 * it is loaded. */
#ifndef SERVE_ROW_STORE_H
#define SERVE_ROW_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/data.h"
#include "otherwise/model.h"

typedef struct {
    const ow_model *model;
    const ow_schema *schema;
    size_t n_rows, n_columns, n_classes, n_carried;
    double *values;      /* n_rows x n_columns */
    const char *id_name; /* of the column that names rows; NULL: none */
    char **ids;          /* n_rows; NULL: rows have no names */
    char **carried;      /* n_rows x n_carried; an entry is NULL where the file lacks it */
    int32_t *classes;    /* n_rows: predicted */
    double *proba;       /* n_rows x n_classes */
    double *percentile;  /* n_rows */
} row_store;

/* Reads all rows of a bound reader that keeps its texts, and predicts them.  What was
 * loaded is freed by row_store_clear, also where it fails. */
ow_status row_store_load(const ow_model *model, ow_reader *reader, const char *id_name,
                         const char *backend, const ow_call *call, row_store *store);
void row_store_clear(row_store *store);

#endif
