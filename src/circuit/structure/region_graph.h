/* SPDX-License-Identifier: MIT */
/* Which columns each leaf region holds.
 *
 * Halves: a repetition shuffles the groups of columns and halves them `depth` times, the
 * first half taking the odd one; the 2^depth pieces are its leaf regions, from left to
 * right.  So the children of inner region p are the regions 2p and 2p + 1 one level below.
 *
 * Trees (spec->parents): every group of columns is a leaf region.  A repetition's are
 * numbered from the root down, level by level, so that each stands behind its parent, and
 * are the same in every copy. */
#ifndef OWI_REGION_GRAPH_H
#define OWI_REGION_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/circuit.h"

typedef struct {
    size_t n_parts;    /* leaf regions of a repetition: 2^depth, or the groups */
    size_t n_regions;  /* of one copy: repetitions * n_parts                   */
    size_t n_copies;   /* 1 if shared, else one for each class                 */
    uint32_t *start;   /* n_copies * n_regions + 1: where a region's columns begin */
    uint32_t *columns; /* n_copies * repetitions * n_columns, ascending in a region */
    /* Trees: (repetitions, n_parts), the parent's number in its repetition, 0 for the root
     * itself; NULL: halves. */
    uint32_t *parent;
} owi_region_graph;

/* Groups of columns: those with the same number stand side by side. */
size_t owi_region_graph_groups(const ow_circuit_spec *spec);

/* The largest depth that leaves no region of any repetition empty. */
size_t owi_region_graph_most_halvings(const ow_circuit_spec *spec);

/* spec->depth has been cut down already.  OW_ERR_ARGUMENT: spec->parents are no trees. */
ow_status owi_region_graph_init(owi_region_graph *graph, ow_context *ctx,
                                const ow_circuit_spec *spec);
/* Room for one that is known already: start and columns are zero, for the caller to
 * fill. */
ow_status owi_region_graph_alloc(owi_region_graph *graph, ow_context *ctx,
                                 const ow_circuit_spec *spec);
/* Halves: every repetition of every copy holds every column once, in ascending order within
 * a region; groups need not stay together. */
ow_status owi_region_graph_check(const owi_region_graph *graph, ow_context *ctx,
                                 const ow_circuit_spec *spec);
void owi_region_graph_clear(owi_region_graph *graph, ow_context *ctx);

#endif
