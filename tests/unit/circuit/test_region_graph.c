/* SPDX-License-Identifier: MIT */
/* Random halvings of the columns: everything once, halves as equal as can be, groups
 * whole. */
#include "circuit/structure/circuit.h"
#include "support/ow_test.h"

enum { most_columns = 64 };

/* Columns in groups of these sizes, 0 at the end. */
static size_t grouped_leaves(const size_t *sizes, ow_leaf *leaves)
{
    size_t n = 0;
    for (size_t g = 0; sizes[g] > 0; g++)
        for (size_t i = 0; i < sizes[g]; i++)
            leaves[n++] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = g};
    return n;
}

static ow_circuit_spec spec_of(const ow_leaf *leaves, size_t n_columns, size_t depth)
{
    return (ow_circuit_spec){.size = sizeof(ow_circuit_spec),
                             .structure = OW_STRUCTURE_PER_CLASS,
                             .depth = depth,
                             .repetitions = 5,
                             .sums = 2,
                             .inputs = 2,
                             .n_classes = 3,
                             .n_columns = n_columns,
                             .leaves = leaves,
                             .seed = 1};
}

static size_t width(const owi_region_graph *graph, size_t region)
{
    return graph->start[region + 1] - graph->start[region];
}

static void every_repetition_holds_every_column_once_in_equal_parts(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    ow_leaf leaves[most_columns];
    for (size_t j = 0; j < most_columns; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    for (size_t d = 1; d <= most_columns; d = d < 20 ? d + 1 : d + 11)
        for (size_t depth = 0; (size_t)1 << depth <= d; depth++) {
            const ow_circuit_spec spec = spec_of(leaves, d, depth);
            owi_region_graph graph;
            assert_ok(owi_region_graph_init(&graph, heap.ctx, &spec));
            assert_int_equal(graph.n_copies, 3);
            assert_int_equal(graph.n_regions, 5 << depth);
            assert_ok(owi_region_graph_check(&graph, heap.ctx, &spec));
            for (size_t r = 0; r < 3 * graph.n_regions; r++) {
                assert_true(width(&graph, r) >= d >> depth);
                assert_true(width(&graph, r) <= (d >> depth) + 1);
                /* The first half takes the odd column. */
                if (depth > 0 && r % 2 == 0)
                    assert_true(width(&graph, r) >= width(&graph, r + 1));
            }
            owi_region_graph_clear(&graph, heap.ctx);
        }
    ow_test_heap_end(&heap);
}

static void groups_stay_together(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    static const size_t sizes[] = {3, 1, 7, 1, 1, 4, 2, 1, 5, 0};
    ow_leaf leaves[most_columns];
    const size_t d = grouped_leaves(sizes, leaves);
    for (size_t depth = 0; depth <= 3; depth++) {
        const ow_circuit_spec spec = spec_of(leaves, d, depth);
        owi_region_graph graph;
        assert_int_equal(owi_region_graph_most_halvings(&spec), 3); /* of 9 groups */
        assert_ok(owi_region_graph_init(&graph, heap.ctx, &spec));
        assert_ok(owi_region_graph_check(&graph, heap.ctx, &spec));
        for (size_t r = 0; r < 3 * graph.n_regions; r++)
            for (uint32_t i = graph.start[r]; i < graph.start[r + 1]; i++) {
                const size_t group = leaves[graph.columns[i]].group;
                const bool first =
                    i == graph.start[r] || leaves[graph.columns[i - 1]].group != group;
                if (!first) continue;
                for (size_t k = 0; k < sizes[group]; k++) {
                    assert_true(i + k < graph.start[r + 1]);
                    assert_int_equal(leaves[graph.columns[i + k]].group, group);
                }
            }
        owi_region_graph_clear(&graph, heap.ctx);
    }
    ow_test_heap_end(&heap);
}

/* Copies halve as they like, or all alike; another seed halves otherwise. */
static void copies_and_seeds_differ_unless_told(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    ow_leaf leaves[20];
    for (size_t j = 0; j < 20; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    ow_circuit_spec spec = spec_of(leaves, 20, 2);
    owi_region_graph own, same, other, again;
    const size_t copy = (size_t)5 * 20 * sizeof(uint32_t);
    assert_ok(owi_region_graph_init(&own, heap.ctx, &spec));
    assert_ok(owi_region_graph_init(&again, heap.ctx, &spec));
    spec.same_regions = true;
    assert_ok(owi_region_graph_init(&same, heap.ctx, &spec));
    spec.seed = 2;
    assert_ok(owi_region_graph_init(&other, heap.ctx, &spec));

    assert_memory_equal(own.columns, again.columns, 3 * copy);
    assert_memory_not_equal(own.columns, own.columns + 100, copy);
    assert_memory_not_equal(own.columns, own.columns + 20, 20 * sizeof(uint32_t));
    assert_memory_equal(same.columns, same.columns + 100, copy);
    assert_memory_equal(same.columns, same.columns + 200, copy);
    assert_memory_equal(same.columns, own.columns, copy); /* those of the first */
    assert_memory_not_equal(same.columns, other.columns, copy);
    owi_region_graph_clear(&own, heap.ctx);
    owi_region_graph_clear(&same, heap.ctx);
    owi_region_graph_clear(&other, heap.ctx);
    owi_region_graph_clear(&again, heap.ctx);
    ow_test_heap_end(&heap);
}

/* What comes from a file may be anything. */
static void a_graph_that_is_none_is_found_out(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    ow_leaf leaves[6];
    for (size_t j = 0; j < 6; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = spec_of(leaves, 6, 1);
    owi_region_graph graph;
    assert_ok(owi_region_graph_init(&graph, heap.ctx, &spec));
    const uint32_t first = graph.columns[0], start = graph.start[1];

    graph.columns[0] = 6;
    assert_fails(owi_region_graph_check(&graph, heap.ctx, &spec), OW_ERR_FORMAT,
                 "region 0: column 6");
    graph.columns[0] = graph.columns[3]; /* twice in one repetition */
    assert_status(owi_region_graph_check(&graph, heap.ctx, &spec), OW_ERR_FORMAT);
    graph.columns[0] = graph.columns[1]; /* not ascending */
    graph.columns[1] = first;
    assert_fails(owi_region_graph_check(&graph, heap.ctx, &spec), OW_ERR_FORMAT,
                 "region 0");
    graph.columns[1] = graph.columns[0];
    graph.columns[0] = first;
    graph.start[1] = 7;
    assert_fails(owi_region_graph_check(&graph, heap.ctx, &spec), OW_ERR_FORMAT,
                 "ends before it begins");
    graph.start[1] = start;
    graph.start[2] = 5;
    assert_fails(owi_region_graph_check(&graph, heap.ctx, &spec), OW_ERR_FORMAT,
                 "repetition 0 holds columns");
    graph.start[2] = 6;
    graph.start[0] = 1;
    assert_status(owi_region_graph_check(&graph, heap.ctx, &spec), OW_ERR_FORMAT);
    graph.start[0] = 0;
    assert_ok(owi_region_graph_check(&graph, heap.ctx, &spec));
    owi_region_graph_clear(&graph, heap.ctx);
    ow_test_heap_end(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_repetition_holds_every_column_once_in_equal_parts),
        cmocka_unit_test(groups_stay_together),
        cmocka_unit_test(copies_and_seeds_differ_unless_told),
        cmocka_unit_test(a_graph_that_is_none_is_found_out),
    };
    return cmocka_run_group_tests_name("circuit/region_graph", tests, NULL, NULL);
}
