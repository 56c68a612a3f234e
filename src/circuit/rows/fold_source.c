/* SPDX-License-Identifier: MIT */
#include "circuit/rows/fold_source.h"

#include <string.h>

#include "base/error.h"
#include "base/numeric/rng.h"
#include "circuit/rows/repeated_rows.h"

static ow_status rewind_fold(void *user)
{
    owi_fold *fold = user;
    fold->row = 0;
    return fold->from->rewind(fold->from->user);
}

static bool wanted(const owi_fold *fold, size_t number, const float *row,
                   int32_t class_index)
{
    owi_rng rng;
    if (fold->rare != NULL && fold->rare[class_index]) return fold->others;
    const uint64_t key =
        fold->by_content ? owi_row_content(row, fold->n_columns, class_index) >> 8 : number;
    owi_rng_init(&rng, fold->seed, owi_rng_stream(OWI_DRAWS_FOLDS, key));
    const double draw = owi_rng_uniform(&rng);
    return (draw >= fold->low && draw < fold->high) != fold->others;
}

/* Reads until at least one row of the block is wanted, and moves those to its front. */
static ow_status next_of_fold(void *user, size_t max_rows, float *rows, int32_t *classes,
                              size_t *n_rows)
{
    owi_fold *fold = user;
    const size_t d = fold->n_columns;

    for (*n_rows = 0; *n_rows == 0;) {
        size_t n;
        OWI_TRY(fold->from->next(fold->from->user, max_rows, rows, classes, &n));
        if (n == 0) return OW_OK;
        for (size_t i = 0; i < n; i++) {
            if (!wanted(fold, fold->row++, rows + i * d, classes[i])) continue;
            if (*n_rows != i) memcpy(rows + *n_rows * d, rows + i * d, d * sizeof *rows);
            classes[*n_rows] = fold->one_class ? 0 : classes[i];
            ++*n_rows;
        }
    }
    return OW_OK;
}

ow_row_source owi_fold_source(owi_fold *fold)
{
    return (ow_row_source){fold, rewind_fold, next_of_fold};
}

static ow_status rewind_head(void *user)
{
    owi_head *head = user;
    head->at = 0;
    return head->from->rewind(head->from->user);
}

static ow_status next_of_head(void *user, size_t max_rows, float *rows, int32_t *classes,
                              size_t *n_rows)
{
    owi_head *head = user;
    const size_t left = head->most - head->at;
    *n_rows = 0;
    if (left == 0) return OW_OK;
    OWI_TRY(head->from->next(head->from->user, max_rows < left ? max_rows : left, rows,
                             classes, n_rows));
    head->at += *n_rows;
    return OW_OK;
}

ow_row_source owi_head_source(owi_head *head)
{
    return (ow_row_source){head, rewind_head, next_of_head};
}
