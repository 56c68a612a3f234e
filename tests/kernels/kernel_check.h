/* SPDX-License-Identifier: MIT */
/* What every check_<kernel>.c does: the kernel of every backend that runs here against that
 * of `ref`, over random cases; with --bench also how long it takes. */
#ifndef KERNEL_CHECK_H
#define KERNEL_CHECK_H

#include "kernels/kernel_list.h"
#include "support/ow_test.h"

typedef struct {
    const char *kernel;
    /* A random case of a size that ref does in a few milliseconds. */
    void (*make)(kernel_case *c, owi_rng *rng);
    /* Asserts that two backends agree; scale is what ref makes of the case's absolute
     * values. */
    void (*compare)(const kernel_case *got, const kernel_case *want,
                    const kernel_case *scale);
    bool are_large; /* cases that take so long that half of them are enough */
} kernel_check;

/* The main function of a check. */
int kernel_check_main(int argc, char **argv, const kernel_check *check);

/* |got - want| <= bound; infinities equal themselves, NaN equals nothing. */
void kernel_assert_near(const char *what, size_t index, double got, double want,
                        double bound);
/* The same for n entries, with the bound relative * |scale| + absolute; scale NULL:
 * want. */
void kernel_assert_close(const char *what, size_t n, const float *got, const float *want,
                         const float *scale, double relative, double absolute);

/* Random cases of any legal shape: no tiles at all, one lane or a full tile, one region,
 * one component, odd and unequal sizes, empty scopes, roots with own and with shared
 * partitions and of depth 0. */
void kernel_pick_leaf(kernel_case *c, owi_rng *rng);
void kernel_pick_leaf_tiles(kernel_case *c, owi_rng *rng); /* no single rows */
void kernel_pick_sum(kernel_case *c, owi_rng *rng);
void kernel_pick_root(kernel_case *c, owi_rng *rng);
void kernel_pick_tree(kernel_case *c, owi_rng *rng);

#endif
