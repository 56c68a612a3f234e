/* SPDX-License-Identifier: MIT */
#include "explain/face/face_rules.h"

#include <math.h>

#include "base/error.h"

/* A number in the training range may be anybody's answer, where nothing is said of its
 * column. */
static void mark_unusual(owi_face_rules *rules, size_t column)
{
    const owi_limits *limits = &rules->constraints->columns[column].limits;
    if (!limits->is_open) return; /* levels are all usual */
    for (size_t i = 0; i < rules->n_rows; i++) {
        const double value = rules->values[i * rules->n_columns + column];
        if (value < limits->low || value > limits->high) rules->unusual[i] = true;
    }
}

ow_status owi_face_rules_init(owi_face_rules *rules, ow_context *ctx,
                              const owi_rules *constraints, size_t n_rows,
                              const double *values)
{
    *rules = (owi_face_rules){
        .constraints = constraints,
        .n_rows = n_rows,
        .n_columns = constraints->n_columns,
        .values = values,
    };
    const owi_piece pieces[] = {OWI_PIECE(rules->bound, rules->n_columns),
                                OWI_PIECE(rules->unusual, n_rows)};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &rules->workspace));
    for (size_t j = 0; j < rules->n_columns; j++)
        if (constraints->columns[j].limits.frozen)
            rules->bound[rules->n_frozen++] = (uint32_t)j;
    rules->n_bound = rules->n_frozen;
    for (size_t j = 0; j < rules->n_columns; j++) {
        if (constraints->columns[j].limits.frozen) continue;
        if (constraints->columns[j].limits.is_ruled)
            rules->bound[rules->n_bound++] = (uint32_t)j;
        else
            mark_unusual(rules, j);
    }
    return OW_OK;
}

void owi_face_rules_clear(owi_face_rules *rules)
{
    owi_workspace_free(rules->workspace);
    *rules = (owi_face_rules){0};
}

/* Of a column that is not frozen. */
static bool may_become(const owi_face_rules *rules, size_t column, double from, double to)
{
    return from == to || isnan(from) || isnan(to) ||
           owi_permits_change(&rules->constraints->columns[column].limits, from, to);
}

bool owi_face_may_step(const owi_face_rules *rules, const double *from, size_t to)
{
    const double *values = rules->values + to * rules->n_columns;
    size_t b = 0;
    for (; b < rules->n_frozen; b++) {
        const size_t j = rules->bound[b];
        if (from[j] != values[j] && !isnan(from[j]) && !isnan(values[j])) return false;
    }
    for (; b < rules->n_bound; b++) {
        const size_t j = rules->bound[b];
        if (!may_become(rules, j, from[j], values[j])) return false;
    }
    /* Frozen columns are the same by now. */
    for (size_t j = 0; j < rules->n_columns && rules->unusual[to]; j++)
        if (!may_become(rules, j, from[j], values[j])) return false;
    return true;
}
