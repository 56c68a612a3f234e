/* SPDX-License-Identifier: MIT */
/* What can be done to a row: every level of a category; of a number every value that the
 * model keeps of the training rows (all that occur where there are up to 256, else as many
 * evenly spread), quantiles, point masses, where trees that decide divide it, and what the
 * constraints name.  Constraints only
 * take values away: those that no query may have are left out here, those that depend on
 * the query's own (directions) when it is known.
 *
 * Pairs are made of all of them, or where that would be too many, of every second, fourth
 * and so on of each number.
 *
 * Linked columns move together, to combinations that occur. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "explain/core/distance.h"
#include "explain/guided/guided_trees.h"
#include "model/model_private.h"

enum {
    sampled_values = 64, /* of a number that was never seen, for each class               */
    most_paired = 1024,  /* moves that pairs are made of, about: half a million pairs     */
    least_paired = 8,    /* of one number, whatever the number of columns                 */
    most_led = 16        /* of one that others follow: each takes a table of its own      */
};

/* ---- Units ---- */

static size_t link_of(const ow_schema *schema, size_t column)
{
    return ow_schema_column(schema, column)->link;
}

/* The columns of the link that column j is the first of, or j alone; 0: j is not the
 * first. */
static size_t gather_unit(const ow_schema *schema, size_t j, size_t *columns)
{
    const size_t link = link_of(schema, j);
    const ow_linked linked = ow_schema_linked(schema, link);
    if (link == 0) {
        columns[0] = j;
        return 1;
    }
    if (linked.columns[0] != j) return 0; /* there may be no room left for it */
    memcpy(columns, linked.columns, linked.n_columns * sizeof *columns);
    return linked.n_columns;
}

static void describe_unit(const owi_problem *problem, owi_unit *unit)
{
    size_t width = 0;
    for (size_t k = 0; k < unit->n_columns; k++) {
        size_t first, of_column;
        ow_model_span(problem->model, unit->columns[k], &first, &of_column);
        if (k == 0) unit->circuit_column = first;
        width += of_column;
        const owi_column_rules *rules = &problem->rules->columns[unit->columns[k]];
        unit->depends |= rules->depends;
        unit->frozen |= rules->limits.frozen || rules->depends;
        unit->leads |= rules->n_followers > 0;
    }
    unit->compound = width > 1 || unit->leads;
    unit->is_number = unit->n_columns == 1 &&
                      ow_schema_column(problem->schema, unit->columns[0])->n_levels == 0;
}

/* Units in the order of their first columns; order has the simple ones first. */
static ow_status make_units(owi_guided *guided, const owi_problem *problem)
{
    const size_t n = problem->n_columns;
    const owi_piece pieces[] = {OWI_PIECE(guided->units, n),
                                OWI_PIECE(guided->unit_columns, n),
                                OWI_PIECE(guided->order, n)};
    OWI_TRY(owi_pieces_new(guided->ctx, OWI_PIECES(pieces), &guided->workspace));

    size_t *columns = guided->unit_columns, n_ordered = 0;
    for (size_t j = 0; j < n; j++) {
        const size_t n_in_unit = gather_unit(problem->schema, j, columns);
        if (n_in_unit == 0) continue;
        owi_unit *unit = &guided->units[guided->n_units++];
        *unit = (owi_unit){.n_columns = n_in_unit, .columns = columns};
        describe_unit(problem, unit);
        guided->has_leads |= unit->leads;
        guided->widest = owi_larger(guided->widest, n_in_unit);
        columns += n_in_unit;
    }
    for (int compound = 0; compound < 2; compound++)
        for (uint32_t u = 0; u < guided->n_units; u++)
            if (guided->units[u].compound == (compound == 1))
                guided->order[n_ordered++] = u;
    return OW_OK;
}

/* ---- Values of one column ---- */

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t sort_different(double *values, size_t n)
{
    size_t kept = 0;
    qsort(values, n, sizeof *values, compare_values);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || values[i] != values[kept - 1]) values[kept++] = values[i];
    return kept;
}

/* At most this many values come from list_values. */
static size_t most_values(const owi_problem *problem, size_t column)
{
    const ow_column *described = ow_schema_column(problem->schema, column);
    const ow_column_figures figures = ow_model_figures(problem->model, column);
    return described->n_levels + figures.n_quantiles + figures.n_seen + 2 +
           problem->model->plan.columns[column].n_values +
           problem->rules->columns[column].limits.n_allowed +
           problem->n_classes * sampled_values +
           owi_guided_tipping_values(problem, column, NULL);
}

/* A number of an imported circuit was never seen: some values of its samples stand in, on
 * the column's grid. */
static size_t sample_values(const owi_problem *problem, size_t column, double *values)
{
    const int decimals = ow_schema_column(problem->schema, column)->decimals;
    const size_t width = ow_circuit_get_spec(ow_model_circuit(problem->model))->n_columns;
    size_t n = 0, first, of_column;
    ow_model_span(problem->model, column, &first, &of_column);
    for (size_t c = 0; c < problem->n_classes; c++) {
        size_t n_samples;
        const float *samples = ow_model_samples(problem->model, c, &n_samples);
        for (size_t k = 0; k < owi_smaller(n_samples, sampled_values); k++) {
            const double x = (double)samples[k * width + first];
            values[n++] = decimals >= 0 ? owi_round_decimals(x, decimals) : x;
        }
    }
    return n;
}

/* Point masses, but for those far from all other values, which are codes. */
static size_t list_masses(const owi_problem *problem, size_t column, double *values)
{
    const owi_column_plan *plan = &problem->model->plan.columns[column];
    const ow_column_figures figures = ow_model_figures(problem->model, column);
    size_t n = 0;
    for (size_t k = 0; k < plan->n_values && plan->kind == OWI_PLAN_MASSES; k++)
        if (plan->values[k] >= figures.low && plan->values[k] <= figures.high)
            values[n++] = plan->values[k];
    return n;
}

/* Ascending and different.  What the rule itself names may lie between the values seen. */
static size_t list_values(const owi_problem *problem, size_t column, double *values)
{
    const ow_column *described = ow_schema_column(problem->schema, column);
    const owi_limits *limits = &problem->rules->columns[column].limits;
    const ow_column_figures figures = ow_model_figures(problem->model, column);
    size_t n = 0, kept = 0;

    for (size_t k = 0; k < described->n_levels; k++) values[n++] = (double)k;
    if (described->n_levels == 0) {
        if (figures.n_seen == 0) n = sample_values(problem, column, values);
        n += list_masses(problem, column, values + n);
        for (size_t k = 0; k < figures.n_quantiles; k++) values[n++] = figures.quantiles[k];
        for (size_t k = 0; k < figures.n_seen; k++) values[n++] = figures.seen[k];
        for (size_t k = 0; k < limits->n_allowed; k++) values[n++] = limits->allowed[k];
        n += owi_guided_tipping_values(problem, column, values + n);
        if (!limits->is_open && isfinite(limits->low)) values[n++] = limits->low;
        if (!limits->is_open && isfinite(limits->high)) values[n++] = limits->high;
    }
    n = sort_different(values, n);
    for (size_t k = 0; k < n; k++)
        if (owi_permits_to_some(limits, values[k])) values[kept++] = values[k];
    return kept;
}

/* ---- Moves ---- */

/* Room for n more moves of a unit; the first one's number. */
static ow_status add_moves(const owi_guided *guided, owi_moves *moves, size_t *capacity,
                           uint32_t unit, size_t n)
{
    const size_t wanted = moves->n_moves + n, old = *capacity;
    OWI_TRY(owi_grow(guided->ctx, &moves->unit, capacity, wanted, sizeof *moves->unit));
    if (*capacity != old) {
        double *values = owi_resize_array(guided->ctx, moves->values,
                                          *capacity * guided->widest, sizeof *values);
        if (values == NULL) return OW_ERR_MEMORY;
        moves->values = values;
    }
    for (size_t i = 0; i < n; i++) moves->unit[moves->n_moves + i] = unit;
    return OW_OK;
}

/* A column by itself. */
static ow_status column_moves(const owi_guided *guided, const owi_problem *problem,
                              uint32_t u, owi_moves *moves, size_t *capacity)
{
    const size_t column = guided->units[u].columns[0];
    double *values =
        owi_alloc_array(guided->ctx, most_values(problem, column), sizeof *values);
    if (values == NULL) return OW_ERR_MEMORY;
    const size_t n = list_values(problem, column, values);
    const ow_status status = add_moves(guided, moves, capacity, u, n);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        moves->values[moves->n_moves++ * guided->widest] = values[i];
    owi_free(guided->ctx, values);
    return status;
}

/* Linked columns: the combinations that occur. */
static ow_status linked_moves(const owi_guided *guided, const owi_problem *problem,
                              uint32_t u, owi_moves *moves, size_t *capacity)
{
    const owi_unit *unit = &guided->units[u];
    const ow_linked linked =
        ow_schema_linked(problem->schema, link_of(problem->schema, unit->columns[0]));
    OWI_TRY(add_moves(guided, moves, capacity, u, linked.n_rows));
    for (size_t i = 0; i < linked.n_rows; i++) {
        const double *values = linked.values + i * linked.n_columns;
        bool keeps_rules = true;
        for (size_t k = 0; k < linked.n_columns && keeps_rules; k++)
            keeps_rules =
                owi_permits_to_some(&problem->rules->columns[linked.columns[k]].limits,
                                    values[k]);
        if (keeps_rules)
            memcpy(moves->values + moves->n_moves++ * guided->widest, values,
                   linked.n_columns * sizeof *values);
    }
    return OW_OK;
}

/* The circuit's tables for the simple moves, which are already in the order of its
 * columns. */
static ow_status prepare_changes(owi_guided *guided, const owi_problem *problem,
                                 owi_moves *moves)
{
    const size_t width = ow_circuit_get_spec(ow_model_circuit(problem->model))->n_columns;
    size_t *start;
    float *encoded, *row;
    double *values;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(start, width + 1),
                                OWI_PIECE(encoded, moves->n_simple), OWI_PIECE(row, width),
                                OWI_PIECE(values, guided->n_columns)};
    OWI_TRY(owi_pieces_new(guided->ctx, OWI_PIECES(pieces), &scratch));

    for (size_t j = 0; j < guided->n_columns; j++) values[j] = NAN;
    for (size_t m = 0; m < moves->n_simple; m++) {
        const owi_unit *unit = &guided->units[moves->unit[m]];
        values[unit->columns[0]] = moves->values[m * guided->widest];
        ow_model_encode(problem->model, 1, values, row);
        encoded[m] = row[unit->circuit_column];
        start[unit->circuit_column + 1]++;
    }
    for (size_t j = 0; j < width; j++) start[j + 1] += start[j];
    const ow_candidates candidates = {.start = start, .values = encoded};
    ow_status status = ow_changes_new(problem->evaluator, &candidates, &moves->changes);
    if (status == OW_OK) status = owi_votes_init(&guided->votes, problem, &candidates);
    owi_workspace_free(scratch);
    return status;
}

/* Every stride-th value of a unit, and its last one. */
static size_t stride_of(size_t n, size_t most)
{
    size_t stride = 1;
    while (n / stride > most) stride *= 2;
    return stride;
}

/* How many values of one number pairs are made of, so that all together are not too
 * many. */
static size_t paired_values(const owi_guided *guided, const owi_moves *moves)
{
    size_t most = most_paired;
    for (; most > least_paired; most /= 2) {
        size_t n = 0;
        for (size_t rank = 0; moves->first[rank] < moves->n_simple; rank++) {
            const size_t of_unit = moves->first[rank + 1] - moves->first[rank];
            n += guided->units[guided->order[rank]].is_number
                     ? of_unit / stride_of(of_unit, most)
                     : of_unit;
        }
        if (n <= most_paired) break;
    }
    return most;
}

static ow_status choose_paired(const owi_guided *guided, owi_moves *moves)
{
    moves->in_pairs =
        owi_alloc_array(guided->ctx, moves->n_moves + 1, sizeof *moves->in_pairs);
    if (moves->in_pairs == NULL) return OW_ERR_MEMORY;
    const size_t most = paired_values(guided, moves);
    moves->is_whole = true;
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const owi_unit *unit = &guided->units[guided->order[rank]];
        const size_t first = moves->first[rank], end = moves->first[rank + 1];
        const size_t stride =
            unit->is_number ? stride_of(end - first, unit->compound ? most_led : most) : 1;
        for (size_t m = first; m < end; m++) {
            moves->in_pairs[m] = (m - first) % stride == 0 || m + 1 == end;
            moves->is_whole &= moves->in_pairs[m];
        }
    }
    return OW_OK;
}

static ow_status make_moves(owi_guided *guided, const owi_problem *problem,
                            owi_moves *moves)
{
    size_t capacity = 0;
    moves->first = owi_alloc_array(guided->ctx, guided->n_units + 1, sizeof *moves->first);
    if (moves->first == NULL) return OW_ERR_MEMORY;
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const uint32_t u = guided->order[rank];
        moves->first[rank] = moves->n_moves;
        if (!guided->units[u].frozen)
            OWI_TRY(guided->units[u].n_columns > 1
                        ? linked_moves(guided, problem, u, moves, &capacity)
                        : column_moves(guided, problem, u, moves, &capacity));
        if (!guided->units[u].compound) moves->n_simple = moves->n_moves;
    }
    moves->first[guided->n_units] = moves->n_moves;
    OWI_TRY(choose_paired(guided, moves));
    return prepare_changes(guided, problem, moves);
}

ow_status owi_guided_moves_init(owi_guided *guided, const owi_problem *problem)
{
    guided->rules = problem->rules;
    guided->has_conditions = problem->constraints->n_conditions > 0;
    OWI_TRY(make_units(guided, problem));
    OWI_TRY(make_moves(guided, problem, &guided->moves));
    return owi_guided_trees_new(guided, problem, &guided->trees);
}

void owi_guided_moves_clear(owi_guided *guided)
{
    owi_moves *moves = &guided->moves;
    owi_votes_clear(&guided->votes, guided->ctx);
    owi_guided_trees_free(guided->trees);
    ow_changes_free(moves->changes);
    owi_free(guided->ctx, moves->first);
    owi_free(guided->ctx, moves->unit);
    owi_free(guided->ctx, moves->values);
    owi_free(guided->ctx, moves->in_pairs);
    owi_workspace_free(guided->workspace);
}
