/* SPDX-License-Identifier: MIT */
/* The local outlier factor (Breunig, Kriegel, Ng, Sander: "LOF: identifying density-based
 * local outliers", SIGMOD 2000) of a new row x against known rows o, with N(x) its k
 * nearest and N(o) those of o without itself:
 *
 *     kdist(o)   = distance from o to the last of N(o)
 *     density(x) = 1 / (mean over o in N(x) of max(kdist(o), d(x, o)) + 1e-10)
 *     lof(x)     = mean over o in N(x) of density(o), over density(x)
 *
 * k rows exactly are neighbours, where the paper takes all those at the same distance as
 * the last; so does scikit-learn, whose 1e-10 against rows that occur more than k times
 * this is too.  The neighbours of known rows are looked for when they are first needed, and
 * kept. */
#include "evaluate/neighbours.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "evaluate/rank_pairs.h"
#include "evaluate/scaled_rows.h"

enum { ynn_neighbours = 5, lof_neighbours = 20, most_rows = 10000 };

struct owi_neighbours {
    ow_context *ctx;
    owi_workspace *workspace;
    owi_scaled_rows rows;
    owi_rank_pairs *pairs; /* made when first needed; NULL: not known */
    bool has_pairs;
    const ow_schema *schema;
    size_t n_known;
    const double *known;    /* of the caller */
    size_t n_rows, k;       /* k: of known rows among the others               */
    int32_t *predicted;     /* n_rows                                          */
    owi_neighbour *nearest; /* n_rows x k, of those that are searched          */
    bool *is_searched;
};

ow_status owi_neighbours_new(ow_context *ctx, const ow_model *model, size_t n_known,
                             const double *values, const int32_t *predicted,
                             owi_neighbours **out)
{
    const size_t stride = n_known / most_rows + (n_known % most_rows != 0);
    const size_t n = n_known == 0 ? 0 : (n_known - 1) / stride + 1;
    *out = NULL;
    owi_neighbours *all = owi_alloc_zeroed(ctx, sizeof *all);
    if (all == NULL) return OW_ERR_MEMORY;
    all->ctx = ctx;
    all->n_rows = n;
    all->schema = ow_model_schema(model);
    all->n_known = n_known;
    all->known = values;
    all->k = n == 0 ? 0 : owi_smaller(lof_neighbours, n - 1);
    const owi_piece pieces[] = {OWI_PIECE(all->predicted, n),
                                OWI_PIECE(all->nearest, n * all->k),
                                OWI_PIECE(all->is_searched, n)};
    ow_status status = owi_pieces_new(ctx, OWI_PIECES(pieces), &all->workspace);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        all->predicted[i] = predicted[i * stride];
    if (status == OW_OK)
        status = owi_scaled_rows_init(&all->rows, ctx, model, n, stride, values);
    if (status != OW_OK) {
        owi_neighbours_free(all);
        return status;
    }
    *out = all;
    return OW_OK;
}

void owi_neighbours_free(owi_neighbours *neighbours)
{
    if (neighbours == NULL) return;
    owi_rank_pairs_free(neighbours->pairs);
    owi_scaled_rows_clear(&neighbours->rows);
    owi_workspace_free(neighbours->workspace);
    owi_free(neighbours->ctx, neighbours);
}

size_t owi_neighbours_n_rows(const owi_neighbours *neighbours)
{
    return neighbours->n_rows;
}

/* ---- Neighbours of known rows ---- */

/* Finds the neighbours of these known rows, n of them. */
static ow_status search_known(const owi_call *call, owi_neighbours *all, size_t n,
                              const size_t *known)
{
    const size_t d = all->rows.n_columns, k = all->k;
    float *scaled;
    owi_neighbour *found;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(scaled, n * d), OWI_PIECE(found, n * k)};
    OWI_TRY(owi_pieces_new(all->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t i = 0; i < n; i++) owi_scaled_row(&all->rows, known[i], scaled + i * d);
    const ow_status status =
        owi_find_neighbours(call, &all->rows, n, scaled, known, k, found);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        memcpy(all->nearest + known[i] * k, found + i * k, k * sizeof *found);
        all->is_searched[known[i]] = true;
    }
    owi_workspace_free(scratch);
    return status;
}

/* Finds the neighbours of the rows that are wanted, where they are not there yet. */
static ow_status search_wanted(const owi_call *call, owi_neighbours *all,
                               const bool *wanted)
{
    size_t *known = owi_alloc_array(all->ctx, all->n_rows, sizeof *known);
    size_t n = 0;
    if (known == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < all->n_rows; i++)
        if (wanted[i] && !all->is_searched[i]) known[n++] = i;
    const ow_status status = search_known(call, all, n, known);
    owi_free(all->ctx, known);
    return status;
}

/* What the factors of new rows need: the neighbours of their neighbours (n x stride, the
 * first k count), and those of these. */
static ow_status search_around(const owi_call *call, owi_neighbours *all, size_t n,
                               size_t stride, const owi_neighbour *nearest)
{
    const size_t k = all->k;
    bool *first, *second;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(first, all->n_rows),
                                OWI_PIECE(second, all->n_rows)};
    OWI_TRY(owi_pieces_new(all->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < k; m++) first[nearest[i * stride + m].row] = true;
    ow_status status = search_wanted(call, all, first);
    for (size_t i = 0; i < all->n_rows && status == OW_OK; i++)
        for (size_t m = 0; m < k && first[i]; m++)
            second[all->nearest[i * k + m].row] = true;
    if (status == OW_OK) status = search_wanted(call, all, second);
    owi_workspace_free(scratch);
    return status;
}

/* ---- Figures ---- */

/* The density around a row with these neighbours. */
static double local_density(const owi_neighbours *all, const owi_neighbour *nearest)
{
    const size_t k = all->k;
    double sum = 0.0;
    for (size_t i = 0; i < k; i++) {
        const double reach = (double)all->nearest[nearest[i].row * k + k - 1].distance;
        sum += fmax(reach, (double)nearest[i].distance);
    }
    return 1.0 / (sum / (double)k + 1e-10);
}

static double outlier_factor(const owi_neighbours *all, const owi_neighbour *nearest)
{
    double sum = 0.0;
    if (all->k == 0) return NAN;
    for (size_t i = 0; i < all->k; i++)
        sum += local_density(all, all->nearest + nearest[i].row * all->k);
    return sum / (double)all->k / local_density(all, nearest);
}

static double share_of_target(const owi_neighbours *all, size_t n,
                              const owi_neighbour *nearest, int32_t target)
{
    size_t n_target = 0;
    for (size_t i = 0; i < n; i++) n_target += all->predicted[nearest[i].row] == target;
    return n > 0 ? (double)n_target / (double)n : NAN;
}

ow_status owi_neighbours_look(const owi_call *call, owi_neighbours *neighbours, size_t n,
                              const double *values, const int32_t *targets, double *ynn,
                              double *lof)
{
    owi_neighbours *all = neighbours;
    const size_t d = all->rows.n_columns;
    const size_t n_near = owi_smaller(lof_neighbours, all->n_rows);
    float *scaled;
    owi_neighbour *nearest;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(scaled, n * d), OWI_PIECE(nearest, n * n_near)};
    OWI_TRY(owi_pieces_new(all->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t i = 0; i < n; i++)
        owi_scale_row(&all->rows, values + i * d, scaled + i * d);
    ow_status status =
        owi_find_neighbours(call, &all->rows, n, scaled, NULL, n_near, nearest);
    if (status == OW_OK) status = search_around(call, all, n, n_near, nearest);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        ynn[i] = share_of_target(all, owi_smaller(ynn_neighbours, n_near),
                                 nearest + i * n_near, targets[i]);
        lof[i] = outlier_factor(all, nearest + i * n_near);
    }
    owi_workspace_free(scratch);
    return status;
}

ow_status owi_neighbours_odd_pairs(const owi_call *call, owi_neighbours *neighbours,
                                   const double *query, const double *values, double *odd)
{
    *odd = NAN;
    if (!neighbours->has_pairs)
        OWI_TRY(owi_rank_pairs_new(neighbours->ctx, call, neighbours->schema,
                                   neighbours->n_known, neighbours->known,
                                   &neighbours->pairs));
    neighbours->has_pairs = true;
    if (neighbours->pairs == NULL) return OW_OK;
    *odd = owi_rank_pairs_odd(neighbours->pairs, query, values);
    return owi_call_tick(call);
}
