/* SPDX-License-Identifier: MIT */
/* What the chunks of a wave have summed up, wherever they were: on threads of this process
 * or on other processes of the team. */
#ifndef OWI_CHUNK_SUMS_H
#define OWI_CHUNK_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/call.h"

struct owi_statistics_sum;

typedef struct {
    size_t n_chunks;
    const float **at; /* (chunks, segments) a segment's sums; NULL: its part was not met */
    unsigned char *heads;  /* (chunks) what each has met, and its figures: see head_of */
    float *given, *gotten; /* the sums on their way, one behind the other */
    size_t at_capacity, heads_capacity, given_capacity, gotten_capacity;
} owi_chunk_sums;

/* Which parts a chunk has met (parts), and its figures (3 C). */
const bool *owi_chunk_sums_met(const owi_chunk_sums *found,
                               const struct owi_statistics_sum *sums, size_t chunk);
const double *owi_chunk_sums_figures(const owi_chunk_sums *found,
                                     const struct owi_statistics_sum *sums, size_t chunk);

/* For so many chunks. */
ow_status owi_chunk_sums_room(owi_chunk_sums *found, const struct owi_statistics_sum *sums,
                              size_t n_chunks);
void owi_chunk_sums_clear(owi_chunk_sums *found, ow_context *ctx);

/* Notes a chunk of this process; its sums are borrowed. */
void owi_chunk_sums_set(owi_chunk_sums *found, const struct owi_statistics_sum *sums,
                        size_t chunk, const bool *met, const double *figures,
                        const float *line);
/* Every process of the team has noted its share of the chunks, or failed to (status), and
 * gets all others.  Nothing of a part that a chunk has not met is sent. */
ow_status owi_chunk_sums_exchange(owi_chunk_sums *found,
                                  const struct owi_statistics_sum *sums, ow_status status);

#endif
