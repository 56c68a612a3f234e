/* SPDX-License-Identifier: MIT */
/* Part of a source's rows: those of one fold, or all others.  Which fold a row is in
 * depends on the seed and the row's number alone, or on the seed and what stands in the
 * row, so nothing has to be remembered. */
#ifndef OWI_FOLD_SOURCE_H
#define OWI_FOLD_SOURCE_H

#include "otherwise/learn.h"

typedef struct {
    const ow_row_source *from;
    size_t n_columns;
    uint64_t seed;
    double low, high; /* a row is in the fold if its uniform draw is in [low, high) */
    bool others;      /* the rows outside the fold instead                          */
    bool one_class;   /* give every row the class 0                                 */
    bool by_content;  /* equal rows are in the same fold (repeated_rows.h)          */
    const bool *rare; /* (classes) rows of these are never in the fold, so that the others
                       * have some of every class; NULL: none                       */
    size_t row;       /* number of the next row of the source                       */
} owi_fold;

ow_row_source owi_fold_source(owi_fold *fold);

/* The first rows of a source and no more. */
typedef struct {
    const ow_row_source *from;
    size_t most, at;
} owi_head;

ow_row_source owi_head_source(owi_head *head);

/* Classes with fewer rows than this are rare: a fold might hold all of them. */
enum { owi_rare_rows = 10 };

#endif
