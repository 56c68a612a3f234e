/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_check.h"

static void compare(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale)
{
    (void)scale;
    const size_t n_tops = kernel_n_rows(got) * got->sum.n_regions, S = got->sum.n_sums;
    /* Relative: the two tops and the result are rounded, at hundreds of nats.  Absolute: a
     * sum of K K terms, each rounded, from which terms below e^-87 are missing where it is
     * itself as small as 1e-30. */
    kernel_assert_close("log_value", n_tops * S, got->out.log_value, want->out.log_value,
                        NULL, 2e-7, 1e-5);
    kernel_assert_close("top", n_tops, got->out.top, want->out.top, NULL, 2e-7, 1e-5);
    /* That error of a log-value is a relative error of exp; log-values go down to -2000. */
    kernel_assert_close("value", n_tops * S, got->out.value, want->out.value, NULL, 1e-3,
                        2e-38);
}

int main(int argc, char **argv)
{
    const kernel_check check = {.kernel = "sum_forward",
                                .make = kernel_pick_sum,
                                .compare = compare};
    return kernel_check_main(argc, argv, &check);
}
