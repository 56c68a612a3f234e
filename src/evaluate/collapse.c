/* SPDX-License-Identifier: MIT */
/* Does a method answer the query, or does it return its favourite row whatever is asked?
 *
 *     collapse = sum over pairs of queries of d(x'_a, x'_b) / sum of d(x_a, x_b)
 *
 * with the Gower distance, over pairs of solved queries that go from the same class to the
 * same target.  0: one prototype for all; 1: the answers differ as the queries do.  NaN
 * where there are no two different queries of a kind. */
#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "evaluate/answers.h"

/* Pairs grow with the square: this many solved queries are enough for three digits. */
enum { most_solved = 2000, chunk_rows = 16 };

typedef struct {
    const owi_answers *answers;
    size_t n_solved;
    const size_t *solved; /* rows */
} pairs;

static ow_status add_pairs(void *user, const owi_chunk *chunk, double *sums)
{
    const pairs *p = user;
    const owi_answers *answers = p->answers;
    const size_t d = answers->n_columns;
    for (size_t i = chunk->first; i < chunk->first + chunk->n; i++) {
        const size_t a = p->solved[i];
        const ow_outcome *one = &answers->outcomes[a];
        for (size_t k = 0; k < i; k++) {
            const size_t b = p->solved[k];
            const ow_outcome *other = &answers->outcomes[b];
            if (one->predicted != other->predicted || one->target != other->target)
                continue;
            sums[0] += ow_model_distance(answers->model, one->answers[0]->values,
                                         other->answers[0]->values)
                           .gower;
            sums[1] += ow_model_distance(answers->model, answers->queries + a * d,
                                         answers->queries + b * d)
                           .gower;
        }
    }
    return OW_OK;
}

/* Up to most_solved of the solved queries, evenly over all of them: they may stand class by
 * class.  Returns how many. */
static size_t spread_solved(const owi_answers *answers, size_t *solved)
{
    size_t n_all = 0, n = 0, at = 0;
    for (size_t i = 0; i < answers->n_rows; i++)
        n_all += owi_valid_answer(answers, i) != NULL;
    const size_t most = owi_smaller(n_all, most_solved);
    for (size_t i = 0; i < answers->n_rows && n < most; i++) {
        if (owi_valid_answer(answers, i) == NULL) continue;
        if (at++ == n * n_all / most) solved[n++] = i;
    }
    return n;
}

ow_status owi_collapse(const owi_answers *answers, double *collapse)
{
    double sums[2] = {0.0, 0.0};
    pairs p = {.answers = answers};
    size_t *solved = owi_alloc_array(answers->ctx, most_solved, sizeof *solved);
    *collapse = NAN;
    if (solved == NULL) return OW_ERR_MEMORY;
    p.solved = solved;
    p.n_solved = spread_solved(answers, solved);
    const ow_status status =
        owi_parallel_sum(answers->call, p.n_solved, chunk_rows, add_pairs, &p, 2, sums);
    if (status == OW_OK && sums[1] > 0.0) *collapse = sums[0] / sums[1];
    owi_free(answers->ctx, solved);
    return status;
}
