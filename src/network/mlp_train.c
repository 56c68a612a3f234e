/* SPDX-License-Identifier: MIT */
#include "network/mlp_train.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/rng.h"
#include "circuit/rows/fold_source.h"
#include "network/input_scale.h"
#include "network/mlp_step.h"

/* Below so many rows batches are a tile. */
enum { few_rows = 5000, small_batch = 64, large_batch = 256 };
/* Rows that are read at a time to learn from, and shuffled among each other, take this at
 * most; those that are looked at first are so many. */
static const size_t most_block_bytes = (size_t)64 << 20;
enum { looked_rows = 512 };

owi_mlp_options owi_mlp_defaults(void)
{
    return (owi_mlp_options){
        .passes = 200, .patience = 10, .rate = 1e-3, .decay = 1e-4, .held_out = 0.1};
}

typedef struct {
    const owi_call *call;
    ow_context *ctx;
    const owi_mlp_options *options;
    owi_mlp *mlp;
    owi_fold learned, held_out;
    ow_row_source train, validation;
    owi_mlp_step step;
    /* A block of rows, and the order in which they are learned from. */
    size_t block_rows;
    float *rows;
    int32_t *classes;
    size_t *order;
    /* Where the first block is all there is, it is read once, and those held out with
     * it. */
    size_t n_source; /* rows of the source                                      */
    size_t n_kept;   /* rows to learn from that the block holds for good; 0: none */
    size_t n_held;
    float *held_rows;
    int32_t *held_classes;
    float *best; /* parameters */
    owi_mlp_score score;
} trainer;

/* ---- First values ---- */

static ow_status add_block(const trainer *t, owi_input_sums *sums, size_t n,
                           size_t first_row)
{
    const size_t width = owi_mlp_n_inputs(t->mlp);
    for (size_t i = 0; i < n * width; i++) {
        if (isinf(t->rows[i]))
            return owi_fail(OW_ERR_NUMERIC,
                            "row %zu, entry %zu: expected a number, got infinity",
                            first_row + i / width + 1, i % width);
        if (!isnan(t->rows[i])) owi_input_sums_add(&sums[i % width], (double)t->rows[i]);
    }
    return OW_OK;
}

/* A block of so many rows; what it held is gone. */
static ow_status set_block(trainer *t, size_t n_rows)
{
    owi_free(t->ctx, t->rows);
    owi_free(t->ctx, t->classes);
    owi_free(t->ctx, t->order);
    t->block_rows = n_rows;
    t->rows = owi_alloc_array(t->ctx, n_rows * owi_mlp_n_inputs(t->mlp), sizeof *t->rows);
    t->classes = owi_alloc_array(t->ctx, n_rows, sizeof *t->classes);
    t->order = owi_alloc_array(t->ctx, n_rows, sizeof *t->order);
    return t->rows != NULL && t->classes != NULL && t->order != NULL ? OW_OK
                                                                     : OW_ERR_MEMORY;
}

/* Shift and scale of the inputs, and how many rows there are. */
static ow_status look(trainer *t)
{
    const size_t width = owi_mlp_n_inputs(t->mlp);
    OWI_TRY(set_block(t, looked_rows));
    owi_input_sums *sums = owi_alloc_array(t->ctx, width, sizeof *sums);
    ow_status status = sums != NULL ? t->train.rewind(t->train.user) : OW_ERR_MEMORY;
    for (size_t j = 0; j < width && status == OW_OK; j++)
        sums[j] = owi_input_sums_of_none();
    while (status == OW_OK) {
        size_t n;
        status = owi_call_tick(t->call);
        if (status == OW_OK)
            status = t->train.next(t->train.user, t->block_rows, t->rows, t->classes, &n);
        if (status != OW_OK || n == 0) break;
        status = add_block(t, sums, n, t->score.n_rows);
        t->score.n_rows += n;
    }
    if (status == OW_OK && t->options->one_kind) owi_input_sums_share_range(width, sums);
    for (size_t j = 0; j < width && status == OW_OK; j++) {
        t->mlp->shift[j] = (float)sums[j].mean;
        t->mlp->scale[j] = (float)owi_input_scale(&sums[j]);
    }
    owi_free(t->ctx, sums);
    if (status == OW_OK && t->score.n_rows == 0)
        return owi_fail(OW_ERR_ARGUMENT, "a network needs rows to learn from");
    return status;
}

/* Uniform with the variance that keeps that of the layer before (He et al., 2015), half of
 * it behind the last ReLU; numbers begin with their means. */
static void draw_weights(owi_mlp *mlp, uint64_t seed)
{
    for (size_t l = 0; l < mlp->spec.n_layers; l++) {
        const size_t n_in = mlp->spec.sizes[l], n_out = mlp->spec.sizes[l + 1];
        const bool last = l + 1 == mlp->spec.n_layers;
        const double bound = sqrt((last ? 3.0 : 6.0) / (double)n_in);
        owi_rng rng;
        owi_rng_init(&rng, seed, owi_rng_stream(OWI_DRAWS_NETWORK, l));
        for (size_t i = 0; i < n_out * n_in; i++)
            mlp->weight[l][i] = (float)(bound * (2.0 * owi_rng_uniform(&rng) - 1.0));
        for (size_t k = 0; k < n_out && last && mlp->spec.output == OWI_MLP_NUMBERS; k++)
            mlp->bias[l][k] = mlp->shift[k];
    }
}

/* ---- Passes ---- */

static ow_status check_classes(const trainer *t, size_t n, const int32_t *classes)
{
    const size_t C = owi_mlp_n_outputs(t->mlp);
    for (size_t i = 0; i < n && t->mlp->spec.output == OWI_MLP_CLASSES; i++)
        if (classes[i] < 0 || (size_t)classes[i] >= C)
            return owi_fail(OW_ERR_ARGUMENT, "class %d, expected 0 to %zu", classes[i],
                            C - 1);
    return OW_OK;
}

/* As many rows of the source as fill the block if none is held out, a few at a time; fewer
 * where the source gives fewer than it is asked for. */
static ow_status fill_block(trainer *t, size_t *n)
{
    enum { few = 4096 };
    const size_t width = owi_mlp_n_inputs(t->mlp), end = t->learned.row + t->block_rows;
    for (*n = 0; t->learned.row < end;) {
        const size_t first = t->learned.row, asked = owi_smaller(few, end - first);
        size_t n_more;
        OWI_TRY(owi_call_tick(t->call));
        OWI_TRY(t->train.next(t->train.user, asked, t->rows + *n * width, t->classes + *n,
                              &n_more));
        *n += n_more;
        if (n_more == 0 || t->learned.row - first < asked) break;
    }
    return OW_OK;
}

/* The next rows to learn from, after n_seen of them. */
static ow_status next_block(trainer *t, size_t n_seen, size_t *n)
{
    *n = n_seen == 0 ? t->n_kept : 0;
    if (t->n_kept > 0) return OW_OK;
    if (n_seen == 0) OWI_TRY(t->train.rewind(t->train.user));
    OWI_TRY(fill_block(t, n));
    if (n_seen == 0 && t->learned.row == t->n_source) t->n_kept = *n;
    return check_classes(t, *n, t->classes);
}

/* Batches of a block in the order drawn; adds up the loss. */
static ow_status learn_block(trainer *t, size_t n, size_t first_row, double *loss)
{
    owi_mlp_step *step = &t->step;
    const size_t width = owi_mlp_n_inputs(t->mlp);
    for (size_t first = 0; first < n; first += step->batch_rows) {
        const size_t n_batch = owi_smaller(step->batch_rows, n - first);
        for (size_t i = 0; i < n_batch; i++) {
            const size_t row = t->order[first + i];
            memcpy(step->rows + i * width, t->rows + row * width, width * sizeof *t->rows);
            step->classes[i] = t->classes[row];
        }
        OWI_TRY(owi_mlp_step_run(step, n_batch, first_row + first, true));
        for (size_t i = 0; i < n_batch; i++) *loss += step->loss[i];
    }
    return OW_OK;
}

/* All training rows once; the mean of their losses, each before the step that it led to. */
static ow_status learn_pass(trainer *t, size_t pass, double *loss)
{
    owi_rng rng;
    size_t n_seen = 0, n;
    *loss = 0.0;
    owi_rng_init(&rng, t->options->seed, owi_rng_stream(OWI_DRAWS_BATCHES, pass));
    for (;;) {
        OWI_TRY(next_block(t, n_seen, &n));
        if (n == 0) break;
        for (size_t i = 0; i < n; i++) t->order[i] = i;
        owi_rng_shuffle(&rng, n, t->order);
        OWI_TRY(learn_block(t, n, n_seen, loss));
        n_seen += n;
    }
    *loss /= (double)owi_larger(n_seen, 1);
    return OW_OK;
}

/* The first time, where the rows to learn from are kept. */
static ow_status keep_held_out(trainer *t)
{
    const size_t most = t->n_source - t->n_kept, width = owi_mlp_n_inputs(t->mlp);
    const owi_mlp_step *step = &t->step;
    if (t->n_kept == 0 || most == 0 || t->held_rows != NULL) return OW_OK;
    t->held_rows = owi_alloc_array(t->ctx, most, width * sizeof *t->held_rows);
    t->held_classes = owi_alloc_array(t->ctx, most, sizeof *t->held_classes);
    if (t->held_rows == NULL || t->held_classes == NULL) return OW_ERR_MEMORY;
    OWI_TRY(t->validation.rewind(t->validation.user));
    for (;;) {
        size_t n;
        OWI_TRY(owi_call_tick(t->call));
        OWI_TRY(t->validation.next(t->validation.user, step->batch_rows, step->rows,
                                   step->classes, &n));
        if (n == 0) return OW_OK;
        OWI_REQUIRE(n <= most - t->n_held);
        OWI_TRY(check_classes(t, n, step->classes));
        memcpy(t->held_rows + t->n_held * width, step->rows,
               n * width * sizeof *step->rows);
        memcpy(t->held_classes + t->n_held, step->classes, n * sizeof *step->classes);
        t->n_held += n;
    }
}

/* A batch of held-out rows, after n_seen of them. */
static ow_status next_held_out(trainer *t, size_t n_seen, size_t *n)
{
    owi_mlp_step *step = &t->step;
    const size_t width = owi_mlp_n_inputs(t->mlp);
    if (t->n_kept > 0) {
        *n = owi_smaller(step->batch_rows, t->n_held - n_seen);
        if (*n == 0) return OW_OK;
        memcpy(step->rows, t->held_rows + n_seen * width, *n * width * sizeof *step->rows);
        memcpy(step->classes, t->held_classes + n_seen, *n * sizeof *step->classes);
        return OW_OK;
    }
    if (n_seen == 0) OWI_TRY(t->validation.rewind(t->validation.user));
    OWI_TRY(t->validation.next(t->validation.user, step->batch_rows, step->rows,
                               step->classes, n));
    return check_classes(t, *n, step->classes);
}

/* Mean loss and accuracy of the held-out rows; *n is 0 where there are none. */
static ow_status validate(trainer *t, size_t *n_rows, double *loss, double *accuracy)
{
    owi_mlp_step *step = &t->step;
    size_t n;
    *n_rows = 0;
    *loss = *accuracy = 0.0;
    OWI_TRY(keep_held_out(t));
    for (;;) {
        OWI_TRY(next_held_out(t, *n_rows, &n));
        if (n == 0) break;
        OWI_TRY(owi_mlp_step_run(step, n, *n_rows, false));
        for (size_t i = 0; i < n; i++) {
            *loss += step->loss[i];
            *accuracy += step->correct[i] ? 1.0 : 0.0;
        }
        *n_rows += n;
    }
    *loss /= (double)owi_larger(*n_rows, 1);
    *accuracy /= (double)owi_larger(*n_rows, 1);
    return OW_OK;
}

/* One pass; *ends: it was the last that is worth while. */
static ow_status improve(trainer *t, size_t pass, bool *ends)
{
    owi_mlp *mlp = t->mlp;
    double train_loss, loss, accuracy;
    OWI_TRY(learn_pass(t, pass, &train_loss));
    OWI_TRY(validate(t, &t->score.n_held_out, &loss, &accuracy));
    if (t->score.n_held_out == 0) loss = train_loss;
    t->score.passes = pass;
    *ends = !isfinite(loss) ||
            (!(loss < t->score.loss) && pass - t->score.best_pass >= t->options->patience);
    if (!(loss < t->score.loss)) return OW_OK;
    memcpy(t->best, mlp->block, mlp->n_parameters * sizeof *mlp->block);
    t->score.loss = loss;
    t->score.accuracy = accuracy;
    t->score.best_pass = pass;
    return OW_OK;
}

/* Passes until nothing improves any more; the best state is left. */
static ow_status learn(trainer *t)
{
    static const char stage[] = "learning the network";
    owi_mlp *mlp = t->mlp;
    const size_t bytes = mlp->n_parameters * sizeof *mlp->block;
    bool ends = false;

    t->score.loss = INFINITY;
    memcpy(t->best, mlp->block, bytes);
    ow_status status = owi_call_progress(t->call, stage, 0, t->options->passes);
    for (size_t pass = 1; pass <= t->options->passes && status == OW_OK && !ends; pass++) {
        status = improve(t, pass, &ends);
        if (status == OW_OK && !ends)
            status = owi_call_progress(t->call, stage, pass, t->options->passes);
    }
    memcpy(mlp->block, t->best, bytes);
    if (status == OW_OK && !isfinite(t->score.loss))
        return owi_fail(OW_ERR_NUMERIC,
                        "the network does not converge: its loss is not a number after %zu "
                        "passes",
                        t->score.passes);
    return status;
}

/* ---- Beginning and end ---- */

static ow_status prepare_rows(trainer *t, const ow_row_source *source)
{
    const size_t width = owi_mlp_n_inputs(t->mlp);
    t->learned = (owi_fold){.from = source,
                            .n_columns = width,
                            .seed = t->options->seed ^ 0x6d6c70,
                            .rare = t->options->rare,
                            .high = t->options->held_out,
                            .others = true};
    t->held_out = t->learned;
    t->held_out.others = false;
    t->train = owi_fold_source(&t->learned);
    t->validation = owi_fold_source(&t->held_out);
    t->best = owi_alloc_array(t->ctx, t->mlp->n_parameters, sizeof *t->best);
    if (t->best == NULL) return OW_ERR_MEMORY;
    OWI_TRY(look(t));
    t->n_source = t->learned.row;
    /* All rows of the source, if they fit: those held out are read with the others. */
    const size_t fitting = most_block_bytes / sizeof(float) / width;
    return set_block(t, owi_smaller(t->learned.row, owi_larger(large_batch, fitting)));
}

static ow_status prepare_steps(trainer *t)
{
    const owi_mlp_options *options = t->options;
    const owi_backend *backend;
    const size_t automatic = t->score.n_rows < few_rows ? small_batch : large_batch;
    OWI_TRY(owi_backend_choose(options->backend, &backend));
    OWI_TRY(owi_mlp_step_init(&t->step, t->call, t->mlp, backend,
                              options->batch > 0 ? options->batch : automatic));
    t->step.rate = options->rate;
    t->step.decay = options->decay;
    return OW_OK;
}

ow_status owi_mlp_train(const owi_call *call, const owi_mlp_spec *spec,
                        const owi_mlp_options *options, const ow_row_source *source,
                        owi_mlp **out, owi_mlp_score *score)
{
    ow_context *ctx = call->ctx;
    trainer t = {.call = call, .ctx = ctx, .options = options};
    *out = NULL;
    OWI_REQUIRE(spec->output == OWI_MLP_CLASSES ||
                spec->sizes[0] == spec->sizes[spec->n_layers]);
    OWI_TRY(owi_mlp_new(ctx, spec, &t.mlp));
    ow_status status = prepare_rows(&t, source);
    if (status == OW_OK) {
        draw_weights(t.mlp, options->seed);
        status = prepare_steps(&t);
    }
    if (status == OW_OK) status = learn(&t);
    if (t.step.mlp != NULL) owi_mlp_step_clear(&t.step);
    owi_free(ctx, t.rows);
    owi_free(ctx, t.classes);
    owi_free(ctx, t.order);
    owi_free(ctx, t.held_rows);
    owi_free(ctx, t.held_classes);
    owi_free(ctx, t.best);
    if (score != NULL) *score = t.score;
    if (status == OW_OK || status == OW_ERR_CANCELLED)
        *out = t.mlp;
    else
        owi_mlp_free(t.mlp);
    return status;
}
