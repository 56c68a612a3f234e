/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    (void)scale;
    const size_t n_tops = kernel_n_rows(got) * got->tree.n_trees;
    const size_t K = got->tree.n_components;
    /* Relative: the tops of up to 13 nodes are rounded, at hundreds of nats.  Absolute: a
     * sum of K terms for each of them, each rounded, from which terms below e^-87 are
     * missing where it is itself as small as 1e-30. */
    kernel_assert_close("log_value", n_tops * K, got->out.log_value, want->out.log_value,
                        NULL, 1e-6, 1e-4);
    kernel_assert_close("top", n_tops, got->out.top, want->out.top, NULL, 1e-6, 1e-4);
    kernel_assert_close("value", n_tops * K, got->out.value, want->out.value, NULL, 1e-3,
                        2e-38);
    /* What goes down again. */
    kernel_assert_close("node", n_tops * got->tree.n_nodes * K, got->nodes.value,
                        want->nodes.value, NULL, 1e-3, 2e-38);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "tree_forward",
                                .make = kernel_pick_tree,
                                .compare = compare,
                                .are_large = true};
    return kernel_check_main(argc, argv, &check);
}
