/* SPDX-License-Identifier: MIT */
/* All single changes of a row at once.  The density is linear in the leaf components n that
 * hold column j, and each of them is a product with one factor for the column:
 *
 *     S(x with x_j := v given c) = sum_n D[n] value[n] p_n(v) / p_n(x_j)
 *
 * with D the derivative with respect to the component's value (log_derivative.h).  D value
 * / p_n(x_j) is what the row says without column j.  It is worked out in the log domain and
 * in double, because value and p_n(x_j) may both be far out in a tail, then taken relative
 * to its largest one; the candidates' p_n(v) are a table relative to theirs.  What is left
 * is a product of two matrices of floats.  Where a sum of it comes out so small that it has
 * lost what it was made of (the row speaks for one component, the candidate for another),
 * it is made again in the log domain. */
#include "circuit/query/query_changes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "circuit/pass/log_derivative.h"
#include "circuit/structure/sheets.h"

/* Rows that use a column's table while it is in the cache. */
enum { rows_at_a_time = 16 };

typedef struct owi_change_worker {
    owi_workspace *workspace;
    double *log_d;     /* (rows, regions * I): log D + log value of one class             */
    double *log_value; /* (regions * I)                                                   */
    double *log_p;     /* (N)                                                             */
    double *without;   /* (rows, N): log D + log value - log p_n(x_j)                     */
    double *largest;   /* (rows): of those                                                */
    float *relative;   /* (rows, N): without - largest                                    */
    float *share;      /* (rows, N): exp of that                                          */
    float *share_top;  /* (rows)                                                          */
    float *sum;        /* (rows, candidates of one column)                                */
    double *scratch;   /* for owi_log_derivative                                          */
} worker;

/* ---- Making and unmaking ---- */

static ow_status copy_candidates(ow_changes *changes, const ow_candidates *candidates)
{
    const ow_circuit *circuit = changes->evaluator->circuit;
    const size_t d = circuit->spec.n_columns;
    const size_t *start = candidates->start;

    for (size_t j = 0; j < d; j++) {
        if (start[j] > start[j + 1])
            return owi_fail(OW_ERR_ARGUMENT,
                            "the candidates of column %zu end before they begin", j);
        changes->most_in_column =
            owi_larger(changes->most_in_column, start[j + 1] - start[j]);
        for (size_t i = start[j]; i < start[j + 1]; i++) {
            char where[64];
            if (owi_leaf_takes(&circuit->leaves[j], candidates->values[i])) continue;
            snprintf(where, sizeof where, "candidate %zu, column %zu", i - start[j], j);
            return owi_leaf_refuse(&circuit->leaves[j], where, candidates->values[i]);
        }
    }
    changes->n_candidates = start[d];
    changes->start = owi_alloc_array(circuit->ctx, d + 1, sizeof *changes->start);
    changes->values =
        owi_alloc_array(circuit->ctx, changes->n_candidates, sizeof *changes->values);
    changes->column =
        owi_alloc_array(circuit->ctx, changes->n_candidates, sizeof *changes->column);
    if (changes->start == NULL || changes->values == NULL || changes->column == NULL)
        return OW_ERR_MEMORY;
    for (size_t j = 0; j < d; j++)
        for (size_t i = start[j]; i < start[j + 1]; i++) changes->column[i] = (uint32_t)j;
    memcpy(changes->start, start, (d + 1) * sizeof *start);
    if (changes->n_candidates > 0)
        memcpy(changes->values, candidates->values,
               changes->n_candidates * sizeof *changes->values);
    return OW_OK;
}

/* One candidate's line of the table, in one copy. */
static void fill_line(ow_changes *changes, size_t copy, size_t j, size_t candidate,
                      double *log_p)
{
    const size_t N = changes->leaves.n_leaves,
                 at = copy * changes->n_candidates + candidate;
    float *line = changes->table + at * N;
    double top = -INFINITY;

    owi_column_log(&changes->leaves, copy, j, changes->values[candidate], log_p);
    for (size_t n = 0; n < N; n++) top = fmax(top, log_p[n]);
    for (size_t n = 0; n < N; n++)
        line[n] = top > -INFINITY ? (float)exp(log_p[n] - top) : 0.0f;
    changes->top[at] = top;
}

static ow_status make_table(ow_changes *changes)
{
    const ow_circuit *circuit = changes->evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    const size_t N = changes->leaves.n_leaves, n_copies = circuit->regions.n_copies;
    size_t n_lines;

    if (!owi_size_multiply(n_copies, changes->n_candidates, &n_lines) ||
        n_lines > SIZE_MAX / sizeof(float) / N)
        return owi_fail(OW_ERR_MEMORY, "%zu candidates are too many",
                        changes->n_candidates);
    changes->table = owi_alloc_aligned(ctx, n_lines * N, sizeof *changes->table);
    changes->top = owi_alloc_array(ctx, n_lines, sizeof *changes->top);
    changes->constant =
        owi_alloc_array(ctx, changes->n_candidates, sizeof *changes->constant);
    changes->scope = owi_alloc_array(ctx, N, sizeof *changes->scope);
    changes->zeros = owi_alloc_array(ctx, changes->most_in_column, sizeof *changes->zeros);
    double *log_p = owi_alloc_array(ctx, N, sizeof *log_p);
    ow_status status = OW_ERR_MEMORY;
    if (changes->table == NULL || changes->top == NULL || changes->constant == NULL ||
        changes->scope == NULL || changes->zeros == NULL || log_p == NULL)
        goto done;
    for (uint32_t n = 0; n < N; n++) changes->scope[n] = n;
    for (size_t j = 0; j < circuit->spec.n_columns; j++)
        for (size_t i = changes->start[j]; i < changes->start[j + 1]; i++) {
            changes->constant[i] = owi_leaf_constant(circuit, j, changes->values[i]);
            for (size_t copy = 0; copy < n_copies; copy++)
                fill_line(changes, copy, j, i, log_p);
        }
    status = OW_OK;

done:
    owi_free(ctx, log_p);
    return status;
}

ow_status ow_changes_new(ow_evaluator *evaluator, const ow_candidates *candidates,
                         ow_changes **out)
{
    OWI_REQUIRE(evaluator != NULL && candidates != NULL && out != NULL);
    OWI_REQUIRE(candidates->start != NULL && candidates->start[0] == 0);
    *out = NULL;
    const ow_circuit *circuit = evaluator->circuit;
    OWI_REQUIRE(candidates->values != NULL ||
                candidates->start[circuit->spec.n_columns] == 0);
    ow_changes *changes = owi_alloc_zeroed(circuit->ctx, sizeof *changes);
    if (changes == NULL) return OW_ERR_MEMORY;
    changes->evaluator = evaluator;
    changes->least_sum = 1e-30f;
    changes->least_pair_sum = 1e-24f;
    ow_status status = copy_candidates(changes, candidates);
    if (status == OW_OK) status = owi_column_leaves_init(&changes->leaves, circuit);
    if (status == OW_OK) status = make_table(changes);
    if (status == OW_OK)
        *out = changes;
    else
        ow_changes_free(changes);
    return status;
}

void ow_changes_free(ow_changes *changes)
{
    if (changes == NULL) return;
    ow_context *ctx = changes->evaluator->circuit->ctx;
    for (size_t i = 0; i < changes->n_workers; i++)
        owi_workspace_free(changes->workers[i].workspace);
    owi_free(ctx, changes->workers);
    owi_pairs_clear(changes);
    owi_free(ctx, changes->column);
    owi_free(ctx, changes->start);
    owi_free(ctx, changes->values);
    owi_free(ctx, changes->constant);
    owi_free_aligned(ctx, changes->table);
    owi_free(ctx, changes->top);
    owi_free(ctx, changes->scope);
    owi_free(ctx, changes->zeros);
    owi_column_leaves_clear(&changes->leaves);
    owi_free(ctx, changes);
}

static size_t carve(worker *w, const ow_changes *changes)
{
    enum { rows = rows_at_a_time };
    const ow_circuit *circuit = changes->evaluator->circuit;
    const size_t N = changes->leaves.n_leaves;
    const size_t n_nodes = circuit->regions.n_regions * circuit->spec.inputs;
    owi_carver from = {w->workspace, 0};

    w->log_d = owi_carve(&from, rows * n_nodes, sizeof(double));
    w->log_value = owi_carve(&from, n_nodes, sizeof(double));
    w->log_p = owi_carve(&from, N, sizeof(double));
    w->without = owi_carve(&from, rows * N, sizeof(double));
    w->largest = owi_carve(&from, rows, sizeof(double));
    w->relative = owi_carve(&from, rows * N, sizeof(float));
    w->share = owi_carve(&from, rows * N, sizeof(float));
    w->share_top = owi_carve(&from, rows, sizeof(float));
    w->sum = owi_carve(&from, rows * changes->most_in_column, sizeof(float));
    w->scratch = owi_carve(&from, owi_log_derivative_scratch(circuit), sizeof(double));
    return from.size;
}

/* At least as many workers as run for so many rows. */
static ow_status prepare_workers(const owi_call *call, ow_changes *changes, size_t n_rows)
{
    ow_context *ctx = changes->evaluator->circuit->ctx;
    const size_t wanted = owi_parallel_workers(call, n_rows, owi_evaluator_chunk);
    if (wanted <= changes->n_workers) return OW_OK;

    worker *workers = owi_resize_array(ctx, changes->workers, wanted, sizeof *workers);
    if (workers == NULL) return OW_ERR_MEMORY;
    changes->workers = workers;
    while (changes->n_workers < wanted) {
        worker *w = &workers[changes->n_workers];
        *w = (worker){0};
        OWI_TRY(owi_workspace_new(ctx, carve(w, changes), &w->workspace));
        (void)carve(w, changes);
        changes->n_workers++;
        OWI_TRY(owi_workspace_status(w->workspace));
    }
    return OW_OK;
}

/* ---- One class, a few rows ---- */

typedef struct {
    ow_changes *changes;
    worker *w;
    const owi_pass *pass;
    size_t c, copy;
    size_t first, n_rows; /* of the pass's rows */
    double *
        log_changed; /* of the first row and this class; other rows follow `stride` apart */
    size_t stride;
} part;

/* log D + log value of every leaf component. */
static void derive_rows(const part *p)
{
    const ow_circuit *circuit = p->pass->circuit;
    const size_t n_nodes = circuit->regions.n_regions * circuit->spec.inputs;
    worker *w = p->w;

    for (size_t i = 0; i < p->n_rows; i++) {
        const size_t row = p->first + i;
        double *log_d = w->log_d + i * n_nodes;
        owi_log_derivative(p->pass, row, p->c, w->scratch, log_d);
        owi_column_log_values(&p->changes->leaves, p->copy,
                              p->pass->rows + row * circuit->spec.n_columns, w->log_p,
                              w->log_value);
        for (size_t n = 0; n < n_nodes; n++) log_d[n] += w->log_value[n];
    }
}

/* What row i says of the N components without column j. */
static void leave_out(const part *p, size_t i, size_t j)
{
    const ow_circuit *circuit = p->pass->circuit;
    const size_t N = p->changes->leaves.n_leaves, I = circuit->spec.inputs;
    const size_t *node = owi_column_nodes(&p->changes->leaves, p->copy, j);
    const double *log_d =
        p->w->log_d + i * circuit->regions.n_regions * circuit->spec.inputs;
    const double *log_p = p->w->log_p;
    double *without = p->w->without + i * N, largest = -INFINITY;
    float *relative = p->w->relative + i * N;

    owi_column_log(&p->changes->leaves, p->copy, j,
                   p->pass->rows[(p->first + i) * circuit->spec.n_columns + j],
                   p->w->log_p);
    for (size_t rep = 0; rep < circuit->spec.repetitions; rep++)
        for (size_t k = 0; k < I; k++) {
            const double value = log_d[node[rep] + k] - log_p[rep * I + k];
            without[rep * I + k] = value;
            largest = value > largest ? value : largest;
        }
    p->w->largest[i] = largest;
    /* Of an impossible row nothing is relative to anything: log_sum will say so. */
    const double offset = largest > -INFINITY ? largest : 0.0;
    for (size_t n = 0; n < N; n++) relative[n] = (float)(without[n] - offset);
}

/* log sum_n exp(without[n] + log p_n(v)), in double. */
static double log_sum(const part *p, size_t i, size_t j, size_t candidate)
{
    const size_t N = p->changes->leaves.n_leaves;
    const double *without = p->w->without + i * N;
    double *term = p->w->log_p, top = -INFINITY, sum = 0.0;

    owi_column_log(&p->changes->leaves, p->copy, j, p->changes->values[candidate], term);
    for (size_t n = 0; n < N; n++) {
        term[n] += without[n];
        top = term[n] > top ? term[n] : top;
    }
    if (top == -INFINITY) return -INFINITY;
    for (size_t n = 0; n < N; n++)
        if (term[n] > top - 40.0) sum += exp(term[n] - top); /* the rest is below 1e-17 */
    return top + log(sum);
}

/* All candidates of one column. */
static void change_column(const part *p, size_t j)
{
    const ow_changes *changes = p->changes;
    const ow_circuit *circuit = p->pass->circuit;
    const owi_backend *backend = p->pass->backend;
    const size_t N = changes->leaves.n_leaves, first = changes->start[j];
    const size_t m = changes->start[j + 1] - first;
    const size_t at = p->copy * changes->n_candidates + first;
    worker *w = p->w;

    for (size_t i = 0; i < p->n_rows; i++) leave_out(p, i, j);
    const owi_batch batch = {p->n_rows, 1, 0};
    const owi_layer_values shares = {w->relative, w->share, w->share_top};
    const uint32_t scope_start[2] = {0, (uint32_t)N};
    const owi_leaf_shape product = {.n_regions = 1,
                                    .n_components = m,
                                    .n_features = N,
                                    .scope_start = scope_start,
                                    .scope = changes->scope};
    backend->normalize(backend, 1, N, batch, &shares);
    backend->leaf_forward(backend, &product, batch, changes->table + at * N, changes->zeros,
                          w->share, w->sum);

    for (size_t i = 0; i < p->n_rows; i++) {
        const size_t row = p->first + i;
        const float *x_row = p->pass->rows + row * circuit->spec.n_columns;
        const double constant =
            p->pass->tiles.row_constant[row] - owi_leaf_constant(circuit, j, x_row[j]);
        double *out = p->log_changed + i * p->stride + first;
        for (size_t k = 0; k < m; k++) {
            const float sum = w->sum[i * m + k];
            const double log_changed =
                sum >= changes->least_sum
                    ? w->largest[i] + changes->top[at + k] + log((double)sum)
                    : log_sum(p, i, j, first + k);
            out[k] = log_changed + constant + changes->constant[first + k] +
                     owi_sheets_gain(circuit, x_row, j, changes->values[first + k]);
        }
    }
}

/* ---- All rows ---- */

typedef struct {
    ow_changes *changes;
    const float *rows;
    double *log_class, *log_changed;
} job;

static ow_status change_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    ow_changes *changes = work->changes;
    owi_pass *pass = &changes->evaluator->passes[chunk->worker];
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes, d = circuit->spec.n_columns;
    const size_t stride = C * changes->n_candidates;

    OWI_TRY(owi_pass_forward(pass, chunk->n, work->rows + chunk->first * d, chunk->first));
    if (work->log_class != NULL)
        owi_pass_log_classes(pass, work->log_class + chunk->first * C);
    for (size_t first = 0; first < chunk->n; first += rows_at_a_time)
        for (size_t c = 0; c < C; c++) {
            const part p = {.changes = changes,
                            .w = &changes->workers[chunk->worker],
                            .pass = pass,
                            .c = c,
                            .copy = c / owi_circuit_copy_classes(circuit),
                            .first = first,
                            .n_rows = owi_smaller(rows_at_a_time, chunk->n - first),
                            .log_changed = work->log_changed +
                                           (chunk->first + first) * stride +
                                           c * changes->n_candidates,
                            .stride = stride};
            derive_rows(&p);
            for (size_t j = 0; j < d; j++)
                if (changes->start[j] < changes->start[j + 1]) change_column(&p, j);
        }
    return OW_OK;
}

ow_status owi_single_changes(const owi_call *call, ow_changes *changes, size_t n_rows,
                             const float *rows, double *log_class, double *log_changed)
{
    OWI_REQUIRE(n_rows == 0 || (rows != NULL && log_changed != NULL));
    OWI_TRY(owi_evaluator_prepare(call, changes->evaluator, n_rows, false));
    OWI_TRY(prepare_workers(call, changes, n_rows));
    job work = {changes, rows, log_class, log_changed};
    return owi_parallel_rows(call, n_rows, owi_evaluator_chunk, change_chunk, &work);
}

ow_status ow_changes_singles(ow_changes *changes, size_t n_rows, const float *rows,
                             const ow_call *call, double *log_class, double *log_changed)
{
    owi_call own;
    OWI_REQUIRE(changes != NULL);
    OWI_TRY(owi_call_begin(&own, changes->evaluator->circuit->ctx, call));
    return owi_single_changes(&own, changes, n_rows, rows, log_class, log_changed);
}
