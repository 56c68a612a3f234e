/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    (void)scale;
    const size_t n_tops = kernel_n_rows(got) * got->n_in, K = got->root.n_components;
    kernel_assert_close("top", n_tops, got->in.top, want->in.top, NULL, 0.0, 0.0);
    /* The difference from top is rounded to 6e-8 of at most 87, exp itself to 2e-7; what is
     * below the smallest normal float may be 0. */
    kernel_assert_close("value", n_tops * K, got->in.value, want->in.value, NULL, 6e-6,
                        2e-38);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "normalize",
                                .make = kernel_pick_root,
                                .compare = compare};
    return kernel_check_main(argc, argv, &check);
}
