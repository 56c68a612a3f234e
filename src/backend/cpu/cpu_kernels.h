/* SPDX-License-Identifier: MIT */
/* The cpu kernels; what each computes is written in backend.h.  They work tile by tile in
 * linear float arithmetic around each region's maximum, and hand the few rows that
 * underflow to pair_sum.h. */
#ifndef OWI_CPU_KERNELS_H
#define OWI_CPU_KERNELS_H

#include "backend/backend.h"
#include "backend/cpu/tile_ops.h"

static inline const owi_instruction_set *owi_cpu_ops(const owi_backend *self)
{
    return self->detail;
}

/* The features of region r. */
static inline owi_pick owi_cpu_scope(const owi_leaf_shape *shape, size_t r)
{
    const size_t F = shape->n_features;
    return (owi_pick){shape->scope + shape->scope_start[r],
                      shape->scope_bits != NULL ? shape->scope_bits + r * owi_scope_words(F)
                                                : NULL,
                      F};
}

/* Terms of a product that are done together: their rows, 64 lanes each, fit the
 * second-level cache beside the parameters. */
enum { owi_cpu_most_terms = 2560 };

/* A sum of linear values below this has lost its precision and is computed again in
 * logarithms; doc/method.md calls this the guard. */
static const float owi_cpu_least_sum = 1e-30f;

void owi_cpu_leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *bias,
                          const float *features, float *log_value);
void owi_cpu_leaf_change(const owi_backend *self, const owi_leaf_shape *shape,
                         owi_batch batch, const float *theta, const owi_marked *marked,
                         const float *change, float *log_value);
void owi_cpu_leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                           owi_batch batch, const float *theta, const float *flow,
                           float *d_features);
void owi_cpu_leaf_statistics(const owi_backend *self, const owi_leaf_shape *shape,
                             owi_batch batch, const float *flow, const float *features,
                             float *statistic, float *total);
void owi_cpu_normalize(const owi_backend *self, size_t n_regions, size_t n_components,
                       owi_batch batch, const owi_layer_values *layer);
void owi_cpu_sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const owi_layer_values *out, float *scratch);
void owi_cpu_sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const float *flow_out, float *flow_in, float *statistic,
                          float *scratch);
void owi_cpu_tree_forward(const owi_backend *self, const owi_tree_shape *shape,
                          owi_batch batch, owi_weights weights, const float *leaves,
                          const owi_tree_values *nodes, const owi_layer_values *roots);
void owi_cpu_tree_backward(const owi_backend *self, const owi_tree_shape *shape,
                           owi_batch batch, owi_weights weights,
                           const owi_tree_values *nodes, const float *flow_roots,
                           float *flow, float *statistic, float *scratch);
void owi_cpu_root_forward(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          double *log_root, float *scratch);
void owi_cpu_root_backward(const owi_backend *self, const owi_root_shape *shape,
                           owi_batch batch, owi_weights weights, const owi_layer_values *in,
                           const double *log_root, const float *adjoint, float *flow_in,
                           float *statistic, float *scratch);

#endif
