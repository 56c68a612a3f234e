/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    const size_t n = kernel_n_rows(got) * got->leaf.n_features;
    /* One rounding of 6e-8 for each component of each region that may see a feature. */
    const double bound = 6e-8 * (double)(got->leaf.n_regions * got->leaf.n_components + 2);
    kernel_assert_close("d_features", n, got->d_features, want->d_features,
                        scale->d_features, bound, 0.0);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "leaf_backward",
                                .make = kernel_pick_leaf,
                                .compare = compare};
    return kernel_check_main(argc, argv, &check);
}
