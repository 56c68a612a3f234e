/* SPDX-License-Identifier: MIT */
/* One tree of a circuit, from a root down: at every sum one pair of components is chosen,
 * until each leaf region of one repetition has its component (in a circuit of trees, one
 * state for each node).  Sampling and the most
 * probable tree differ in how they choose and in what they do at the leaves. */
#ifndef OWI_CHOSEN_TREE_H
#define OWI_CHOSEN_TREE_H

#include "circuit/structure/circuit.h"

typedef struct {
    const ow_circuit *circuit;
    void *user;
    /* Sum k of a region at a depth from 1 to D - 1: which of the K x K pairs of its
     * children's components.  In a circuit of trees, depth is 1, region a node and k its
     * parent's state: which state of the node. */
    size_t (*choose)(void *user, size_t depth, size_t region, size_t k);
    /* Component k of a leaf region. */
    void (*arrive)(void *user, size_t region, size_t k);
    uint32_t *state; /* trees: room for a repetition's nodes */
} owi_chosen_tree;

/* From term number `chosen` of a root: pairs are numbered partition by partition,
 * components at depth 0. */
void owi_walk_tree(const owi_chosen_tree *tree, size_t chosen);

/* Where the log-weights of one sum begin: of a class's root, of sum k of a region, and of
 * the edge to a node of trees whose parent is in state k. */
const float *owi_root_weights(const ow_circuit *circuit, size_t c);
const float *owi_sum_weights(const ow_circuit *circuit, size_t copy, size_t depth,
                             size_t region, size_t k);
const float *owi_edge_weights(const ow_circuit *circuit, size_t copy, size_t node,
                              size_t k);

#endif
