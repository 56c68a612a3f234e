/* SPDX-License-Identifier: MIT */
/* What the files of this folder share. */
#ifndef OWI_DEVICE_PRIVATE_H
#define OWI_DEVICE_PRIVATE_H

#include "circuit/device/device_pass.h"

/* Shapes of layers with all copies side by side. */
owi_sum_shape owi_device_sum_shape(const ow_circuit *circuit, size_t depth);
owi_root_shape owi_device_root_shape(const ow_circuit *circuit);
owi_tree_shape owi_device_tree_shape(const ow_circuit *circuit);
/* Leaf components of all copies. */
size_t owi_device_n_nodes(const ow_circuit *circuit);

/* What the device has said so far, with its sentence. */
ow_status owi_device_status(const owi_device_pass *pass);

/* Uploads the circuit's parameters if they have changed. */
ow_status owi_device_give_parameters(owi_device_pass *pass);

/* Arguments of a layer of pairs of the current batch, with all that the way up reads and
 * writes. */
owi_pair_args owi_device_inner_args(const owi_device_pass *pass, size_t depth);
owi_pair_args owi_device_roots_args(const owi_device_pass *pass);
owi_tree_args owi_device_trees_args(const owi_device_pass *pass);

/* A batch of so many rows begins; rows are the caller's, or NULL. */
void owi_device_begin(owi_device_pass *pass, size_t n_rows, const float *rows);
/* Plain rows on the device, as features and up to the roots. */
void owi_device_rows_up(owi_device_pass *pass, const float *rows);

/* Seeds of nothing, of the current batch, to be completed. */
owi_seed_args owi_device_seed_args(const owi_device_pass *pass);
/* Down from the seeds to leaf_flow; adds to the sums where with_sums. */
void owi_device_backward(owi_device_pass *pass, bool with_sums);
/* Down from the seeds to d_features. */
void owi_device_inputs_down(owi_device_pass *pass);

/* What steps have kept (device_steps.h). */
void owi_device_steps_free(owi_device_pass *pass);

#endif
