/* SPDX-License-Identifier: MIT */
/* A schema column in soft space. */
#ifndef OWI_SOFT_COLUMN_H
#define OWI_SOFT_COLUMN_H

#include <math.h>

#include "model/model_private.h"

typedef struct {
    size_t column, first, width;
    /* entries are the shares of levels, or of a number's few values; else one scaled
     * number */
    bool has_shares;
} owi_soft_column;

static inline owi_soft_column owi_soft_column_of(const ow_model *model, size_t column)
{
    const owi_plan_kind kind = model->plan.columns[column].kind;
    owi_soft_column soft = {.column = column,
                            .has_shares =
                                kind != OWI_PLAN_NUMBER && kind != OWI_PLAN_MASSES};
    ow_model_soft_span(model, column, &soft.first, &soft.width);
    return soft;
}

/* Whether soft rows are the circuit's rows: no column has levels for leaves. */
static inline bool owi_soft_is_encoded(const ow_model *model)
{
    for (size_t j = 0; j < model->plan.n_columns; j++)
        if (model->plan.columns[j].kind == OWI_PLAN_LEVELS ||
            model->plan.columns[j].kind == OWI_PLAN_VALUES)
            return false;
    return true;
}

/* The original value that share k stands for. */
static inline double owi_soft_value(const ow_model *model, const owi_soft_column *soft,
                                    size_t k)
{
    return model->plan.columns[soft->column].kind == OWI_PLAN_VALUES
               ? model->plan.columns[soft->column].values[k]
               : (double)k;
}

/* The share that stands for a value that is not missing: the nearest of a number's few
 * values, the lower one of two. */
static inline size_t owi_soft_index(const ow_model *model, const owi_soft_column *soft,
                                    double value)
{
    if (model->plan.columns[soft->column].kind != OWI_PLAN_VALUES) return (size_t)value;
    size_t best = 0;
    for (size_t k = 1; k < soft->width; k++)
        if (fabs(owi_soft_value(model, soft, k) - value) <
            fabs(owi_soft_value(model, soft, best) - value))
            best = k;
    return best;
}

#endif
