/* SPDX-License-Identifier: MIT */
/* FACE's graph and its weights, against everything worked out plainly. */
#include "support/plane_model.h"

#include "base/numeric/rng.h"
#include "circuit/pass/evaluator.h"
#include "explain/constraints/rules.h"
#include "explain/face/face_graph.h"
#include "support/test_call.h"

enum { n_rows = 40, k = 3 };

static const double two_means[][2] = {{0.0, 0.0}, {4.0, 0.0}};

typedef struct {
    ow_model *model;
    ow_evaluator *evaluator;
    ow_constraints *constraints;
    owi_rules rules;
    double values[n_rows * 2];
    float soft[n_rows * 2];
} plane;

static void make_plane(ow_context *ctx, plane *p)
{
    owi_rng rng;
    owi_rng_init(&rng, 4, 9);
    p->model = ow_test_plane(ctx, 2, two_means);
    p->evaluator = NULL;
    p->constraints = NULL;
    for (size_t i = 0; i < 2 * n_rows; i++) {
        p->soft[i] = (float)(2.0 * (i % 2 == 0) + 0.8 * owi_rng_normal(&rng));
        p->values[i] = (double)p->soft[i];
    }
    assert_ok(ow_evaluator_new(ow_model_circuit(p->model), NULL, &p->evaluator));
    assert_ok(ow_constraints_new(ctx, ow_model_schema(p->model), &p->constraints));
    assert_ok(owi_rules_init(&p->rules, ctx, p->constraints, p->model));
}

static void clear_plane(plane *p)
{
    owi_rules_clear(&p->rules);
    ow_constraints_free(p->constraints);
    ow_evaluator_free(p->evaluator);
    ow_model_free(p->model);
}

static void make_graph(ow_context *ctx, plane *p, owi_face_weights weights, bool directed,
                       owi_face_graph *face)
{
    const owi_face_options options = {
        .k = k, .directed = directed, .weights = weights, .bandwidth = 0.7};
    const owi_face_rows rows = {.model = p->model,
                                .rules = &p->rules,
                                .evaluator = p->evaluator,
                                .backend = p->evaluator->backend,
                                .n_rows = n_rows,
                                .values = p->values,
                                .soft = p->soft};
    assert_ok(owi_face_graph_init(face, ow_test_call(ctx, NULL), &options, &rows));
}

static double length(const plane *p, size_t i, size_t j)
{
    return hypot(p->values[2 * i] - p->values[2 * j],
                 p->values[2 * i + 1] - p->values[2 * j + 1]);
}

/* How many rows are nearer to i than j is. */
static size_t rank_of(const plane *p, size_t i, size_t j)
{
    size_t n = 0;
    for (size_t other = 0; other < n_rows; other++)
        n += other != i && length(p, i, other) < length(p, i, j);
    return n;
}

static double log_normal(double square, double variance)
{
    return -0.5 * square / variance - log(2.0 * 3.14159265358979323846 * variance);
}

/* log rho of the edge by its definition, in the plane. */
static double log_density(const plane *p, owi_face_weights weights, size_t i, size_t j)
{
    const double pi = 3.14159265358979323846, d = length(p, i, j);
    const double x = 0.5 * (p->values[2 * i] + p->values[2 * j]);
    const double y = 0.5 * (p->values[2 * i + 1] + p->values[2 * j + 1]);
    double sum = 0.0;
    if (weights == OWI_FACE_KNN) return log(k / (n_rows * pi * d * d));
    if (weights == OWI_FACE_CIRCUIT)
        return log(0.5 * exp(log_normal(x * x + y * y, 1.0)) +
                   0.5 * exp(log_normal((x - 4.0) * (x - 4.0) + y * y, 1.0)));
    for (size_t b = 0; b < n_rows; b++) {
        const double dx = x - p->values[2 * b], dy = y - p->values[2 * b + 1];
        sum += exp(log_normal(dx * dx + dy * dy, 0.49)) / n_rows;
    }
    return log(sum);
}

static void edges_and_weights_are_those_of_their_definitions(void **state)
{
    ow_context *ctx = ow_test_context(state);
    plane p;
    make_plane(ctx, &p);
    for (int weights = OWI_FACE_DISTANCE; weights <= OWI_FACE_CIRCUIT; weights++)
        for (int directed = 0; directed < 2; directed++) {
            owi_face_graph face;
            double densest = -INFINITY;
            size_t n_arcs = 0;
            make_graph(ctx, &p, (owi_face_weights)weights, directed, &face);
            for (size_t i = 0; i < n_rows; i++)
                for (size_t j = 0; j < n_rows; j++) {
                    const bool near =
                        rank_of(&p, i, j) < k || (!directed && rank_of(&p, j, i) < k);
                    if (i == j || !near) continue;
                    n_arcs++;
                    if (weights != OWI_FACE_DISTANCE)
                        densest =
                            fmax(densest, log_density(&p, (owi_face_weights)weights, i, j));
                }
            assert_int_equal(face.graph.start[n_rows], n_arcs);
            for (size_t i = 0; i < n_rows; i++)
                for (size_t a = face.graph.start[i]; a < face.graph.start[i + 1]; a++) {
                    const size_t j = face.graph.to[a];
                    double want = length(&p, i, j);
                    if (weights != OWI_FACE_DISTANCE)
                        want *= 1.0 + densest -
                                log_density(&p, (owi_face_weights)weights, i, j);
                    assert_true(face.graph.weight[a] >= 0.0);
                    assert_close(&face.graph.weight[a], &want, 1, 1e-4);
                }
            owi_face_graph_clear(&face);
        }
    clear_plane(&p);
}

/* Floyd and Warshall: the cheapest ways between all rows, by trying every row in
 * between. */
static void ways_cost_what_trying_every_way_costs(void **state)
{
    static double cost[n_rows][n_rows];
    ow_context *ctx = ow_test_context(state);
    plane p;
    make_plane(ctx, &p);
    for (int weights = OWI_FACE_DISTANCE; weights <= OWI_FACE_CIRCUIT; weights++) {
        owi_face_graph face;
        owi_search search;
        make_graph(ctx, &p, (owi_face_weights)weights, false, &face);
        for (size_t i = 0; i < n_rows; i++)
            for (size_t j = 0; j < n_rows; j++) cost[i][j] = i == j ? 0.0 : INFINITY;
        for (size_t i = 0; i < n_rows; i++)
            for (size_t a = face.graph.start[i]; a < face.graph.start[i + 1]; a++)
                cost[i][face.graph.to[a]] = face.graph.weight[a];
        for (size_t by = 0; by < n_rows; by++)
            for (size_t i = 0; i < n_rows; i++)
                for (size_t j = 0; j < n_rows; j++)
                    cost[i][j] = fmin(cost[i][j], cost[i][by] + cost[by][j]);

        assert_ok(owi_search_init(&search, ctx, n_rows));
        for (uint32_t from = 0; from < n_rows; from++) {
            uint32_t node;
            owi_search_begin(&search, &face.graph, 1, &(owi_arc){from, 0.0}, NULL, NULL);
            while ((node = owi_search_next(&search)) != OWI_NO_NODE) {
                const double got = owi_search_cost(&search, node);
                assert_close(&got, &cost[from][node], 1, 1e-9);
            }
        }
        owi_search_clear(&search);
        owi_face_graph_clear(&face);
    }
    clear_plane(&p);
}

/* A query that is one of the rows but for its number is joined as that row is, and with
 * itself. */
static void queries_enter_as_rows_are_joined(void **state)
{
    ow_context *ctx = ow_test_context(state);
    owi_face_entries entries;
    owi_face_graph face;
    plane p;
    make_plane(ctx, &p);
    make_graph(ctx, &p, OWI_FACE_DISTANCE, false, &face);
    assert_ok(owi_face_entries_init(&entries, ow_test_call(face.ctx, NULL), &face, n_rows,
                                    p.values, p.soft));
    for (size_t i = 0; i < n_rows; i++) {
        size_t n;
        const owi_arc *arcs = owi_face_arcs(&entries, i, &n);
        assert_int_equal(arcs[0].to, i);
        assert_true(arcs[0].weight == 0.0);
        for (size_t a = 1; a < n; a++) {
            const double want = length(&p, i, arcs[a].to);
            assert_close(&arcs[a].weight, &want, 1, 1e-6);
            assert_true(rank_of(&p, i, arcs[a].to) < k - 1 ||
                        rank_of(&p, arcs[a].to, i) < k);
            for (size_t b = 0; b < a; b++) assert_int_not_equal(arcs[a].to, arcs[b].to);
        }
    }
    owi_face_entries_clear(&entries);
    owi_face_graph_clear(&face);
    clear_plane(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(edges_and_weights_are_those_of_their_definitions),
        ow_test_on_heap(ways_cost_what_trying_every_way_costs),
        ow_test_on_heap(queries_enter_as_rows_are_joined),
    };
    return cmocka_run_group_tests_name("explain/face_graph", tests, NULL, NULL);
}
