/* SPDX-License-Identifier: MIT */
#include "circuit/dependence/column_codes.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* A bin is full when it has its share of the rows that were left at its beginning; the next
 * one begins with the next other value. */
static void cut_bins(owi_column_codes *codes, size_t most_codes, size_t n,
                     const float *sorted)
{
    size_t first = 0;
    codes->n_codes = 1;
    for (size_t i = 1; i < n && codes->n_codes < most_codes; i++) {
        const size_t n_left = most_codes - codes->n_codes + 1;
        if (sorted[i] == sorted[i - 1] || (i - first) * n_left < n - first) continue;
        codes->edge[codes->n_codes++ - 1] = sorted[i];
        first = i;
    }
}

static ow_status init_number(owi_column_codes *codes, ow_context *ctx, size_t most_codes,
                             size_t n_rows, const float *values, size_t stride)
{
    size_t n = 0;
    codes->edge = owi_alloc_array(ctx, most_codes, sizeof *codes->edge);
    float *sorted = owi_alloc_array(ctx, n_rows, sizeof *sorted);
    if (codes->edge == NULL || sorted == NULL) {
        owi_free(ctx, sorted);
        return OW_ERR_MEMORY;
    }
    for (size_t i = 0; i < n_rows; i++)
        if (!isnan(values[i * stride])) sorted[n++] = values[i * stride];
    qsort(sorted, n, sizeof *sorted, by_value);
    cut_bins(codes, most_codes, n, sorted);
    owi_free(ctx, sorted);
    return OW_OK;
}

/* The most frequent levels get the codes from 0 on, all others the last one. */
static ow_status init_levels(owi_column_codes *codes, ow_context *ctx, size_t most_codes,
                             size_t n_rows, const float *values, size_t stride)
{
    const size_t n = codes->n_levels;
    codes->n_codes = owi_smaller(n, most_codes);
    codes->of_level = owi_alloc_array(ctx, n, sizeof *codes->of_level);
    size_t *count = owi_alloc_array(ctx, n, sizeof *count);
    if (codes->of_level == NULL || count == NULL) {
        owi_free(ctx, count);
        return OW_ERR_MEMORY;
    }
    for (size_t i = 0; i < n_rows; i++)
        if (!isnan(values[i * stride])) count[(size_t)values[i * stride]] += 1;
    for (size_t level = 0; level < n; level++)
        codes->of_level[level] = (uint8_t)(n <= most_codes ? level : most_codes - 1);
    for (size_t code = 0; n > most_codes && code + 1 < most_codes; code++) {
        size_t best = 0;
        for (size_t level = 1; level < n; level++)
            if (count[level] > count[best]) best = level;
        if (count[best] == 0) break;
        codes->of_level[best] = (uint8_t)code;
        count[best] = 0;
    }
    owi_free(ctx, count);
    return OW_OK;
}

ow_status owi_column_codes_init(owi_column_codes *codes, ow_context *ctx,
                                const ow_leaf *leaf, size_t most_codes, size_t n_rows,
                                const float *values, size_t stride)
{
    OWI_REQUIRE(most_codes >= 1 && most_codes <= owi_most_codes);
    *codes = (owi_column_codes){0};
    if (leaf->kind == OW_LEAF_CATEGORICAL) codes->n_levels = leaf->n_levels;
    if (leaf->kind == OW_LEAF_BERNOULLI) codes->n_levels = 2;
    const ow_status status =
        codes->n_levels > 0 ? init_levels(codes, ctx, most_codes, n_rows, values, stride)
                            : init_number(codes, ctx, most_codes, n_rows, values, stride);
    if (status != OW_OK) owi_column_codes_clear(codes, ctx);
    return status;
}

void owi_column_codes_clear(owi_column_codes *codes, ow_context *ctx)
{
    owi_free(ctx, codes->of_level);
    owi_free(ctx, codes->edge);
    *codes = (owi_column_codes){0};
}

uint8_t owi_column_code(const owi_column_codes *codes, float x)
{
    size_t code = 0;
    if (isnan(x)) return owi_no_code;
    if (codes->n_levels > 0) return codes->of_level[(size_t)x];
    while (code + 1 < codes->n_codes && x >= codes->edge[code]) code++;
    return (uint8_t)code;
}
