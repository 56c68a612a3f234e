/* SPDX-License-Identifier: MIT */
/* Sampling from the top down: a class, then at every sum one of its pairs, with probability proportional to weight times
 * the children's values given what is there; at the leaves the values that are missing. */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "circuit/evaluator.h"

/* An index drawn with probability proportional to exp(log_value(i)), by the largest of log-values plus Gumbel noise: one
 * pass, and no sum to underflow. */
typedef struct {
    double best;
    size_t index;
} draw;

static void offer(draw *d, owi_rng *rng, double log_value, size_t index)
{
    if (log_value == -INFINITY) return;
    double u = owi_rng_uniform(rng);
    while (u == 0.0) u = owi_rng_uniform(rng);
    const double noisy = log_value - log(-log(u));
    if (noisy > d->best) *d = (draw){noisy, index};
}

typedef struct {
    const owi_pass *pass;
    size_t copy, row;
    owi_rng rng;
    float *values; /* the row that is filled in */
} sampler;

/* A missing value of one column from one component's leaf. */
static float sample_leaf(sampler *s, uint32_t column, const float *parameter)
{
    const ow_circuit *circuit = s->pass->circuit;
    const ow_leaf *leaf = &circuit->leaves[column];
    size_t n_levels = leaf->n_levels;
    if (leaf->kind == OW_LEAF_POINT_MASSES) n_levels = leaf->n_masses + 1;
    if (leaf->kind != OW_LEAF_GAUSSIAN) {
        draw level = {-INFINITY, 0};
        for (size_t i = 0; i < n_levels; i++)
            offer(&level, &s->rng, (double)parameter[i], i);
        if (leaf->kind != OW_LEAF_POINT_MASSES) return (float)level.index;
        if (level.index < leaf->n_masses) return leaf->masses[level.index];
        parameter += n_levels;
    }
    const double variance =
        circuit->spec.variance > 0.0 ? circuit->spec.variance : (double)parameter[1];
    return (float)((double)parameter[0] + sqrt(variance) * owi_rng_normal(&s->rng));
}

/* All missing columns of a leaf region from its component k. */
static void sample_region(sampler *s, size_t region, size_t k)
{
    const ow_circuit *circuit = s->pass->circuit;
    const size_t r = s->copy * circuit->regions.n_regions + region;
    const size_t start = circuit->scope_start[r],
                 width = circuit->scope_start[r + 1] - start;
    const float *parameter = circuit->leaf + circuit->spec.inputs * start + k * width;

    for (uint32_t i = circuit->regions.start[r]; i < circuit->regions.start[r + 1]; i++) {
        const uint32_t j = circuit->regions.columns[i];
        if (isnan(s->values[j])) s->values[j] = sample_leaf(s, j, parameter);
        parameter += circuit->feature_start[j + 1] - circuit->feature_start[j];
    }
}

/* Offers all pairs of one block of weights, numbered from `first`. */
static void offer_pairs(sampler *s, draw *d, const float *log_weight, size_t K,
                        owi_region_values left, owi_region_values right, size_t first)
{
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++)
            offer(d, &s->rng,
                  (double)log_weight[i * K + j] + left.log_value[i * left.stride] +
                      right.log_value[j * right.stride],
                  first + i * K + j);
}

/* Component k of a region at a depth: a leaf is sampled, an inner sum picks a pair, and so on down its two children.  The
 * path is at most D long and every region has two children: a stack of D + 1 entries is enough. */
static void descend(sampler *s, size_t depth, size_t region, size_t k)
{
    const ow_circuit *circuit = s->pass->circuit;
    struct {
        size_t depth, region, k;
    } stack[owi_most_depths + 1];
    size_t n = 0;

    stack[n].depth = depth;
    stack[n].region = region;
    stack[n++].k = k;
    while (n > 0) {
        n--;
        const size_t at = stack[n].depth, r = stack[n].region;
        if (at == circuit->spec.depth) {
            sample_region(s, r, stack[n].k);
            continue;
        }
        const size_t K = owi_circuit_child_components(circuit, at);
        const float *log_weight = circuit->log_weight +
                                  owi_circuit_inner_offset(circuit, at, s->copy) +
                                  (r * circuit->spec.sums + stack[n].k) * K * K;
        const owi_region_values left =
            owi_pass_region(s->pass, at + 1, s->copy, 2 * r, s->row);
        const owi_region_values right =
            owi_pass_region(s->pass, at + 1, s->copy, 2 * r + 1, s->row);
        draw pair = {-INFINITY, 0};
        offer_pairs(s, &pair, log_weight, K, left, right, 0);
        stack[n].depth = at + 1;
        stack[n].region = 2 * r;
        stack[n++].k = pair.index / K;
        stack[n].depth = at + 1;
        stack[n].region = 2 * r + 1;
        stack[n++].k = pair.index % K;
    }
}

/* The root of class c: a partition and a pair of its children's components. */
static void sample_class(sampler *s, size_t c)
{
    const ow_circuit *circuit = s->pass->circuit;
    const size_t R = circuit->spec.repetitions, K = owi_circuit_top_components(circuit);
    const size_t per_copy = owi_circuit_copy_classes(circuit);
    const bool single = circuit->spec.depth == 0;
    const size_t block = single ? K : K * K;
    draw chosen = {-INFINITY, 0};

    s->copy = c / per_copy;
    const float *log_weight = circuit->log_weight +
                              owi_circuit_root_offset(circuit, s->copy) +
                              (c % per_copy) * R * block;
    for (size_t rep = 0; rep < R; rep++) {
        const size_t depth = single ? 0 : 1, first = single ? rep : 2 * rep;
        const owi_region_values left =
            owi_pass_region(s->pass, depth, s->copy, first, s->row);
        if (single) {
            for (size_t k = 0; k < K; k++)
                offer(&chosen, &s->rng,
                      (double)log_weight[rep * block + k] + left.log_value[k * left.stride],
                      rep * block + k);
            continue;
        }
        const owi_region_values right =
            owi_pass_region(s->pass, depth, s->copy, first + 1, s->row);
        offer_pairs(s, &chosen, log_weight + rep * block, K, left, right, rep * block);
    }
    const size_t rep = chosen.index / block, pair = chosen.index % block;
    if (single) {
        descend(s, 0, rep, pair);
        return;
    }
    descend(s, 1, 2 * rep, pair / K);
    descend(s, 1, 2 * rep + 1, pair % K);
}

typedef struct {
    ow_evaluator *evaluator;
    float *rows;
    int32_t *classes;
    uint64_t seed;
} job;

static ow_status sample_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    owi_pass *pass = &work->evaluator->passes[chunk->worker];
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes, d = circuit->spec.n_columns;

    OWI_TRY(owi_pass_forward(pass, chunk->n, work->rows + chunk->first * d, chunk->first));
    for (size_t row = 0; row < chunk->n; row++) {
        const size_t at = chunk->first + row;
        sampler s = {.pass = pass, .row = row, .values = work->rows + at * d};
        owi_rng_init(&s.rng, work->seed, at);
        int32_t c = work->classes != NULL ? work->classes[at] : -1;
        if (c < 0) {
            draw drawn = {-INFINITY, SIZE_MAX};
            for (size_t k = 0; k < C; k++)
                offer(&drawn, &s.rng,
                      owi_pass_log_class(pass, row, k) + circuit->log_prior[k], k);
            c = drawn.index == SIZE_MAX ? -1 : (int32_t)drawn.index;
        }
        if (c < 0 || (size_t)c >= C ||
            owi_pass_log_class(pass, row, (size_t)c) == -INFINITY)
            return owi_fail(OW_ERR_NUMERIC, "row %zu: what is given is impossible", at + 1);
        if (work->classes != NULL) work->classes[at] = c;
        sample_class(&s, (size_t)c);
    }
    return OW_OK;
}

ow_status ow_sample(ow_evaluator *evaluator, size_t n_rows, float *rows, int32_t *classes,
                    uint64_t seed)
{
    OWI_REQUIRE(evaluator != NULL);
    OWI_REQUIRE(n_rows == 0 || rows != NULL);
    for (size_t i = 0; i < n_rows && classes != NULL; i++)
        if (classes[i] >= 0 && (size_t)classes[i] >= evaluator->circuit->spec.n_classes)
            return owi_fail(OW_ERR_ARGUMENT, "row %zu: there is no class %d", i + 1,
                            classes[i]);
    OWI_TRY(owi_evaluator_prepare(evaluator, n_rows));
    job work = {evaluator, rows, classes, seed};
    return owi_parallel_rows(evaluator->circuit->ctx, n_rows, owi_evaluator_chunk,
                             sample_chunk, &work);
}
