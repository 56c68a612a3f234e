/* SPDX-License-Identifier: MIT */
#include "circuit/learn/sum_layout.h"

#include "base/memory/sizes.h"

/* What one worker adds or clears at a time: 128 KB of doubles, which fit the second-level
 * cache beside the floats that are added to them. */
enum { entries_at_a_time = 1 << 14 };

owi_sum_layout owi_sum_layout_of(const ow_circuit *circuit)
{
    const size_t n_regions = circuit->regions.n_copies * circuit->regions.n_regions;
    const size_t I = circuit->spec.inputs;
    owi_sum_layout layout = {.leaf = 0, .weight = circuit->n_leaf};
    layout.whole = layout.weight + circuit->n_weights;
    layout.gappy = layout.whole + n_regions * I;
    layout.there = layout.gappy + n_regions * I;
    layout.n = layout.there + circuit->gap_start[n_regions] * I;
    return layout;
}

/* Adds [first, end), an area of one part, to the list; segments NULL: only counts. */
static void cut_segments(size_t part, size_t first, size_t end, size_t *n,
                         owi_sum_segment *segments)
{
    for (; first < end; first += entries_at_a_time, ++*n)
        if (segments != NULL)
            segments[*n] =
                (owi_sum_segment){part, first, owi_smaller(entries_at_a_time, end - first)};
}

size_t owi_sum_segments(const ow_circuit *circuit, owi_sum_segment *segments)
{
    const owi_sum_layout layout = owi_sum_layout_of(circuit);
    const size_t n_leaf = circuit->n_leaf / circuit->regions.n_copies;
    const size_t n_regions = circuit->regions.n_regions, I = circuit->spec.inputs;
    const size_t nodes = n_regions * I;
    size_t n = 0;

    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++) {
        const size_t whole = owi_sum_part(copy, false), gaps = owi_sum_part(copy, true);
        const size_t leaf = layout.leaf + copy * n_leaf;
        cut_segments(whole, leaf, leaf + n_leaf, &n, segments);
        /* The weights: of the root (d = 0 here), then of the inner layers 1 ... D - 1.
         * Those of one layer and copy are one run of memory, which ends where the next
         * copy's begins. */
        for (size_t i = 0; i < owi_circuit_n_runs(circuit); i++) {
            const owi_weight_run run = owi_circuit_weight_run(circuit, copy, i);
            const size_t weight = layout.weight + run.first;
            cut_segments(whole, weight, weight + run.n_sums * run.block, &n, segments);
        }
        cut_segments(whole, layout.whole + copy * nodes, layout.whole + (copy + 1) * nodes,
                     &n, segments);
        cut_segments(gaps, layout.gappy + copy * nodes, layout.gappy + (copy + 1) * nodes,
                     &n, segments);
        cut_segments(gaps, layout.there + I * circuit->gap_start[copy * n_regions],
                     layout.there + I * circuit->gap_start[(copy + 1) * n_regions], &n,
                     segments);
    }
    return n;
}
