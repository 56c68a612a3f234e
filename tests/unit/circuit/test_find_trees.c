/* SPDX-License-Identifier: MIT */
/* Mutual information, spanning trees, and trees found in rows. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "circuit/dependence/mutual_information.h"
#include "circuit/structure/circuit.h"
#include "otherwise/learn.h"
#include "support/tiny_circuits.h"

/* ---- Information ---- */

static void information_is_that_of_the_counts(void **state)
{
    (void)state;
    static owi_code_pairs pairs;
    const uint8_t left[8] = {0, 0, 0, 1, 1, 1, 2, owi_no_code};
    const uint8_t right[8] = {0, 0, 1, 1, 1, 0, owi_no_code, 1};
    /* Six rows with both: (0,0) 2, (0,1) 1, (1,1) 2, (1,0) 1; one degree of freedom. */
    const double want =
        2.0 * (2.0 / 6.0 * log(2.0 * 6.0 / 9.0) + 1.0 / 6.0 * log(6.0 / 9.0)) - 1.0 / 12.0;
    owi_code_pairs_begin(&pairs, 3, 2);
    owi_code_pairs_add(&pairs, 8, left, right, NULL);
    double got = owi_code_pairs_information(&pairs);
    assert_close(&got, &want, 1, 1e-12);

    /* The same in two parts, and by weights. */
    owi_code_pairs_begin(&pairs, 3, 2);
    owi_code_pairs_add(&pairs, 3, left, right, NULL);
    owi_code_pairs_add(&pairs, 5, left + 3, right + 3, NULL);
    got = owi_code_pairs_information(&pairs);
    assert_close(&got, &want, 1, 1e-12);
    const uint8_t once[4] = {0, 0, 1, 1}, other[4] = {0, 1, 1, 0};
    const uint8_t weight[4] = {2, 1, 2, 1};
    owi_code_pairs_begin(&pairs, 2, 2);
    owi_code_pairs_add(&pairs, 4, once, other, weight);
    got = owi_code_pairs_information(&pairs);
    assert_close(&got, &want, 1, 1e-12);

    owi_code_pairs_begin(&pairs, 3, 2); /* no rows */
    assert_true(owi_code_pairs_information(&pairs) == 0.0);
}

static void a_copy_has_the_whole_entropy_and_noise_about_nothing(void **state)
{
    (void)state;
    enum { n = 4000 };
    static owi_code_pairs pairs;
    static uint8_t left[n], noise[n];
    owi_rng rng;
    owi_rng_init(&rng, 1, 1);
    for (size_t i = 0; i < n; i++) {
        left[i] = (uint8_t)(i % 8);
        noise[i] = (uint8_t)owi_rng_below(&rng, 8);
    }
    owi_code_pairs_begin(&pairs, 8, 8);
    owi_code_pairs_add(&pairs, n, left, left, NULL);
    const double got = owi_code_pairs_information(&pairs);
    const double want = log(8.0) - 49.0 / (2.0 * n);
    assert_close(&got, &want, 1, 1e-12);
    owi_code_pairs_begin(&pairs, 8, 8);
    owi_code_pairs_add(&pairs, n, left, noise, NULL);
    /* Without the correction it would be about 49 / 8000 = 0.006. */
    assert_true(fabs(owi_code_pairs_information(&pairs)) < 0.003);
}

/* ---- Trees ---- */

/* The sum of a tree's edges; -infinity for what is no tree. */
static double weigh(size_t n, const double *information, const uint32_t *parents)
{
    double sum = 0.0;
    size_t n_roots = 0;
    for (size_t i = 0; i < n; i++) {
        size_t at = i, steps = 0;
        while (parents[at] != at && steps++ < n) at = parents[at];
        if (steps > n) return -INFINITY;
        n_roots += parents[i] == i;
        if (parents[i] != i) sum += information[i * n + parents[i]];
    }
    return n_roots == 1 ? sum : -INFINITY;
}

/* All choices of a parent for each of five nodes, with each root. */
static void no_tree_is_better(void **state)
{
    (void)state;
    enum { n = 5 };
    for (size_t seed = 0; seed < 20; seed++) {
        double information[n * n], best_of_node[n];
        uint32_t parents[n], tried[n] = {0};
        bool taken[n];
        owi_rng rng;
        owi_rng_init(&rng, seed, 2);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                information[i * n + j] = information[j * n + i] =
                    owi_rng_normal(&rng) * (double)(1 + seed % 3);
        double best = -INFINITY;
        for (size_t p = 0; p < n;) {
            best = fmax(best, weigh(n, information, tried));
            for (p = 0; p < n && ++tried[p] == n; p++) tried[p] = 0;
        }
        for (size_t root = 0; root < n; root++) {
            owi_spanning_tree(n, information, root, parents, taken, best_of_node);
            assert_int_equal(parents[root], root);
            const double got = weigh(n, information, parents);
            assert_close(&got, &best, 1, 1e-12);
        }
    }
}

/* ---- Found in rows ---- */

enum { d = 7, n_trees = 4, n_rows = 3000 };

/* A chain 0 - 1 - 2 - ... with a number, masses, levels and gaps on the way. */
static void fill_chain(float *rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 5, i);
        double x = owi_rng_normal(&rng);
        for (size_t j = 0; j < d; j++) {
            float *value = &rows[i * d + j];
            x = 0.9 * x + 0.4 * owi_rng_normal(&rng);
            const double level = floor(fmin(fmax(x + 1.5, 0.0), 2.0));
            *value = j == 2 ? (float)level : j == 3 || j == 6 ? (float)(x > 0.0) : (float)x;
            if (j == 4 && x < -0.5) *value = 0.0f;
            if (owi_rng_uniform(&rng) < 0.1) *value = NAN;
        }
    }
}

static bool is_edge(const uint32_t *parents, uint32_t a, uint32_t b)
{
    return parents[a] == b || parents[b] == a;
}

static void a_chain_is_found_by_every_tree(void **state)
{
    static float rows[n_rows * d];
    static int32_t classes[n_rows];
    ow_row_array array = {n_rows, d, rows, classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 1);
    uint32_t parents[n_trees * d], again[n_trees * d];
    bool differ = false;
    spec.repetitions = n_trees;
    fill_chain(rows);
    assert_ok(ow_circuit_find_trees(ow_test_context(state), &spec, &source, ow_test_seed(1),
                                    parents));
    for (size_t t = 0; t < n_trees; t++) {
        size_t n_edges = 0;
        for (uint32_t j = 0; j + 1 < d; j++) n_edges += is_edge(parents + t * d, j, j + 1);
        assert_true(n_edges >= (t == 0 ? d - 1 : d - 2)); /* a bootstrap may miss one */
        for (size_t j = 0; j < d; j++) differ |= parents[t * d + j] != parents[j];
    }
    assert_true(differ); /* at least the roots do */
    /* The same on any number of threads; another seed leaves the first tree as it is. */
    ow_call how = {.size = sizeof how, .seed = 1, .threads = 3};
    assert_ok(ow_circuit_find_trees(ow_test_context(state), &spec, &source, &how, again));
    assert_memory_equal(parents, again, sizeof parents);
    how.seed = 2;
    assert_ok(ow_circuit_find_trees(ow_test_context(state), &spec, &source, &how, again));
    assert_memory_equal(parents, again, d * sizeof *parents);
    /* They are what a circuit takes. */
    ow_circuit *circuit = NULL;
    spec.parents = parents;
    assert_ok(ow_circuit_new(ow_test_context(state), &spec, &circuit));
    ow_circuit_free(circuit);
}

static void groups_are_nodes(void **state)
{
    static float rows[n_rows * d];
    static int32_t classes[n_rows];
    ow_row_array array = {n_rows, d, rows, classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 1);
    ow_leaf leaves[d];
    uint32_t parents[5];
    memcpy(leaves, ow_tiny_leaves, sizeof leaves);
    leaves[1].group = leaves[0].group; /* columns 0 1 | 2 | 3 | 4 5 | 6 */
    leaves[5].group = leaves[4].group;
    spec.leaves = leaves;
    spec.repetitions = 1;
    fill_chain(rows);
    assert_ok(ow_circuit_find_trees(ow_test_context(state), &spec, &source, NULL, parents));
    for (uint32_t g = 0; g + 1 < 5; g++) assert_true(is_edge(parents, g, g + 1));
}

static void what_no_column_holds_is_refused(void **state)
{
    float rows[2 * d] = {0.0f};
    int32_t classes[2] = {0};
    ow_row_array array = {2, d, rows, classes, 0}, none = {0, d, rows, classes, 0};
    ow_row_source source = ow_row_source_of_array(&array);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 1);
    uint32_t parents[3 * d];
    rows[d + 3] = 2.0f; /* a bit */
    assert_fails(ow_circuit_find_trees(ow_test_context(state), &spec, &source, NULL,
                                       parents),
                 OW_ERR_NUMERIC, "row 2, column 3: expected a level from 0 to 1, got 2");
    source = ow_row_source_of_array(&none);
    assert_fails(ow_circuit_find_trees(ow_test_context(state), &spec, &source, NULL,
                                       parents),
                 OW_ERR_ARGUMENT, "there are no rows to find trees in");
}

static ow_status find(ow_context *ctx, void *user)
{
    ow_tiny_rows *rows = user;
    const ow_row_source source = ow_row_source_of_array(&rows->array);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 2);
    uint32_t parents[3 * ow_tiny_columns];
    return ow_circuit_find_trees(ctx, &spec, &source, ow_test_threads(1), parents);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_tiny_rows rows = ow_tiny_rows_new(10, 2, 0.1, 8);
    ow_test_sweep(find, &rows);
    ow_tiny_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(information_is_that_of_the_counts),
        cmocka_unit_test(a_copy_has_the_whole_entropy_and_noise_about_nothing),
        cmocka_unit_test(no_tree_is_better),
        ow_test_on_heap(a_chain_is_found_by_every_tree),
        ow_test_on_heap(groups_are_nodes),
        ow_test_on_heap(what_no_column_holds_is_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/find_trees", tests, NULL, NULL);
}
