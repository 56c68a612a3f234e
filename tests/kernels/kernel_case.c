/* SPDX-License-Identifier: MIT */
#include "kernels/kernel_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/pair_sum.h"
#include "base/compiler.h"

/* --- Buffers --- */

enum { guard_size = 64, guard_byte = 0xa5, max_buffers = 64 };

static struct {
    char *start;
    size_t size;
} buffers[max_buffers];
static size_t n_buffers;

float *kernel_floats(size_t n)
{
    const size_t size = n * sizeof(float);
    const size_t whole = (size + guard_size + 63) / 64 * 64;
    char *start = aligned_alloc(64, whole); /* as the arena of a circuit is */
    if (start == NULL || n_buffers == max_buffers) {
        fputs("no room for the buffers of a kernel\n", stderr);
        exit(1);
    }
    memset(start + size, guard_byte, guard_size);
    OWI_POISON(start + size, guard_size);
    buffers[n_buffers].start = start;
    buffers[n_buffers++].size = size;
    /* What is to be overwritten holds NaN before, so that nothing of it can go
     * unnoticed. */
    for (size_t i = 0; i < n; i++) ((float *)(void *)start)[i] = NAN;
    return (float *)(void *)start;
}

size_t kernel_n_buffers(void)
{
    return n_buffers;
}

bool kernel_release(size_t n_kept)
{
    bool intact = true;
    while (n_buffers > n_kept) {
        char *start = buffers[--n_buffers].start;
        const unsigned char *guard = (unsigned char *)start + buffers[n_buffers].size;
        OWI_UNPOISON(guard, guard_size);
        for (size_t i = 0; i < guard_size; i++) intact = intact && guard[i] == guard_byte;
        free(start);
    }
    return intact;
}

/* --- Random inputs --- */

static float *normals(owi_rng *rng, size_t n)
{
    float *out = kernel_floats(n);
    for (size_t i = 0; i < n; i++) out[i] = (float)owi_rng_normal(rng);
    return out;
}

/* Draws the features of a region into scope and, in order, into bits (NULL: in no
 * order). */
static void draw_scope(owi_rng *rng, size_t n_features, size_t size, size_t *order,
                       uint32_t *scope, uint32_t *bits)
{
    for (size_t f = 0; f < n_features; f++) order[f] = f;
    owi_rng_shuffle(rng, n_features, order);
    for (size_t f = 0; f < size; f++) scope[f] = (uint32_t)order[f];
    if (bits == NULL) return;
    memset(bits, 0, owi_scope_words(n_features) * sizeof *bits);
    for (size_t f = 0; f < size; f++) bits[order[f] / 32] |= 1u << order[f] % 32;
    size_t n = 0;
    for (uint32_t f = 0; f < n_features; f++)
        if ((bits[f / 32] >> f % 32 & 1u) != 0) scope[n++] = f;
}

/* Buffers are counted in floats: a size_t takes two. */
static void mark_some(owi_rng *rng, size_t n_tiles, size_t n_features, owi_marked *marked)
{
    const size_t n_words = owi_scope_words(n_features);
    const size_t n_groups = n_tiles * owi_lane_groups;
    uint32_t *bits = (uint32_t *)(void *)kernel_floats(n_groups * n_words);
    for (size_t w = 0; w < n_groups * n_words; w++) bits[w] = 0;
    for (size_t i = 0; i < n_groups * n_features; i++) {
        const size_t g = i / n_features, f = i % n_features;
        if (owi_rng_below(rng, 3) == 0) bits[g * n_words + f / 32] |= 1u << f % 32;
    }
    *marked = (owi_marked){bits, (uint32_t *)(void *)kernel_floats(n_features),
                           (size_t *)(void *)kernel_floats(2 * n_features)};
}

/* As the levels of categories are: most features are 0 in all rows of a tile. */
static void clear_some(owi_rng *rng, size_t n, size_t lanes, kernel_case *c)
{
    for (size_t i = 0; i < n; i++)
        if (owi_rng_below(rng, 5) > 0)
            memset(c->features + i * lanes, 0, lanes * sizeof *c->features);
}

void kernel_case_leaf(kernel_case *c, owi_rng *rng, owi_batch batch, size_t n_regions,
                      size_t n_components, size_t n_features, size_t width, bool uneven,
                      bool ascending)
{
    const size_t R = n_regions, K = n_components, F = n_features;
    const size_t n_words = owi_scope_words(F);
    uint32_t *start = (uint32_t *)(void *)kernel_floats(R + 1);
    uint32_t *scope = (uint32_t *)(void *)kernel_floats(R * width);
    uint32_t *bits = ascending ? (uint32_t *)(void *)kernel_floats(R * n_words) : NULL;
    size_t *order = malloc((F + 1) * sizeof *order);
    if (order == NULL) exit(1);

    start[0] = 0;
    for (size_t r = 0; r < R; r++) {
        const size_t size = uneven ? owi_rng_below(rng, width + 1) : width;
        draw_scope(rng, F, size, order, scope + start[r],
                   bits != NULL ? bits + r * n_words : NULL);
        start[r + 1] = start[r] + (uint32_t)size;
    }
    free(order);

    c->batch = batch;
    const size_t rows = kernel_n_rows(c);
    c->leaf = (owi_leaf_shape){R, K, F, start, scope, bits};
    c->n_scope = start[R];
    c->theta = normals(rng, K * c->n_scope);
    c->bias = normals(rng, R * K);
    c->features = normals(rng, rows * F);
    if (owi_rng_below(rng, 2) == 0) clear_some(rng, batch.n_tiles * F, batch.lanes, c);
    mark_some(rng, batch.n_tiles, F, &c->marked);
    c->flow = normals(rng, rows * R * K);
    c->in.log_value = normals(rng, rows * R * K);
    c->d_features = normals(rng, rows * F);
    c->statistic = normals(rng, K * c->n_scope);
    c->total = normals(rng, R * K);
}

/* Log-values of one region and row: alike, or hundreds of nats apart with impossible ones
 * among them, or all impossible. */
static void draw_log_values(owi_rng *rng, kernel_kind kind, size_t n, size_t stride,
                            float *log_value)
{
    const size_t dice = kind == kernel_mild ? 0 : owi_rng_below(rng, 10);
    for (size_t k = 0; k < n; k++) {
        const double spread = dice < 5 ? 3.0 : 200.0;
        const bool impossible = dice == 9 || (dice >= 7 && owi_rng_below(rng, 3) == 0);
        log_value[k * stride] =
            impossible ? -INFINITY : (float)(-300.0 + spread * owi_rng_normal(rng));
    }
}

static void draw_layer(owi_rng *rng, kernel_kind kind, size_t n_regions,
                       size_t n_components, owi_batch batch, owi_layer_values *layer)
{
    const size_t K = n_components, L = batch.lanes;
    const size_t n_tops = batch.n_tiles * n_regions * L;
    *layer = (owi_layer_values){kernel_floats(n_tops * K), kernel_floats(n_tops * K),
                                kernel_floats(n_tops)};
    for (size_t r = 0; r < batch.n_tiles * n_regions; r++)
        for (size_t lane = 0; lane < L; lane++)
            draw_log_values(rng, kind, K, L, layer->log_value + r * K * L + lane);
    owi_backend_find("ref")->normalize(NULL, n_regions, K, batch, layer);
}

/* Blocks of weights, each of which sums to 1; extreme: one in four is near e^-570, an odd
 * one 0. */
static void draw_weights(owi_rng *rng, kernel_kind kind, size_t n_blocks, size_t size,
                         kernel_case *c)
{
    const size_t n = n_blocks * size;
    float *linear = kernel_floats(n), *log_weight = kernel_floats(n);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const size_t dice = kind == kernel_mild ? 40 : owi_rng_below(rng, 40);
        const double low = dice == 0 ? -INFINITY : dice < 10 ? -570.0 : 0.0;
        log_weight[i] = (float)(low + 2.0 * owi_rng_normal(rng));
        sum += exp((double)log_weight[i]);
        if (i % size != size - 1) continue;
        /* The block is full. */
        for (size_t j = i + 1 - size; j <= i; j++) {
            if (sum > 0.0) log_weight[j] -= (float)log(sum);
            linear[j] = expf(log_weight[j]);
        }
        sum = 0.0;
    }
    c->weights = (owi_weights){linear, log_weight};
    c->n_weights = n;
}

void kernel_case_sum(kernel_case *c, owi_rng *rng, owi_batch batch, owi_sum_shape shape,
                     kernel_kind kind)
{
    const size_t R = shape.n_regions, S = shape.n_sums, K = shape.n_components;
    c->batch = batch;
    const size_t rows = kernel_n_rows(c);
    c->sum = shape;
    c->n_in = 2 * R;
    draw_layer(rng, kind, 2 * R, K, batch, &c->in);
    draw_weights(rng, kind, R * S, K * K, c);
    c->out = (owi_layer_values){kernel_floats(rows * R * S), kernel_floats(rows * R * S),
                                kernel_floats(rows * R)};
    c->flow = normals(rng, rows * R * S);
    c->flow_in = kernel_floats(rows * 2 * R * K);
    c->statistic = normals(rng, c->n_weights);
    c->scratch = kernel_floats(owi_scratch_floats(K, batch));
}

void kernel_case_root(kernel_case *c, owi_rng *rng, owi_batch batch, owi_root_shape shape,
                      kernel_kind kind)
{
    const size_t C = shape.n_classes, K = shape.n_components;
    c->batch = batch;
    const size_t rows = kernel_n_rows(c);
    c->root = shape;
    c->n_in = owi_root_n_regions(&shape);
    draw_layer(rng, kind, c->n_in, K, batch, &c->in);
    draw_weights(rng, kind, C, shape.n_partitions * K * (shape.single ? 1 : K), c);
    c->log_root = (double *)(void *)kernel_floats(2 * rows * C);
    c->seed = normals(rng, rows * C);
    c->flow_in = kernel_floats(rows * c->n_in * K);
    c->statistic = normals(rng, c->n_weights);
    c->scratch = kernel_floats(owi_scratch_floats(K, batch));
}

/* 0 in the spare lanes of n rows of lanes a tile. */
static void clear_spare(owi_batch batch, size_t n, float *values)
{
    const size_t last = batch.n_tiles > 0 ? batch.n_tiles - 1 : 0;
    for (size_t i = 0; i < n && batch.spare > 0; i++)
        for (size_t lane = batch.lanes - batch.spare; lane < batch.lanes; lane++)
            values[(last * n + i) * batch.lanes + lane] = 0.0f;
}

void kernel_case_tree(kernel_case *c, owi_rng *rng, owi_batch batch, owi_tree_shape shape,
                      kernel_kind kind)
{
    const size_t K = shape.n_components, N = shape.n_nodes, n = shape.n_trees * N;
    c->batch = batch;
    const size_t rows = kernel_n_rows(c);
    uint32_t *parent = (uint32_t *)(void *)kernel_floats(n);
    for (size_t i = 0; i < n; i++)
        parent[i] = i % N == 0 ? 0 : (uint32_t)owi_rng_below(rng, i % N);
    shape.parent = parent;
    c->tree = shape;
    c->n_in = n;
    draw_layer(rng, kind, n, K, batch, &c->in);
    clear_spare(batch, n * K, c->in.log_value);
    draw_weights(rng, kind, shape.n_trees * (N - 1) * K, K, c);
    c->nodes = (owi_tree_values){kernel_floats(rows * n * K), kernel_floats(rows * n * K),
                                 kernel_floats(rows * n * K), kernel_floats(rows * n)};
    c->out = (owi_layer_values){kernel_floats(rows * shape.n_trees * K),
                                kernel_floats(rows * shape.n_trees * K),
                                kernel_floats(rows * shape.n_trees)};
    c->flow = normals(rng, rows * shape.n_trees * K);
    clear_spare(batch, shape.n_trees * K, c->flow);
    c->flow_in = kernel_floats(rows * n * K);
    c->statistic = normals(rng, c->n_weights);
    c->scratch = kernel_floats(owi_scratch_floats(K, batch));
}

static void absolute(size_t n, float *values)
{
    for (size_t i = 0; values != NULL && i < n; i++) values[i] = fabsf(values[i]);
}

void kernel_case_absolute(kernel_case *c)
{
    const size_t R = c->leaf.n_regions, K = c->leaf.n_components, F = c->leaf.n_features;
    const size_t rows = kernel_n_rows(c);
    if (c->theta != NULL) {
        absolute(K * c->n_scope, c->theta);
        absolute(R * K, c->bias);
        absolute(rows * F, c->features);
        absolute(rows * R * K, c->flow);
        absolute(rows * R * K, c->in.log_value);
        absolute(rows * F, c->d_features);
        absolute(K * c->n_scope, c->statistic);
        absolute(R * K, c->total);
        return;
    }
    absolute(rows * c->sum.n_regions * c->sum.n_sums, c->flow);
    absolute(rows * c->tree.n_trees * c->tree.n_components, c->flow);
    absolute(rows * c->root.n_classes, c->seed);
    absolute(c->n_weights, c->statistic);
}
