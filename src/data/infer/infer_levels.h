/* SPDX-License-Identifier: MIT */
/* The levels of a category, from the values that a column was seen to have. */
#ifndef OWI_INFER_LEVELS_H
#define OWI_INFER_LEVELS_H

#include "data/infer/column_stats.h"

typedef struct {
    const char *text; /* lent by the column's statistics */
    size_t length;
    double number; /* NaN: it is none */
    size_t count;  /* of rows */
} owi_level;

/* All values in the order asked for; sorted is by number where all are numbers, else by
 * bytes. The caller frees *levels with owi_free. */
ow_status owi_list_levels(const owi_column_stats *stats, ow_level_order order,
                          owi_level **levels, size_t *n_levels);

/* The levels as given ("low|middle|high"), added to a column of a schema; the column may
 * have no others.  OW_ERR_ARGUMENT names one that it has. */
ow_status owi_add_given_levels(ow_schema *schema, size_t column, const char *given,
                               const owi_column_stats *stats);

/* The levels of a column: those given, or those seen.  Of more than 64, those that fewer
 * than 5 rows have, and those beyond the 250 most frequent, become one, the column's rest,
 * unless keeps_all.  Messages name the file. */
ow_status owi_add_levels(ow_schema *schema, size_t column, const owi_column_stats *stats,
                         const char *given, const ow_infer_options *options,
                         const char *file, bool keeps_all);

/* Whether a cell has one of the options' words for missing values. */
bool owi_is_said_missing(const ow_infer_options *options, const owi_cell *cell);
/* These words, and those found among the column's numbers. */
ow_status owi_add_missing_words(ow_schema *schema, size_t column,
                                const owi_column_stats *stats,
                                const ow_infer_options *options);

#endif
