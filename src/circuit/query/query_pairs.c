/* SPDX-License-Identifier: MIT */
/* All pairs of changes of a row: the products of pair_tables.h, and which of them to
 * report.
 *
 * A product gives every pair's density relative to a scale of its own, as a float.  Whether
 * a pair passes the filter is decided in that form first, with a little slack, by comparing
 * products of doubles: no logarithm for the many that fail.  Those that pass get theirs,
 * and are decided exactly.  Where a sum is too small to have kept what it was made of, or
 * too large, the changed row itself is evaluated. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/options.h"
#include "base/threads/parallel.h"
#include "circuit/query/pair_compare.h"
#include "circuit/query/pair_sheets.h"
#include "circuit/query/pair_worker.h"
#include "circuit/structure/leaf_features.h"
#include "circuit/structure/sheets.h"

/* Sums from here to there hold: what underflowed is less than 1e-30 of the scale (N terms
 * of e^-77 each), and no term overflowed. */
static const float most_sum = 1e30f;
/* Logarithms within this have products that a double holds. */
static const double most_logarithm = 200.0;
static const double slack = 1e-4;

typedef owi_pair_worker worker;

/* ---- One row ---- */

typedef struct {
    const owi_call *call;
    ow_changes *changes;
    const float *rows;
    const ow_pair_filter *filter; /* or NULL */
    const double *limit;          /* or NULL: what the callback sets, for each row */
    ow_pair_fn report;
    void *user;
} job;

typedef struct {
    const job *work;
    worker *w;
    owi_pass *pass;
    size_t row;
    const float *x;
    const double *price; /* of all candidates, in this row; or NULL             */
    /* only cheaper pairs are reported: the cheapest one reported so far, or the limit;
     * infinity without prices */
    double cheapest;
    double constant;  /* of the whole row                                    */
    double least_log; /* of log S(x' given target)                           */
    bool is_held;     /* the tables hold; otherwise every row is evaluated   */
    bool may_compare; /* scales are so near to 1 that doubles hold products  */
    bool is_over;     /* the caller wants no more of this row                */
} one_row;

static size_t n_classes(const one_row *r)
{
    return r->work->changes->evaluator->circuit->spec.n_classes;
}

static double price_of(const one_row *r, size_t candidate)
{
    return r->price != NULL ? r->price[candidate] : 0.0;
}

/* The lanes: candidates that the filter allows. */
static void select_candidates(const one_row *r)
{
    const ow_changes *changes = r->work->changes;
    const ow_pair_filter *filter = r->work->filter;
    const bool *allowed = filter != NULL && filter->allowed != NULL
                              ? filter->allowed + r->row * changes->n_candidates
                              : NULL;
    owi_pair_row *pairs = &r->w->row;
    const size_t d = changes->evaluator->circuit->spec.n_columns;

    pairs->n_lanes = 0;
    for (size_t j = 0; j < d; j++) {
        pairs->lane_start[j] = pairs->n_lanes;
        for (size_t i = changes->start[j]; i < changes->start[j + 1]; i++)
            if (allowed == NULL || allowed[i])
                pairs->candidate[pairs->n_lanes++] = (uint32_t)i;
    }
    pairs->lane_start[d] = pairs->n_lanes;
    double least = INFINITY;
    for (size_t j = d; j-- > 0;) {
        r->w->later[j] = least;
        for (size_t i = pairs->lane_start[j]; i < pairs->lane_start[j + 1]; i++) {
            const uint32_t candidate = pairs->candidate[i];
            r->w->price[i] = price_of(r, candidate);
            r->w->lane_gain[i] = owi_sheets_gain(changes->evaluator->circuit, r->x, j,
                                                 changes->values[candidate]);
            least = fmin(least, r->w->price[i]);
        }
    }
}

static void fill_lanes(one_row *r)
{
    const ow_changes *changes = r->work->changes;
    const ow_circuit *circuit = changes->evaluator->circuit;
    const owi_pair_row *pairs = &r->w->row;
    const ow_pair_filter *filter = r->work->filter;
    const size_t M = changes->n_candidates, n = pairs->n_lanes, C = n_classes(r);
    const size_t t = filter != NULL ? (size_t)filter->target : 0;

    r->may_compare = filter != NULL;
    for (size_t c = 0; c < C; c++) {
        const double *top = changes->top + c / owi_circuit_copy_classes(circuit) * M;
        for (size_t k = 0; k < circuit->spec.n_columns; k++) {
            const double base = pairs->classes[c].y[k] - r->w->column_constant[k];
            for (size_t i = pairs->lane_start[k]; i < pairs->lane_start[k + 1]; i++)
                r->w->lane_log[c * n + i] = base + top[pairs->candidate[i]] +
                                            changes->constant[pairs->candidate[i]] +
                                            r->w->lane_gain[i];
        }
    }
    for (size_t i = 0; i < C * n && filter != NULL; i++) {
        const double of_target = r->w->lane_log[t * n + i % n];
        const double log_ratio = i / n == t ? -of_target : r->w->lane_log[i] - of_target;
        if (!(fabs(log_ratio) < most_logarithm)) r->may_compare = false;
        r->w->lane_ratio[i] = exp(log_ratio);
    }
}

/* x with both changes, evaluated: the log-densities of the pairs in w->doubtful. */
static ow_status evaluate_rows(const one_row *r, size_t first, size_t n_doubtful)
{
    worker *w = r->w;
    const ow_changes *changes = r->work->changes;
    const size_t d = changes->evaluator->circuit->spec.n_columns, C = n_classes(r);

    for (size_t done = 0; done < n_doubtful; done += owi_tile_lanes) {
        const size_t n = owi_smaller(n_doubtful - done, owi_tile_lanes);
        for (size_t i = 0; i < n; i++) {
            const size_t other = w->second[w->doubtful[done + i]];
            float *changed = w->changed + i * d;
            memcpy(changed, r->x, d * sizeof *changed);
            changed[changes->column[first]] = changes->values[first];
            changed[changes->column[other]] = changes->values[other];
        }
        OWI_TRY(owi_pass_forward(r->pass, n, w->changed, r->row));
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < C; c++)
                w->log_changed[w->doubtful[done + i] * C + c] =
                    owi_pass_log_class(r->pass, i, c);
    }
    return OW_OK;
}

/* log P(t) S(x' given t) less that of the best other class. */
static double margin_of(const one_row *r, const double *log_class, size_t t)
{
    const double *log_prior = r->work->changes->evaluator->circuit->log_prior;
    double best = -INFINITY;
    for (size_t c = 0; c < n_classes(r); c++)
        if (c != t) best = fmax(best, log_class[c] + log_prior[c]);
    return log_class[t] + log_prior[t] - best;
}

/* Drops from the list what does not pass after all, and hands the rest over. */
static void report_pairs(one_row *r, size_t first, size_t n_pairs)
{
    worker *w = r->w;
    const ow_pair_filter *filter = r->work->filter;
    const size_t C = n_classes(r);
    size_t n = 0;

    for (size_t i = 0; i < n_pairs; i++) {
        const double *log_class = w->log_changed + i * C;
        if (filter != NULL) {
            const size_t t = (size_t)filter->target;
            if (!(log_class[t] >= r->least_log) || log_class[t] == -INFINITY) continue;
            if (!(margin_of(r, log_class, t) >= filter->least_margin)) continue;
        }
        const double price = price_of(r, first) + price_of(r, w->second[i]);
        if (!(price < r->cheapest)) continue;
        if (r->price != NULL && r->work->limit == NULL) r->cheapest = price;
        w->second[n] = w->second[i];
        memmove(w->log_changed + n * C, log_class, C * sizeof *log_class);
        n++;
    }
    if (n == 0) return;
    const ow_pair_list list = {.row = r->row,
                               .first = first,
                               .n_pairs = n,
                               .second = w->second,
                               .log_changed = w->log_changed};
    r->is_over = !r->work->report(r->work->user, &list);
    if (r->work->limit != NULL) r->cheapest = r->work->limit[r->row];
}

/* ---- One candidate with all behind its column ---- */

/* Class c's sums of candidate v, of the m of column j, with the lanes of a tile. */
typedef struct {
    const float *sums;
    size_t j, m, v, first_tile, n_tiles;
    size_t first; /* the candidate */
} sums_of;

static const float *tile_sums(const sums_of *s, size_t c, size_t tile)
{
    return s->sums +
           ((c * s->n_tiles + tile - s->first_tile) * s->m + s->v) * owi_tile_lanes;
}

/* keep[lane] = false for those that certainly fail: the target's sum must reach
 * exp(least_log - base) / exp(lane_log), and that of every other class times the ratio of
 * scales. */
static void compare(const one_row *r, const sums_of *s, const double *base,
                    owi_lane_span lanes, size_t tile)
{
    const worker *w = r->w;
    const ow_pair_filter *filter = r->work->filter;
    const double *log_prior = r->work->changes->evaluator->circuit->log_prior;
    const size_t n = w->row.n_lanes, t = (size_t)filter->target;
    const size_t at = tile * owi_tile_lanes;
    const double log_needed = r->least_log - base[t];

    owi_compare_density(lanes, tile_sums(s, t, tile),
                        exp(log_needed < most_logarithm ? log_needed : most_logarithm) *
                            (1.0 - slack),
                        w->lane_ratio + t * n + at, w->keep + at);
    for (size_t c = 0; c < n_classes(r); c++) {
        const double log_factor =
            filter->least_margin + base[c] + log_prior[c] - base[t] - log_prior[t];
        if (c == t || !(fabs(log_factor) < most_logarithm)) continue;
        owi_compare_class(lanes, tile_sums(s, t, tile), tile_sums(s, c, tile),
                          exp(log_factor) * (1.0 - slack), w->lane_ratio + c * n + at,
                          w->keep + at);
    }
}

/* The pairs of the list with log-densities, those of a tile that are kept: returns how many
 * there are now. */
static size_t add_pairs(const one_row *r, const sums_of *s, const double *base,
                        owi_lane_span lanes, size_t tile, size_t n_pairs,
                        size_t *n_doubtful)
{
    worker *w = r->w;
    const size_t C = n_classes(r), n = w->row.n_lanes;
    const double left = r->cheapest - w->price[w->row.lane_start[s->j] + s->v];

    for (size_t i = lanes.begin; i < lanes.end; i++) {
        const size_t lane = tile * owi_tile_lanes + i;
        if (!w->keep[lane] || !(w->price[lane] < left)) continue;
        bool is_held = r->is_held;
        const double both = r->is_held
                                ? owi_pair_sheet_gain(r->work->changes, r->x, s->first,
                                                      w->row.candidate[lane])
                                : 0.0;
        for (size_t c = 0; c < C && is_held; c++) {
            const float sum = tile_sums(s, c, tile)[i];
            is_held = sum >= lanes.least && sum <= lanes.most;
            if (is_held)
                w->log_changed[n_pairs * C + c] =
                    base[c] + w->lane_log[c * n + lane] + both + log((double)sum);
        }
        if (!is_held) w->doubtful[(*n_doubtful)++] = (uint32_t)n_pairs;
        w->second[n_pairs++] = w->row.candidate[lane];
    }
    return n_pairs;
}

/* All pairs of one candidate with candidates of later columns. */
static ow_status pair_candidate(one_row *r, sums_of *s)
{
    worker *w = r->w;
    const size_t j = s->j;
    const ow_changes *changes = r->work->changes;
    const owi_pair_row *pairs = &w->row;
    const ow_circuit *circuit = changes->evaluator->circuit;
    const size_t C = n_classes(r), n = pairs->n_lanes, from = pairs->lane_start[j + 1];
    const size_t first = pairs->candidate[pairs->lane_start[j] + s->v];
    double *base = w->base;
    size_t n_pairs = 0, n_doubtful = 0;
    s->first = first;

    for (size_t c = 0; c < C && r->is_held; c++)
        base[c] =
            pairs->classes[c].z[j] + r->constant - w->column_constant[j] +
            changes->constant[first] + w->lane_gain[pairs->lane_start[j] + s->v] +
            changes->top[c / owi_circuit_copy_classes(circuit) * changes->n_candidates +
                         first];
    for (size_t tile = from / owi_tile_lanes; tile * owi_tile_lanes < n; tile++) {
        const size_t at = tile * owi_tile_lanes;
        const owi_lane_span lanes = {from > at ? from - at : 0,
                                     owi_smaller(n - at, owi_tile_lanes),
                                     changes->least_pair_sum, most_sum};
        if (r->is_held && r->may_compare)
            compare(r, s, base, lanes, tile);
        else
            for (size_t i = lanes.begin; i < lanes.end; i++) w->keep[at + i] = true;
        for (size_t i = lanes.begin; i < lanes.end && circuit->sheet_bits[j] != 0; i++)
            if (owi_pair_shares_sheet(changes, first, pairs->candidate[at + i]))
                w->keep[at + i] = true;
        n_pairs = add_pairs(r, s, base, lanes, tile, n_pairs, &n_doubtful);
    }
    OWI_TRY(evaluate_rows(r, first, n_doubtful));
    report_pairs(r, first, n_pairs);
    return OW_OK;
}

/* Whether some pair of the lane of column j may be cheap enough. */
static bool is_worthwhile(const one_row *r, size_t j, size_t lane)
{
    return r->w->price[lane] + r->w->later[j] < r->cheapest;
}

/* All pairs of the candidates of column j. */
static ow_status pair_column(one_row *r, size_t j)
{
    owi_pair_row *pairs = &r->w->row;
    const size_t first = pairs->lane_start[j], end = pairs->lane_start[j + 1];
    sums_of s = {.sums = pairs->sums, .j = j, .m = end - first};
    bool any = false;

    for (size_t lane = first; lane < end; lane++) any = any || is_worthwhile(r, j, lane);
    if (!any) return OW_OK;
    if (r->is_held) owi_pair_row_multiply(pairs, j, &s.first_tile);
    s.n_tiles = pairs->batch.n_tiles - s.first_tile;
    for (; s.v < s.m && !r->is_over; s.v++)
        if (is_worthwhile(r, j, first + s.v)) OWI_TRY(pair_candidate(r, &s));
    return OW_OK;
}

static ow_status pair_row(one_row *r)
{
    const ow_changes *changes = r->work->changes;
    owi_pair_row *pairs = &r->w->row;
    const size_t d = changes->evaluator->circuit->spec.n_columns;

    select_candidates(r);
    if (pairs->n_lanes == 0) return OW_OK;
    r->constant = owi_sheets_log(changes->evaluator->circuit, UINT64_MAX, false, r->x);
    for (size_t j = 0; j < d; j++) {
        r->w->column_constant[j] =
            owi_leaf_constant(changes->evaluator->circuit, j, r->x[j]);
        r->constant += r->w->column_constant[j];
    }
    r->is_held = owi_pair_row_fill(pairs, r->x);
    if (r->is_held) fill_lanes(r);
    for (size_t j = 0; j < d && !r->is_over; j++) {
        if (pairs->lane_start[j + 1] >= pairs->n_lanes) continue;
        OWI_TRY(owi_call_tick(r->work->call));
        OWI_TRY(pair_column(r, j));
    }
    return OW_OK;
}

/* ---- All rows ---- */

static ow_status pair_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    ow_changes *changes = work->changes;
    const ow_pair_filter *filter = work->filter;
    const size_t d = changes->evaluator->circuit->spec.n_columns;
    worker *w = &changes->pair_workers[chunk->worker];

    for (size_t row = chunk->first; row < chunk->first + chunk->n; row++) {
        one_row r = {.work = work,
                     .w = w,
                     .pass = &changes->evaluator->passes[chunk->worker],
                     .row = row,
                     .x = work->rows + row * d,
                     .price = filter != NULL && filter->price != NULL
                                  ? filter->price + row * changes->n_candidates
                                  : NULL,
                     .cheapest = work->limit != NULL ? work->limit[row] : INFINITY,
                     .least_log = filter != NULL && filter->least_log_class != NULL
                                      ? filter->least_log_class[row]
                                      : -INFINITY};
        OWI_TRY(pair_row(&r));
    }
    return OW_OK;
}

ow_status owi_pair_changes(const owi_call *call, ow_changes *changes, size_t n_rows,
                           const float *rows, const ow_pair_filter *filter,
                           const double *limit, ow_pair_fn report, void *user)
{
    OWI_REQUIRE(report != NULL);
    OWI_REQUIRE(n_rows == 0 || rows != NULL);
    const ow_circuit *circuit = changes->evaluator->circuit;
    if (filter != NULL &&
        (filter->target < 0 || (size_t)filter->target >= circuit->spec.n_classes))
        return owi_fail(OW_ERR_ARGUMENT, "class %d, expected 0 to %zu", filter->target,
                        circuit->spec.n_classes - 1);
    OWI_TRY(owi_check_rows(circuit, n_rows, rows, 0));
    const size_t n_workers = owi_parallel_workers(call, n_rows, 1);
    OWI_TRY(owi_evaluator_prepare(call, changes->evaluator, n_workers * owi_evaluator_chunk,
                                  false));
    OWI_TRY(owi_pairs_prepare(changes, n_workers));
    job work = {call, changes, rows, filter, limit, report, user};
    return owi_parallel_rows(call, n_rows, 1, pair_chunk, &work);
}

ow_status ow_changes_pairs(ow_changes *changes, size_t n_rows, const float *rows,
                           const ow_pair_filter *filter, const ow_call *call,
                           ow_pair_fn report, void *user)
{
    owi_call own;
    ow_pair_filter taken = {0};
    OWI_REQUIRE(changes != NULL);
    OWI_TRY(OWI_OPTIONS_TAKE(ow_pair_filter, filter, &taken));
    OWI_TRY(owi_call_begin(&own, changes->evaluator->circuit->ctx, call));
    return owi_pair_changes(&own, changes, n_rows, rows, filter != NULL ? &taken : NULL,
                            NULL, report, user);
}
