/* SPDX-License-Identifier: MIT */
/* Circuits of trees: regions behind their parents, groups whole, what is no tree refused,
 * and densities that are the sum over all states of all hidden variables. */
#include "support/ow_test.h"
#include "support/random_circuits.h"

#include "circuit/structure/circuit.h"

enum { d = 6, n_groups = 4, n_trees = 2 };

/* Groups of 1, 2, 1 and 2 columns. */
static const size_t group_of[d] = {3, 5, 5, 6, 9, 9};

static ow_circuit_spec spec_of(ow_leaf leaves[d], const uint32_t *parents)
{
    for (size_t j = 0; j < d; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = group_of[j]};
    return (ow_circuit_spec){.size = sizeof(ow_circuit_spec),
                             .structure = OW_STRUCTURE_PER_CLASS,
                             .depth = 7,
                             .repetitions = n_trees,
                             .inputs = 3,
                             .n_classes = 2,
                             .n_columns = d,
                             .leaves = leaves,
                             .parents = parents};
}

static void regions_are_groups_behind_their_parents(void **state)
{
    static const uint32_t parents[n_trees * n_groups] = {1, 3, 1, 3, 0, 0, 0, 2};
    /* The first tree from its root 3 down: 3, 1, 0, 2; the second: 0, 1, 2, 3. */
    static const uint32_t order[n_trees * n_groups] = {3, 1, 0, 2, 0, 1, 2, 3};
    static const uint32_t above[n_trees * n_groups] = {0, 0, 1, 1, 0, 0, 0, 2};
    static const size_t first[n_groups] = {0, 1, 3, 4}, width[n_groups] = {1, 2, 1, 2};
    ow_leaf leaves[d];
    ow_circuit *circuit = NULL;
    const ow_circuit_spec spec = spec_of(leaves, parents);
    assert_ok(ow_circuit_new(ow_test_context(state), &spec, &circuit));
    assert_true(owi_circuit_is_tree(circuit));
    assert_int_equal(ow_circuit_get_spec(circuit)->depth, 0);
    assert_int_equal(circuit->regions.n_parts, n_groups);
    /* Every edge has 3 x 3 weights, every root 3. */
    assert_int_equal(circuit->n_weights, 2 * n_trees * ((n_groups - 1) * 9 + 3));
    assert_memory_equal(circuit->regions.parent, above, sizeof above);
    assert_memory_equal(ow_circuit_get_spec(circuit)->parents, parents, sizeof parents);
    for (size_t i = 0; i < 2 * n_trees * n_groups; i++) {
        const size_t at = i % (n_trees * n_groups);
        size_t n = 0;
        const uint32_t *columns = ow_circuit_region(circuit, i / (n_trees * n_groups),
                                                    at / n_groups, at % n_groups, &n);
        assert_int_equal(n, width[order[at]]);
        for (size_t j = 0; j < n; j++) assert_int_equal(columns[j], first[order[at]] + j);
    }
    ow_circuit_free(circuit);
}

static void what_is_no_tree_is_refused(void **state)
{
    static const struct {
        uint32_t parents[n_trees * n_groups];
        const char *sentence;
    } cases[] = {
        {{1, 3, 1, 3, 0, 0, 0, 4}, "tree 1: the parent of group 3 is 4, of 4 groups"},
        {{0, 0, 2, 2, 0, 0, 0, 0}, "tree 0 has 2 roots, expected one"},
        {{0, 0, 0, 0, 1, 2, 3, 0}, "tree 1 has 0 roots, expected one"},
        {{0, 2, 1, 0, 0, 0, 0, 0}, "tree 0: 2 groups go round in a circle"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ow_leaf leaves[d];
        ow_circuit *circuit = NULL;
        const ow_circuit_spec spec = spec_of(leaves, cases[i].parents);
        assert_fails(ow_circuit_new(ow_test_context(state), &spec, &circuit),
                     OW_ERR_ARGUMENT, cases[i].sentence);
        assert_null(circuit);
    }
}

static void a_density_is_the_sum_over_all_hidden_states(void **state)
{
    ow_discrete_case cases[40];
    const size_t n = ow_discrete_cases(cases);
    for (size_t i = 0; i < n; i++) {
        if (cases[i].depth != ow_tree_depth) continue;
        ow_circuit *circuit = ow_discrete_circuit(ow_test_context(state), &cases[i], i + 1);
        ow_evaluator *evaluator = NULL;
        float row[ow_most_discrete] = {0};
        assert_true(owi_circuit_is_tree(circuit));
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        for (size_t tried = 0; tried < 20; tried++) {
            double got[2];
            for (size_t j = 0; j < cases[i].d; j++)
                row[j] = (tried + j) % 5 == 0 ? NAN : (float)((tried * 7 + j) % 2);
            assert_ok(ow_evaluator_evaluate(evaluator, 1, row, NULL, got));
            for (size_t c = 0; c < 2; c++) {
                const double want = ow_all_states_log_class(circuit, c, row);
                assert_close(&got[c], &want, 1, 1e-5);
            }
        }
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
    }
}

static ow_status make(ow_context *ctx, void *user)
{
    (void)user;
    static const uint32_t parents[n_trees * n_groups] = {1, 3, 1, 3, 0, 0, 0, 2};
    ow_leaf leaves[d];
    ow_circuit *circuit = NULL;
    const ow_circuit_spec spec = spec_of(leaves, parents);
    const ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    ow_circuit_free(circuit);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(make, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(regions_are_groups_behind_their_parents),
        ow_test_on_heap(what_is_no_tree_is_refused),
        ow_test_on_heap(a_density_is_the_sum_over_all_hidden_states),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/region_trees", tests, NULL, NULL);
}
