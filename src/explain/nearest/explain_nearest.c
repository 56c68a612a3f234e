/* SPDX-License-Identifier: MIT */
/* The nearest known row that the classifier gives to the target class: the baseline, and
 * the method to copy for a new one.
 *
 * Known rows are the background; without one, the model's own samples of the class.  Near
 * is Gower's distance: the mean over columns of
 * |x_j - r_j| / range_j for numbers and [x_j != r_j] for categories (Gower: "A general
 * coefficient of similarity and some of its properties", Biometrics 1971), over the columns
 * that may change, each change times its cost.
 *
 * Columns that may not change keep the query's values, and repair may undo more, so that
 * what is left of a row of the class need not be of the class: rows are tried from the
 * nearest on until one is, up to `tries` of them.
 *
 * With sparse=yes only as many of the row's values are taken over as the class needs: from
 * the query on, always the one that raises the margin most, linked columns together. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "base/threads/parallel.h"
#include "explain/core/class_rows.h"
#include "explain/core/distance.h"
#include "explain/core/explainer_list.h"
#include "model/model_private.h"

typedef struct {
    int64_t tries;
    bool sparse;
} settings;

static const owi_param params[] = {
    OWI_INTEGER(settings, tries, "tries", 1.0, 10000.0, "50",
                .summary = "known rows that are tried, from the nearest on"),
    OWI_FLAG(settings, sparse, "sparse", "no",
             .summary = "take over only as many of the row's values as the class needs"),
};

/* ---- What is ready before the first row ---- */

typedef struct {
    owi_workspace *workspace;
    size_t n_columns;
    owi_class_rows known;
    double *scales; /* of the columns                                            */
    bool *is_category, *frozen;
    bool has_costs; /* other than 1                                              */
} state;

static void release(ow_context *ctx, void *made)
{
    state *s = made;
    owi_class_rows_clear(&s->known);
    owi_workspace_free(s->workspace);
    owi_free(ctx, s);
}

static ow_status prepare(const owi_problem *problem, const void *given, void **out)
{
    (void)given;
    ow_context *ctx = problem->ctx;
    state *s = owi_alloc_zeroed(ctx, sizeof *s);
    *out = NULL;
    if (s == NULL) return OW_ERR_MEMORY;
    s->n_columns = problem->n_columns;
    const owi_piece pieces[] = {OWI_PIECE(s->scales, problem->n_columns),
                                OWI_PIECE(s->is_category, problem->n_columns),
                                OWI_PIECE(s->frozen, problem->n_columns)};
    ow_status status = owi_pieces_new(ctx, OWI_PIECES(pieces), &s->workspace);
    if (status == OW_OK) {
        owi_column_scales(problem->model, s->scales);
        for (size_t j = 0; j < problem->n_columns; j++) {
            s->is_category[j] = ow_schema_column(problem->schema, j)->n_levels > 0;
            const owi_limits *limits = &problem->rules->columns[j].limits;
            s->frozen[j] = limits->frozen;
            s->has_costs |= limits->cost_up != 1.0 || limits->cost_down != 1.0;
        }
        status = owi_class_rows_init(&s->known, problem);
    }
    if (status == OW_OK)
        *out = s;
    else
        release(ctx, s);
    return status;
}

/* ---- Near rows ---- */

/* Over the columns that may change; a value that the known row lacks would have to stay.
 * Beyond `most` the sum is not needed any more. */
static double gower(const state *s, const owi_rules *rules, const double *query,
                    const double *row, double most)
{
    const double n = (double)s->n_columns;
    double sum = 0.0;
    for (size_t j = 0; j < s->n_columns && s->has_costs; j++)
        if (!s->frozen[j] && !isnan(query[j]))
            sum += owi_change_cost(rules, j, query[j], row[j]);
    if (s->has_costs) return sum / n;
    for (size_t j = 0; j < s->n_columns && sum / n < most; j++)
        if (!s->frozen[j] && !isnan(query[j]))
            sum += owi_scaled_change(s->scales[j], s->is_category[j], query[j], row[j]);
    return sum / n;
}

typedef struct {
    const owi_problem *problem;
    const state *s;
    const owi_queries *queries;
    size_t tries;
    double *distance;  /* n_rows x tries, ascending                            */
    size_t *nearest;   /* likewise: the known rows                             */
    size_t *n_nearest; /* n_rows                                               */
} search;

/* Puts a row into its place among the nearest so far; of equals the first stays first. */
static void offer(size_t row, double distance, size_t tries, double *distances,
                  size_t *nearest, size_t *n)
{
    if (*n == tries && !(distance < distances[tries - 1])) return;
    if (*n < tries) ++*n;
    size_t at = *n - 1;
    for (; at > 0 && distances[at - 1] > distance; at--) {
        distances[at] = distances[at - 1];
        nearest[at] = nearest[at - 1];
    }
    distances[at] = distance;
    nearest[at] = row;
}

static ow_status find_nearest(void *user, const owi_chunk *chunk)
{
    const search *f = user;
    const state *s = f->s;
    for (size_t i = chunk->first; i < chunk->first + chunk->n; i++) {
        const double *query = f->queries->values + i * s->n_columns;
        const size_t t = (size_t)f->queries->target[i];
        double *distances = f->distance + i * f->tries;
        f->n_nearest[i] = 0;
        for (size_t k = s->known.start[t]; k < s->known.start[t + 1]; k++) {
            const double most =
                f->n_nearest[i] == f->tries ? distances[f->tries - 1] : INFINITY;
            const double *row = s->known.values + s->known.rows[k] * s->n_columns;
            offer(s->known.rows[k], gower(s, f->problem->rules, query, row, most), f->tries,
                  distances, f->nearest + i * f->tries, &f->n_nearest[i]);
        }
    }
    return OW_OK;
}

/* ---- Trying them ---- */

/* Rows on trial, one behind the other. */
typedef struct {
    size_t *query;     /* n: numbers of their queries                             */
    double *values;    /* n x columns                                             */
    float *soft;       /* n x soft width                                          */
    double *log_proba; /* n x classes                                             */
    double *now;       /* columns                                                 */
} trial;

/* What constraints leave of the rows in values, and what the classifier makes of that. */
static ow_status judge(const owi_problem *problem, const owi_repair *repair, size_t n,
                       trial *t)
{
    const size_t d = problem->n_columns;
    ow_model_soften(problem->model, n, t->values, t->soft);
    for (size_t i = 0; i < n; i++) {
        (void)owi_repair_row(repair, t->query[i], t->soft + i * problem->soft_width, NULL);
        memcpy(t->values + i * d, repair->values + t->query[i] * d, d * sizeof *t->values);
    }
    ow_model_soften(problem->model, n, t->values, t->soft);
    return owi_model_classify(problem->call, problem->model, problem->classifier, n,
                              t->values, t->soft, t->log_proba);
}

static bool is_new(const owi_problem *problem, const owi_answer *answers, size_t n,
                   const double *values)
{
    for (size_t a = 0; a < n; a++)
        if (answers[a].given &&
            memcmp(answers[a].values, values, problem->n_columns * sizeof *values) == 0)
            return false;
    return true;
}

static void fill_answer(const owi_problem *problem, const double *values, const float *soft,
                        owi_answer *answer)
{
    memcpy(answer->values, values, problem->n_columns * sizeof *values);
    memcpy(answer->soft, soft, problem->soft_width * sizeof *soft);
    answer->given = answer->has_values = true;
}

/* The rank-th nearest rows of all queries that still want one.  Until a row has an answer
 * that is valid, its first one is the nearest row whatever it is worth. */
static ow_status try_rank(const search *f, size_t rank, size_t *wanted, trial *t,
                          owi_answer *answers)
{
    const owi_problem *problem = f->problem;
    const size_t d = problem->n_columns, C = problem->n_classes;
    const size_t k = problem->options->n_answers;
    size_t n = 0;
    for (size_t i = 0; i < f->queries->n_rows; i++) {
        if (wanted[i] == 0 || rank >= f->n_nearest[i]) continue;
        const double *row = f->s->known.values + f->nearest[i * f->tries + rank] * d;
        memcpy(t->values + n * d, row, d * sizeof(double));
        t->query[n++] = i;
    }
    if (n == 0) return OW_OK;
    OWI_TRY(judge(problem, f->queries->repair, n, t));
    for (size_t m = 0; m < n; m++) {
        const size_t i = t->query[m], n_found = k - wanted[i];
        owi_answer *mine = answers + i * k;
        const double *values = t->values + m * d;
        const float *soft = t->soft + m * problem->soft_width;
        const bool valid =
            owi_is_valid(problem, t->log_proba + m * C, f->queries->target[i]);
        mine[0].n_forward++;
        if (valid && is_new(problem, mine, n_found, values))
            fill_answer(problem, values, soft, &mine[k - wanted[i]--]);
        else if (n_found == 0 && !mine[0].given)
            fill_answer(problem, values, soft, &mine[0]);
    }
    return OW_OK;
}

/* ---- Few values ---- */

/* The row with what the answer has in a column, and in those linked with it. */
static void take_over(const ow_schema *schema, size_t column, const double *answer,
                      double *values)
{
    const ow_linked linked =
        ow_schema_linked(schema, ow_schema_column(schema, column)->link);
    values[column] = answer[column];
    for (size_t k = 0; k < linked.n_columns; k++)
        values[linked.columns[k]] = answer[linked.columns[k]];
}

/* From the query towards the answer by the best value at a time, until the class is
 * reached. */
static ow_status take_few(const owi_problem *problem, const owi_queries *queries, size_t i,
                          trial *t, owi_answer *answer)
{
    const size_t d = problem->n_columns, C = problem->n_classes;
    const double *query = queries->values + i * d;
    double *now = t->now; /* the row so far */
    memcpy(now, query, d * sizeof *now);
    for (;;) {
        size_t n = 0, best = 0;
        for (size_t j = 0; j < d; j++) {
            if (owi_same_value(now[j], answer->values[j])) continue;
            memcpy(t->values + n * d, now, d * sizeof *now);
            take_over(problem->schema, j, answer->values, t->values + n++ * d);
        }
        if (n == 0) return OW_OK;
        ow_model_soften(problem->model, n, t->values, t->soft);
        OWI_TRY(owi_model_classify(problem->call, problem->model, problem->classifier, n,
                                   t->values, t->soft, t->log_proba));
        answer->n_forward += n;
        double most = -INFINITY;
        for (size_t m = 0; m < n; m++) {
            const double margin =
                owi_margin(problem, t->log_proba + m * C, queries->target[i]);
            if (m > 0 && !(margin > most)) continue;
            most = margin;
            best = m;
        }
        memcpy(now, t->values + best * d, d * sizeof *now);
        if (owi_is_valid(problem, t->log_proba + best * C, queries->target[i])) {
            fill_answer(problem, now, t->soft + best * problem->soft_width, answer);
            return OW_OK;
        }
    }
}

static ow_status explain_block(const owi_problem *problem, const void *given, void *made,
                               const owi_queries *queries, owi_answer *answers)
{
    const settings *set = given;
    ow_context *ctx = problem->ctx;
    const state *s = made;
    const size_t n = queries->n_rows, k = problem->options->n_answers;
    const size_t most = owi_larger(n, problem->n_columns);
    search f = {.problem = problem, .s = s, .queries = queries};
    f.tries =
        owi_smaller((size_t)set->tries, owi_larger(s->known.start[problem->n_classes], 1));
    trial t;
    size_t *wanted;
    owi_workspace *scratch;
    const owi_piece pieces[] = {
        OWI_PIECE(f.distance, n * f.tries),
        OWI_PIECE(f.nearest, n * f.tries),
        OWI_PIECE(f.n_nearest, n),
        OWI_PIECE(wanted, n),
        OWI_PIECE(t.query, n),
        OWI_PIECE(t.now, problem->n_columns),
        OWI_PIECE(t.values, most * problem->n_columns),
        OWI_PIECE(t.soft, most * problem->soft_width),
        OWI_PIECE(t.log_proba, most * problem->n_classes),
    };
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &scratch));
    ow_status status = owi_parallel_rows(problem->call, n, 1, find_nearest, &f);
    for (size_t i = 0; i < n; i++) wanted[i] = k;
    for (size_t rank = 0; status == OW_OK && rank < f.tries; rank++)
        status = try_rank(&f, rank, wanted, &t, answers);
    for (size_t a = 0; status == OW_OK && set->sparse && a < n * k; a++)
        if (answers[a].given && wanted[a / k] < k)
            status = take_few(problem, queries, a / k, &t, &answers[a]);
    owi_workspace_free(scratch);
    return status;
}

const owi_explainer_impl owi_explainer_nearest = {
    .shown =
        {
            .name = "nearest",
            .summary = "the nearest known row of the target class",
            .n_params = sizeof params / sizeof *params,
        },
    .settings_size = sizeof(settings),
    .params = params,
    .prepare = prepare,
    .release = release,
    .repairs = true,
    .explain_block = explain_block,
};
