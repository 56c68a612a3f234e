/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/cpu/cpu_kernels.h"
#include "backend/cpu/marked_features.h"
#include "base/memory/sizes.h"

/* Up to so many features of a tile are looked at before they are multiplied: those that are
 * 0 in all lanes are left out. */
enum { most_marked = 1024, marked_words = most_marked / 32 };
_Static_assert((int)most_marked <= (int)owi_cpu_most_terms, "marked terms are one sum");

/* Whether that may pay: not where the scopes of all regions hold fewer features than there
 * are, as those of one column's components. */
static bool looks_at_features(const owi_leaf_shape *shape, size_t lanes)
{
    return lanes > 1 && shape->n_features <= most_marked &&
           shape->scope_start[shape->n_regions] >= shape->n_features;
}

void owi_cpu_leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *bias,
                          const float *features, float *log_value)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components;
    const size_t L = batch.lanes, T = batch.n_tiles, F = shape->n_features;
    uint32_t bits[marked_words], index[most_marked];
    size_t columns[most_marked];
    const bool looks = looks_at_features(shape, L);
    bool leaves_out = false; /* features of the current tile */

    for (size_t i = 0; i < T * R; i++) {
        /* Full tiles one after the other, whose features stay in the cache; single rows
         * side by side, for which a region's parameters do. */
        const size_t t = L == 1 ? i % T : i / R, r = L == 1 ? i / T : i % R;
        const size_t start = shape->scope_start[r];
        size_t width = shape->scope_start[r + 1] - start;
        const size_t most = L == 1 ? width : owi_cpu_most_terms;
        const size_t lanes = owi_lanes_of(batch, t);
        owi_matrix a = {theta + K * start, width, 1, NULL};
        owi_rows_in b = {.rows = features + t * F * L, .pick = owi_cpu_scope(shape, r)};
        const owi_rows_out out = {.rows = log_value + (t * R + r) * K * L};
        const float *first = bias != NULL ? bias + r * K : NULL;
        if (looks && r == 0) leaves_out = owi_mark_present(F, L, b.rows, bits);
        if (leaves_out) {
            width = owi_list_marked(shape, r, bits, &(owi_marked){NULL, index, columns});
            a.columns = columns;
            b.pick = (owi_pick){.index = index};
        }
        ops->multiply(lanes, K, owi_smaller(most, width), a, b, first, out);
        for (size_t done = most; done < width; done += most) {
            a.entries += most;
            b.pick.index += most;
            ops->multiply(lanes, K, owi_smaller(most, width - done), a, b, NULL, out);
        }
        for (size_t k = 0; k < K && lanes < L; k++)
            memset(out.rows + k * L + lanes, 0, (L - lanes) * sizeof *out.rows);
    }
}
