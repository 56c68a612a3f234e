/* SPDX-License-Identifier: MIT */
/* Column by column first, then linked columns together, then as many changes as are wanted,
 * then what follows from them; changes that a dependent column or a condition does not
 * permit are taken back, the smallest first.  The query itself keeps every constraint, so
 * there always is such a row: whatever cannot be had stays as it was. */
#include "explain/constraints/repair.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/number.h"
#include "data/schema/encode_private.h"
#include "explain/core/distance.h"

enum { L = owi_row_lanes };

/* ---- What depends on the query alone ---- */

static void begin_levels(const owi_repair *repair, size_t row, size_t column)
{
    const owi_rules *rules = repair->rules;
    const owi_soft_column *soft = &rules->columns[column].soft;
    const double from = repair->queries[row * rules->n_columns + column];
    repair->own[owi_lane_of(row, rules->n_columns, column)] =
        (int32_t)owi_soft_index(rules->model, soft, from);
    for (size_t k = 0; k < soft->width; k++) {
        const double to = owi_soft_value(rules->model, soft, k);
        const bool may_be =
            to != from && owi_permits_change(&rules->columns[column].limits, from, to);
        repair->bar[owi_lane_of(row, rules->width, soft->first + k)] =
            may_be ? INFINITY : -INFINITY;
    }
}

/* Whether the query's value stays, unless it follows from others. */
static bool stays(const owi_repair *repair, size_t row, size_t column)
{
    const owi_rules *rules = repair->rules;
    return rules->columns[column].limits.frozen || rules->columns[column].depends ||
           isnan(repair->queries[row * rules->n_columns + column]);
}

ow_status owi_repair_init(owi_repair *repair, ow_context *ctx, const owi_rules *rules,
                          size_t n_rows, const double *queries)
{
    const size_t d = rules->n_columns, n = n_rows * d;
    const size_t n_filled = (n_rows + L - 1) / L * L;
    *repair = (owi_repair){.rules = rules, .queries = queries};
    const owi_piece pieces[] = {
        OWI_PIECE(repair->values, n),
        OWI_PIECE(repair->begun, n_rows),
        OWI_PIECE(repair->own, n_filled * d),
        OWI_PIECE(repair->chosen, n_filled * d),
        OWI_PIECE(repair->low, n_filled * d),
        OWI_PIECE(repair->high, n_filled * d),
        OWI_PIECE(repair->bar, n_filled * rules->width),
        OWI_PIECE(repair->seen, n),
        OWI_PIECE(repair->next, n),
        OWI_PIECE(repair->raw, n),
        OWI_PIECE(repair->change, n),
        OWI_PIECE(repair->soft, n_rows * rules->width),
    };
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &repair->workspace));
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < d; j++) {
            repair->low[owi_lane_of(i, d, j)] = INFINITY;
            repair->high[owi_lane_of(i, d, j)] = -INFINITY;
            repair->seen[i * d + j] = NAN;
            if (rules->columns[j].soft.has_shares && !isnan(queries[i * d + j]))
                begin_levels(repair, i, j);
        }
    return OW_OK;
}

void owi_repair_clear(owi_repair *repair)
{
    owi_workspace_free(repair->workspace);
    *repair = (owi_repair){0};
}

/* ---- One column of a row ---- */

double owi_repair_level(const owi_repair *repair, size_t row, size_t column, int32_t level)
{
    const owi_rules *rules = repair->rules;
    return level == repair->own[owi_lane_of(row, rules->n_columns, column)]
               ? repair->queries[row * rules->n_columns + column]
               : owi_soft_value(rules->model, &rules->columns[column].soft, (size_t)level);
}

/* The allowed level with the largest share; the query's own where none has a larger one. */
static double choose_level(const owi_repair *repair, size_t row, size_t column,
                           const float *shares)
{
    const owi_rules *rules = repair->rules;
    const owi_soft_column *soft = &rules->columns[column].soft;
    const size_t at = owi_lane_of(row, rules->n_columns, column);
    const float *bar = repair->bar + owi_lane_of(row, rules->width, soft->first);
    size_t best = (size_t)repair->own[at];
    for (size_t k = 0; k < soft->width; k++) {
        if (!(shares[k] > shares[best]) && !isnan(shares[best])) continue;
        if (isfinite(shares[k]) && bar[k * L] > 0.0f) best = k;
    }
    repair->chosen[at] = (int32_t)best;
    return owi_repair_level(repair, row, column, (int32_t)best);
}

/* The nearest allowed number to v; `from` where there is none. */
static double nearest_allowed(const owi_limits *limits, double from, double v)
{
    double best = from, least = INFINITY;
    for (size_t k = 0; k < limits->n_allowed; k++) {
        const double to = limits->allowed[k];
        if (fabs(to - v) < least && owi_permits_change(limits, from, to)) {
            best = to;
            least = fabs(to - v);
        }
    }
    return best;
}

/* The nearest number of the column's interval and grid to v; `from` where there is none. */
static double nearest_in_interval(const owi_limits *limits, double from, double v)
{
    const int decimals = limits->decimals;
    double low, high;
    owi_limits_interval(limits, from, &low, &high);
    if (!(low <= high)) return from;
    double to = owi_round_decimals(v < low ? low : v > high ? high : v, decimals);
    if (to > high) to = owi_round_decimals(to - pow(10.0, -decimals), decimals);
    if (to < low) to = owi_round_decimals(to + pow(10.0, -decimals), decimals);
    return to >= low && to <= high ? to : from;
}

/* x is the soft number, v the same in original units. */
static bool hardly_moved(const owi_rules *rules, size_t column, double from, float x,
                         double v)
{
    const int decimals = rules->columns[column].limits.decimals;
    if (decimals == 0) return fabs(v - from) < 0.5;
    if (decimals > 0 && fabs(v - from) < 0.5 * pow(10.0, -decimals)) return true;
    return x == (float)owi_encode_number(rules->model->plan.encoding, column, from);
}

static double snap_number(const owi_rules *rules, size_t column, double from, float x)
{
    const owi_limits *limits = &rules->columns[column].limits;
    const double v = owi_plan_harden_column(&rules->model->plan, column, &x);
    if (!isfinite(v) || hardly_moved(rules, column, from, x, v)) return from;
    const double to = limits->n_allowed > 0 ? nearest_allowed(limits, from, v)
                                            : nearest_in_interval(limits, from, v);
    return fabs(v - from) < fabs(v - to) ? from : to;
}

/* Soft numbers from low to high have become the same, and all between them will: snapping
 * is monotone, since the scale, the nearest of a set and the interval are. */
double owi_repair_number(const owi_repair *repair, size_t row, size_t column, float x)
{
    const size_t at = row * repair->rules->n_columns + column;
    const size_t lane = owi_lane_of(row, repair->rules->n_columns, column);
    float *low = &repair->low[lane], *high = &repair->high[lane];
    double *seen = &repair->seen[at];
    if (x >= *low && x <= *high) return *seen;
    const double value = snap_number(repair->rules, column, repair->queries[at], x);
    if (isnan(x)) return value;
    *low = value == *seen ? fminf(*low, x) : x;
    *high = value == *seen ? fmaxf(*high, x) : x;
    *seen = value;
    return value;
}

/* ---- A row at work ---- */

typedef struct {
    const owi_rules *rules;
    const double *query;
    const float *soft;
    double *raw;    /* values of the soft row, no constraint looked at; by find_raw */
    double *values; /* what becomes of it                                           */
    double *change; /* how far each column went, in scaled space                    */
} row_at_work;

static double share_of(const row_at_work *r, size_t column, double value)
{
    const owi_soft_column *soft = &r->rules->columns[column].soft;
    return (double)r->soft[soft->first + owi_soft_index(r->rules->model, soft, value)];
}

static void measure_changes(const row_at_work *r)
{
    for (size_t j = 0; j < r->rules->n_columns; j++) {
        const double from = r->query[j], to = r->values[j];
        r->change[j] = 0.0;
        if (owi_same_value(from, to)) continue;
        r->change[j] = r->rules->columns[j].soft.has_shares
                           ? share_of(r, j, to) - share_of(r, j, from)
                           : owi_scaled_change(r->rules->columns[j].scale, false, from, to);
    }
}

/* ---- Linked columns ---- */

/* How far the soft row is from a value. */
static double distance_to(const row_at_work *r, size_t column, double value)
{
    const owi_column_rules *rules = &r->rules->columns[column];
    if (rules->soft.has_shares) return 1.0 - share_of(r, column, value);
    return fabs(value - r->raw[column]) / rules->scale;
}

/* Combination i's distance, infinite where it is not permitted; i = n_rows is the query's
 * own. */
static double combination_distance(const row_at_work *r, const ow_linked *linked, size_t i)
{
    double sum = 0.0;
    for (size_t k = 0; k < linked->n_columns; k++) {
        const size_t j = linked->columns[k];
        const double from = r->query[j];
        if (isnan(from)) continue;
        const double to =
            i < linked->n_rows ? linked->values[i * linked->n_columns + k] : from;
        if (to != from && !owi_permits_change(&r->rules->columns[j].limits, from, to))
            return INFINITY;
        const double distance = distance_to(r, j, to);
        sum += isfinite(distance) ? distance : 1.0;
    }
    return sum;
}

/* To one of the combinations that occur, or back to the query's; the change of linked
 * columns is the largest of theirs. */
static void join_link(const row_at_work *r, const ow_linked *linked)
{
    size_t best = linked->n_rows;
    double least = combination_distance(r, linked, best), largest = 0.0;
    for (size_t i = 0; i < linked->n_rows; i++) {
        const double distance = combination_distance(r, linked, i);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    for (size_t k = 0; k < linked->n_columns; k++) {
        const size_t j = linked->columns[k];
        const bool keep = best == linked->n_rows || isnan(r->query[j]);
        r->values[j] = keep ? r->query[j] : linked->values[best * linked->n_columns + k];
        const bool is_category = ow_schema_column(r->rules->schema, j)->n_levels > 0;
        largest = fmax(largest, owi_scaled_change(r->rules->columns[j].scale, is_category,
                                                  r->query[j], r->values[j]));
    }
    for (size_t k = 0; k < linked->n_columns; k++) r->change[linked->columns[k]] = largest;
}

static void join_links(const row_at_work *r)
{
    bool has_raw = false;
    for (size_t link = 1; link <= ow_schema_n_links(r->rules->schema); link++) {
        const ow_linked linked = ow_schema_linked(r->rules->schema, link);
        if (!owi_linked_changed(&linked, r->query, r->values)) continue;
        if (!has_raw) ow_model_harden(r->rules->model, 1, r->soft, r->raw);
        has_raw = true;
        join_link(r, &linked);
    }
}

/* ---- Few changes ---- */

/* The size of a change for what it costs. */
static double worth(const row_at_work *r, size_t j)
{
    const owi_limits *limits = &r->rules->columns[j].limits;
    const bool is_category =
        ow_schema_column(r->rules->schema, j)->type == OW_TYPE_CATEGORICAL;
    return r->change[j] / owi_cost_weight(limits, is_category, r->query[j], r->values[j]);
}

/* Takes the smallest change back, of all linked columns together; of those that `may` asks
 * for (NULL: all).  False: there is none. */
static bool undo_smallest(const row_at_work *r,
                          bool (*may)(const row_at_work *, size_t column, size_t which),
                          size_t which)
{
    const ow_schema *schema = r->rules->schema;
    size_t smallest = SIZE_MAX;
    for (size_t j = 0; j < r->rules->n_columns; j++)
        if (!owi_same_value(r->query[j], r->values[j]) && !r->rules->columns[j].depends &&
            (may == NULL || may(r, j, which)) &&
            (smallest == SIZE_MAX || worth(r, j) < worth(r, smallest)))
            smallest = j;
    if (smallest == SIZE_MAX) return false;
    const size_t link = ow_schema_column(schema, smallest)->link;
    const ow_linked linked = ow_schema_linked(schema, link);
    r->values[smallest] = r->query[smallest];
    for (size_t k = 0; k < linked.n_columns; k++)
        r->values[linked.columns[k]] = r->query[linked.columns[k]];
    return true;
}

/* ---- What follows ---- */

/* Whether a change of column j, or of its link, moves the dependent column. */
static bool moves_dependent(const row_at_work *r, size_t j, size_t dependent)
{
    const ow_linked linked =
        ow_schema_linked(r->rules->schema, ow_schema_column(r->rules->schema, j)->link);
    const size_t n = linked.n_columns > 0 ? linked.n_columns : 1;
    for (size_t k = 0; k < n; k++) {
        const owi_column_rules *of =
            &r->rules->columns[linked.n_columns > 0 ? linked.columns[k] : j];
        for (size_t f = 0; f < of->n_followers; f++)
            if (of->followers[f] == dependent) return true;
    }
    return false;
}

/* Whether it changes what a condition is about. */
static bool touches_condition(const row_at_work *r, size_t j, size_t which)
{
    const owi_condition *condition = r->rules->constraints->conditions[which].condition;
    const size_t link = ow_schema_column(r->rules->schema, j)->link;
    for (size_t t = 0; t < condition->n_terms; t++) {
        const size_t column = condition->terms[t].column;
        const bool is_linked =
            link > 0 && ow_schema_column(r->rules->schema, column)->link == link;
        if (column == j || is_linked || moves_dependent(r, j, column)) return true;
    }
    return false;
}

/* Dependent columns are set; where one refuses, or a condition is broken, the smallest of
 * the changes behind it is taken back.  The query itself keeps everything. */
static void settle(const row_at_work *r)
{
    for (;;) {
        const size_t refused = owi_follow_until(r->rules, r->query, r->values);
        if (refused != SIZE_MAX && undo_smallest(r, moves_dependent, refused)) continue;
        if (refused != SIZE_MAX) break;
        const size_t broken = owi_broken_condition(r->rules, r->query, r->values);
        if (broken == SIZE_MAX) return;
        if (!undo_smallest(r, touches_condition, broken)) break;
    }
    memcpy(r->values, r->query, r->rules->n_columns * sizeof *r->values);
}

static bool has_followers(const owi_rules *rules)
{
    return rules->constraints->n_dependencies > 0 || rules->constraints->n_conditions > 0;
}

/* ---- All of a row ---- */

bool owi_repair_renew(const owi_repair *repair, size_t row, size_t column, double value,
                      float *repaired)
{
    const owi_rules *rules = repair->rules;
    double *before = &repair->values[row * rules->n_columns + column];
    if (repair->begun[row] && owi_same_value(*before, value)) return false;
    *before = value;
    if (repaired != NULL)
        owi_plan_soften_column(&rules->model->plan, column, value,
                               repaired + rules->columns[column].soft.first);
    return true;
}

bool owi_repair_row(const owi_repair *repair, size_t row, const float *soft,
                    float *repaired)
{
    const owi_rules *rules = repair->rules;
    const size_t d = rules->n_columns, at = row * d;
    const row_at_work r = {.rules = rules,
                           .query = repair->queries + at,
                           .soft = soft,
                           .raw = repair->raw + at,
                           .values = repair->next + at,
                           .change = repair->change + at};
    for (size_t j = 0; j < d; j++) {
        const owi_soft_column *column = &rules->columns[j].soft;
        if (stays(repair, row, j))
            r.values[j] = r.query[j];
        else if (column->has_shares)
            r.values[j] = choose_level(repair, row, j, soft + column->first);
        else
            r.values[j] = owi_repair_number(repair, row, j, soft[column->first]);
    }
    if (rules->most_changes > 0 || has_followers(rules)) measure_changes(&r);
    join_links(&r);
    if (rules->most_changes > 0) {
        size_t n = owi_count_changes(rules->constraints, r.query, r.values);
        for (; n > rules->most_changes; n--) (void)undo_smallest(&r, NULL, 0);
    }
    if (has_followers(rules)) settle(&r);
    bool changed = !repair->begun[row];
    for (size_t j = 0; j < d; j++)
        changed |= owi_repair_renew(repair, row, j, r.values[j], repaired);
    repair->begun[row] = true;
    return changed;
}
