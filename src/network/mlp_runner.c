/* SPDX-License-Identifier: MIT */
/* Rows through a network on all threads: a pass and two rows of outputs for each worker. */
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "network/mlp_pass.h"

/* Rows that a worker takes at a time; fewer than the second are run one by one. */
enum { chunk_rows = owi_tile_lanes, fewest_tiled_rows = 24 };

typedef struct {
    owi_mlp_pass pass;
    float *out, *flow; /* chunk_rows x outputs */
} worker;

struct owi_mlp_runner {
    const owi_mlp *mlp;
    const owi_backend *backend;
    size_t n_workers;
    worker *workers;
};

static owi_batch batch_of(size_t n_rows)
{
    return n_rows < fewest_tiled_rows ? (owi_batch){n_rows, 1, 0} : owi_tiles_of(n_rows);
}

static ow_status worker_init(worker *w, const owi_mlp *mlp, const owi_backend *backend)
{
    const size_t n = chunk_rows * owi_mlp_n_outputs(mlp);
    *w = (worker){0};
    OWI_TRY(owi_mlp_pass_init(&w->pass, mlp, backend, chunk_rows, true));
    w->out = owi_alloc_array(mlp->ctx, 2 * n, sizeof *w->out);
    if (w->out == NULL) {
        owi_mlp_pass_clear(&w->pass);
        return OW_ERR_MEMORY;
    }
    w->flow = w->out + n;
    return OW_OK;
}

/* At least so many workers. */
static ow_status hire(owi_mlp_runner *runner, size_t n)
{
    ow_context *ctx = runner->mlp->ctx;
    if (n <= runner->n_workers) return OW_OK;
    worker *workers = owi_resize_array(ctx, runner->workers, n, sizeof *workers);
    if (workers == NULL) return OW_ERR_MEMORY;
    runner->workers = workers;
    while (runner->n_workers < n) {
        OWI_TRY(worker_init(&workers[runner->n_workers], runner->mlp, runner->backend));
        runner->n_workers++;
    }
    return OW_OK;
}

ow_status owi_mlp_runner_new(const owi_mlp *mlp, const char *backend, owi_mlp_runner **out)
{
    *out = NULL;
    owi_mlp_runner *runner = owi_alloc_zeroed(mlp->ctx, sizeof *runner);
    if (runner == NULL) return OW_ERR_MEMORY;
    runner->mlp = mlp;
    ow_status status = owi_backend_choose(backend, &runner->backend);
    if (status == OW_OK) status = hire(runner, 1);
    if (status == OW_OK)
        *out = runner;
    else
        owi_mlp_runner_free(runner);
    return status;
}

void owi_mlp_runner_free(owi_mlp_runner *runner)
{
    if (runner == NULL) return;
    ow_context *ctx = runner->mlp->ctx;
    for (size_t i = 0; i < runner->n_workers; i++) {
        owi_mlp_pass_clear(&runner->workers[i].pass);
        owi_free(ctx, runner->workers[i].out);
    }
    owi_free(ctx, runner->workers);
    owi_free(ctx, runner);
}

const owi_mlp *owi_mlp_runner_network(const owi_mlp_runner *runner)
{
    return runner->mlp;
}

/* ---- Calls ---- */

typedef struct {
    owi_mlp_runner *runner;
    const float *rows;
    float *out; /* or */
    owi_mlp_flow_fn flow;
    void *user;
    float *gradient;
} job;

static ow_status run_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    const owi_mlp *mlp = work->runner->mlp;
    const size_t n_in = owi_mlp_n_inputs(mlp), n_out = owi_mlp_n_outputs(mlp);
    const float *rows = work->rows + chunk->first * n_in;
    const owi_batch batch = batch_of(chunk->n);
    worker *w = &work->runner->workers[chunk->worker];

    OWI_TRY(owi_mlp_pass_fill(&w->pass, batch, chunk->n, rows, chunk->first));
    owi_mlp_pass_forward(&w->pass, batch);
    if (work->out != NULL) {
        owi_mlp_pass_outputs(&w->pass, batch, chunk->n, work->out + chunk->first * n_out);
        return OW_OK;
    }
    owi_mlp_pass_outputs(&w->pass, batch, chunk->n, w->out);
    float *gradient = work->gradient != NULL ? work->gradient + chunk->first * n_in : NULL;
    for (size_t i = 0; i < chunk->n; i++)
        work->flow(work->user, chunk->first + i, w->out + i * n_out, w->flow + i * n_out);
    if (gradient == NULL) return OW_OK;
    owi_mlp_pass_set_flow(&w->pass, batch, chunk->n, w->flow);
    owi_mlp_pass_backward(&w->pass, batch, true);
    owi_mlp_pass_gradient(&w->pass, batch, chunk->n, rows, gradient);
    return OW_OK;
}

ow_status owi_mlp_forward(const owi_call *call, owi_mlp_runner *runner, size_t n_rows,
                          const float *rows, float *out)
{
    job work = {.runner = runner, .rows = rows, .out = out};
    OWI_TRY(hire(runner, owi_parallel_workers(call, n_rows, chunk_rows)));
    return owi_parallel_rows(call, n_rows, chunk_rows, run_chunk, &work);
}

ow_status owi_mlp_backward_input(const owi_call *call, owi_mlp_runner *runner,
                                 size_t n_rows, const float *rows, owi_mlp_flow_fn flow,
                                 void *user, float *gradient)
{
    job work = {
        .runner = runner, .rows = rows, .flow = flow, .user = user, .gradient = gradient};
    OWI_TRY(hire(runner, owi_parallel_workers(call, n_rows, chunk_rows)));
    return owi_parallel_rows(call, n_rows, chunk_rows, run_chunk, &work);
}

/* ---- Tiles ---- */

typedef struct {
    owi_mlp_runner *runner;
    owi_mlp_tile_fn run;
    void *user;
} tile_job;

static ow_status run_tile(void *user, const owi_chunk *chunk)
{
    const tile_job *work = user;
    return work->run(work->user, &work->runner->workers[chunk->worker].pass, chunk->chunk);
}

ow_status owi_mlp_run_tiles(const owi_call *call, owi_mlp_runner *runner, size_t n_tiles,
                            owi_mlp_tile_fn run, void *user)
{
    tile_job work = {runner, run, user};
    const size_t n_rows = n_tiles * chunk_rows;
    OWI_TRY(hire(runner, owi_parallel_workers(call, n_rows, chunk_rows)));
    return owi_parallel_rows(call, n_rows, chunk_rows, run_tile, &work);
}
