/* SPDX-License-Identifier: MIT */
/* How far a number has to go.
 *
 * A found answer has its numbers at candidate values.  Between such a value and the next
 * candidate on the way back to the query, which fails, lies a tipping point; bisection over
 * the numbers that the column is printed with finds it.  Densities are not monotone along a
 * column, so that it is one tipping point, and the values beyond the next candidate are not
 * looked at.
 *
 * Then the roundest number is taken that lies beyond the tipping point, but not beyond the
 * next value that rows have, and still passes: 2,300 instead of 2,317.
 *
 * Where it is the density that fails at the next step, people are also told the number with
 * which the class alone is reached. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/number.h"
#include "explain/core/distance.h"
#include "explain/guided/guided_batch.h"
#include "explain/guided/guided_search.h"
#include "model/model_private.h"

/* Parts of the gap between two candidates of a number without a printed precision, at
 * least. */
static const double parts_without_grid = 1024.0;
enum { most_digits = 15 };

/* One number of one row. */
typedef struct {
    owi_guided_row *row;
    size_t column;
    double from;      /* the next candidate towards the query, which fails            */
    double to;        /* passes                                                       */
    double grid;      /* steps between them                                           */
    double beyond;    /* rounding may go this far: the next value that rows have      */
    double low, high; /* bisection: steps from `from`; low fails, high passes         */
    double power;     /* rounding: the unit tried at present                          */
    double steps;     /* the class alone: from the query's value to `enough`          */
    bool leads;       /* other columns follow it */
    bool is_done, is_permitted;
    owi_state trial;
} tip;

typedef struct {
    owi_workspace *workspace;
    size_t n;
    tip *tips;
    double *values;
    owi_evaluation *evaluations;
} arrays;

/* The multiple of a power of ten that is nearest to x, as it is written: 0.288, not
 * 0.28800000000000003. */
static double nearest_multiple(double power, double x)
{
    const double decimals = -round(log10(power));
    if (decimals < 0.0) return rint(x / power) * power;
    return decimals <= most_digits ? owi_round_decimals(x, (int)decimals) : x;
}

/* Of a column without a printed precision a power of ten, so that what is said has few
 * digits.  No finer than 2^-40 of the way: steps are counted in doubles, which hold whole
 * numbers up to 2^53, and numbers that are printed with sixteen decimals need more. */
static double grid_of(const owi_problem *problem, size_t column, double from, double to)
{
    const ow_column *described = ow_schema_column(problem->schema, column);
    if (described->decimals < 0)
        return to == from ? 1.0
                          : pow(10.0, floor(log10(fabs(to - from) / parts_without_grid)));
    return fmax(pow(10.0, -described->decimals), fabs(to - from) * 0x1p-40);
}

/* The k-th printed number on the way from `from`. */
static double value_at(const owi_problem *problem, const tip *t, double k)
{
    const int decimals = ow_schema_column(problem->schema, t->column)->decimals;
    const double x = t->from + (t->to > t->from ? k : -k) * t->grid;
    if (decimals >= 0) return owi_round_decimals(x, decimals);
    const double y = nearest_multiple(t->grid, x);
    return fmin(fmax(y, fmin(t->from, t->to)), fmax(t->from, t->to));
}

/* The candidates beside a value: the one nearer to the query (or the query's own value),
 * and the one farther away (or the value itself). */
static void neighbours(const owi_guided *guided, size_t rank, const owi_guided_row *row,
                       tip *t)
{
    const owi_moves *moves = &guided->moves;
    const double query = row->query[t->column];
    const bool up = t->to > query;
    t->from = query;
    t->beyond = t->to;
    for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
        const double x = moves->values[m * guided->widest];
        if (row->allowed[m] != owi_move_allowed) continue;
        if (up ? x < t->to && x > t->from : x > t->to && x < t->from) t->from = x;
        const bool is_beyond = up ? x > t->to : x < t->to;
        if (is_beyond && (t->beyond == t->to || fabs(x - t->to) < fabs(t->beyond - t->to)))
            t->beyond = x;
    }
}

/* Numbers that are levels for the circuit have no values between these. */
static bool is_tippable(const owi_guided_block *block, const owi_guided_row *row, size_t u)
{
    const owi_guided *guided = block->guided;
    const owi_unit *unit = &guided->units[u];
    return unit->is_number &&
           block->problem->model->plan.columns[unit->columns[0]].kind != OWI_PLAN_VALUES &&
           owi_unit_differs(guided, row, row->found.values, u);
}

/* ---- Trying values ---- */

static ow_status try_values(const owi_guided_block *block, arrays *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (!a->tips[i].is_done)
            a->evaluations[n++] = (owi_evaluation){a->tips[i].row, &a->tips[i].trial};
    return owi_guided_evaluate(block, n, a->evaluations);
}

/* Puts x into the answer, as a trial; false if the constraints do not permit it. */
static bool set_trial(const owi_guided_block *block, tip *t, double x)
{
    const owi_limits *limits = &block->problem->rules->columns[t->column].limits;
    owi_state_copy(block->guided, &t->trial, &t->row->found);
    t->trial.values[t->column] = x;
    return owi_permits(limits, t->row->query[t->column], x) &&
           owi_guided_is_usual(block->problem, (size_t)t->row->target, t->column,
                               t->row->query[t->column], x) &&
           (!t->leads || owi_state_follow(block->guided, t->row, &t->trial));
}

static void accept(const owi_guided_block *block, tip *t)
{
    owi_state_measure(block->guided, t->row, &t->trial);
    owi_state_copy(block->guided, &t->row->found, &t->trial);
}

/* ---- Bisection ---- */

static ow_status bisect(const owi_guided_block *block, arrays *a)
{
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        t->low = 0.0;
        t->high = ceil(fabs(t->to - t->from) / t->grid - 1e-6);
        t->is_done = t->high < 2.0;
    }
    for (;;) {
        bool any = false;
        for (size_t i = 0; i < a->n; i++) {
            tip *t = &a->tips[i];
            /* Values that are not permitted fail. */
            while (!t->is_done) {
                const double middle = floor((t->low + t->high) / 2.0);
                t->is_done = t->high - t->low < 2.0;
                if (t->is_done || set_trial(block, t, value_at(block->problem, t, middle)))
                    break;
                t->low = middle;
            }
            any |= !t->is_done;
        }
        if (!any) return OW_OK;
        OWI_TRY(try_values(block, a));
        for (size_t i = 0; i < a->n; i++) {
            tip *t = &a->tips[i];
            if (t->is_done) continue;
            const double middle = floor((t->low + t->high) / 2.0);
            if (owi_state_passes(t->row, &t->trial)) {
                t->high = middle;
                accept(block, t);
            } else {
                t->low = middle;
            }
        }
    }
}

/* ---- Round numbers ---- */

/* The multiple of the power at or beyond the value, away from the query. */
static double rounded(const tip *t, double x)
{
    const bool up = x > t->row->query[t->column];
    const double k = x / t->power;
    const double y = (up ? ceil(k - 1e-9) : floor(k + 1e-9)) * t->power;
    return y + 0.0;
}

/* The next coarser-to-finer unit whose multiple lies within reach. */
static void next_round(const owi_guided_block *block, tip *t)
{
    const double x = t->row->found.values[t->column];
    const int decimals = ow_schema_column(block->problem->schema, t->column)->decimals;
    for (; !t->is_done; t->power /= 10.0) {
        if (t->power < t->grid * (1.0 + 1e-6)) {
            t->is_done = true;
            return;
        }
        double y = rounded(t, x);
        y = decimals >= 0 ? owi_round_decimals(y, decimals) : nearest_multiple(t->power, y);
        if (owi_same_value(x, y)) { /* as round as it can be */
            t->is_done = true;
            return;
        }
        if (fabs(y - x) <= fabs(t->beyond - x) && (y > x) == (t->beyond > x) &&
            set_trial(block, t, y))
            return;
    }
}

static ow_status round_numbers(const owi_guided_block *block, arrays *a)
{
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        const double x = t->row->found.values[t->column];
        if (x != t->to) t->beyond = t->to; /* a value that rows have, beyond x */
        t->is_done = t->beyond == x;
        t->power = pow(10.0, floor(log10(fmax(fabs(t->beyond - x), t->grid))));
    }
    for (;;) {
        bool any = false;
        for (size_t i = 0; i < a->n; i++) {
            next_round(block, &a->tips[i]);
            any |= !a->tips[i].is_done;
        }
        if (!any) return OW_OK;
        OWI_TRY(try_values(block, a));
        for (size_t i = 0; i < a->n; i++) {
            tip *t = &a->tips[i];
            if (t->is_done) continue;
            t->is_done = owi_state_passes(t->row, &t->trial);
            if (t->is_done) accept(block, t);
            t->power /= 10.0;
        }
    }
}

/* ---- All together ---- */

/* The changed number of each row that is the n-th of its units. */
static void choose_numbers(const owi_guided_block *block, size_t rank, arrays *a)
{
    const owi_guided *guided = block->guided;
    const uint32_t u = guided->order[rank];
    a->n = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_out || !row->has_found || !is_tippable(block, row, u)) continue;
        tip *t = &a->tips[a->n];
        *t = (tip){.row = row,
                   .column = guided->units[u].columns[0],
                   .leads = guided->units[u].leads,
                   .trial.values = a->values + a->n * guided->n_columns};
        t->to = row->found.values[t->column];
        neighbours(guided, rank, row, t);
        t->grid = grid_of(block->problem, t->column, t->from, t->to);
        a->n++;
    }
}

/* How far each number has to go with the others as they are now: its tipping point where
 * that still passes, else its own value. */
static ow_status confirm_enough(const owi_guided_block *block, arrays *a)
{
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        t->is_done = !set_trial(block, t, t->row->enough[t->column]);
    }
    OWI_TRY(try_values(block, a));
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        if (t->is_done || !owi_state_passes(t->row, &t->trial))
            t->row->enough[t->column] = t->row->found.values[t->column];
    }
    return OW_OK;
}

static ow_status tip_all(const owi_guided_block *block, arrays *a)
{
    const owi_guided *guided = block->guided;
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        choose_numbers(block, rank, a);
        if (a->n == 0) continue;
        OWI_TRY(bisect(block, a));
        for (size_t i = 0; i < a->n; i++)
            a->tips[i].row->enough[a->tips[i].column] =
                a->tips[i].row->found.values[a->tips[i].column];
        OWI_TRY(round_numbers(block, a));
    }
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        choose_numbers(block, rank, a);
        if (a->n > 0) OWI_TRY(confirm_enough(block, a));
    }
    return OW_OK;
}

static ow_status make_arrays(const owi_guided_block *block, arrays *a)
{
    const owi_piece pieces[] = {OWI_PIECE(a->tips, block->n_rows),
                                OWI_PIECE(a->values,
                                          block->n_rows * block->guided->n_columns),
                                OWI_PIECE(a->evaluations, block->n_rows)};
    *a = (arrays){0};
    return owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &a->workspace);
}

ow_status owi_guided_tip(const owi_guided_block *block)
{
    arrays a;
    OWI_TRY(make_arrays(block, &a));
    for (size_t i = 0; i < block->n_rows; i++)
        for (size_t j = 0; j < block->guided->n_columns; j++)
            block->rows[i].enough[j] = NAN;
    const ow_status status = tip_all(block, &a);
    owi_workspace_free(a.workspace);
    return status;
}

/* ---- What the class alone takes ---- */

/* How many steps from the query's value a number is tried. */
typedef double (*place)(const tip *t);

static double query_itself(const tip *t)
{
    (void)t;
    return 0.0;
}

static double one_step_nearer(const tip *t)
{
    return t->high - 1.0;
}

static double in_the_middle(const tip *t)
{
    return floor((t->low + t->high) / 2.0);
}

/* Tries the number of each tip that is not done: `high` moves there if the row is of the
 * class, else `low`. */
static ow_status try_class(const owi_guided_block *block, arrays *a, place where)
{
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        if (t->is_done) continue;
        t->is_permitted = set_trial(block, t, value_at(block->problem, t, where(t)));
        if (!t->is_permitted) owi_state_copy(block->guided, &t->trial, &t->row->found);
    }
    OWI_TRY(try_values(block, a));
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        if (t->is_done) continue;
        const double at = where(t);
        if (t->is_permitted && owi_is_of_class(&t->row->aims, &t->trial.score))
            t->high = at;
        else
            t->low = at;
    }
    return OW_OK;
}

/* Most numbers are bounded by the class, and are done after one trial. */
static ow_status find_class(const owi_guided_block *block, arrays *a)
{
    bool any = false;
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        t->from = t->row->query[t->column];
        t->to = t->row->enough[t->column];
        t->grid = grid_of(block->problem, t->column, t->from, t->to);
        t->low = 0.0;
        t->high = t->steps = ceil(fabs(t->to - t->from) / t->grid - 1e-6);
        t->is_done = isnan(t->from) || isnan(t->to) || t->high < 1.0;
    }
    OWI_TRY(try_class(block, a, one_step_nearer));
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        t->is_done = t->is_done || t->high == t->steps || t->high == 0.0;
        if (!t->is_done) t->low = 0.0;
    }
    OWI_TRY(try_class(block, a, query_itself));
    do {
        any = false;
        for (size_t i = 0; i < a->n; i++) {
            tip *t = &a->tips[i];
            t->is_done = t->is_done || t->high - t->low < 2.0;
            any |= !t->is_done;
        }
        if (any) OWI_TRY(try_class(block, a, in_the_middle));
    } while (any);
    for (size_t i = 0; i < a->n; i++) {
        tip *t = &a->tips[i];
        if (t->high < t->steps)
            t->row->enough_for_class[t->column] =
                t->high == 0.0 ? t->from : value_at(block->problem, t, t->high);
    }
    return OW_OK;
}

ow_status owi_guided_tip_class(const owi_guided_block *block)
{
    const owi_guided *guided = block->guided;
    ow_status status = OW_OK;
    arrays a;
    OWI_TRY(make_arrays(block, &a));
    for (size_t rank = 0; rank < guided->n_units && status == OW_OK; rank++) {
        choose_numbers(block, rank, &a);
        if (a.n > 0) status = find_class(block, &a);
    }
    owi_workspace_free(a.workspace);
    return status;
}
