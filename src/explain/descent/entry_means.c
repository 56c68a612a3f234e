/* SPDX-License-Identifier: MIT */
#include "explain/descent/entry_means.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/sizes.h"

/* Entries that are summed at a time: a line of the cache. */
enum { together = 16 };

ow_status owi_entry_means(const owi_call *call, size_t n_rows, size_t width,
                          const float *rows, float *means)
{
    enum { rows_per_tick = 1 << 15 };
    for (size_t first = 0; first < width; first += together) {
        const size_t n = owi_smaller(together, width - first);
        double sum[together] = {0}, count[together] = {0};
        for (size_t i = 0; i < n_rows; i++) {
            if (i % rows_per_tick == 0) OWI_TRY(owi_call_tick(call));
            for (size_t j = 0; j < n; j++) {
                const float x = rows[i * width + first + j];
                if (isnan(x)) continue;
                sum[j] += (double)x;
                count[j] += 1.0;
            }
        }
        for (size_t j = 0; j < n; j++)
            means[first + j] = count[j] > 0.0 ? (float)(sum[j] / count[j]) : 0.0f;
    }
    return OW_OK;
}
