/* SPDX-License-Identifier: MIT */
#include "circuit/learn/chunk_sums.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/threads/team.h"
#include "circuit/learn/statistics.h"

/* A head: figures, then one byte for each part. */
static size_t head_size(const owi_statistics_sum *sums)
{
    const size_t C = sums->circuit->spec.n_classes, each = sizeof(double);
    const size_t n_met = owi_sum_n_parts(sums->circuit) * sizeof(bool);
    return 3 * C * each + (n_met + each - 1) / each * each;
}

static unsigned char *head_of(const owi_chunk_sums *found, const owi_statistics_sum *sums,
                              size_t chunk)
{
    return found->heads + chunk * head_size(sums);
}

const double *owi_chunk_sums_figures(const owi_chunk_sums *found,
                                     const owi_statistics_sum *sums, size_t chunk)
{
    return (const double *)(const void *)head_of(found, sums, chunk);
}

const bool *owi_chunk_sums_met(const owi_chunk_sums *found, const owi_statistics_sum *sums,
                               size_t chunk)
{
    const size_t n_figures = 3 * sums->circuit->spec.n_classes;
    return (const bool *)(head_of(found, sums, chunk) + n_figures * sizeof(double));
}

ow_status owi_chunk_sums_room(owi_chunk_sums *found, const owi_statistics_sum *sums,
                              size_t n_chunks)
{
    ow_context *ctx = sums->circuit->ctx;
    found->n_chunks = n_chunks;
    OWI_TRY(owi_grow(ctx, &found->at, &found->at_capacity, n_chunks * sums->n_segments,
                     sizeof *found->at));
    return owi_grow(ctx, &found->heads, &found->heads_capacity, n_chunks * head_size(sums),
                    1);
}

void owi_chunk_sums_clear(owi_chunk_sums *found, ow_context *ctx)
{
    owi_free(ctx, found->at);
    owi_free(ctx, found->heads);
    owi_free(ctx, found->given);
    owi_free(ctx, found->gotten);
    *found = (owi_chunk_sums){0};
}

void owi_chunk_sums_set(owi_chunk_sums *found, const owi_statistics_sum *sums, size_t chunk,
                        const bool *met, const double *figures, const float *line)
{
    const size_t parts = owi_sum_n_parts(sums->circuit);
    const size_t C = sums->circuit->spec.n_classes;
    unsigned char *head = head_of(found, sums, chunk);
    memset(head, 0, head_size(sums));
    memcpy(head, figures, 3 * C * sizeof *figures);
    memcpy(head + 3 * C * sizeof *figures, met, parts * sizeof *met);
    for (size_t s = 0; s < sums->n_segments; s++) {
        const owi_sum_segment *segment = &sums->segments[s];
        found->at[chunk * sums->n_segments + s] =
            met[segment->part] ? line + segment->first : NULL;
    }
}

/* The floats that one chunk has to tell. */
static size_t length_of(const owi_chunk_sums *found, const owi_statistics_sum *sums,
                        size_t chunk)
{
    const bool *met = owi_chunk_sums_met(found, sums, chunk);
    size_t n = 0;
    for (size_t s = 0; s < sums->n_segments; s++)
        if (met[sums->segments[s].part]) n += sums->segments[s].n;
    return n;
}

static size_t length_of_share(const owi_chunk_sums *found, const owi_statistics_sum *sums,
                              owi_share share)
{
    size_t n = 0;
    for (size_t i = share.first; i < share.end; i++) n += length_of(found, sums, i);
    return n;
}

/* This process's sums, one behind the other. */
static void pack(const owi_chunk_sums *found, const owi_statistics_sum *sums, owi_share own)
{
    float *to = found->given;
    for (size_t i = own.first; i < own.end; i++)
        for (size_t s = 0; s < sums->n_segments; s++) {
            const float *from = found->at[i * sums->n_segments + s];
            const size_t n = sums->segments[s].n;
            if (from == NULL) continue;
            memcpy(to, from, n * sizeof *to);
            to += n;
        }
}

/* Where those of all stand in what came back. */
static void unpack(owi_chunk_sums *found, const owi_statistics_sum *sums)
{
    const float *from = found->gotten;
    for (size_t i = 0; i < found->n_chunks; i++)
        for (size_t s = 0; s < sums->n_segments; s++) {
            const owi_sum_segment *segment = &sums->segments[s];
            const bool met = owi_chunk_sums_met(found, sums, i)[segment->part];
            found->at[i * sums->n_segments + s] = met ? from : NULL;
            if (met) from += segment->n;
        }
}

static ow_status exchange_lines(owi_chunk_sums *found, const owi_statistics_sum *sums,
                                size_t *sizes)
{
    ow_context *ctx = sums->circuit->ctx;
    const owi_share own = owi_team_own_share(sums->call, found->n_chunks);
    size_t total = 0;
    for (size_t rank = 0; rank < owi_team_size(sums->call); rank++) {
        const owi_share share = owi_team_share(sums->call, rank, found->n_chunks);
        const size_t n = length_of_share(found, sums, share);
        sizes[rank] = n * sizeof *found->gotten;
        total += n;
    }
    OWI_TRY(owi_grow(ctx, &found->given, &found->given_capacity,
                     length_of_share(found, sums, own) + 1, sizeof *found->given));
    OWI_TRY(owi_grow(ctx, &found->gotten, &found->gotten_capacity, total + 1,
                     sizeof *found->gotten));
    pack(found, sums, own);
    OWI_TRY(owi_team_gather(sums->call, found->given, sizes, found->gotten));
    unpack(found, sums);
    return OW_OK;
}

ow_status owi_chunk_sums_exchange(owi_chunk_sums *found, const owi_statistics_sum *sums,
                                  ow_status status)
{
    ow_context *ctx = sums->circuit->ctx;
    if (sums->call->team == NULL) return status;
    OWI_TRY(owi_team_complete(sums->call, status, found->n_chunks, head_size(sums),
                              found->heads));
    size_t *sizes = owi_alloc_array(ctx, owi_team_size(sums->call), sizeof *sizes);
    if (sizes == NULL) return OW_ERR_MEMORY;
    status = exchange_lines(found, sums, sizes);
    owi_free(ctx, sizes);
    return status;
}
