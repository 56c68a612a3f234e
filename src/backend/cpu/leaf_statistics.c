/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"
#include "backend/cpu/marked_features.h"

/* Partial sums side by side: one after the other each addition would wait for the last. */
static float sum_lanes(size_t n, const float *x)
{
    enum { n_parts = 16 };
    float part[n_parts] = {0};
    size_t i = 0;
    for (; i + n_parts <= n; i += n_parts)
        for (size_t p = 0; p < n_parts; p++) part[p] += x[i + p];
    for (; i < n; i++) part[0] += x[i];
    for (size_t half = n_parts / 2; half > 0; half /= 2)
        for (size_t p = 0; p < half; p++) part[p] += part[p + half];
    return part[0];
}

void owi_cpu_leaf_statistics(const owi_backend *self, const owi_leaf_shape *shape,
                             owi_batch batch, const float *flow, const float *features,
                             float *statistic, float *total)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    enum { most_words = 2048 };
    const size_t R = shape->n_regions, K = shape->n_components, L = batch.lanes;
    const size_t F = shape->n_features, n_words = owi_scope_words(F);
    uint32_t present[most_words];
    const bool looks = L > 1 && n_words * batch.n_tiles <= most_words;
    bool pays = false; /* to leave out features that are 0 */
    for (size_t t = 0; t < batch.n_tiles && looks; t++)
        if (owi_mark_present(F, L, features + t * F * L, present + t * n_words))
            pays = true;

    for (size_t r = 0; r < R; r++) {
        const size_t start = shape->scope_start[r];
        const size_t width = shape->scope_start[r + 1] - start;
        const owi_rows_in x = {.rows = flow + r * K * L, .step = R * K * L};
        const owi_rows_in y = {.rows = features,
                               .pick = owi_cpu_scope(shape, r),
                               .step = F * L,
                               .present = pays ? present : NULL,
                               .n_words = n_words};
        ops->dots(L, batch.n_tiles, K, width, x, y, statistic + K * start);
    }
    if (total == NULL) return;
    for (size_t k = 0; k < R * K; k++)
        for (size_t t = 0; t < batch.n_tiles; t++)
            total[k] += sum_lanes(L, flow + (t * R * K + k) * L);
}
