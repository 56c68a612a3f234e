/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void make(kernel_case *c, owi_rng *rng)
{
    kernel_pick_tree(c, rng);
    const owi_backend *ref = owi_backend_find("ref");
    ref->tree_forward(ref, &c->tree, c->batch, c->weights, c->in.log_value, &c->nodes,
                      &c->out);
    if (owi_rng_below(rng, 3) == 0) c->statistic = NULL; /* not asked for */
}

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    const size_t rows = kernel_n_rows(got), K = got->tree.n_components;
    /* As for sums; a flow passes through up to 12 edges. */
    kernel_assert_close("flow", rows * got->n_in * K, got->flow_in, want->flow_in,
                        scale->flow_in, 2e-5, 2e-6);
    if (got->statistic == NULL) return;
    kernel_assert_close("statistic", got->n_weights, got->statistic, want->statistic,
                        scale->statistic, 2e-5, 2e-6);
}

int main(int argc, char **argv)
{
    const kernel_check check = {
        .kernel = "tree_backward", .make = make, .compare = compare, .are_large = true};
    return kernel_check_main(argc, argv, &check);
}
