/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void make(kernel_case *c, owi_rng *rng)
{
    kernel_pick_leaf(c, rng);
    if (owi_rng_below(rng, 3) == 0) c->total = NULL; /* not asked for */
}

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    const size_t K = got->leaf.n_components;
    /* One rounding of 6e-8 for each row, at the worst. */
    const double bound = 6e-8 * (double)(kernel_n_rows(got) + 2);
    kernel_assert_close("statistic", K * got->n_scope, got->statistic, want->statistic,
                        scale->statistic, bound, 0.0);
    if (got->total == NULL) return;
    kernel_assert_close("total", K * got->leaf.n_regions, got->total, want->total,
                        scale->total, bound, 0.0);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "leaf_statistics",
                                .make = make,
                                .compare = compare};
    return kernel_check_main(argc, argv, &check);
}
