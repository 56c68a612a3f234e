/* SPDX-License-Identifier: MIT */
#include "circuit/dependence/mutual_information.h"

#include <math.h>
#include <string.h>

void owi_code_pairs_begin(owi_code_pairs *pairs, size_t n_left, size_t n_right)
{
    pairs->n_left = n_left;
    pairs->n_right = n_right;
    pairs->n = 0;
    memset(pairs->count, 0, n_left * n_right * sizeof *pairs->count);
}

void owi_code_pairs_add(owi_code_pairs *pairs, size_t n_rows, const uint8_t *left,
                        const uint8_t *right, const uint8_t *weight)
{
    for (size_t row = 0; row < n_rows; row++) {
        const uint64_t w = weight != NULL ? weight[row] : 1;
        if (left[row] == owi_no_code || right[row] == owi_no_code) continue;
        pairs->count[left[row] * pairs->n_right + right[row]] += w;
        pairs->n += w;
    }
}

double owi_code_pairs_information(const owi_code_pairs *pairs)
{
    const size_t A = pairs->n_left, B = pairs->n_right;
    double left[owi_most_codes] = {0}, right[owi_most_codes] = {0}, sum = 0.0;
    size_t n_left = 0, n_right = 0;
    const double n = (double)pairs->n;

    if (pairs->n == 0) return 0.0;
    for (size_t i = 0; i < A * B; i++) {
        left[i / B] += (double)pairs->count[i];
        right[i % B] += (double)pairs->count[i];
    }
    for (size_t a = 0; a < A; a++) n_left += left[a] > 0.0;
    for (size_t b = 0; b < B; b++) n_right += right[b] > 0.0;
    for (size_t i = 0; i < A * B; i++) {
        const double count = (double)pairs->count[i];
        if (count > 0.0) sum += count / n * log(count * n / (left[i / B] * right[i % B]));
    }
    return sum - (double)(n_left - 1) * (double)(n_right - 1) / (2.0 * n);
}

/* Prim: the tree grows from the root by the best edge that leads out of it. */
void owi_spanning_tree(size_t n, const double *information, size_t root, uint32_t *parents,
                       bool *taken, double *best)
{
    for (size_t i = 0; i < n; i++) {
        taken[i] = i == root;
        parents[i] = (uint32_t)root;
        best[i] = information[root * n + i];
    }
    for (size_t step = 1; step < n; step++) {
        size_t next = n;
        for (size_t i = 0; i < n; i++)
            if (!taken[i] && (next == n || best[i] > best[next])) next = i;
        taken[next] = true;
        for (size_t i = 0; i < n; i++) {
            if (taken[i] || !(information[next * n + i] > best[i])) continue;
            best[i] = information[next * n + i];
            parents[i] = (uint32_t)next;
        }
    }
}
