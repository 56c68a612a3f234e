/* SPDX-License-Identifier: MIT */
/* Rows in memory as a source. */
#include <string.h>

#include "otherwise/learn.h"

static ow_status rewind_array(void *user)
{
    ((ow_row_array *)user)->at = 0;
    return OW_OK;
}

static ow_status next_of_array(void *user, size_t max_rows, float *rows, int32_t *classes,
                               size_t *n_rows)
{
    ow_row_array *array = user;
    const size_t left = array->n_rows - array->at, d = array->n_columns;
    *n_rows = left < max_rows ? left : max_rows;
    if (*n_rows == 0) return OW_OK;
    memcpy(rows, array->rows + array->at * d, *n_rows * d * sizeof *rows);
    memcpy(classes, array->classes + array->at, *n_rows * sizeof *classes);
    array->at += *n_rows;
    return OW_OK;
}

ow_row_source ow_row_source_of_array(ow_row_array *array)
{
    return (ow_row_source){array, rewind_array, next_of_array};
}
