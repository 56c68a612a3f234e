/* SPDX-License-Identifier: MIT */
/* The reference kernels; what each computes is written in backend.h. */
#ifndef OWI_REF_KERNELS_H
#define OWI_REF_KERNELS_H

#include "backend/backend.h"

void owi_ref_leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *bias,
                          const float *features, float *log_value);
void owi_ref_leaf_change(const owi_backend *self, const owi_leaf_shape *shape,
                         owi_batch batch, const float *theta, const owi_marked *marked,
                         const float *change, float *log_value);
void owi_ref_leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                           owi_batch batch, const float *theta, const float *flow,
                           float *d_features);
void owi_ref_leaf_statistics(const owi_backend *self, const owi_leaf_shape *shape,
                             owi_batch batch, const float *flow, const float *features,
                             float *statistic, float *total);
void owi_ref_normalize(const owi_backend *self, size_t n_regions, size_t n_components,
                       owi_batch batch, const owi_layer_values *layer);
void owi_ref_sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const owi_layer_values *out, float *scratch);
void owi_ref_sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const float *flow_out, float *flow_in, float *statistic,
                          float *scratch);
void owi_ref_tree_forward(const owi_backend *self, const owi_tree_shape *shape,
                          owi_batch batch, owi_weights weights, const float *leaves,
                          const owi_tree_values *nodes, const owi_layer_values *roots);
void owi_ref_tree_backward(const owi_backend *self, const owi_tree_shape *shape,
                           owi_batch batch, owi_weights weights,
                           const owi_tree_values *nodes, const float *flow_roots,
                           float *flow, float *statistic, float *scratch);
void owi_ref_root_forward(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          double *log_root, float *scratch);
void owi_ref_root_backward(const owi_backend *self, const owi_root_shape *shape,
                           owi_batch batch, owi_weights weights, const owi_layer_values *in,
                           const double *log_root, const float *adjoint, float *flow_in,
                           float *statistic, float *scratch);

#endif
