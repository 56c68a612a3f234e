/* SPDX-License-Identifier: MIT */
/* Vectorised kernels on ordinary memory, one table for each instruction set. */
#include "backend/backend_list.h"
#include "backend/cpu/cpu_kernels.h"

#define KERNELS                                                                            \
    .leaf_forward = owi_cpu_leaf_forward, .leaf_change = owi_cpu_leaf_change,              \
    .leaf_backward = owi_cpu_leaf_backward, .leaf_statistics = owi_cpu_leaf_statistics,    \
    .normalize = owi_cpu_normalize, .sum_forward = owi_cpu_sum_forward,                    \
    .sum_backward = owi_cpu_sum_backward, .tree_forward = owi_cpu_tree_forward,            \
    .tree_backward = owi_cpu_tree_backward, .root_forward = owi_cpu_root_forward,          \
    .root_backward = owi_cpu_root_backward

const owi_backend owi_backend_cpu_plain = {.name = "cpu-plain",
                                           .detail = &owi_cpu_plain,
                                           KERNELS};

#if defined(__x86_64__)
const owi_backend owi_backend_cpu_avx2 = {.name = "cpu-avx2",
                                          .detail = &owi_cpu_avx2,
                                          KERNELS};
const owi_backend owi_backend_cpu_avx512 = {.name = "cpu-avx512",
                                            .detail = &owi_cpu_avx512,
                                            KERNELS};
#endif
