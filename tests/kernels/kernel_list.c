/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_list.h"

#include <string.h>

/* --- Cases of MNIST's size --- */

/* 784 features, depth 1, 19 repetitions, 20 components, 5 classes that share them. */
enum {
    mnist_features = 784,
    mnist_repetitions = 19,
    mnist_components = 20,
    mnist_classes = 5
};

static void mnist_leaf(kernel_case *c, owi_batch batch)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    kernel_case_leaf(c, &rng, batch, 2 * mnist_repetitions, mnist_components,
                     mnist_features, mnist_features / 2, false, true);
    /* As useful work counts every feature, none is left out for being 0 in a whole tile. */
    for (size_t i = 0; i < kernel_n_rows(c) * mnist_features; i++)
        if (c->features[i] == 0.0f) c->features[i] = (float)owi_rng_normal(&rng);
}

static void mnist_sum(kernel_case *c, owi_batch batch)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    kernel_case_sum(c, &rng, batch,
                    (owi_sum_shape){mnist_repetitions, mnist_components, mnist_components},
                    kernel_mild);
}

/* There is no kernel for single rows. */
static void mnist_change(kernel_case *c, owi_batch batch)
{
    batch.lanes = owi_tile_lanes;
    mnist_leaf(c, batch);
}

static void mnist_root(kernel_case *c, owi_batch batch)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    const owi_root_shape shape = {.n_classes = mnist_classes,
                                  .n_partitions = mnist_repetitions,
                                  .n_components = mnist_components};
    kernel_case_root(c, &rng, batch, shape, kernel_mild);
}

/* Two trees of 112 columns, 16 states each. */
static void mushrooms_tree(kernel_case *c, owi_batch batch)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    kernel_case_tree(c, &rng, batch, (owi_tree_shape){2, 112, 16, NULL}, kernel_mild);
    const owi_backend *ref = owi_backend_find("ref");
    ref->tree_forward(ref, &c->tree, c->batch, c->weights, c->in.log_value, &c->nodes,
                      &c->out);
}

/* --- The kernels --- */

static void run_leaf_forward(const owi_backend *backend, const kernel_case *c)
{
    backend->leaf_forward(backend, &c->leaf, c->batch, c->theta, c->bias, c->features,
                          c->in.log_value);
}

static void run_leaf_change(const owi_backend *backend, const kernel_case *c)
{
    backend->leaf_change(backend, &c->leaf, c->batch, c->theta, &c->marked, c->features,
                         c->in.log_value);
}

static void run_leaf_backward(const owi_backend *backend, const kernel_case *c)
{
    backend->leaf_backward(backend, &c->leaf, c->batch, c->theta, c->flow, c->d_features);
}

static void run_leaf_statistics(const owi_backend *backend, const kernel_case *c)
{
    backend->leaf_statistics(backend, &c->leaf, c->batch, c->flow, c->features,
                             c->statistic, c->total);
}

static double leaf_operations(const kernel_case *c)
{
    return 2.0 * (double)(kernel_n_rows(c) * c->leaf.n_components * c->n_scope);
}

static double change_operations(const kernel_case *c)
{
    const size_t n_groups = c->batch.n_tiles * owi_lane_groups;
    size_t n = 0;
    for (size_t i = 0; i < n_groups * c->n_scope; i++) {
        const size_t group = i / c->n_scope, f = c->leaf.scope[i % c->n_scope];
        const size_t word = group * owi_scope_words(c->leaf.n_features) + f / 32;
        n += c->marked.bits[word] >> f % 32 & 1u;
    }
    return 2.0 * (double)(owi_lane_group * c->leaf.n_components * n);
}

static void run_normalize(const owi_backend *backend, const kernel_case *c)
{
    backend->normalize(backend, c->n_in, c->root.n_components, c->batch, &c->in);
}

static double normalize_operations(const kernel_case *c)
{
    return (double)(kernel_n_rows(c) * c->n_in * c->root.n_components);
}

static void run_sum_forward(const owi_backend *backend, const kernel_case *c)
{
    backend->sum_forward(backend, &c->sum, c->batch, c->weights, &c->in, &c->out,
                         c->scratch);
}

static void run_sum_backward(const owi_backend *backend, const kernel_case *c)
{
    backend->sum_backward(backend, &c->sum, c->batch, c->weights, &c->in, c->flow,
                          c->flow_in, c->statistic, c->scratch);
}

/* Every sum multiplies K x K weights by one child, then adds up K products with the
 * other. */
static double sum_operations(const kernel_case *c)
{
    const size_t K = c->sum.n_components;
    return 2.0 *
           (double)(kernel_n_rows(c) * c->sum.n_regions * c->sum.n_sums * (K * K + K));
}

static void run_tree_forward(const owi_backend *backend, const kernel_case *c)
{
    backend->tree_forward(backend, &c->tree, c->batch, c->weights, c->in.log_value,
                          &c->nodes, &c->out);
}

static void run_tree_backward(const owi_backend *backend, const kernel_case *c)
{
    backend->tree_backward(backend, &c->tree, c->batch, c->weights, &c->nodes, c->flow,
                           c->flow_in, c->statistic, c->scratch);
}

/* Every edge multiplies K x K weights by the values of its node. */
static double tree_operations(const kernel_case *c)
{
    const size_t K = c->tree.n_components, n = c->tree.n_trees * (c->tree.n_nodes - 1);
    return 2.0 * (double)(kernel_n_rows(c) * n * K * K);
}

/* Twice that: once for the flow, once for the statistic. */
static double flow_operations(const kernel_case *c)
{
    return 2.0 * tree_operations(c);
}

static void run_root_forward(const owi_backend *backend, const kernel_case *c)
{
    backend->root_forward(backend, &c->root, c->batch, c->weights, &c->in, c->log_root,
                          c->scratch);
}

static void run_root_backward(const owi_backend *backend, const kernel_case *c)
{
    backend->root_backward(backend, &c->root, c->batch, c->weights, &c->in, c->log_root,
                           c->seed, c->flow_in, c->statistic, c->scratch);
}

static double root_operations(const kernel_case *c)
{
    const size_t K = c->root.n_components, n = c->root.n_classes * c->root.n_partitions;
    return 2.0 * (double)(kernel_n_rows(c) * n * (c->root.single ? K : K * K + K));
}

const kernel_entry kernel_list[] = {
    {"leaf_forward", run_leaf_forward, leaf_operations, mnist_leaf},
    {"leaf_change", run_leaf_change, change_operations, mnist_change},
    {"leaf_backward", run_leaf_backward, leaf_operations, mnist_leaf},
    {"leaf_statistics", run_leaf_statistics, leaf_operations, mnist_leaf},
    {"normalize", run_normalize, normalize_operations, mnist_root},
    {"sum_forward", run_sum_forward, sum_operations, mnist_sum},
    {"sum_backward", run_sum_backward, sum_operations, mnist_sum},
    {"tree_forward", run_tree_forward, tree_operations, mushrooms_tree},
    {"tree_backward", run_tree_backward, flow_operations, mushrooms_tree},
    {"root_forward", run_root_forward, root_operations, mnist_root},
    {"root_backward", run_root_backward, root_operations, mnist_root},
};

const size_t kernel_list_size = sizeof kernel_list / sizeof *kernel_list;

const kernel_entry *kernel_find(const char *name)
{
    for (size_t i = 0; i < kernel_list_size; i++)
        if (strcmp(kernel_list[i].name, name) == 0) return &kernel_list[i];
    return NULL;
}
