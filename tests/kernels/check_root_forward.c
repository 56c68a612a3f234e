/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    (void)scale;
    /* In nats, whatever the log-value itself: sums of P K K terms, each rounded, from which
     * terms below e^-87 are missing where the whole is as small as 1e-30. */
    for (size_t i = 0; i < kernel_n_rows(got) * got->root.n_classes; i++)
        kernel_assert_near("log_root", i, got->log_root[i], want->log_root[i], 1e-5);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "root_forward",
                                .make = kernel_pick_root,
                                .compare = compare};
    return kernel_check_main(argc, argv, &check);
}
