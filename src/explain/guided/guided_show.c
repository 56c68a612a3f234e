/* SPDX-License-Identifier: MIT */
/* What a foreign classifier is shown of the moves of a state.  It is asked about rows, many
 * at a time, and knows nothing of columns: a query shows it every column, and later states
 * the moves that promise most by what they did to the query's margin. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_buffers.h"

enum {
    some_moves = 128, /* of a later state                                      */
    rest_moves = 512, /* of a query, beside those that pairs are made of       */
    most_shown = rest_moves
};

/* What a simple move promises that the classifier was not asked about in this state: its
 * exact density, and the margin as if it moved that as it moved the query's. */
static double promise(const owi_guided_row *row, const owi_state *state, size_t move,
                      double log_t)
{
    const double shift = row->transfer[2 * move + 1];
    return owi_potential(&row->aims, log_t,
                         state->score.margin + (isnan(shift) ? 0.0 : shift)) -
           row->aims.nearness * row->price[move];
}

static bool may_show(const owi_guided_row *row, size_t move, const double *log_t)
{
    return row->allowed[move] == owi_move_allowed && log_t[move] > -INFINITY;
}

/* The most promising moves first, at most `most`. */
static size_t choose_moves(const owi_guided_block *block, const owi_request *request,
                           const double *log_t, size_t most, size_t *chosen)
{
    const owi_moves *moves = &block->guided->moves;
    const bool rest = request->show == OWI_SHOW_REST;
    double promises[most_shown];
    size_t n = 0;
    for (size_t m = 0; m < moves->n_simple; m++) {
        if (!may_show(request->row, m, log_t) || (rest && moves->in_pairs[m])) continue;
        const double of = promise(request->row, request->state, m, log_t[m]);
        size_t at = n;
        if (n == most && of <= promises[n - 1]) continue;
        while (at > 0 && promises[at - 1] < of) at--;
        const size_t n_after = owi_smaller(n, most - 1) - at;
        memmove(&promises[at + 1], &promises[at], n_after * sizeof *promises);
        memmove(&chosen[at + 1], &chosen[at], n_after * sizeof *chosen);
        promises[at] = of;
        chosen[at] = m;
        n = owi_smaller(n + 1, most);
    }
    return n;
}

ow_status owi_guided_show(const owi_guided_block *block, size_t n,
                          const owi_request *requests)
{
    const owi_moves *moves = &block->guided->moves;
    owi_pending p = {.block = block, .want_density = false};
    for (size_t i = 0; i < n; i++) {
        const owi_request *request = &requests[i];
        const double *log_t = block->buffers->log_t + i * moves->n_moves;
        size_t chosen[most_shown], n_chosen = 0;
        if (request->show == OWI_SHOW_SOME || request->show == OWI_SHOW_REST)
            n_chosen =
                choose_moves(block, request, log_t,
                             request->show == OWI_SHOW_SOME ? some_moves : rest_moves,
                             chosen);
        for (size_t k = 0; k < n_chosen; k++)
            OWI_TRY(owi_pending_add(&p, request, i, chosen[k]));
        for (size_t m = 0; m < moves->n_simple && request->show == OWI_SHOW_ALL; m++)
            if (moves->in_pairs[m] && may_show(request->row, m, log_t))
                OWI_TRY(owi_pending_add(&p, request, i, m));
        for (size_t k = 0; k < request->n_listed; k++)
            if (request->listed[k] < moves->n_simple &&
                may_show(request->row, request->listed[k], log_t))
                OWI_TRY(owi_pending_add(&p, request, i, request->listed[k]));
    }
    return owi_pending_flush(&p);
}
