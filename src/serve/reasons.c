/* SPDX-License-Identifier: MIT */
#include "serve/reasons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/memory.h"
#include "serve/conditional.h"

/* ---- Groups ---- */

/* Every column of group b goes to group a. */
static void join(size_t *of, size_t n, size_t a, size_t b)
{
    for (size_t j = 0; j < n; j++)
        if (of[j] == b) of[j] = a;
}

void reason_groups_make(const ow_schema *schema, reason_groups *groups)
{
    const size_t n = ow_schema_n_columns(schema);
    size_t *of = memory_new(n + 1, sizeof *of);
    for (size_t j = 0; j < n; j++) of[j] = j;
    for (size_t link = 1; link <= ow_schema_n_links(schema); link++) {
        const ow_linked linked = ow_schema_linked(schema, link);
        for (size_t i = 1; i < linked.n_columns; i++)
            join(of, n, of[linked.columns[0]], of[linked.columns[i]]);
    }
    for (size_t i = 0; i < ow_schema_n_relations(schema); i++) {
        const ow_relation *relation = ow_schema_relation(schema, i);
        for (size_t k = 0; k < relation->n_parents; k++)
            join(of, n, of[relation->column], of[relation->parents[k]]);
    }
    /* Numbered by their first columns. */
    size_t *number = memory_new(n + 1, sizeof *number);
    *groups = (reason_groups){.n_columns = n, .of = of};
    for (size_t j = 0; j < n; j++) number[j] = SIZE_MAX;
    for (size_t j = 0; j < n; j++) {
        if (number[of[j]] == SIZE_MAX) number[of[j]] = groups->n++;
        of[j] = number[of[j]];
    }
    free(number);
}

void reason_groups_clear(reason_groups *groups)
{
    free(groups->of);
}

/* ---- v of many subsets at once ---- */

typedef struct {
    ow_predictor *predictor;
    const reason_groups *groups;
    const double *row;
    const ow_call *call;
    size_t n_classes;
    int32_t target;
    size_t n_players, *player; /* groups with a value */
    double *rows, *proba;      /* of a block of subsets */
    size_t room, n_pairs;
    conditional *drawn; /* NULL: the circuit decides, and sums columns out */
} game;

/* Subset i of the block: is_known[k] for each player k. */
static void set_subset(game *g, size_t i, const bool *is_known)
{
    const size_t n = g->groups->n_columns;
    double *row = g->rows + i * n;
    for (size_t j = 0; j < n; j++) {
        row[j] = NAN;
        for (size_t k = 0; k < g->n_players; k++)
            if (is_known[k] && g->player[k] == g->groups->of[j]) row[j] = g->row[j];
    }
}

/* v of the first n subsets of the block. */
static ow_status evaluate(game *g, size_t n, double *v)
{
    /* Where a probability is 0 for a double; of samples none may be of a class. */
    const double least = g->drawn != NULL ? 0.25 / conditional_samples : 1e-300;
    const ow_predictions wanted = {.size = sizeof wanted, .proba = g->proba};
    const ow_status status =
        g->drawn != NULL
            ? conditional_predict(g->drawn, g->predictor, n, g->rows, g->call, g->proba)
            : ow_predictor_predict(g->predictor, n, g->rows, g->call, &wanted);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        double with = 0.0, against = 0.0;
        for (size_t c = 0; c < g->n_classes; c++)
            *(c == (size_t)g->target ? &with : &against) += g->proba[i * g->n_classes + c];
        v[i] = log(fmax(with, least)) - log(fmax(against, least));
    }
    return status;
}

/* ---- All subsets ---- */

static ow_status find_exact(game *g, reasons *r)
{
    const size_t n = g->n_players, n_subsets = (size_t)1 << n;
    double *v = memory_new(n_subsets, sizeof *v);
    bool is_known[reasons_most_exact] = {false};
    for (size_t s = 0; s < n_subsets; s++) {
        for (size_t k = 0; k < n; k++) is_known[k] = (s >> k & 1) != 0;
        set_subset(g, s, is_known);
    }
    const ow_status status = evaluate(g, n_subsets, v);
    /* Weights |S|! (n - |S| - 1)! / n! = 1 / (n choose |S|) / (n - |S|). */
    for (size_t s = 0; s < n_subsets && status == OW_OK; s++) {
        size_t size = 0;
        for (size_t k = 0; k < n; k++) size += s >> k & 1;
        const double choose = exp(lgamma((double)n + 1.0) - lgamma((double)size + 1.0) -
                                  lgamma((double)(n - size) + 1.0));
        for (size_t k = 0; k < n; k++)
            if ((s >> k & 1) == 0)
                r->value[g->player[k]] +=
                    (v[s | (size_t)1 << k] - v[s]) / (rint(choose) * (double)(n - size));
    }
    r->none = v[0];
    r->all = v[n_subsets - 1];
    r->exact = true;
    free(v);
    return status;
}

/* ---- Orders ---- */

/* SplitMix64: enough for orders, and the same everywhere. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void shuffle(size_t *order, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)(draw(state) % i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* What each player adds in an order, forwards and backwards: the mean of both. */
static ow_status try_pair(game *g, const size_t *order, double *v, double *adds)
{
    const size_t n = g->n_players;
    bool *is_known = memory_new(n, sizeof *is_known);
    for (size_t way = 0; way < 2; way++) {
        memset(is_known, 0, n * sizeof *is_known);
        for (size_t i = 0; i <= n; i++) {
            set_subset(g, way * (n + 1) + i, is_known);
            if (i < n) is_known[order[way == 0 ? i : n - 1 - i]] = true;
        }
    }
    const ow_status status = evaluate(g, 2 * (n + 1), v);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const double *back = v + n + 1;
        adds[order[i]] = 0.5 * (v[i + 1] - v[i]) + 0.5 * (back[n - i] - back[n - 1 - i]);
    }
    free(is_known);
    return status;
}

static ow_status find_drawn(game *g, uint64_t seed, reasons *r)
{
    const size_t n = g->n_players;
    size_t *order = memory_new(n, sizeof *order);
    double *v = memory_new(2 * (n + 1), sizeof *v), *adds = memory_new(n, sizeof *adds);
    double *squares = memory_new(n, sizeof *squares);
    ow_status status = OW_OK;
    const double n_pairs = (double)g->n_pairs;
    for (size_t pair = 0; pair < g->n_pairs && status == OW_OK; pair++) {
        shuffle(order, n, &seed);
        status = try_pair(g, order, v, adds);
        for (size_t k = 0; k < n && status == OW_OK; k++) {
            r->value[g->player[k]] += adds[k] / n_pairs;
            squares[k] += adds[k] * adds[k] / n_pairs;
        }
        /* Means, so that values sum to their difference also where v is drawn. */
        r->none += 0.5 * (v[0] + v[n + 1]) / n_pairs;
        r->all += 0.5 * (v[n] + v[2 * n + 1]) / n_pairs;
    }
    for (size_t k = 0; k < n; k++) {
        const double mean = r->value[g->player[k]];
        r->error[g->player[k]] =
            sqrt(fmax(0.0, squares[k] - mean * mean) / (n_pairs - 1.0));
    }
    free(order);
    free(v);
    free(adds);
    free(squares);
    return status;
}

/* ---- Both ---- */

bool reasons_by_circuit(const ow_model *model)
{
    ow_network_size network;
    ow_foreign_info foreign;
    return !ow_model_network(model, &network) && !ow_model_foreign(model, &foreign);
}

static void find_players(game *g)
{
    bool *has = memory_new(g->groups->n + 1, sizeof *has);
    g->player = memory_new(g->groups->n + 1, sizeof *g->player);
    for (size_t j = 0; j < g->groups->n_columns; j++)
        if (!isnan(g->row[j])) has[g->groups->of[j]] = true;
    for (size_t k = 0; k < g->groups->n; k++)
        if (has[k]) g->player[g->n_players++] = k;
    free(has);
}

ow_status reasons_find(const ow_model *model, ow_predictor *predictor,
                       const reason_groups *groups, const double *row, int32_t target,
                       uint64_t number, const ow_call *call, reasons *out)
{
    game g = {.predictor = predictor,
              .groups = groups,
              .row = row,
              .call = call,
              .n_classes = ow_schema_n_classes(ow_model_schema(model)),
              .n_pairs = reasons_pairs,
              .target = target};
    conditional drawn = {0};
    ow_status status = OW_OK;
    *out = (reasons){.value = memory_new(groups->n + 1, sizeof *out->value),
                     .error = memory_new(groups->n + 1, sizeof *out->error)};
    find_players(&g);
    const bool by_circuit = reasons_by_circuit(model);
    const bool exact = by_circuit && g.n_players <= reasons_most_exact;
    g.room = exact ? (size_t)1 << g.n_players : 2 * (g.n_players + 1);
    g.rows = memory_new(g.room * groups->n_columns + 1, sizeof *g.rows);
    g.proba = memory_new(g.room * g.n_classes + 1, sizeof *g.proba);
    uint64_t seed = call != NULL ? call->seed : 0;
    seed = draw(&seed) + number;
    if (!by_circuit) {
        g.n_pairs = reasons_sampled_pairs;
        g.drawn = &drawn;
        status = conditional_init(&drawn, model, g.room, seed);
    }
    if (status == OW_OK) status = exact ? find_exact(&g, out) : find_drawn(&g, seed, out);
    conditional_clear(&drawn);
    free(g.player);
    free(g.rows);
    free(g.proba);
    return status;
}

void reasons_clear(reasons *r)
{
    free(r->value);
    free(r->error);
}

void reasons_order(const reason_groups *groups, const reasons *r, size_t *order)
{
    for (size_t i = 0; i < groups->n; i++) {
        size_t at = i;
        for (; at > 0 && r->value[order[at - 1]] > r->value[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
