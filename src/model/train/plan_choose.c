/* SPDX-License-Identifier: MIT */
/* Leaves for people's tables, chosen from a sample of the training rows: numbers by the
 * rules of plan_number.c.  Images and maps are Gaussian throughout. */
#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/sorted.h"
#include "model/train/plan_number.h"

/* The values of column j that are there, ascending; returns how many. */
static size_t sorted_values(const owi_row_sample *sample, size_t j, double *sorted)
{
    size_t n = 0;
    for (size_t i = 0; i < sample->n_rows; i++) {
        const double x = sample->values[i * sample->n_columns + j];
        if (!isnan(x)) sorted[n++] = x;
    }
    owi_sort_numbers(sorted, n);
    return n;
}

ow_status owi_plan_choose(owi_plan *plan, const owi_call *call, ow_schema *schema,
                          ow_leaf_choice leaves, bool masses, const owi_row_sample *sample)
{
    const bool table = ow_schema_layout(plan->schema).kind == OW_LAYOUT_TABLE;
    double *sorted = owi_alloc_array(plan->ctx, 2 * sample->n_rows, sizeof *sorted);
    if (sorted == NULL) return OW_ERR_MEMORY;

    ow_status status = OW_OK;
    for (size_t j = 0; j < plan->n_columns && status == OW_OK; j++) {
        owi_column_plan *column = &plan->columns[j];
        const bool category = ow_schema_column(plan->schema, j)->n_levels > 0;
        status = owi_call_tick(call);
        if (status != OW_OK) break;
        if (category)
            column->kind =
                leaves == OW_LEAVES_GAUSSIAN ? OWI_PLAN_ONE_HOT : OWI_PLAN_LEVELS;
        else if (leaves == OW_LEAVES_GAUSSIAN || !table)
            column->kind = OWI_PLAN_NUMBER;
        else
            status = owi_plan_choose_number(plan, schema, j, masses, sorted,
                                            sorted_values(sample, j, sorted),
                                            sorted + sample->n_rows);
    }
    owi_free(plan->ctx, sorted);
    if (status == OW_OK) owi_plan_finish(plan);
    return status;
}
