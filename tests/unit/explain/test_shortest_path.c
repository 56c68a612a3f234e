/* SPDX-License-Identifier: MIT */
/* Cheapest ways, against all ways there are. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "explain/face/shortest_path.h"

enum { n_nodes = 12, most_arcs = n_nodes * n_nodes };

/* A graph with a third of all arcs, weights 0 to 4 in quarters, so that ties and free steps
 * occur. */
typedef struct {
    size_t start[n_nodes + 1];
    uint32_t to[most_arcs];
    double weight[most_arcs];
    owi_graph graph;
} random_graph;

static void make_graph(random_graph *made, owi_rng *rng)
{
    size_t n = 0;
    for (size_t i = 0; i < n_nodes; i++) {
        made->start[i] = n;
        for (uint32_t j = 0; j < n_nodes; j++) {
            if (j == i || owi_rng_below(rng, 3) > 0) continue;
            made->to[n] = j;
            made->weight[n++] = 0.25 * (double)owi_rng_below(rng, 17);
        }
    }
    made->start[n_nodes] = n;
    made->graph = (owi_graph){n_nodes, made->start, made->to, made->weight};
}

/* Bellman and Ford: costs by going over all arcs until nothing changes. */
static void relax_all(const owi_graph *graph, size_t n_arcs, const owi_arc *arcs,
                      const bool *forbidden, double *cost)
{
    for (size_t i = 0; i < n_nodes; i++) cost[i] = INFINITY;
    for (size_t a = 0; a < n_arcs; a++)
        if (!forbidden[arcs[a].to])
            cost[arcs[a].to] = fmin(cost[arcs[a].to], arcs[a].weight);
    for (size_t round = 0; round < n_nodes; round++)
        for (size_t i = 0; i < n_nodes; i++)
            for (size_t a = graph->start[i]; a < graph->start[i + 1]; a++)
                if (!forbidden[graph->to[a]])
                    cost[graph->to[a]] =
                        fmin(cost[graph->to[a]], cost[i] + graph->weight[a]);
}

static bool may_enter(void *user, uint32_t node)
{
    const bool *forbidden = user;
    return !forbidden[node];
}

/* What a path costs, added up along it; every step of it must be there. */
static double path_cost(const owi_graph *graph, size_t n_arcs, const owi_arc *arcs,
                        size_t n, const uint32_t *nodes)
{
    double cost = INFINITY;
    for (size_t a = 0; a < n_arcs; a++)
        if (arcs[a].to == nodes[0]) cost = fmin(cost, arcs[a].weight);
    for (size_t i = 1; i < n; i++) {
        double step = INFINITY;
        for (size_t a = graph->start[nodes[i - 1]]; a < graph->start[nodes[i - 1] + 1]; a++)
            if (graph->to[a] == nodes[i]) step = fmin(step, graph->weight[a]);
        cost += step;
    }
    return cost;
}

static void costs_and_paths_are_those_of_trying_everything(void **state)
{
    for (size_t run = 0; run < 200 * ow_test_scale(); run++) {
        owi_rng rng;
        random_graph made;
        owi_search search;
        bool forbidden[n_nodes];
        double want[n_nodes], last = 0.0;
        uint32_t nodes[n_nodes], node;
        size_t n_reached = 0, n_want = 0;
        owi_rng_init(&rng, run, 1);
        make_graph(&made, &rng);
        for (size_t i = 0; i < n_nodes; i++) forbidden[i] = owi_rng_below(&rng, 6) == 0;
        const owi_arc arcs[] = {{(uint32_t)owi_rng_below(&rng, n_nodes), 1.0},
                                {(uint32_t)owi_rng_below(&rng, n_nodes), 0.5}};
        relax_all(&made.graph, 2, arcs, forbidden, want);

        assert_ok(owi_search_init(&search, ow_test_context(state), n_nodes));
        owi_search_begin(&search, &made.graph, 2, arcs, may_enter, forbidden);
        while ((node = owi_search_next(&search)) != OWI_NO_NODE) {
            const double cost = owi_search_cost(&search, node);
            const size_t n = owi_search_path(&search, node, nodes);
            assert_false(forbidden[node]);
            assert_true(cost >= last);
            assert_close(&cost, &want[node], 1, 0.0);
            assert_int_equal(nodes[n - 1], node);
            const double added = path_cost(&made.graph, 2, arcs, n, nodes);
            assert_close(&added, &cost, 1, 0.0);
            last = cost;
            n_reached++;
        }
        for (size_t i = 0; i < n_nodes; i++) n_want += isfinite(want[i]) ? 1 : 0;
        assert_int_equal(n_reached, n_want);
        owi_search_clear(&search);
    }
}

/* 0 - 1 - 2 costs 2 in two steps, 0 - 2 costs 3 in one. */
static void the_cheapest_way_is_not_the_one_of_fewest_steps(void **state)
{
    size_t start[] = {0, 2, 3, 3};
    uint32_t to[] = {1, 2, 2};
    double weight[] = {1.0, 3.0, 1.0};
    const owi_graph graph = {3, start, to, weight};
    owi_search search;
    uint32_t nodes[3];
    assert_ok(owi_search_init(&search, ow_test_context(state), 3));
    owi_search_begin(&search, &graph, 1, &(owi_arc){0, 0.0}, NULL, NULL);
    while (owi_search_next(&search) != 2) {
    }
    assert_int_equal(owi_search_path(&search, 2, nodes), 3);
    assert_int_equal(nodes[1], 1);
    owi_search_clear(&search);
}

static void of_equally_cheap_nodes_the_lower_number_comes_first(void **state)
{
    size_t start[] = {0, 0, 0, 0};
    const owi_graph graph = {3, start, NULL, NULL};
    const owi_arc arcs[] = {{2, 1.0}, {0, 1.0}, {1, 1.0}};
    owi_search search;
    assert_ok(owi_search_init(&search, ow_test_context(state), 3));
    for (size_t again = 0; again < 2; again++) {
        owi_search_begin(&search, &graph, 3, arcs, NULL, NULL);
        for (uint32_t node = 0; node < 3; node++)
            assert_int_equal(owi_search_next(&search), node);
        assert_int_equal(owi_search_next(&search), OWI_NO_NODE);
    }
    owi_search_clear(&search);
}

/* An edge that is impossible costs infinitely much: nobody gets through. */
static void infinite_steps_are_never_taken(void **state)
{
    size_t start[] = {0, 1, 1};
    uint32_t to[] = {1};
    double weight[] = {INFINITY};
    const owi_graph graph = {2, start, to, weight};
    owi_search search;
    assert_ok(owi_search_init(&search, ow_test_context(state), 2));
    owi_search_begin(&search, &graph, 1, &(owi_arc){0, 0.0}, NULL, NULL);
    assert_int_equal(owi_search_next(&search), 0);
    assert_int_equal(owi_search_next(&search), OWI_NO_NODE);
    owi_search_clear(&search);
}

static ow_status make_search(ow_context *ctx, void *user)
{
    (void)user;
    owi_search search;
    const ow_status status = owi_search_init(&search, ctx, 5);
    if (status == OW_OK) owi_search_clear(&search);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(make_search, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(costs_and_paths_are_those_of_trying_everything),
        ow_test_on_heap(the_cheapest_way_is_not_the_one_of_fewest_steps),
        ow_test_on_heap(of_equally_cheap_nodes_the_lower_number_comes_first),
        ow_test_on_heap(infinite_steps_are_never_taken),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/shortest_path", tests, NULL, NULL);
}
