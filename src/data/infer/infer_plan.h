/* SPDX-License-Identifier: MIT */
/* What the options of ow_schema_infer say about each column of the file. */
#ifndef OWI_INFER_PLAN_H
#define OWI_INFER_PLAN_H

#include "otherwise/data.h"

typedef enum {
    OWI_ROLE_FEATURE,
    OWI_ROLE_LABEL,
    OWI_ROLE_DROPPED,
    OWI_ROLE_CARRIED /* found out from the rows: no part of the model */
} owi_role;

typedef struct {
    const char *name; /* lent by the reader */
    owi_role role;
    bool is_ordinal, is_categorical, is_immutable;
    bool is_kept;     /* whatever its values look like                          */
    bool is_unlocked; /* whatever its name says                                 */
    bool is_row_id;   /* carried: it names the rows, and is no free text        */
    bool has_dates;   /* as texts: in several formats, or day and month unclear */
    ow_monotone monotone;
    const char *levels; /* ordinal: "low|middle|high", lent by the options; NULL: as seen */
} owi_column_plan;

/* plan has ow_reader_n_columns(reader) entries.  A column that is not there fails with
 * OW_ERR_ARGUMENT and the nearest spelling, and so do wishes that contradict each other. */
ow_status owi_infer_plan(const ow_reader *reader, const ow_infer_options *options,
                         owi_column_plan *plan);

#endif
