/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void make(kernel_case *c, owi_rng *rng)
{
    kernel_pick_sum(c, rng);
    const owi_backend *ref = owi_backend_find("ref");
    ref->sum_forward(ref, &c->sum, c->batch, c->weights, &c->in, &c->out, c->scratch);
    if (owi_rng_below(rng, 3) == 0) c->statistic = NULL; /* not asked for */
}

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    const size_t rows = kernel_n_rows(got), K = got->sum.n_components;
    /* Relative: shares are quotients of sums of K K terms, each rounded.  Absolute: what
     * lies below e^-87 is missing from them, in a sum that may be as small as 1e-30. */
    kernel_assert_close("flow_in", rows * got->n_in * K, got->flow_in, want->flow_in,
                        scale->flow_in, 2e-5, 1e-6);
    if (got->statistic == NULL) return;
    kernel_assert_close("statistic", got->n_weights, got->statistic, want->statistic,
                        scale->statistic, 2e-5, 1e-6);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "sum_backward", .make = make, .compare = compare};
    return kernel_check_main(argc, argv, &check);
}
