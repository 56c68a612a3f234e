/* SPDX-License-Identifier: MIT */
/* The leaf regions of a circuit of trees, from the parents that its spec names. */
#ifndef OWI_REGION_TREES_H
#define OWI_REGION_TREES_H

#include "circuit/structure/region_graph.h"

/* owi_region_graph_init where spec->parents is given. */
ow_status owi_region_trees_init(owi_region_graph *graph, ow_context *ctx,
                                const ow_circuit_spec *spec);

#endif
