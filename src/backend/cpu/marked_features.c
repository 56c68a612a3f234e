/* SPDX-License-Identifier: MIT */
#include "backend/cpu/marked_features.h"

#include <string.h>

static size_t count_ones(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* Of an ascending scope, which has bits: 32 features at a time. */
static size_t list_marked_words(const owi_leaf_shape *shape, size_t r, const uint32_t *bits,
                                const owi_marked *marked)
{
    const size_t n_words = owi_scope_words(shape->n_features);
    const uint32_t *scope = shape->scope_bits + r * n_words;
    size_t n = 0, passed = 0;
    for (size_t w = 0; w < n_words; w++) {
        for (uint32_t left = bits[w] & scope[w]; left != 0; left &= left - 1) {
            const uint32_t below = (left & ~(left - 1)) - 1;
            marked->index[n] = (uint32_t)(32 * w + count_ones(below));
            marked->columns[n] = passed + count_ones(scope[w] & below);
            n++;
        }
        passed += count_ones(scope[w]);
    }
    return n;
}

size_t owi_list_marked(const owi_leaf_shape *shape, size_t r, const uint32_t *bits,
                       const owi_marked *marked)
{
    if (shape->scope_bits != NULL) return list_marked_words(shape, r, bits, marked);
    const size_t start = shape->scope_start[r];
    const size_t width = shape->scope_start[r + 1] - start;
    size_t n = 0;
    for (size_t i = 0; i < width; i++) {
        const uint32_t f = shape->scope[start + i];
        marked->index[n] = f;
        marked->columns[n] = i;
        n += bits[f / 32] >> f % 32 & 1u;
    }
    return n;
}

/* False only if all n floats, whole groups of lanes, are +0.  A group's bits are joined,
 * which compilers do a vector at a time; most features have a value in the first group. */
static bool has_value(size_t n, const float *x)
{
    uint32_t bits[owi_lane_group], joined = 0;
    for (size_t i = 0; i < n && joined == 0; i += owi_lane_group) {
        memcpy(bits, x + i, sizeof bits);
        for (size_t k = 0; k < owi_lane_group; k++) joined |= bits[k];
    }
    return joined != 0;
}

bool owi_mark_present(size_t n_features, size_t lanes, const float *features,
                      uint32_t *bits)
{
    size_t n = 0;
    memset(bits, 0, owi_scope_words(n_features) * sizeof *bits);
    for (size_t f = 0; f < n_features; f++)
        if (has_value(lanes, features + f * lanes)) {
            bits[f / 32] |= 1u << f % 32;
            n++;
        }
    return n <= n_features / 4 * 3;
}
