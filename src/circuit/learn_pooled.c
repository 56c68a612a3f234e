/* SPDX-License-Identifier: MIT */
/* Pool, then adapt.  Learning the classes of a small table apart over-fits the difference of their densities.  So one
 * circuit is learned on all rows first; every class then starts from it and is drawn back to it by
 * `towards_rows` rows.  How many is chosen by log-loss on rows held out: five folds for small tables, one part in
 * seven for large ones, and of very long ones only some rows, which stay in memory.  For small tables the prior of the
 * leaves is chosen with it: categories want a strong one, well-behaved numbers hardly any. */
#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/error.h"
#include "base/sizes.h"
#include "circuit/fold_source.h"
#include "circuit/learn.h"
#include "circuit/row_subset.h"

/* In units of sqrt(n), the standard error of a count: what classes differ by beyond that is theirs.  The rule of thumb is
 * taken unless another candidate is clearly better. */
static const double candidates[] = {0.1, 0.5, 1.0, 2.0, 4.0};
enum { n_candidates = sizeof candidates / sizeof *candidates, rule_of_thumb = 3 };
static const double clearly_better = 0.004; /* nats a row */

static const double prior_candidates[] = {1.0, 4.0, 16.0};
enum { n_priors = sizeof prior_candidates / sizeof *prior_candidates };

/* Passes of EM while choosing: enough to rank the candidates. */
enum { selection_passes = 12 };

/* Tables up to this many rows are cross-validated. */
enum { few_rows = 5000, n_folds = 5 };
static const double large_share = 0.15;
/* Longer ones are judged by about so many of their rows. */
enum { many_rows = 1 << 15 };

/* One circuit for all rows, with the regions of a sub-circuit. */
static ow_status pooled_new(const ow_circuit *circuit, ow_circuit **out)
{
    ow_circuit_spec spec = circuit->spec;
    spec.structure = OW_SHARED;
    spec.n_classes = 1;
    return ow_circuit_new(circuit->ctx, &spec, out);
}

/* Every sub-circuit becomes the pooled one. */
static void copy_pooled(const ow_circuit *pooled, ow_circuit *circuit)
{
    const size_t n_copies = circuit->regions.n_copies;
    for (size_t copy = 0; copy < n_copies; copy++) {
        for (size_t i = 0; i < pooled->n_leaf; i++)
            circuit->leaf[copy * pooled->n_leaf + i] = pooled->leaf[i];
        for (size_t d = 0; d < circuit->spec.depth || d == 0; d++) {
            const size_t to = d > 0 ? owi_circuit_inner_offset(circuit, d, copy)
                                    : owi_circuit_root_offset(circuit, copy);
            const size_t from = d > 0 ? owi_circuit_inner_offset(pooled, d, 0)
                                      : owi_circuit_root_offset(pooled, 0);
            const size_t end = d > 0 ? owi_circuit_inner_offset(pooled, d, 1)
                                     : owi_circuit_root_offset(pooled, 1);
            for (size_t i = 0; i < end - from; i++)
                circuit->log_weight[to + i] = pooled->log_weight[from + i];
        }
    }
    for (size_t j = 0; j < circuit->spec.n_columns; j++)
        circuit->shift[j] = pooled->shift[j];
    owi_circuit_prepare(circuit);
}

typedef struct {
    ow_circuit *circuit, *pooled;
    ow_learn_options options;
    const ow_row_source *source;
    uint64_t seed;
    double n_rows;
    bool *rare;             /* (classes)                        */
    owi_progress_part part; /* of all passes that there will be */
} pooling;

/* Options whose passes are the next part of the whole. */
static ow_learn_options next_part(pooling *p)
{
    ow_learn_options options = p->options;
    p->part.before += p->part.length;
    p->part.length = options.passes;
    options.progress = owi_progress_in_part;
    options.progress_user = &p->part;
    return options;
}

/* The pooled circuit from the rows outside the fold, which the classes' is started on, too. */
static ow_status learn_pool(pooling *p, owi_fold fold)
{
    const ow_learn_options options = next_part(p);
    fold.others = true;
    const ow_row_source rows = owi_fold_source(&fold);
    OWI_TRY(ow_circuit_start(p->circuit, &rows, p->seed)); /* counts, averages */
    fold.one_class = true;
    OWI_TRY(ow_circuit_start(p->pooled, &rows, p->seed));
    return ow_circuit_learn(p->pooled, &options, &rows, NULL, NULL);
}

/* The classes' circuit from the pooled one, after learn_pool. */
static ow_status adapt(pooling *p, owi_fold fold, double towards_rows)
{
    ow_learn_options options = next_part(p);
    options.prior_rows = fmax(options.prior_rows - towards_rows, 0.0);
    fold.others = true;
    const ow_row_source rows = owi_fold_source(&fold);
    copy_pooled(p->pooled, p->circuit);
    return owi_circuit_learn_towards(p->circuit, &options, &rows, NULL, p->pooled,
                                     towards_rows, NULL);
}

/* Fold i of so many, each this share of the rows. */
static owi_fold fold_of(const pooling *p, size_t i, double share)
{
    return (owi_fold){.from = p->source,
                      .n_columns = p->circuit->spec.n_columns,
                      .seed = p->seed ^ 0x5eed,
                      .rare = p->rare,
                      .low = share * (double)i,
                      .high = share * (double)(i + 1)};
}

/* Adds the log-loss of every candidate on one fold, times its rows. */
static ow_status try_fold(pooling *p, ow_evaluator *evaluator, owi_fold fold, double unit,
                          double *log_loss)
{
    OWI_TRY(learn_pool(p, fold));
    for (size_t i = 0; i < n_candidates; i++) {
        ow_score score;
        OWI_TRY(adapt(p, fold, unit * candidates[i]));
        fold.others = false;
        const ow_row_source held_out = owi_fold_source(&fold);
        OWI_TRY(ow_circuit_score(evaluator, &held_out, &score));
        log_loss[i] += score.log_loss * (double)score.n_rows;
    }
    return OW_OK;
}

/* Prior and pull with the least log-loss; the pull's rule of thumb is given a start.  *towards is in units of sqrt(n). */
static ow_status choose(pooling *p, ow_evaluator *evaluator, double *towards)
{
    const bool few = p->n_rows < few_rows;
    const size_t folds = few ? n_folds : 1, n_tried = few ? n_priors : 1;
    const double share = few ? 1.0 / n_folds : large_share, given = p->options.prior_rows;
    const size_t passes = p->options.passes;
    double least = INFINITY, best_prior = given;

    p->options.passes = owi_smaller(passes, selection_passes);
    p->part.total += n_tried * folds * (1 + n_candidates) * p->options.passes;
    for (size_t i = 0; i < n_tried; i++) {
        double log_loss[n_candidates] = {0};
        p->options.prior_rows = few ? prior_candidates[i] : given;
        for (size_t fold = 0; fold < folds; fold++)
            OWI_TRY(
                try_fold(p, evaluator, fold_of(p, fold, share), sqrt(p->n_rows), log_loss));
        log_loss[rule_of_thumb] -= clearly_better * p->n_rows * share * (double)folds;
        for (size_t t = 0; t < n_candidates; t++) {
            if (!(log_loss[t] < least)) continue;
            least = log_loss[t];
            best_prior = p->options.prior_rows;
            *towards = candidates[t];
        }
    }
    p->options.prior_rows = best_prior;
    p->options.passes = passes;
    return OW_OK;
}

/* The number of rows, and which classes have few of them. */
static ow_status count_rows(pooling *p)
{
    ow_circuit *circuit = p->circuit;
    const size_t C = circuit->spec.n_classes;
    OWI_TRY(ow_circuit_start(circuit, p->source, p->seed));
    p->rare = owi_alloc_array(circuit->ctx, C, sizeof *p->rare);
    if (p->rare == NULL) return OW_ERR_MEMORY;
    p->n_rows = 0.0;
    for (size_t c = 0; c < C; c++) {
        p->n_rows += circuit->class_rows[c];
        p->rare[c] = circuit->class_rows[c] < owi_rare_rows;
    }
    return OW_OK;
}

/* The same for a part of the rows of a long table. */
static ow_status choose_by_subset(pooling *p, ow_evaluator *evaluator, double *towards)
{
    ow_context *ctx = p->circuit->ctx;
    pooling part = *p;
    float *rows = NULL;
    int32_t *classes = NULL;
    size_t n_rows = 0;
    OWI_TRY(owi_row_subset_read(p->circuit, p->source, many_rows, p->seed, &rows, &classes,
                                &n_rows));
    ow_row_array array = {n_rows, p->circuit->spec.n_columns, rows, classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    part.source = &source;
    part.rare = NULL;
    part.options.batch = 0;
    ow_status status = count_rows(&part);
    if (status == OW_OK) status = choose(&part, evaluator, towards);
    p->part = part.part;
    owi_free(ctx, part.rare);
    owi_free(ctx, classes);
    owi_free(ctx, rows);
    return status;
}

static ow_status choose_pull(pooling *p, ow_evaluator *evaluator, double *towards_rows)
{
    double towards = candidates[rule_of_thumb];
    OWI_TRY(p->n_rows > 1.25 * many_rows ? choose_by_subset(p, evaluator, &towards)
                                         : choose(p, evaluator, &towards));
    *towards_rows = ceil(sqrt(p->n_rows) * towards);
    owi_log(p->circuit->ctx, OW_LOG_DEBUG,
            "leaves have a prior of %g rows, classes are drawn towards the pooled circuit "
            "by %g",
            p->options.prior_rows, *towards_rows);
    return OW_OK;
}

ow_status ow_circuit_learn_pooled(ow_circuit *circuit, const ow_learn_options *options,
                                  const ow_row_source *source, uint64_t seed,
                                  ow_pooling *chosen)
{
    OWI_REQUIRE(circuit != NULL && options != NULL && source != NULL);
    OWI_REQUIRE(circuit->spec.structure == OW_PER_CLASS && circuit->spec.same_regions);
    OWI_REQUIRE(options->learner == OW_LEARN_EM);
    pooling p = {.circuit = circuit, .options = *options, .source = source, .seed = seed};
    ow_evaluator *evaluator = NULL;
    double towards = chosen != NULL ? chosen->towards_rows : -1.0;
    const owi_fold all = {.from = source, .n_columns = circuit->spec.n_columns};

    p.part = (owi_progress_part){.ctx = circuit->ctx,
                                 .outer = options->progress,
                                 .outer_user = options->progress_user,
                                 .began = owi_clock_seconds(),
                                 .total = 2 * options->passes};
    ow_status status = pooled_new(circuit, &p.pooled);
    if (status == OW_OK) status = ow_evaluator_new(circuit, options->backend, &evaluator);
    if (status == OW_OK) status = count_rows(&p);
    if (status == OW_OK && towards < 0.0) status = choose_pull(&p, evaluator, &towards);
    if (status == OW_OK) status = learn_pool(&p, all);
    if (status == OW_OK) status = adapt(&p, all, towards);
    if (status == OW_OK && chosen != NULL)
        *chosen = (ow_pooling){towards, p.options.prior_rows};
    ow_evaluator_free(evaluator);
    owi_free(circuit->ctx, p.rare);
    ow_circuit_free(p.pooled);
    return status;
}
