/* SPDX-License-Identifier: MIT */
/* The oracle: slow, obvious, in double. */
#include "backend/backend_list.h"
#include "backend/ref/ref_kernels.h"

const owi_backend owi_backend_ref = {
    .name = "ref",
    .leaf_forward = owi_ref_leaf_forward,
    .leaf_change = owi_ref_leaf_change,
    .leaf_backward = owi_ref_leaf_backward,
    .leaf_statistics = owi_ref_leaf_statistics,
    .normalize = owi_ref_normalize,
    .sum_forward = owi_ref_sum_forward,
    .sum_backward = owi_ref_sum_backward,
    .tree_forward = owi_ref_tree_forward,
    .tree_backward = owi_ref_tree_backward,
    .root_forward = owi_ref_root_forward,
    .root_backward = owi_ref_root_backward,
};
