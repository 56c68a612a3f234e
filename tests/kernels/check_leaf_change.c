/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    const size_t n = kernel_n_rows(got) * got->leaf.n_regions * got->leaf.n_components;
    /* One rounding of 6e-8 for each term of the sum, at the worst. */
    const double bound = 6e-8 * (double)(got->n_scope + 2);
    kernel_assert_close("log_value", n, got->in.log_value, want->in.log_value,
                        scale->in.log_value, bound, 0.0);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "leaf_change",
                                .make = kernel_pick_leaf_tiles,
                                .compare = compare,
                                .are_large = true};
    return kernel_check_main(argc, argv, &check);
}
