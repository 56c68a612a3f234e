/* SPDX-License-Identifier: MIT */
#include "explain/cem/cem_basis.h"

#include <math.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "circuit/pass/evaluator.h"
#include "explain/core/background.h"
#include "explain/descent/entry_means.h"
#include "network/autoencoder.h"

/* ---- Known rows ---- */

/* The background rows, or where there are none the model's samples of all classes; soft
 * rows with gaps as they are. */
typedef struct {
    size_t n_rows;
    float *rows;
} known_rows;

static ow_status find_known_rows(const owi_problem *problem, known_rows *known)
{
    const ow_circuit *circuit = ow_model_circuit(problem->model);
    size_t total = 0, n;
    *known = (known_rows){0};
    if (problem->background != NULL) {
        known->n_rows = problem->background->n_rows;
        return owi_soft_rows(problem, known->n_rows, problem->background->values,
                             &known->rows);
    }
    for (size_t c = 0; c < problem->n_classes; c++) {
        ow_model_samples(problem->model, c, &n);
        total += n;
    }
    known->rows =
        owi_alloc_array(problem->ctx, total, problem->soft_width * sizeof *known->rows);
    if (known->rows == NULL) return OW_ERR_MEMORY;
    for (size_t c = 0; c < problem->n_classes; c++) {
        const float *samples = ow_model_samples(problem->model, c, &n);
        ow_circuit_soften(circuit, n, samples,
                          known->rows + known->n_rows * problem->soft_width);
        known->n_rows += n;
    }
    return OW_OK;
}

static void add_number(owi_cem_basis *basis, size_t entry)
{
    owi_number_run *last = basis->runs + basis->n_runs;
    if (basis->n_runs > 0 && last[-1].first + last[-1].width == entry) {
        last[-1].width++;
        return;
    }
    *last = (owi_number_run){.first = entry, .width = 1};
    basis->n_runs++;
}

/* b: of numbers the median of the training rows, of levels their shares. */
static ow_status find_nothing(const owi_problem *problem, const known_rows *known,
                              owi_cem_basis *basis)
{
    const size_t n_columns = problem->n_columns, width = problem->soft_width;
    double *values;
    float *medians;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(values, n_columns), OWI_PIECE(medians, width)};
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t column = 0; column < n_columns; column++) {
        const ow_column_figures figures = ow_model_figures(problem->model, column);
        const size_t n = figures.n_quantiles;
        values[column] = n > 0 ? figures.quantiles[(n - 1) / 2] : NAN;
    }
    ow_model_soften(problem->model, 1, values, medians);
    const ow_status status =
        owi_entry_means(problem->call, known->n_rows, width, known->rows, basis->nothing);
    for (size_t column = 0; column < n_columns; column++) {
        size_t first, n_entries;
        ow_model_soft_span(problem->model, column, &first, &n_entries);
        if (ow_schema_column(problem->schema, column)->n_levels > 0 || n_entries > 1)
            continue;
        add_number(basis, first);
        if (!isnan(medians[first])) basis->nothing[first] = medians[first];
    }
    owi_workspace_free(scratch);
    return status;
}

/* ---- The autoencoder ---- */

/* Mean over the rows of |x - mean|^2, over what is there. */
static ow_status spread_of(const owi_call *call, const known_rows *known, size_t width,
                           const float *means, double *spread)
{
    enum { rows_per_tick = 1024 };
    double sum = 0.0;
    for (size_t i = 0; i < known->n_rows; i++) {
        if (i % rows_per_tick == 0) OWI_TRY(owi_call_tick(call));
        for (size_t j = 0; j < width; j++) {
            const double x = (double)known->rows[i * width + j] - (double)means[j];
            if (!isnan(x)) sum += x * x;
        }
    }
    *spread = known->n_rows > 0 ? sum / (double)known->n_rows : 0.0;
    return OW_OK;
}

/* To give back the mean is easy.  What is far worse than that has run away. */
static ow_status check_error(const owi_problem *problem, const known_rows *known,
                             const owi_cem_autoencoder *wanted, const owi_mlp_score *score,
                             size_t n_units)
{
    const size_t width = problem->soft_width;
    float *means = owi_alloc_array(problem->ctx, width, sizeof *means);
    if (means == NULL) return OW_ERR_MEMORY;
    double spread = 0.0;
    ow_status status =
        owi_entry_means(problem->call, known->n_rows, width, known->rows, means);
    if (status == OW_OK) status = spread_of(problem->call, known, width, means, &spread);
    owi_free(problem->ctx, means);
    OWI_TRY(status);
    if (spread > 0.0 && !(score->loss < 2.0 * spread))
        return owi_fail(
            OW_ERR_NUMERIC,
            "the autoencoder of cem does not converge: after %zu passes over %zu "
            "rows its squared error is %g, that of their mean %g; try a smaller "
            "autoencoder-rate than %g",
            score->passes, known->n_rows, score->loss, spread, wanted->rate);
    owi_log(problem->ctx, score->loss < spread ? OW_LOG_INFO : OW_LOG_WARN,
            "autoencoder of cem: %zu units, %zu passes over %zu rows, squared error %g; "
            "that of their mean is %g",
            n_units, score->passes, known->n_rows, score->loss, spread);
    return OW_OK;
}

/* So many passes that a few rows are seen often enough, and many no more often than it
 * needs. */
static size_t default_passes(size_t n_rows)
{
    const size_t n = owi_larger(n_rows, 1);
    return owi_larger(20, owi_smaller(500, 600000 / n));
}

static ow_status make_autoencoder(const owi_problem *problem, const known_rows *known,
                                  const owi_cem_autoencoder *wanted, owi_cem_basis *basis)
{
    const size_t width = problem->soft_width;
    const size_t eighth = owi_larger(4, owi_smaller(128, width / 8));
    const size_t n_units = wanted->n_units > 0 ? wanted->n_units : eighth;
    const char *backend = problem->evaluator->backend->name;
    owi_mlp_score score = {0};
    owi_mlp_options options = owi_mlp_defaults();
    options.backend = backend;
    options.passes = wanted->passes > 0 ? wanted->passes : default_passes(known->n_rows);
    options.rate = wanted->rate;
    options.held_out = 0.1;
    options.one_kind = ow_schema_layout(problem->schema).kind != OW_LAYOUT_TABLE;
    options.seed = problem->call->seed;
    OWI_TRY(owi_autoencoder_train(problem->call, known->n_rows, width, known->rows, 1,
                                  &n_units, &options, &basis->network, &score));
    OWI_TRY(check_error(problem, known, wanted, &score, n_units));
    return owi_mlp_runner_new(basis->network, backend, &basis->autoencoder);
}

/* ---- All of it ---- */

void owi_cem_basis_free(ow_context *ctx, owi_cem_basis *basis)
{
    if (basis == NULL) return;
    owi_mlp_runner_free(basis->autoencoder);
    owi_mlp_free(basis->network);
    owi_workspace_free(basis->workspace);
    owi_free(ctx, basis);
}

ow_status owi_cem_basis_new(const owi_problem *problem, const owi_cem_autoencoder *wanted,
                            owi_cem_basis **out)
{
    ow_context *ctx = problem->ctx;
    known_rows known = {0};
    *out = NULL;
    owi_cem_basis *basis = owi_alloc_zeroed(ctx, sizeof *basis);
    if (basis == NULL) return OW_ERR_MEMORY;
    const owi_piece pieces[] = {OWI_PIECE(basis->nothing, problem->soft_width),
                                OWI_PIECE(basis->runs, problem->n_columns)};
    ow_status status = owi_pieces_new(ctx, OWI_PIECES(pieces), &basis->workspace);
    if (status == OW_OK) status = find_known_rows(problem, &known);
    if (status == OW_OK) status = find_nothing(problem, &known, basis);
    if (status == OW_OK && wanted != NULL)
        status = make_autoencoder(problem, &known, wanted, basis);
    owi_free(ctx, known.rows);
    if (status == OW_OK)
        *out = basis;
    else
        owi_cem_basis_free(ctx, basis);
    return status;
}
