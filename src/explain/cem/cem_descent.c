/* SPDX-License-Identifier: MIT */
/* Both optimisers go through the same steps for all rows of the block:
 *
 *     gradient at y of c hinge (by the classifier) and of the autoencoder's error
 *     FISTA   a' = shrink(y - s (gradient + 2 (y - z)), s beta),
 *             then y = a' + k/(k+3) (a' - a)
 *     Adam    y moves along gradient + 2 (y - z) + beta sign(y - z)
 *     back to where x' may be; accept it if the class rule holds and it is nearest so far
 *
 * z is the query (negatives) or the value that says nothing (positives). */
#include "explain/cem/cem_descent.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/cem/cem_block.h"
#include "model/cutoffs.h"
#include "network/autoencoder.h"

enum { entries_at_a_time = 16 };

/* ---- The class rule ---- */

/* Negatives go away from y: the margin is that of the rival.  Else towards a class: it is
 * the anchor's. */
static bool goes_away(const owi_cem_block *work)
{
    return work->options->mode == OWI_CEM_NEGATIVE && work->options->any_class;
}

static int32_t strongest_rival(const owi_cem_block *work, size_t row,
                               const double *log_proba)
{
    const size_t n_classes = work->d.problem->n_classes;
    return owi_model_decide(work->d.problem->model, log_proba + row * n_classes,
                            work->rows[row].anchor);
}

double owi_cem_margin(const owi_cem_block *work, size_t row, const double *log_proba)
{
    const double *own = log_proba + row * work->d.problem->n_classes;
    const double lead =
        own[work->rows[row].anchor] - own[strongest_rival(work, row, log_proba)];
    return goes_away(work) ? -lead : lead;
}

/* The gradient of -margin.  The rival is known only after a pass at y, and guessed from the
 * last one. */
static void set_factor(void *self, size_t row)
{
    owi_cem_block *work = self;
    const size_t n_classes = work->d.problem->n_classes;
    const double sign = goes_away(work) ? 1.0 : -1.0;
    double *factor = work->d.factor + row * n_classes;
    for (size_t c = 0; c < n_classes; c++) factor[c] = 0.0;
    factor[work->rows[row].anchor] = sign;
    factor[work->rows[row].rival] = -sign;
}

static bool has_other_rival(void *self, size_t row)
{
    owi_cem_block *work = self;
    const int32_t before = work->rows[row].rival;
    work->rows[row].rival = strongest_rival(work, row, work->d.log_proba);
    return work->rows[row].rival != before;
}

static ow_status ask_autoencoder(void *self)
{
    owi_cem_block *work = self;
    if (work->basis->autoencoder == NULL) return OW_OK;
    return owi_autoencoder_gradient_lanes(work->d.problem->call, work->basis->autoencoder,
                                          work->d.queries->n_rows, work->y_lanes,
                                          work->pull);
}

/* ---- What is accepted ---- */

/* Nats.  The nearest answers lie on the boundary; rows near a base are rounded otherwise
 * than in the verdict, where none should fall back behind it. */
static const double more_than_rounding = 1e-3;

static const float *centre_of(const owi_cem_block *work, size_t row)
{
    return work->options->mode == OWI_CEM_POSITIVE
               ? work->basis->nothing
               : work->d.queries->soft + row * work->d.problem->soft_width;
}

static void accept_if_best(owi_cem_block *work, size_t row, const double *log_proba)
{
    const size_t width = work->d.problem->soft_width;
    const float *x = owi_descent_candidate(&work->d, row), *z = centre_of(work, row);
    owi_cem_row *own = &work->rows[row];
    const double margin = owi_cem_margin(work, row, log_proba);
    /* Without a margin asked, a tie is not enough. */
    own->holds = margin > work->least_margin && margin >= work->options->kappa;
    if (!own->holds) return;

    if (!own->accepted) own->nearer_at = work->d.step;
    own->accepted = true;
    double size = 0.0, sum = 0.0, square = 0.0;
    /* The sums only grow: what is too far after some entries stays so. */
    for (size_t first = 0; first < width; first += entries_at_a_time) {
        const size_t end = owi_smaller(first + entries_at_a_time, width);
        for (size_t j = first; j < end; j++) {
            const double delta = (double)x[j] - (double)z[j];
            if (isnan(delta)) continue;
            sum += fabs(delta);
            square += delta * delta;
        }
        size = work->options->beta * sum + square;
        if (size >= work->d.rows[row].best) return;
    }
    own->nearer_at = work->d.step;
    owi_descent_keep(&work->d, row, size);
}

static void judge(void *self, size_t row)
{
    owi_cem_block *work = self;
    accept_if_best(work, row, work->d.log_judged);
}

/* ---- Steps ---- */

/* Rows that are done go along with the others of their chunk, and nobody looks at them. */
static ow_status step_chunk(void *self, const owi_chunk *chunk)
{
    owi_cem_block *work = self;
    owi_descent *d = &work->d;
    const size_t width = d->problem->soft_width, at = chunk->first * width;
    size_t n_going = 0;
    for (size_t row = chunk->first; row < chunk->first + chunk->n; row++) {
        if (d->rows[row].done) continue;
        if (!d->judges_apart) accept_if_best(work, row, d->log_proba);
        d->rows[row].asks = true;
        n_going++;
    }
    if (n_going == 0) return OW_OK;
    owi_cem_step(work, chunk);
    if (!d->judges_apart) return OW_OK;
    const float *reached =
        (work->options->optimiser == OWI_CEM_FISTA ? work->a : work->y_lanes) + at;
    if (!d->judges_whole) {
        owi_lanes_to_rows(chunk->n, width, reached, d->whole + at);
        return OW_OK;
    }
    bool is_new[owi_row_lanes];
    owi_repair_lanes(d->queries->repair, chunk->first, chunk->n, reached, d->whole + at,
                     is_new);
    for (size_t i = 0; i < chunk->n; i++) d->rows[chunk->first + i].asks = is_new[i];
    return OW_OK;
}

/* Rows that have waited long enough for something nearer leave; each by itself, so that its
 * answer does not depend on the others. */
static bool is_done(void *self, size_t row)
{
    owi_cem_block *work = self;
    owi_cem_row *own = &work->rows[row];
    const uint64_t patience = work->options->patience;
    /* As repaired it is what it was when it was judged. */
    if (work->d.judges_whole && !work->d.rows[row].asks) own->accepted |= own->holds;
    return patience > 0 && own->accepted && work->d.step - own->nearer_at >= patience;
}

/* ---- Rounds ---- */

static void begin_round(void *self)
{
    owi_cem_block *work = self;
    owi_cem_step_begin_round(work);
    for (size_t row = 0; row < work->d.queries->n_rows; row++) {
        work->rows[row].accepted = false;
        work->rows[row].rival = strongest_rival(work, row, work->d.queries->log_proba);
    }
}

/* A smaller c leaves more to the distance; a larger one to the class. */
static void next_c(void *self, size_t row)
{
    owi_cem_block *work = self;
    owi_cem_row *own = &work->rows[row];
    if (own->accepted)
        own->enough = fmin(own->enough, own->c);
    else
        own->lacking = fmax(own->lacking, own->c);
    own->c = isfinite(own->enough) ? 0.5 * (own->lacking + own->enough) : 10.0 * own->c;
}

/* ---- A block ---- */

static ow_status make_arrays(owi_cem_block *work)
{
    const size_t width = work->d.problem->soft_width, entries = work->d.n_filled * width;
    const owi_piece pieces[] = {
        OWI_PIECE(work->rows, work->d.queries->n_rows),
        OWI_PIECE(work->pull, entries),
        OWI_PIECE(work->raw, entries),
        OWI_PIECE(work->a, entries),
        OWI_PIECE(work->y_lanes, entries),
        OWI_PIECE(work->first, entries),
        OWI_PIECE(work->second, entries),
        OWI_PIECE(work->query, entries),
        OWI_PIECE(work->centre, entries),
        OWI_PIECE(work->low, entries),
        OWI_PIECE(work->high, entries),
        OWI_PIECE(work->sided, width),
        OWI_PIECE(work->boxed, width),
    };
    return owi_pieces_new(work->d.problem->ctx, OWI_PIECES(pieces), &work->workspace);
}

static ow_status begin(owi_cem_block *work)
{
    const owi_problem *problem = work->d.problem;
    const owi_queries *queries = work->d.queries;
    const owi_cem_options *options = work->options;
    OWI_TRY(owi_descent_init(&work->d, options->whole_groups));
    OWI_TRY(make_arrays(work));
    owi_cem_step_begin(work);
    /* Adam's rows stand where their gradient was taken, so that their classes are known,
     * unless they are repaired first. */
    work->d.judges_apart = options->optimiser == OWI_CEM_FISTA || work->d.judges_whole;
    /* Shrinking leaves most of many columns as they are; where Adam has been, all have
     * moved.  Rows that leave would be asked for apart. */
    if (options->optimiser == OWI_CEM_FISTA && options->patience == 0 &&
        ow_schema_layout(problem->schema).kind != OW_LAYOUT_TABLE) {
        OWI_TRY(owi_row_batch_stay_near(&work->d.batch, queries->n_rows, queries->soft));
        work->least_margin = more_than_rounding;
    }
    const bool from_origin = goes_away(work) || options->mode == OWI_CEM_POSITIVE;
    for (size_t i = 0; i < queries->n_rows; i++)
        work->rows[i] =
            (owi_cem_row){.anchor = from_origin ? queries->origin[i] : queries->target[i],
                          .c = options->c,
                          .enough = INFINITY};
    return OW_OK;
}

ow_status owi_cem_descend(const owi_problem *problem, const owi_cem_options *options,
                          const owi_cem_basis *basis, const owi_queries *queries,
                          owi_answer *answers)
{
    const owi_objective objective = {.rounds = options->rounds,
                                     .steps = options->steps,
                                     .in_lanes = true,
                                     .begin_round = begin_round,
                                     .set_factor = set_factor,
                                     .is_wrong = has_other_rival,
                                     .pull = ask_autoencoder,
                                     .look = step_chunk,
                                     .judge = judge,
                                     .settle = is_done,
                                     .end_round = next_c};
    owi_cem_block work = {.d = {.problem = problem, .queries = queries, .answers = answers},
                          .options = options,
                          .basis = basis};
    ow_status status = begin(&work);
    if (status == OW_OK) status = owi_descent_run(&work.d, &objective, &work);
    owi_descent_clear(&work.d);
    owi_workspace_free(work.workspace);
    return status;
}
