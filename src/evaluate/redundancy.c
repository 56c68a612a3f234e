/* SPDX-License-Identifier: MIT */
/* Needless changes: those that could be taken back one at a time, the others kept, without
 * the class changing back.  Linked columns are one change. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "evaluate/answers.h"
#include "evaluate/decide.h"
#include "explain/core/distance.h"

/* Puts the query's value back into column j and the columns linked to it.  False where
 * nothing changed there, or where a column before j has spoken for the link already. */
static bool take_back(const ow_schema *schema, size_t n_columns, size_t j,
                      const double *query, const double *values, double *back)
{
    const size_t link = ow_schema_column(schema, j)->link;
    if (owi_same_value(query[j], values[j])) return false;
    for (size_t k = 0; k < j && link != 0; k++)
        if (ow_schema_column(schema, k)->link == link &&
            !owi_same_value(query[k], values[k]))
            return false;
    memcpy(back, values, n_columns * sizeof *back);
    for (size_t k = 0; k < n_columns; k++)
        if (k == j || (link != 0 && ow_schema_column(schema, k)->link == link))
            back[k] = query[k];
    return true;
}

/* Every change taken back: the row of each in owner, the decision about it in decided. */
typedef struct {
    size_t n, capacity;
    size_t *owner;
    int32_t *decided;
} taken_back;

/* Room for one answer more, however many changes it has.  The decider writes to decided by
 * number, so that it may move. */
static ow_status make_room(const owi_answers *answers, taken_back *all,
                           owi_decider *decider)
{
    const size_t wanted = all->n + answers->n_columns;
    size_t capacity = all->capacity;
    OWI_TRY(owi_grow(answers->ctx, &all->owner, &capacity, wanted, sizeof *all->owner));
    OWI_TRY(owi_grow(answers->ctx, &all->decided, &all->capacity, wanted,
                     sizeof *all->decided));
    decider->decided = all->decided;
    return OW_OK;
}

static ow_status try_answer(const owi_answers *answers, size_t i, taken_back *all,
                            owi_decider *decider, double *back)
{
    const ow_schema *schema = ow_model_schema(answers->model);
    const size_t d = answers->n_columns;
    const double *query = answers->queries + i * d;
    const double *values = owi_valid_answer(answers, i)->values;
    OWI_TRY(make_room(answers, all, decider));
    for (size_t j = 0; j < d; j++) {
        if (!take_back(schema, d, j, query, values, back)) continue;
        all->owner[all->n] = i;
        OWI_TRY(owi_decide_values(decider, back, all->n++));
    }
    return OW_OK;
}

ow_status owi_redundancy_figures(const owi_answers *answers, double *figures)
{
    ow_context *ctx = answers->ctx;
    taken_back all = {0};
    owi_decider decider;
    double *back = owi_alloc_array(ctx, answers->n_columns, sizeof *back);
    ow_status status = owi_decider_begin(&decider, answers->call, answers->model,
                                         answers->classifier, NULL);
    if (back == NULL) status = OW_ERR_MEMORY;
    for (size_t i = 0; i < answers->n_rows && status == OW_OK; i++)
        if (owi_valid_answer(answers, i) != NULL) {
            *owi_figure_at(figures, i, OWI_REDUNDANCY) = 0.0;
            status = try_answer(answers, i, &all, &decider, back);
        }
    status = owi_decider_end(&decider, status);
    for (size_t k = 0; k < all.n && status == OW_OK; k++)
        if (all.decided[k] == answers->outcomes[all.owner[k]].target)
            *owi_figure_at(figures, all.owner[k], OWI_REDUNDANCY) += 1.0;
    owi_free(ctx, all.owner);
    owi_free(ctx, all.decided);
    owi_free(ctx, back);
    return status;
}
