/* SPDX-License-Identifier: MIT */
/* How strongly classes are drawn to the pooled circuit, how strong the prior of the leaves
 * is, and how far densities are tilted: by rows held out, five folds for small tables, one
 * part in seven for large ones.  What counts is log-loss, and a little of the density. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "circuit/learn/pooling.h"
#include "circuit/learn/tilt_fit.h"
#include "circuit/rows/repeated_rows.h"

/* Pulls in units of sqrt(n), the standard error of a count: what classes differ by beyond
 * that is theirs.  The last leaves nothing to them but the tilt.  A usual one is taken
 * unless another is clearly better.  Priors are compared with the pull at usual_at, then
 * pulls with the best prior: of 15 pairs of both 7 are tried. */
static const struct {
    double towards;
    bool usual;
} pulls[] = {{0.1, false}, {0.5, false}, {2.0, true}, {8.0, true}, {64.0, false}};
enum { n_pulls = sizeof pulls / sizeof *pulls, usual_at = 2 };
/* Of a nat of log-density, in nats of log-loss: what decides between equals.  Trees have
 * weights enough to learn a small table by heart, which the density shows first. */
static const double density_worth = 0.005, density_worth_of_trees = 0.02;
static const double clearly_better = 0.004; /* nats a row */

/* Penalties of the tilt, each fitted from the one before; the first stands for no tilt, the
 * last is for tables of few rows, whose columns may have to be weighed against each other
 * sharply (the size of a crab against its shape). */
static const double ridges[] = {0.0, 16.0, 4.0, 1.0, 0.25};
enum { n_ridges = sizeof ridges / sizeof *ridges };

/* Tables of categories want a strong prior, tables of well-behaved numbers hardly any. */
static const double priors[] = {1.0, 4.0, 16.0};
enum { n_priors = sizeof priors / sizeof *priors };

/* Passes of EM while choosing: enough to rank the candidates. */
enum { selection_passes = 12 };

/* Tables up to so many rows are cross-validated with every prior; up to so many every
 * penalty is tried. */
enum { few_rows = 5000, large_rows = 20000, n_folds = 5 };

/* Tables of fewer rows are divided anew, up to so many times, until as many rows have been
 * held out: a single division of 150 rows tells candidates apart by chance. */
enum { judging_rows = 600, most_divisions = 4 };
static const double large_share = 0.15;

typedef struct {
    size_t n_folds, n_divisions, n_priors;
    size_t first_ridge, end_ridge; /* after no tilt */
    double share;                  /* of a fold */
    bool tilted;
    /* The usual pull; that and the weakest; all others. */
    enum { the_usual, two_pulls, the_others } pulls;
} plan;

static bool is_tried(const plan *how, size_t pull)
{
    if (how->pulls == the_others) return pull != usual_at;
    return pull == usual_at || (how->pulls == two_pulls && pull == 0);
}

/* Scores of the rows held out, summed over them. */
typedef struct {
    double n, log_density, log_density_class, log_loss, accuracy;
} score_sum;

/* What a circuit costs on the rows. */
static double cost_of(const ow_circuit *circuit, const score_sum *sum)
{
    const double worth =
        owi_circuit_is_tree(circuit) ? density_worth_of_trees : density_worth;
    return sum->log_loss - worth * sum->log_density_class;
}

/* Adds the scores of the rows of a fold. */
static ow_status add_scores(const owi_call *call, ow_evaluator *evaluator, owi_fold fold,
                            score_sum *sum)
{
    ow_score score;
    fold.others = false;
    const ow_row_source held_out = owi_fold_source(&fold);
    OWI_TRY(owi_circuit_score(call, evaluator, &held_out, &score));
    const double n = (double)score.n_rows;
    sum->n += n;
    sum->log_density += n * score.log_density;
    sum->log_density_class += n * score.log_density_class;
    sum->log_loss += n * score.log_loss;
    sum->accuracy += n * score.accuracy;
    return OW_OK;
}

static ow_score mean_score(const score_sum *sum)
{
    const double n = fmax(sum->n, 1.0);
    return (ow_score){.n_rows = (size_t)sum->n,
                      .log_density = sum->log_density / n,
                      .log_density_class = sum->log_density_class / n,
                      .log_loss = sum->log_loss / n,
                      .accuracy = sum->accuracy / n};
}

/* Adds the scores of one pull, (ridges), on one fold. */
static ow_status try_ridges(owi_pooling *p, const plan *how, owi_fold fold, score_sum *sum)
{
    owi_tilt_rows rows;
    OWI_TRY(add_scores(p->call, p->evaluator, fold, &sum[0]));
    if (!how->tilted) return OW_OK;
    fold.others = true;
    const ow_row_source learned = owi_fold_source(&fold);
    OWI_TRY(owi_tilt_rows_read(&rows, p->call, p->evaluator, &learned));
    memset(p->tilt, 0, owi_tilt_size(p->circuit) * sizeof *p->tilt);
    ow_status status = OW_OK;
    for (size_t i = how->first_ridge; i < how->end_ridge && status == OW_OK; i++) {
        status = owi_tilt_fit(&rows, p->circuit, p->trial, ridges[i], p->tilt);
        if (status == OW_OK)
            status = owi_tilt_apply(p->call, p->circuit, p->tilt, p->trial);
        if (status == OW_OK)
            status = add_scores(p->call, p->trial_evaluator, fold, &sum[i]);
    }
    owi_tilt_rows_clear(&rows);
    return status;
}

static ow_status try_fold(owi_pooling *p, const plan *how, owi_fold fold,
                          score_sum sums[n_pulls][n_ridges])
{
    OWI_TRY(owi_pooling_pool(p, fold));
    for (size_t i = 0; i < n_pulls; i++) {
        if (!is_tried(how, i)) continue;
        OWI_TRY(owi_pooling_adapt(p, fold, sqrt(p->n_rows) * pulls[i].towards));
        OWI_TRY(try_ridges(p, how, fold, sums[i]));
    }
    return OW_OK;
}

static ow_status try_prior(owi_pooling *p, const plan *how,
                           score_sum sums[n_pulls][n_ridges])
{
    for (size_t i = 0; i < how->n_divisions * how->n_folds; i++) {
        const size_t part = i % how->n_folds, division = i / how->n_folds;
        const owi_fold fold = {.from = p->source,
                               .n_columns = p->circuit->spec.n_columns,
                               .seed = p->call->seed ^ (0x5eed + (uint64_t)division),
                               .rare = p->rare,
                               .by_content = p->repeats,
                               .low = how->share * (double)part,
                               .high = how->share * (double)(part + 1)};
        OWI_TRY(try_fold(p, how, fold, sums));
    }
    return OW_OK;
}

/* How often a small table is divided. */
static size_t count_divisions(double n_rows)
{
    if (!(n_rows < judging_rows)) return 1;
    const double n = ceil(judging_rows / fmax(n_rows, 1.0));
    return n < most_divisions ? (size_t)n : most_divisions;
}

typedef struct {
    double cost, pull, ridge, prior_rows; /* pull is in units of sqrt(n) */
    score_sum sum;
} candidate;

/* Takes the cheapest of one prior's candidates, if it is cheaper than the best so far;
 * n_held is how many rows were held out. */
static void take_cheapest(const owi_pooling *p, const plan *how,
                          score_sum sums[n_pulls][n_ridges], double n_held, candidate *best)
{
    for (size_t t = 0; t < n_pulls; t++) {
        const double start = pulls[t].usual ? clearly_better * n_held : 0.0;
        if (!is_tried(how, t)) continue;
        for (size_t r = 0; r < n_ridges; r++) {
            const bool tried =
                r == 0 || (how->tilted && r >= how->first_ridge && r < how->end_ridge);
            const double cost = cost_of(p->circuit, &sums[t][r]) - start;
            if (tried && cost < best->cost)
                *best = (candidate){cost, pulls[t].towards, ridges[r],
                                    p->options.prior_rows, sums[t][r]};
        }
    }
}

/* Tries the pulls of the plan with the present prior. */
static ow_status try_pulls(owi_pooling *p, const plan *how, candidate *best)
{
    const double n_trials = (double)(how->n_divisions * how->n_folds);
    score_sum sums[n_pulls][n_ridges] = {0};
    OWI_TRY(try_prior(p, how, sums));
    take_cheapest(p, how, sums, p->n_rows * how->share * n_trials, best);
    return OW_OK;
}

static ow_status choose(owi_pooling *p, bool tilted, bool briefly, candidate *best)
{
    const bool few = p->n_rows < few_rows;
    plan how = {.n_folds = few ? n_folds : 1,
                .n_divisions = count_divisions(p->n_rows),
                .n_priors = few && !briefly ? n_priors : 1,
                .first_ridge = p->n_rows < large_rows ? 1 : n_ridges - 2,
                .end_ridge = few ? n_ridges : n_ridges - 1,
                .share = few ? 1.0 / n_folds : large_share,
                .tilted = tilted,
                .pulls = briefly ? two_pulls : the_usual};
    const double given = p->options.prior_rows;

    /* Where the pooled circuit has passes of its own, it needs them here, too. */
    if (p->pooled_passes <= p->options.passes)
        p->pooled_passes = owi_smaller(p->pooled_passes, selection_passes);
    p->options.passes = owi_smaller(p->options.passes, selection_passes);
    const size_t n_trials = how.n_divisions * how.n_folds;
    const size_t n_first = how.pulls == two_pulls ? 2 : 1;
    p->total += how.n_priors * n_trials * (p->pooled_passes + n_first * p->options.passes);
    if (!briefly)
        p->total += n_trials * (p->pooled_passes + (n_pulls - 1) * p->options.passes);
    for (size_t i = 0; i < how.n_priors; i++) {
        p->options.prior_rows = how.n_priors > 1 ? priors[i] : given;
        OWI_TRY(try_pulls(p, &how, best));
    }
    if (briefly) return OW_OK;
    how.pulls = the_others;
    p->options.prior_rows = best->prior_rows;
    return try_pulls(p, &how, best);
}

ow_status owi_pooling_choose(owi_pooling *p, bool briefly, ow_pooling *chosen)
{
    ow_context *ctx = p->circuit->ctx;
    owi_pooling few = *p;
    owi_pooling_part part;
    candidate best = {.cost = INFINITY,
                      .pull = pulls[usual_at].towards,
                      .prior_rows = p->options.prior_rows};

    OWI_TRY(owi_pooling_part_read(p, &part));
    ow_status status = OW_OK;
    few.source = &part.source;
    if (!part.all) {
        few.rare = NULL;
        few.options.batch = 0;
        status = owi_pooling_count(&few);
    }
    if (status == OW_OK)
        status = owi_rows_repeat(p->call, few.source, p->circuit->spec.n_columns,
                                 p->circuit->spec.n_classes, &few.repeats);
    if (status == OW_OK) status = choose(&few, !chosen->untilted, briefly, &best);
    p->before = few.before;
    p->length = few.length;
    p->total = few.total;
    if (!part.all) owi_free(ctx, few.rare);
    owi_pooling_part_clear(p, &part);
    OWI_TRY(status);
    p->options.prior_rows = chosen->prior_rows = best.prior_rows;
    p->held_out = mean_score(&best.sum);
    chosen->ridge = best.ridge;
    chosen->towards_rows = ceil(sqrt(p->n_rows) * best.pull);
    if (briefly) return OW_OK;
    owi_log(
        ctx, OW_LOG_DEBUG,
        "leaves have a prior of %g rows, classes are drawn towards the pooled circuit by "
        "%g and tilted with a penalty of %g",
        chosen->prior_rows, chosen->towards_rows, chosen->ridge);
    return OW_OK;
}
