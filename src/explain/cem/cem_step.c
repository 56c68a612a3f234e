/* SPDX-License-Identifier: MIT */
/* A step of cem for a chunk of rows, which stay in lanes from one step to the next.
 * Numbers and groups of shares are gone through one after the other, so that what one of
 * them needs is at hand. */
#include <math.h>
#include <string.h>

#include "base/memory/sizes.h"
#include "base/numeric/lane_vectors.h"
#include "explain/cem/cem_block.h"
#include "explain/constraints/simplex_lanes.h"
#include "explain/descent/adam_row.h"

enum { L = owi_row_lanes };

/* One chunk; arrays are (width, L). */
typedef struct {
    float *y, *a;
    float *raw;  /* the gradient, then x' before it is back on its simplex           */
    float *pull; /* the autoencoder's, then x' on its simplex                        */
    const float *low, *high, *query, *centre;
    const float *nothing;      /* (width)                                                 */
    const bool *sided, *boxed; /* (width): what has to be looked at                  */
    bool adds;
    float c[L]; /* 0 where the hinge is closed */
    float gamma, beta, length, threshold, ahead;
} chunk_lanes;

/* ---- Entries, eight lanes at a time from `at` on ---- */

typedef owi_eight eight;
typedef owi_eight_masks masks;
enum { at_a_time = 8 };

static OWI_INLINE void distance_to(const eight *x, float value, eight *distance)
{
    *distance = *x - value;
    *distance = (eight)((masks)*distance & INT32_MAX);
}

/* What the mode leaves of x': a negative adds, away from b; a positive removes, towards
 * it. */
static OWI_INLINE void keep_side(const chunk_lanes *of, size_t at, eight *x)
{
    const float nothing = of->nothing[at / L];
    eight query, now, before;
    owi_load_eight(of->query + at, &query);
    distance_to(x, nothing, &now);
    distance_to(&query, nothing, &before);
    const masks back = of->adds ? (masks)(now < before) : (masks)(before < now);
    owi_take_where(&back, &query, x);
}

/* All that is said of an entry by itself. */
static OWI_INLINE void bring_back(const chunk_lanes *of, size_t at, eight *x)
{
    eight low, high;
    if (of->sided[at / L]) keep_side(of, at, x);
    if (!of->boxed[at / L]) return;
    owi_load_eight(of->low + at, &low);
    owi_load_eight(of->high + at, &high);
    const masks below = (masks)(*x < low);
    owi_take_where(&below, &low, x);
    const masks above = (masks)(*x > high);
    owi_take_where(&above, &high, x);
}

/* At y: c times the hinge's gradient, 2 (y - z), gamma times the autoencoder's. */
static OWI_INLINE void smooth_part(const chunk_lanes *of, size_t at, const eight *y,
                                   const eight *z, eight *smooth)
{
    eight gradient, pull, c;
    owi_load_eight(of->raw + at, &gradient);
    owi_load_eight(of->pull + at, &pull);
    owi_load_eight(of->c + at % L, &c);
    *smooth = c * gradient + 2.0f * (*y - *z) + of->gamma * pull;
}

/* a' = shrink(y - s smooth, s beta) around z, before it is on its simplex, to raw. */
OWI_WIDE static void shrink(const chunk_lanes *of, size_t first, size_t past)
{
    for (size_t at = first * L; at < past * L; at += at_a_time) {
        eight y, z, smooth;
        owi_load_eight(of->y + at, &y);
        owi_load_eight(of->centre + at, &z);
        smooth_part(of, at, &y, &z, &smooth);
        const eight x = y - of->length * smooth, delta = x - z;
        const eight down = x - of->threshold, up = x + of->threshold;
        const masks is_above = (masks)(delta > of->threshold);
        const masks is_below = (masks)(delta < -of->threshold);
        const masks is_missing = (masks)(delta != delta);
        eight next = z;
        owi_take_where(&is_missing, &x, &next);
        owi_take_where(&is_below, &up, &next);
        owi_take_where(&is_above, &down, &next);
        bring_back(of, at, &next);
        owi_store_eight(&next, of->raw + at);
    }
}

/* y = a' + k/(k+3) (a' - a), before it is on its simplex, to raw; a' becomes a. */
OWI_WIDE static void look_ahead(const chunk_lanes *of, size_t first, size_t past,
                                const float *reached)
{
    for (size_t at = first * L; at < past * L; at += at_a_time) {
        eight next, a;
        owi_load_eight(reached + at, &next);
        owi_load_eight(of->a + at, &a);
        eight y = next + of->ahead * (next - a);
        bring_back(of, at, &y);
        owi_store_eight(&next, of->a + at);
        owi_store_eight(&y, of->raw + at);
    }
}

/* The gradient of all but the constraints, to raw. */
OWI_WIDE static void whole_gradient(const chunk_lanes *of, size_t first, size_t past)
{
    for (size_t at = first * L; at < past * L; at += at_a_time) {
        eight y, z, up, side = {0};
        owi_load_eight(of->y + at, &y);
        owi_load_eight(of->centre + at, &z);
        owi_fill_eight(of->beta, &up);
        const eight down = -up;
        const masks is_above = (masks)(y > z), is_below = (masks)(y < z);
        owi_take_where(&is_below, &down, &side);
        owi_take_where(&is_above, &up, &side);
        eight smooth;
        smooth_part(of, at, &y, &z, &smooth);
        smooth += side;
        owi_store_eight(&smooth, of->raw + at);
    }
}

/* y, before it is on its simplex, to raw. */
OWI_WIDE static void bring_entries_back(const chunk_lanes *of, size_t first, size_t past)
{
    for (size_t at = first * L; at < past * L; at += at_a_time) {
        eight y;
        owi_load_eight(of->y + at, &y);
        bring_back(of, at, &y);
        owi_store_eight(&y, of->raw + at);
    }
}

/* ---- Numbers and groups ---- */

/* Entries [first, past): a group, or none of them is of one. */
typedef void (*entries_fn)(const chunk_lanes *of, size_t first, size_t past, bool group);

static void fista_entries(const chunk_lanes *of, size_t first, size_t past, bool group)
{
    const size_t at = first * L, n = past - first;
    shrink(of, first, past);
    if (group) owi_project_lanes_to_simplex(n, of->raw + at, of->pull + at);
    look_ahead(of, first, past, group ? of->pull : of->raw);
    if (group)
        owi_project_lanes_to_simplex(n, of->raw + at, of->y + at);
    else
        memcpy(of->y + at, of->raw + at, n * L * sizeof *of->y);
}

static void adam_entries(const chunk_lanes *of, size_t first, size_t past, bool group)
{
    const size_t at = first * L, n = past - first;
    bring_entries_back(of, first, past);
    if (group)
        owi_project_lanes_to_simplex(n, of->raw + at, of->y + at);
    else
        memcpy(of->y + at, of->raw + at, n * L * sizeof *of->y);
}

static void for_entries(const owi_cem_block *work, const chunk_lanes *of, entries_fn run)
{
    size_t at = 0;
    for (size_t g = 0; g < work->d.boxes.n_groups; g++) {
        const owi_soft_group *group = &work->d.boxes.groups[g];
        if (at < group->first) run(of, at, group->first, false);
        at = group->first + group->width;
        run(of, group->first, at, true);
    }
    if (at < work->d.problem->soft_width) run(of, at, work->d.problem->soft_width, false);
}

/* ---- A chunk ---- */

static chunk_lanes lanes_of(const owi_cem_block *work, const owi_chunk *chunk)
{
    const size_t at = chunk->first * work->d.problem->soft_width;
    const owi_cem_options *options = work->options;
    const double left = 1.0 - (double)work->d.step / (double)options->steps;
    chunk_lanes of = {.y = work->y_lanes + at,
                      .a = work->a + at,
                      .raw = work->raw + at,
                      .pull = work->pull + at,
                      .low = work->low + at,
                      .high = work->high + at,
                      .query = work->query + at,
                      .centre = work->centre + at,
                      .nothing = work->basis->nothing,
                      .sided = work->sided,
                      .boxed = work->boxed,
                      .adds = options->mode == OWI_CEM_NEGATIVE,
                      .gamma =
                          work->basis->autoencoder != NULL ? (float)options->gamma : 0.0f,
                      .beta = (float)options->beta,
                      .length = (float)(options->rate * sqrt(left)),
                      .ahead = (float)work->d.step / (float)(work->d.step + 3)};
    of.threshold = of.length * of.beta;
    for (size_t i = 0; i < chunk->n; i++) {
        const size_t row = chunk->first + i;
        const bool open = owi_cem_margin(work, row, work->d.log_proba) <= options->kappa;
        of.c[i] = open ? (float)work->rows[row].c : 0.0f;
    }
    return of;
}

void owi_cem_step(owi_cem_block *work, const owi_chunk *chunk)
{
    const size_t width = work->d.problem->soft_width, at = chunk->first * width;
    const chunk_lanes of = lanes_of(work, chunk);
    owi_rows_to_lanes(chunk->n, width, work->d.gradient + at, of.raw);
    if (work->options->optimiser == OWI_CEM_FISTA) {
        for_entries(work, &of, fista_entries);
    } else {
        whole_gradient(&of, 0, width);
        const owi_adam_bias bias = owi_adam_bias_of(work->d.step + 1);
        owi_adam_row(width * L, of.raw, work->options->rate, &bias, work->first + at,
                     work->second + at, of.y);
        for_entries(work, &of, adam_entries);
    }
    owi_lanes_to_rows(chunk->n, width, of.y, work->d.x + at);
}

void owi_cem_step_begin(owi_cem_block *work)
{
    const size_t width = work->d.problem->soft_width, n_rows = work->d.queries->n_rows;
    const owi_cem_basis *basis = work->basis;
    for (size_t r = 0; r < basis->n_runs && work->options->one_sided; r++)
        for (size_t k = 0; k < basis->runs[r].width; k++)
            work->sided[basis->runs[r].first + k] = true;
    /* Lanes without a row stay 0. */
    for (size_t row = 0; row < n_rows; row += L) {
        const size_t at = row * width, n = owi_smaller(L, n_rows - row);
        owi_rows_to_lanes(n, width, work->d.queries->soft + at, work->query + at);
        owi_boxes_lanes(&work->d.boxes, row, n, work->low + at, work->high + at);
        for (size_t i = 0; i < width * L; i++)
            work->boxed[i / L] |=
                work->low[at + i] > -INFINITY || work->high[at + i] < INFINITY;
        for (size_t i = 0; i < width * L; i++)
            work->centre[at + i] = work->options->mode == OWI_CEM_POSITIVE
                                       ? basis->nothing[i / L]
                                       : work->query[at + i];
    }
}

void owi_cem_step_begin_round(owi_cem_block *work)
{
    const size_t n_entries = work->d.n_filled * work->d.problem->soft_width;
    memcpy(work->a, work->query, n_entries * sizeof *work->a);
    memcpy(work->y_lanes, work->query, n_entries * sizeof *work->y_lanes);
    memset(work->first, 0, n_entries * sizeof *work->first);
    memset(work->second, 0, n_entries * sizeof *work->second);
}
