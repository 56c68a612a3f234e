/* SPDX-License-Identifier: MIT */
/* Inputs and outputs of one kernel call, made at random; for the checks of this folder and
 * for bench/bench_kernels.c. */
#ifndef KERNEL_CASE_H
#define KERNEL_CASE_H

#include "backend/backend.h"
#include "base/numeric/rng.h"

/* Everything that some kernel reads or writes; a case fills what its kernel needs. */
typedef struct {
    owi_batch batch;
    owi_leaf_shape leaf;
    owi_sum_shape sum;
    owi_root_shape root;
    owi_tree_shape tree;

    float *theta, *bias, *features;
    owi_marked marked; /* about a third of the features */
    owi_weights weights;
    owi_layer_values in, out;
    owi_tree_values nodes; /* in.log_value has their leaves, out their roots */
    float *flow;           /* of the leaves, or of the sums */
    float *seed;
    double *log_root;

    float *d_features, *flow_in, *statistic, *total;
    float *scratch;

    size_t n_scope, n_weights, n_in; /* sums of widths; of all weights; regions below */
} kernel_case;

static inline size_t kernel_n_rows(const kernel_case *c)
{
    return c->batch.n_tiles * c->batch.lanes;
}

/* What the numbers look like.  Extreme: log-values spread over hundreds of nats, weights
 * down to e^-570, impossible components and rows, so that the guard is taken on many
 * rows. */
typedef enum { kernel_mild, kernel_extreme } kernel_kind;

/* Buffers of floats with guard bytes behind them; all but the n_kept oldest are released at
 * once.  False: some kernel wrote past an end.  Under AddressSanitizer reading there fails
 * too. */
float *kernel_floats(size_t n);
size_t kernel_n_buffers(void);
bool kernel_release(size_t n_kept);

/* Leaves: scopes of `width` features each, drawn without repetition; uneven: of 0 to width;
 * ascending: in order, and given as bits, too. */
void kernel_case_leaf(kernel_case *c, owi_rng *rng, owi_batch batch, size_t n_regions,
                      size_t n_components, size_t n_features, size_t width, bool uneven,
                      bool ascending);
/* Inner sums and roots, with the layer below and its flows or seeds. */
void kernel_case_sum(kernel_case *c, owi_rng *rng, owi_batch batch, owi_sum_shape shape,
                     kernel_kind kind);
void kernel_case_root(kernel_case *c, owi_rng *rng, owi_batch batch, owi_root_shape shape,
                      kernel_kind kind);
/* Trees of random parents, with their leaves and the flows of their roots. */
void kernel_case_tree(kernel_case *c, owi_rng *rng, owi_batch batch, owi_tree_shape shape,
                      kernel_kind kind);

/* Inputs that enter linearly, and outputs that are added to, by their absolute values: what
 * a kernel makes of them bounds the rounding errors of the case itself. */
void kernel_case_absolute(kernel_case *c);

#endif
