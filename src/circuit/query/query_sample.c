/* SPDX-License-Identifier: MIT */
/* Sampling from the top down: a class, then at every sum one of its pairs, with probability
 * proportional to weight times the children's values given what is there; at the leaves the
 * values that are missing. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/rng.h"
#include "base/threads/parallel.h"
#include "circuit/pass/evaluator.h"
#include "circuit/query/chosen_tree.h"
#include "circuit/structure/sheets.h"

/* Linear sums below this have lost what they were made of. */
static const double least_sum = 1e-30;

/* An index drawn with probability proportional to exp(log_value(i)), by the largest of
 * log-values plus Gumbel noise: one pass, and no sum to underflow. */
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

/* ---- At the leaves ---- */

/* A missing value of one column from one component's leaf. */
static float sample_leaf(sampler *s, uint32_t column, const float *parameter)
{
    const ow_circuit *circuit = s->pass->circuit;
    const ow_leaf *leaf = &circuit->leaves[column];
    size_t n_levels = leaf->n_levels;
    if (leaf->kind == OW_LEAF_FOLLOWS) return 0.0f; /* owi_sheets_complete draws it */
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
static void sample_region(void *user, size_t region, size_t k)
{
    sampler *s = user;
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

/* ---- At the sums ---- */

/* A block of weights between two neighbouring regions, or the components of a single one
 * (depth 0, and nodes of trees, which are given as depth 1). */
typedef struct {
    const float *linear, *log_weight;
    size_t K, n_right;
    owi_region_values left, right;
} block;

static block block_of(const sampler *s, size_t depth, size_t region,
                      const float *log_weight)
{
    const ow_circuit *circuit = s->pass->circuit;
    static const float one = 1.0f, zero = 0.0f;
    const bool node = depth == 1 && owi_circuit_is_tree(circuit);
    const bool single = depth == 0 || node;
    const size_t K = depth <= 1 ? owi_circuit_top_components(circuit)
                                : owi_circuit_child_components(circuit, depth - 1);
    block b = {.linear = circuit->linear_weight + (log_weight - circuit->log_weight),
               .log_weight = log_weight,
               .K = K,
               .n_right = single ? 1 : K,
               .left = node ? owi_pass_node(s->pass, s->copy, region, s->row)
                            : owi_pass_region(s->pass, depth, s->copy, region, s->row),
               .right = {&zero, &one, 0, 0.0f}};
    if (!single) b.right = owi_pass_region(s->pass, depth, s->copy, region + 1, s->row);
    return b;
}

/* The sum of the block around its children's tops; of its first terms only, until it
 * exceeds *rest: then *index is the one where it does. */
static double linear_sum(const block *b, double rest, size_t *index)
{
    double sum = 0.0;
    for (size_t i = 0; i < b->K; i++) {
        const float left = b->left.value[i * b->left.stride];
        if (left == 0.0f) continue;
        for (size_t j = 0; j < b->n_right; j++) {
            const float term =
                b->linear[i * b->n_right + j] * left * b->right.value[j * b->right.stride];
            sum += (double)term;
            if (term > 0.0f) *index = i * b->n_right + j;
            if (sum > rest) return sum;
        }
    }
    return sum;
}

static void offer_block(sampler *s, draw *d, const block *b, size_t first)
{
    for (size_t i = 0; i < b->K; i++)
        for (size_t j = 0; j < b->n_right; j++)
            offer(d, &s->rng,
                  (double)b->log_weight[i * b->n_right + j] +
                      b->left.log_value[i * b->left.stride] +
                      b->right.log_value[j * b->right.stride],
                  first + i * b->n_right + j);
}

/* One term of n blocks that are summed together; block i has regions 2 i and 2 i + 1, or i
 * alone. */
static size_t draw_term(sampler *s, size_t depth, size_t region, const float *log_weight,
                        size_t n_blocks)
{
    const size_t step = depth == 0 ? 1 : 2;
    const block first = block_of(s, depth, region, log_weight);
    const size_t size = first.K * first.n_right;
    double offset = -INFINITY, total = 0.0, before = 0.0;
    size_t term = 0;

    for (size_t i = 0; i < n_blocks; i++) {
        const block b = block_of(s, depth, region + i * step, log_weight + i * size);
        offset = fmax(offset, (double)b.left.top + (double)b.right.top);
    }
    double wanted = INFINITY;
    for (int round = 0; round < 2; round++) { /* the whole sum, then up to a point in it */
        for (size_t i = 0; i < n_blocks; i++) {
            const block b = block_of(s, depth, region + i * step, log_weight + i * size);
            const double scale = exp((double)b.left.top + (double)b.right.top - offset);
            if (!(scale > 0.0)) continue;
            size_t index = SIZE_MAX;
            const double rest = (wanted - before) / scale;
            before += scale * linear_sum(&b, rest, &index);
            if (index != SIZE_MAX) term = i * size + index;
            if (before > wanted) return term;
        }
        if (round == 1) return term; /* rounding left the point behind the last term */
        total = before;
        if (!(total >= least_sum)) break;
        wanted = total * owi_rng_uniform(&s->rng);
        before = 0.0;
    }
    draw chosen = {-INFINITY, 0};
    for (size_t i = 0; i < n_blocks; i++) {
        const block b = block_of(s, depth, region + i * step, log_weight + i * size);
        offer_block(s, &chosen, &b, i * size);
    }
    return chosen.index;
}

static size_t choose_pair(void *user, size_t depth, size_t region, size_t k)
{
    sampler *s = user;
    if (owi_circuit_is_tree(s->pass->circuit))
        return draw_term(s, depth, region,
                         owi_edge_weights(s->pass->circuit, s->copy, region, k), 1);
    return draw_term(s, depth + 1, 2 * region,
                     owi_sum_weights(s->pass->circuit, s->copy, depth, region, k), 1);
}

static void sample_class(sampler *s, size_t c)
{
    const ow_circuit *circuit = s->pass->circuit;
    const owi_chosen_tree tree = {circuit, s, choose_pair, sample_region, s->pass->chosen};
    s->copy = c / owi_circuit_copy_classes(circuit);
    owi_walk_tree(&tree,
                  draw_term(s, circuit->spec.depth == 0 ? 0 : 1, 0,
                            owi_root_weights(circuit, c), circuit->spec.repetitions));
}

/* ---- Rows ---- */

typedef struct {
    ow_evaluator *evaluator;
    float *rows;
    int32_t *classes;
    float *given; /* (workers, columns): a row before it is filled in */
    uint64_t seed;
} job;

static ow_status sample_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    owi_pass *pass = &work->evaluator->passes[chunk->worker];
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes, d = circuit->spec.n_columns;

    float *given = work->given + chunk->worker * d;
    OWI_TRY(owi_pass_forward(pass, chunk->n, work->rows + chunk->first * d, chunk->first));
    for (size_t row = 0; row < chunk->n; row++) {
        const size_t at = chunk->first + row;
        sampler s = {.pass = pass, .row = row, .values = work->rows + at * d};
        owi_rng_init(&s.rng, work->seed, owi_rng_stream(OWI_DRAWS_SAMPLES, at));
        int32_t c = work->classes != NULL ? work->classes[at] : -1;
        if (c < 0) {
            draw drawn = {-INFINITY, SIZE_MAX};
            for (size_t k = 0; k < C; k++)
                offer(&drawn, &s.rng,
                      owi_pass_log_class(pass, row, k) + circuit->log_prior[k], k);
            c = drawn.index == SIZE_MAX ? -1 : (int32_t)drawn.index;
        }
        if (c < 0 || owi_pass_log_class(pass, row, (size_t)c) == -INFINITY)
            return owi_fail(OW_ERR_NUMERIC, "row %zu: what is given is impossible", at + 1);
        if (work->classes != NULL) work->classes[at] = c;
        memcpy(given, s.values, d * sizeof *given);
        sample_class(&s, (size_t)c);
        owi_sheets_complete(circuit, given, &s.rng, s.values);
    }
    return OW_OK;
}

ow_status owi_sample(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                     float *rows, int32_t *classes)
{
    OWI_REQUIRE(n_rows == 0 || rows != NULL);
    OWI_TRY(owi_evaluator_check_classes(evaluator, n_rows, classes));
    OWI_TRY(owi_evaluator_prepare(call, evaluator, n_rows, false));
    const ow_circuit *circuit = evaluator->circuit;
    job work = {evaluator, rows, classes, NULL, call->seed};
    work.given = owi_alloc_array(circuit->ctx,
                                 owi_parallel_workers(call, n_rows, owi_evaluator_chunk),
                                 circuit->spec.n_columns * sizeof *work.given);
    if (work.given == NULL) return OW_ERR_MEMORY;
    const ow_status status =
        owi_parallel_rows(call, n_rows, owi_evaluator_chunk, sample_chunk, &work);
    owi_free(circuit->ctx, work.given);
    return status;
}

ow_status ow_evaluator_sample(ow_evaluator *evaluator, size_t n_rows, const ow_call *call,
                              float *rows, int32_t *classes)
{
    owi_call own;
    OWI_REQUIRE(evaluator != NULL);
    OWI_TRY(owi_call_begin(&own, evaluator->circuit->ctx, call));
    return owi_sample(&own, evaluator, n_rows, rows, classes);
}
