/* SPDX-License-Identifier: MIT */
/* Sums of chunks in a tree, compared bit by bit with the same tree written as a recursion,
 * on numbers whose sum depends on the order. */
#include "support/ow_test.h"
#include "support/test_call.h"
#include "support/tiny_circuits.h"

#include "circuit/learn/sum_tree.h"

enum { most_chunks = 37, n_classes = 3, n_parts = 2 * n_classes };

/* The number that a chunk has in all entries of a part; of the others' sizes, so that
 * rounding shows the order. */
static float number_of(size_t chunk, size_t part)
{
    return (float)(1 + chunk * chunk + part) * (chunk % 3 == 0 ? 1.1e7f : 0.3f);
}

static bool is_met(size_t chunk, size_t part)
{
    return (chunk + part) % 4 != 0;
}

/* The node that covers `first` to first + 2^level - 1 of n chunks; false: none has met the
 * part. */
static bool reference(size_t n, size_t first, size_t level, size_t part, float *sum)
{
    float left, right;
    if (first >= n) return false;
    if (level == 0) {
        *sum = number_of(first, part);
        return is_met(first, part);
    }
    const size_t half = (size_t)1 << (level - 1);
    const bool has_left = reference(n, first, level - 1, part, &left);
    const bool has_right = reference(n, first + half, level - 1, part, &right);
    if (has_left && has_right) *sum = left + right;
    if (has_left != has_right) *sum = has_left ? left : right;
    return has_left || has_right;
}

static void fill(const owi_sum_segment *segments, size_t n_segments, size_t chunk,
                 float *block)
{
    for (size_t s = 0; s < n_segments; s++)
        for (size_t i = 0; i < segments[s].n; i++)
            block[segments[s].first + i] = number_of(chunk, segments[s].part);
}

static void chunks_are_added_in_one_tree_over_their_numbers(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_tiny_rows rows = ow_tiny_rows_new(100, n_classes, 0.1, 3);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, n_classes);
    ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
    const size_t n_segments = owi_sum_segments(circuit, NULL);
    owi_sum_segment *segments = calloc(n_segments, sizeof *segments);
    float *block = calloc(owi_sum_layout_of(circuit).n, sizeof *block);
    owi_sum_tree tree;
    assert_true(segments != NULL && block != NULL);
    assert_int_equal(owi_sum_n_parts(circuit), n_parts);
    (void)owi_sum_segments(circuit, segments);
    assert_ok(owi_sum_tree_init(&tree, ow_test_call(ctx, NULL), circuit, n_segments,
                                segments, 1));
    for (size_t n = 1; n <= most_chunks; n++) {
        owi_sum_tree_begin(&tree, n);
        for (size_t chunk = 0; chunk < n; chunk++) {
            bool met[n_parts];
            const double figure = (double)chunk;
            for (size_t p = 0; p < n_parts; p++) met[p] = is_met(chunk, p);
            fill(segments, n_segments, chunk, block);
            assert_ok(owi_sum_tree_add(&tree, chunk, met, &figure, block));
        }
        const owi_sum_node *root = owi_sum_tree_root(&tree);
        assert_true(root->figures[0] == (double)(n * (n - 1) / 2));
        for (size_t s = 0; s < n_segments; s++) {
            const size_t part = segments[s].part;
            float want = 0.0f;
            const bool met = reference(n, 0, 6, part, &want);
            assert_int_equal(root->part[part] != NULL, met);
            for (size_t i = 0; met && i < segments[s].n; i++)
                assert_true(root->part[part][tree.within[s] + i] == want);
        }
    }
    owi_sum_tree_clear(&tree);
    free(block);
    free(segments);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(chunks_are_added_in_one_tree_over_their_numbers)};
    return cmocka_run_group_tests_name("circuit/sum_tree", tests, NULL, NULL);
}
