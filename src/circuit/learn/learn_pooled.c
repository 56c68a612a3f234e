/* SPDX-License-Identifier: MIT */
/* Pool, then adapt, then tilt.  Learning the classes of a small table apart over-fits the
 * difference of their densities.  So one circuit is learned on all rows first; every class
 * then starts from it and is drawn back to it by `towards_rows` rows.  Last, the classes'
 * densities are tilted (tilt_fit.h): columns that say the same thing twice, which
 * components take for independent, no longer count twice. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/options.h"
#include "circuit/learn/learn.h"
#include "circuit/learn/pooling.h"
#include "circuit/learn/tilt_fit.h"
#include "circuit/rows/row_subset.h"

/* Choosing and tilting look at no more rows than about these, nor at more features in
 * all. */
enum { many_rows = 1 << 15, many_features = 1 << 24 };

/* One circuit for all rows, with the regions of a sub-circuit. */
static ow_status pooled_new(const ow_circuit *circuit, ow_circuit **out)
{
    ow_circuit_spec spec = circuit->spec;
    spec.structure = OW_STRUCTURE_SHARED;
    spec.n_classes = 1;
    return ow_circuit_new(circuit->ctx, &spec, out);
}

/* Every sub-circuit becomes the pooled one. */
static void copy_pooled(const owi_call *call, const ow_circuit *pooled, ow_circuit *circuit)
{
    const size_t n_copies = circuit->regions.n_copies;
    for (size_t copy = 0; copy < n_copies; copy++) {
        for (size_t i = 0; i < pooled->n_leaf; i++)
            circuit->leaf[copy * pooled->n_leaf + i] = pooled->leaf[i];
        for (size_t run = 0; run < owi_circuit_n_runs(circuit); run++) {
            const owi_weight_run from = owi_circuit_weight_run(pooled, 0, run);
            const size_t to = owi_circuit_weight_run(circuit, copy, run).first;
            for (size_t i = 0; i < from.n_sums * from.block; i++)
                circuit->log_weight[to + i] = pooled->log_weight[from.first + i];
        }
    }
    for (size_t j = 0; j < circuit->spec.n_columns; j++)
        circuit->shift[j] = pooled->shift[j];
    owi_circuit_prepare(call, circuit);
}

/* The next passes, as a part of the whole. */
static owi_call next_part(owi_pooling *p, size_t passes)
{
    p->before += p->length;
    p->length = passes;
    return owi_call_part(p->call, p->before, p->length, p->total);
}

ow_status owi_pooling_pool(owi_pooling *p, owi_fold fold)
{
    const owi_call part = next_part(p, p->pooled_passes);
    ow_learn_options options = p->options;
    options.passes = p->pooled_passes;
    fold.others = true;
    const ow_row_source rows = owi_fold_source(&fold);
    OWI_TRY(owi_circuit_start(&part, p->circuit, &rows)); /* counts, averages */
    fold.one_class = true;
    OWI_TRY(owi_circuit_start(&part, p->pooled, &rows));
    return owi_circuit_learn(&part, p->pooled, &options, &rows, NULL, NULL);
}

ow_status owi_pooling_adapt(owi_pooling *p, owi_fold fold, double towards_rows)
{
    const owi_call part = next_part(p, p->options.passes);
    ow_learn_options options = p->options;
    options.prior_rows = fmax(options.prior_rows - towards_rows, 0.0);
    fold.others = true;
    const ow_row_source rows = owi_fold_source(&fold);
    copy_pooled(p->call, p->pooled, p->circuit);
    return owi_circuit_learn_towards(&part, p->circuit, &options, &rows, NULL, p->pooled,
                                     towards_rows, NULL);
}

ow_status owi_pooling_count(owi_pooling *p)
{
    ow_circuit *circuit = p->circuit;
    const size_t C = circuit->spec.n_classes;
    OWI_TRY(owi_circuit_start(p->call, circuit, p->source));
    p->rare = owi_alloc_array(circuit->ctx, C, sizeof *p->rare);
    if (p->rare == NULL) return OW_ERR_MEMORY;
    p->n_rows = 0.0;
    for (size_t c = 0; c < C; c++) {
        p->n_rows += circuit->class_rows[c];
        p->rare[c] = circuit->class_rows[c] < owi_rare_rows;
    }
    return OW_OK;
}

ow_status owi_pooling_part_read(const owi_pooling *p, owi_pooling_part *part)
{
    const ow_circuit *circuit = p->circuit;
    const size_t by_features = many_features / circuit->n_features + 1;
    const size_t wanted = owi_smaller(many_rows, by_features);
    size_t n_rows = 0;
    *part =
        (owi_pooling_part){.all = p->n_rows <= 1.25 * (double)wanted, .source = *p->source};
    if (part->all) return OW_OK;
    OWI_TRY(owi_row_subset_read(p->call, circuit, p->source, wanted, p->call->seed,
                                &part->rows, &part->classes, &n_rows));
    part->array =
        (ow_row_array){n_rows, circuit->spec.n_columns, part->rows, part->classes, 0};
    part->source = ow_row_source_of_array(&part->array);
    return OW_OK;
}

void owi_pooling_part_clear(const owi_pooling *p, owi_pooling_part *part)
{
    owi_free(p->circuit->ctx, part->rows);
    owi_free(p->circuit->ctx, part->classes);
}

/* The circuit as it is, tilted for these rows. */
static ow_status tilt(owi_pooling *p, double ridge)
{
    owi_pooling_part part;
    owi_tilt_rows rows;
    OWI_TRY(owi_pooling_part_read(p, &part));
    memset(p->tilt, 0, owi_tilt_size(p->circuit) * sizeof *p->tilt);
    ow_status status = owi_tilt_rows_read(&rows, p->call, p->evaluator, &part.source);
    if (status == OW_OK) {
        status = owi_tilt_fit(&rows, p->circuit, p->trial, ridge, p->tilt);
        owi_tilt_rows_clear(&rows);
    }
    if (status == OW_OK) status = owi_tilt_apply(p->call, p->circuit, p->tilt, p->circuit);
    owi_pooling_part_clear(p, &part);
    return status;
}

static ow_status init(owi_pooling *p)
{
    ow_circuit *circuit = p->circuit;
    const char *backend = p->options.backend;
    p->tilt = owi_alloc_array(circuit->ctx, owi_tilt_size(circuit), sizeof *p->tilt);
    if (p->tilt == NULL) return OW_ERR_MEMORY;
    OWI_TRY(pooled_new(circuit, &p->pooled));
    OWI_TRY(ow_circuit_new(circuit->ctx, &circuit->spec, &p->trial));
    OWI_TRY(ow_evaluator_new(circuit, backend, &p->evaluator));
    OWI_TRY(ow_evaluator_new(p->trial, backend, &p->trial_evaluator));
    return owi_pooling_count(p);
}

static void clear(owi_pooling *p)
{
    ow_evaluator_free(p->trial_evaluator);
    ow_evaluator_free(p->evaluator);
    ow_circuit_free(p->trial);
    ow_circuit_free(p->pooled);
    owi_free(p->circuit->ctx, p->rare);
    owi_free(p->circuit->ctx, p->tilt);
}

static owi_pooling pooling_of(const owi_call *call, ow_circuit *circuit,
                              const ow_learn_options *options, const ow_row_source *source,
                              const ow_pooling *pooling)
{
    const size_t pooled_passes =
        pooling->pooled_passes > 0 ? pooling->pooled_passes : options->passes;
    return (owi_pooling){.call = call,
                         .circuit = circuit,
                         .options = *options,
                         .pooled_passes = pooled_passes,
                         .source = source,
                         .total = pooled_passes + options->passes};
}

ow_status owi_circuit_try_pooled(const owi_call *call, ow_circuit *circuit,
                                 const ow_learn_options *options,
                                 const ow_row_source *source, const ow_pooling *pooling,
                                 ow_score *held_out)
{
    owi_pooling p = pooling_of(call, circuit, options, source, pooling);
    ow_pooling unused = *pooling;
    p.total = 0;
    ow_status status = init(&p);
    if (status == OW_OK) status = owi_pooling_choose(&p, true, &unused);
    *held_out = p.held_out;
    clear(&p);
    return status;
}

ow_status owi_circuit_learn_pooled(const owi_call *call, ow_circuit *circuit,
                                   const ow_learn_options *options,
                                   const ow_row_source *source, ow_pooling *pooling)
{
    OWI_REQUIRE(circuit->spec.structure == OW_STRUCTURE_PER_CLASS &&
                circuit->spec.same_regions);
    OWI_REQUIRE(options->learner == OW_LEARN_EM);
    owi_pooling p = pooling_of(call, circuit, options, source, pooling);
    ow_pooling chosen = *pooling;
    const owi_fold all = {.from = source, .n_columns = circuit->spec.n_columns};

    chosen.prior_rows = options->prior_rows;
    ow_status status = init(&p);
    if (status == OW_OK && chosen.towards_rows < 0.0)
        status = owi_pooling_choose(&p, false, &chosen);
    if (status == OW_OK) status = owi_pooling_pool(&p, all);
    if (status == OW_OK) status = owi_pooling_adapt(&p, all, chosen.towards_rows);
    if (status == OW_OK && chosen.ridge > 0.0) status = tilt(&p, chosen.ridge);
    if (status == OW_OK) *pooling = chosen;
    clear(&p);
    return status;
}

ow_status ow_circuit_learn_pooled(ow_circuit *circuit, const ow_learn_options *options,
                                  const ow_row_source *source, const ow_call *call,
                                  ow_pooling *pooling)
{
    owi_call running;
    ow_learn_options own = owi_learn_defaults();
    OWI_REQUIRE(circuit != NULL && source != NULL);
    OWI_TRY(OWI_OPTIONS_TAKE(ow_learn_options, options, &own));
    OWI_TRY(owi_call_begin(&running, circuit->ctx, call));
    ow_pooling chosen = {.towards_rows = -1.0};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_pooling, pooling, &chosen));
    const ow_status status =
        owi_circuit_learn_pooled(&running, circuit, &own, source, &chosen);
    if (status == OW_OK && pooling != NULL)
        owi_options_give(&chosen, sizeof chosen, pooling, pooling->size);
    return status;
}
