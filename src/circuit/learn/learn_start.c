/* SPDX-License-Identifier: MIT */
/* First values from data.  One pass gives each column's average features and, for each
 * class, a sample of rows (reservoir sampling); then every component starts at one of those
 * rows, with the columns' own variances, and weights are a Dirichlet sample.  k-means
 * instead of random rows is not worth it.
 *
 * In a tree the states number k of all nodes start at the same row, and a node is in its
 * parent's state with a probability of at least 0.9: the tree starts as a mixture whose
 * components come apart along its edges while it learns.  With rows and weights drawn for
 * each node alone, the states of neighbours have nothing to do with each other, which EM
 * takes long to mend. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/rng.h"
#include "circuit/learn/learn.h"
#include "circuit/structure/leaf_features.h"

enum { block_rows = 4096 };

typedef struct {
    const owi_call *call;
    ow_circuit *circuit;
    /* Sums of features with x counted from `origin`, its first value; n: values that are
     * there. */
    double *sum, *n, *origin;
    size_t n_pools, pool_size; /* one sample of rows for each class, or one for all */
    float *pool;               /* (pools, pool_size, columns) */
    size_t *n_seen;            /* rows offered to each pool   */
    owi_rng rng;
} start;

/* The features of column j that x has, added to the sums. */
static void add_value(start *s, size_t j, double x)
{
    const ow_leaf *leaf = &s->circuit->leaves[j];
    double *sum = s->sum + s->circuit->feature_start[j];

    if (s->n[j] == 0.0) s->origin[j] = x;
    s->n[j] += 1.0;
    if (leaf->kind == OW_LEAF_FOLLOWS) return;
    if (owi_leaf_has_levels(leaf)) {
        sum[(size_t)x] += 1.0;
        return;
    }
    if (leaf->kind == OW_LEAF_POINT_MASSES) {
        const size_t mass = owi_leaf_mass(leaf, (float)x);
        sum[mass] += 1.0;
        if (mass < leaf->n_masses) return;
        sum += leaf->n_masses + 1;
    }
    const double z = x - s->origin[j];
    sum[0] += z;
    /* For fixed variances there is no feature z^2 to keep. */
    if (s->circuit->spec.variance == 0.0) sum[1] += z * z;
}

/* Keeps a uniform sample of the rows offered so far. */
static void offer_row(start *s, size_t pool, const float *row)
{
    const size_t d = s->circuit->spec.n_columns;
    const size_t seen = s->n_seen[pool]++;
    const size_t slot = seen < s->pool_size ? seen : owi_rng_below(&s->rng, seen + 1);
    if (slot >= s->pool_size) return;
    memcpy(s->pool + (pool * s->pool_size + slot) * d, row, d * sizeof *row);
}

static ow_status read_rows(start *s, const ow_row_source *source)
{
    const size_t d = s->circuit->spec.n_columns;
    owi_row_block block;
    OWI_TRY(owi_row_block_init(&block, s->call, s->circuit, block_rows));
    ow_status status = owi_row_block_rewind(&block, source);
    while (status == OW_OK) {
        size_t n;
        status = owi_row_block_fill(&block, source, &n);
        if (status == OW_OK) status = owi_row_block_check(&block);
        if (status != OW_OK || n == 0) break;
        for (size_t row = 0; row < block.n_rows; row++) {
            const float *x = block.rows + row * d;
            const size_t y = (size_t)block.classes[row];
            for (size_t j = 0; j < d; j++)
                if (!isnan(x[j])) add_value(s, j, (double)x[j]);
            s->circuit->class_rows[y] += 1.0;
            offer_row(s, s->n_pools > 1 ? y : 0, x);
        }
        owi_row_block_empty(&block);
    }
    owi_row_block_clear(&block);
    return status;
}

/* Average features and shifts from the sums.  With m the mean of z: z - m averages 0, its
 * square var. */
static void set_averages(start *s)
{
    ow_circuit *circuit = s->circuit;
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        const ow_leaf *leaf = &circuit->leaves[j];
        const size_t first = circuit->feature_start[j];
        const size_t n_features = circuit->feature_start[j + 1] - first;
        if (n_features == 0) continue;
        double *average = circuit->average + first;
        const double *sum = s->sum + first, n = s->n[j];

        for (size_t f = 0; f < n_features; f++) average[f] = n > 0.0 ? sum[f] / n : 0.0;
        if (owi_leaf_has_levels(leaf)) {
            for (size_t f = 0; f < n_features && n == 0.0; f++)
                average[f] = 1.0 / (double)n_features;
            continue;
        }
        const size_t z = leaf->kind == OW_LEAF_POINT_MASSES ? leaf->n_masses + 1 : 0;
        const double share =
            z > 0 ? average[z - 1] : 1.0; /* of numbers that are no masses */
        const double mean = share > 0.0 ? average[z] / share : 0.0;
        circuit->shift[j] = (float)(s->origin[j] + mean);
        /* The shift is a float: what it misses of the mean stays in the average. */
        average[z] = share * (s->origin[j] + mean - (double)circuit->shift[j]);
        if (z + 1 == n_features) continue; /* fixed variance */
        const double variance = share > 0.0 ? average[z + 1] / share - mean * mean : 1.0;
        average[z + 1] = share * (variance > 0.0 ? variance : 0.0);
        if (z > 0 &&
            share == 0.0) { /* never seen off its masses: a slab that expects nothing */
            average[z - 1] = average[z] = 0.0;
            average[z + 1] = 0.0;
        }
    }
}

/* A component's parameters of one column: at the row's own value, as wide as the column. */
static void start_column(const ow_circuit *circuit, size_t j, float x, float *parameter)
{
    const ow_leaf *leaf = &circuit->leaves[j];
    const double *average = circuit->average + circuit->feature_start[j];
    const size_t n_masses = leaf->n_masses, own_mass = owi_leaf_mass(leaf, x);
    const bool levels = owi_leaf_has_levels(leaf);
    const size_t z =
        n_masses > 0 ? n_masses + 1 : 0; /* where the number's features begin */

    if (leaf->kind == OW_LEAF_FOLLOWS) return;
    if (leaf->kind != OW_LEAF_GAUSSIAN) {
        const size_t n_levels = levels ? leaf->n_levels : n_masses + 1;
        size_t own = n_levels; /* half of the probability goes to the row's own level */
        if (!isnan(x)) own = levels ? (size_t)x : own_mass;
        for (size_t i = 0; i < n_levels; i++) {
            const double smooth = 0.99 * average[i] + 0.01 / (double)n_levels;
            parameter[i] =
                (float)log(own < n_levels ? 0.5 * smooth + 0.5 * (i == own) : smooth);
        }
        if (levels) return;
    }
    const bool is_mass = isnan(x) || own_mass < n_masses;
    parameter[z] = is_mass ? circuit->shift[j] : x;
    if (circuit->spec.variance > 0.0) return;
    const double share = z > 0 ? average[z - 1] : 1.0;
    const double variance = share > 0.0 ? average[z + 1] / share : 1.0;
    parameter[z + 1] = (float)(variance > 1e-6 ? variance : 1.0);
}

/* Regions that start from the same rows draw by the number of the first of them. */
static size_t first_alike(const ow_circuit *circuit, size_t r)
{
    const size_t n = circuit->regions.n_parts;
    return owi_circuit_is_tree(circuit) ? r / n * n : r;
}

/* Components of one copy: in every region the I components start at different rows of its
 * sample, as far as it has so many. */
static void start_components(start *s, size_t copy, uint64_t seed, size_t *order)
{
    ow_circuit *circuit = s->circuit;
    const size_t I = circuit->spec.inputs, d = circuit->spec.n_columns;
    const size_t pool = s->n_pools > 1 ? copy : 0;
    const size_t n = s->n_seen[pool] < s->pool_size ? s->n_seen[pool] : s->pool_size;

    for (size_t r = copy * circuit->regions.n_regions;
         r < (copy + 1) * circuit->regions.n_regions; r++) {
        owi_rng rng;
        owi_rng_init(&rng, seed,
                     owi_rng_stream(OWI_DRAWS_COMPONENTS, first_alike(circuit, r)));
        for (size_t i = 0; i < n; i++) order[i] = i;
        owi_rng_shuffle(&rng, n, order);
        float *parameter = circuit->leaf + I * circuit->scope_start[r];
        for (size_t k = 0; k < I && n > 0; k++) {
            const float *row = s->pool + (pool * s->pool_size + order[k % n]) * d;
            for (uint32_t i = circuit->regions.start[r]; i < circuit->regions.start[r + 1];
                 i++) {
                const uint32_t j = circuit->regions.columns[i];
                start_column(circuit, j, row[j], parameter);
                parameter += circuit->feature_start[j + 1] - circuit->feature_start[j];
            }
        }
    }
}

/* Edges of trees: all but a little of each row of weights goes to the parent's state. */
static void tie_states(ow_circuit *circuit)
{
    static const double tied = 0.9;
    const size_t K = circuit->spec.inputs, n = owi_circuit_root_offset(circuit, 0);
    for (size_t i = 0; i < n; i++) {
        const bool own = i / K % K == i % K;
        const double weight = exp((double)circuit->log_weight[i]);
        circuit->log_weight[i] = (float)log((1.0 - tied) * weight + (own ? tied : 0.0));
    }
}

/* Every sum's weights from a flat Dirichlet: exponential draws, normalised. */
static void start_weights(ow_circuit *circuit, uint64_t seed)
{
    owi_rng rng;
    owi_rng_init(&rng, seed, owi_rng_stream(OWI_DRAWS_WEIGHTS, 0));
    size_t first = 0;
    while (first < circuit->n_weights) {
        const size_t block = owi_circuit_sum_size(circuit, first);
        double total = 0.0;
        for (size_t i = first; i < first + block; i++) {
            const double draw = owi_rng_gamma(&rng, 1.0);
            circuit->log_weight[i] = (float)log(draw > 1e-12 ? draw : 1e-12);
            total += draw;
        }
        for (size_t i = first; i < first + block; i++)
            circuit->log_weight[i] -= (float)log(total);
        first += block;
    }
    if (owi_circuit_is_tree(circuit)) tie_states(circuit);
}

ow_status owi_circuit_start(const owi_call *call, ow_circuit *circuit,
                            const ow_row_source *source)
{
    ow_context *ctx = circuit->ctx;
    const size_t d = circuit->spec.n_columns, C = circuit->spec.n_classes;
    start s = {.call = call, .circuit = circuit, .n_pools = circuit->regions.n_copies};
    s.pool_size = 4 * circuit->spec.inputs + 64;

    if (circuit->average == NULL)
        circuit->average = owi_alloc_array(ctx, circuit->n_features, sizeof(double));
    if (circuit->class_rows == NULL)
        circuit->class_rows = owi_alloc_array(ctx, C, sizeof(double));
    s.sum = owi_alloc_array(ctx, circuit->n_features + 2 * d, sizeof *s.sum);
    s.pool = owi_alloc_array(ctx, s.n_pools * s.pool_size * d, sizeof *s.pool);
    s.n_seen = owi_alloc_array(ctx, s.n_pools, sizeof *s.n_seen);
    size_t *order = owi_alloc_array(ctx, s.pool_size, sizeof *order);
    ow_status status = OW_ERR_MEMORY;
    if (circuit->average == NULL || circuit->class_rows == NULL || s.sum == NULL ||
        s.pool == NULL || s.n_seen == NULL || order == NULL)
        goto done;
    s.n = s.sum + circuit->n_features;
    s.origin = s.n + d;
    memset(circuit->class_rows, 0, C * sizeof(double));
    owi_rng_init(&s.rng, call->seed, owi_rng_stream(OWI_DRAWS_RESERVOIR, 0));
    status = read_rows(&s, source);
    if (status != OW_OK) goto done;
    for (size_t c = 0; c < C; c++)
        if (circuit->class_rows[c] == 0.0) {
            status = owi_fail(OW_ERR_ARGUMENT, "class %zu has no training rows", c);
            goto done;
        }
    set_averages(&s);
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++)
        start_components(&s, copy, call->seed, order);
    start_weights(circuit, call->seed);
    owi_circuit_prepare(call, circuit);
    circuit->is_started = true;

done:
    owi_free(ctx, order);
    owi_free(ctx, s.n_seen);
    owi_free(ctx, s.pool);
    owi_free(ctx, s.sum);
    return status;
}

ow_status ow_circuit_start(ow_circuit *circuit, const ow_row_source *source,
                           const ow_call *call)
{
    owi_call own;
    OWI_REQUIRE(circuit != NULL && source != NULL);
    OWI_TRY(owi_call_begin(&own, circuit->ctx, call));
    return owi_circuit_start(&own, circuit, source);
}
