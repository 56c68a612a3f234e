/* SPDX-License-Identifier: MIT */
/* Which columns each leaf region holds.  A repetition shuffles the groups of columns and
 * halves them `depth` times, the first half taking the odd one; the 2^depth pieces are its
 * leaf regions, from left to right.  So the children of inner region p are the regions 2p
 * and 2p + 1 one level below. */
#ifndef OWI_REGION_GRAPH_H
#define OWI_REGION_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/circuit.h"

typedef struct {
    size_t n_regions;  /* of one copy: repetitions * 2^depth                   */
    size_t n_copies;   /* 1 if shared, else one for each class                 */
    uint32_t *start;   /* n_copies * n_regions + 1: where a region's columns begin */
    uint32_t *columns; /* n_copies * repetitions * n_columns, ascending in a region */
} owi_region_graph;

/* The largest depth that leaves no region of any repetition empty. */
size_t owi_region_graph_most_halvings(const ow_circuit_spec *spec);

/* spec->depth has been cut down already. */
ow_status owi_region_graph_init(owi_region_graph *graph, ow_context *ctx,
                                const ow_circuit_spec *spec);
/* Room for one that is known already: start and columns are zero, for the caller to
 * fill. */
ow_status owi_region_graph_alloc(owi_region_graph *graph, ow_context *ctx,
                                 const ow_circuit_spec *spec);
/* Every repetition of every copy holds every column once, in ascending order within a
 * region; groups need not stay together. */
ow_status owi_region_graph_check(const owi_region_graph *graph, ow_context *ctx,
                                 const ow_circuit_spec *spec);
void owi_region_graph_clear(owi_region_graph *graph, ow_context *ctx);

#endif
