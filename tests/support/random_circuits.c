/* SPDX-License-Identifier: MIT */
#include "support/random_circuits.h"

#include "base/numeric/rng.h"
#include "circuit/structure/circuit.h"

/* ---- Trees ---- */

const uint32_t *ow_tree_parents(size_t n_groups)
{
    enum { n_trees = 4, most_groups = 40 };
    static uint32_t all[most_groups + 1][n_trees * most_groups];
    assert_true(n_groups >= 1 && n_groups <= most_groups);
    uint32_t *parents = all[n_groups];
    for (size_t t = 0; t < n_trees; t++) {
        size_t order[most_groups];
        owi_rng rng;
        owi_rng_init(&rng, 7, t);
        for (size_t g = 0; g < n_groups; g++) order[g] = g;
        owi_rng_shuffle(&rng, n_groups, order);
        for (size_t p = 0; p < n_groups; p++) /* the first two trees: a path, a star */
            parents[t * n_groups + order[p]] =
                (uint32_t)order[p == 0   ? 0
                                : t == 0 ? p - 1
                                : t == 1 ? 0
                                         : owi_rng_below(&rng, p)];
    }
    return parents;
}

/* ---- Making ---- */

static void draw_logits(owi_rng *rng, size_t n, float *log_p)
{
    double p[256];
    assert_true(n <= sizeof p / sizeof *p);
    owi_rng_dirichlet(rng, 0.7, n, p);
    for (size_t i = 0; i < n; i++) log_p[i] = (float)log(p[i]);
}

static void draw_column(owi_rng *rng, const ow_circuit *circuit, const ow_leaf *leaf,
                        float *parameter)
{
    if (leaf->kind == OW_LEAF_CATEGORICAL || leaf->kind == OW_LEAF_BERNOULLI) {
        draw_logits(rng, leaf->n_levels, parameter);
        return;
    }
    if (leaf->kind == OW_LEAF_POINT_MASSES) {
        draw_logits(rng, leaf->n_masses + 1, parameter);
        parameter += leaf->n_masses + 1;
    }
    parameter[0] = (float)(1.5 * owi_rng_normal(rng));
    if (circuit->spec.variance == 0.0)
        parameter[1] = (float)(0.3 + 1.7 * owi_rng_uniform(rng));
}

ow_circuit *ow_random_circuit(ow_context *ctx, const ow_circuit_spec *spec, uint64_t seed)
{
    ow_circuit *circuit = NULL;
    owi_rng rng;
    double prior[64];

    assert_ok(ow_circuit_new(ctx, spec, &circuit));
    owi_rng_init(&rng, seed, 0);
    float *parameter = circuit->leaf;
    for (size_t r = 0; r < circuit->regions.n_copies * circuit->regions.n_regions; r++)
        for (size_t k = 0; k < circuit->spec.inputs; k++)
            for (uint32_t i = circuit->regions.start[r]; i < circuit->regions.start[r + 1];
                 i++) {
                const uint32_t j = circuit->regions.columns[i];
                draw_column(&rng, circuit, &circuit->leaves[j], parameter);
                parameter += circuit->feature_start[j + 1] - circuit->feature_start[j];
            }
    for (size_t first = 0; first < circuit->n_weights;) {
        const size_t n = owi_circuit_sum_size(circuit, first);
        draw_logits(&rng, n, circuit->log_weight + first);
        first += n;
    }
    owi_rng_dirichlet(&rng, 2.0, spec->n_classes, prior);
    assert_ok(ow_circuit_set_prior(circuit, prior));
    owi_circuit_prepare(NULL, circuit);
    return circuit;
}

/* ---- The definition ---- */

static double log_add(double a, double b)
{
    const double high = fmax(a, b), low = fmin(a, b);
    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

static double log_gaussian(double x, double mean, double variance)
{
    return -0.5 * ((x - mean) * (x - mean) / variance + log(2.0 * acos(-1.0) * variance));
}

/* entry: the column's value, or in a soft row its first entry. */
static double log_leaf(const ow_circuit *circuit, const ow_leaf *leaf,
                       const float *parameter, bool soft, const double *entry)
{
    double log_p = leaf->log_cell;
    const double x = *entry;
    if (isnan(x)) return 0.0;
    if (leaf->kind == OW_LEAF_CATEGORICAL || leaf->kind == OW_LEAF_BERNOULLI) {
        double sum = 0.0;
        if (!soft) return (double)parameter[(size_t)x];
        for (size_t k = 0; k < leaf->n_levels; k++) sum += entry[k] * (double)parameter[k];
        return sum;
    }
    if (leaf->kind == OW_LEAF_POINT_MASSES) {
        for (size_t i = 0; i < leaf->n_masses; i++)
            if (x == (double)leaf->masses[i]) return (double)parameter[i];
        log_p += (double)parameter[leaf->n_masses];
        parameter += leaf->n_masses + 1;
    }
    const double fixed = circuit->spec.variance;
    if (leaf->low < leaf->high) { /* tails */
        const double end = fmin(fmax(x, leaf->low), leaf->high);
        return log_p - 2.0 * log1p(fabs(x - end)) +
               log_gaussian(end, (double)parameter[0], (double)parameter[1]);
    }
    return log_p + log_gaussian(x, (double)parameter[0],
                                fixed > 0.0 ? fixed : (double)parameter[1]);
}

typedef struct {
    const ow_circuit *circuit;
    size_t copy;
    bool soft;
    const double *row;
} brute;

/* Component k of a leaf region. */
static double log_leaf_component(const brute *b, size_t region, size_t k)
{
    const ow_circuit *circuit = b->circuit;
    const size_t r = b->copy * circuit->regions.n_regions + region;
    const size_t start = circuit->scope_start[r];
    const size_t width = circuit->scope_start[r + 1] - start;
    const float *parameter = circuit->leaf + circuit->spec.inputs * start + k * width;
    double sum = 0.0;
    for (uint32_t i = circuit->regions.start[r]; i < circuit->regions.start[r + 1]; i++) {
        const uint32_t j = circuit->regions.columns[i];
        sum += log_leaf(circuit, &circuit->leaves[j], parameter, b->soft,
                        b->row + owi_circuit_entry(circuit, b->soft, j));
        parameter += circuit->feature_start[j + 1] - circuit->feature_start[j];
    }
    return sum;
}

/* log P(state j of region p of a tree given state k of its parent). */
static double log_edge(const brute *b, size_t tree, size_t p, size_t k, size_t j)
{
    const ow_circuit *circuit = b->circuit;
    const size_t K = circuit->spec.inputs, n = circuit->regions.n_parts;
    const size_t at = ((b->copy * circuit->spec.repetitions + tree) * (n - 1) + p - 1) * K;
    return (double)circuit->log_weight[(at + k) * K + j];
}

/* State k of the root of a tree, and all below it: nodes stand behind their parents. */
static double log_tree(const brute *b, size_t tree, size_t k)
{
    enum { most_nodes = 64, most_states = 8 };
    const owi_region_graph *regions = &b->circuit->regions;
    const size_t n = regions->n_parts, K = b->circuit->spec.inputs;
    double node[most_nodes][most_states];
    assert_true(n <= most_nodes && K <= most_states);
    for (size_t i = 0; i < n * K; i++)
        node[i / K][i % K] = log_leaf_component(b, tree * n + i / K, i % K);
    for (size_t p = n; p-- > 1;)
        for (size_t i = 0; i < K; i++) {
            double message = -INFINITY;
            for (size_t j = 0; j < K; j++)
                message = log_add(message, log_edge(b, tree, p, i, j) + node[p][j]);
            node[regions->parent[tree * n + p]][i] += message;
        }
    return node[0][k];
}

/* Component k of a region at a depth. */
static double log_component(const brute *b, size_t depth, size_t region, size_t k)
{
    const ow_circuit *circuit = b->circuit;
    if (owi_circuit_is_tree(circuit)) return log_tree(b, region, k);
    if (depth == circuit->spec.depth) return log_leaf_component(b, region, k);
    const size_t K = owi_circuit_child_components(circuit, depth);
    const float *weight = circuit->log_weight +
                          owi_circuit_inner_offset(circuit, depth, b->copy) +
                          (region * circuit->spec.sums + k) * K * K;
    double sum = -INFINITY;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++)
            sum = log_add(sum, (double)weight[i * K + j] +
                                   log_component(b, depth + 1, 2 * region, i) +
                                   log_component(b, depth + 1, 2 * region + 1, j));
    return sum;
}

static double log_root(const ow_circuit *circuit, size_t c, bool soft, const double *row)
{
    const bool shared = circuit->spec.structure == OW_STRUCTURE_SHARED;
    const size_t K = owi_circuit_top_components(circuit), R = circuit->spec.repetitions;
    const brute b = {circuit, shared ? 0 : c, soft, row};
    const bool single = circuit->spec.depth == 0;
    const float *weight = circuit->log_weight + owi_circuit_root_offset(circuit, b.copy) +
                          (shared ? c : 0) * R * (single ? K : K * K);
    double sum = -INFINITY;
    for (size_t rep = 0; rep < R; rep++)
        for (size_t i = 0; i < K; i++) {
            if (single) {
                sum = log_add(sum, (double)*weight++ + log_component(&b, 0, rep, i));
                continue;
            }
            for (size_t j = 0; j < K; j++)
                sum = log_add(sum, (double)*weight++ + log_component(&b, 1, 2 * rep, i) +
                                       log_component(&b, 1, 2 * rep + 1, j));
        }
    return sum;
}

double ow_brute_log_class_at(const ow_circuit *circuit, size_t c, const double *row)
{
    return log_root(circuit, c, false, row);
}

double ow_brute_log_class_soft(const ow_circuit *circuit, size_t c, const double *soft)
{
    return log_root(circuit, c, true, soft);
}

double ow_all_states_log_class(const ow_circuit *circuit, size_t c, const float *row)
{
    const bool shared = circuit->spec.structure == OW_STRUCTURE_SHARED;
    const size_t K = circuit->spec.inputs, n = circuit->regions.n_parts;
    const size_t T = circuit->spec.repetitions;
    double exact[ow_most_discrete], sum = -INFINITY;
    assert_true(circuit->spec.n_columns <= ow_most_discrete && n <= ow_most_discrete);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) exact[j] = (double)row[j];
    const brute b = {circuit, shared ? 0 : c, false, exact};
    const float *root = circuit->log_weight + owi_circuit_root_offset(circuit, b.copy) +
                        (shared ? c : 0) * T * K;
    for (size_t tree = 0; tree < T; tree++) {
        size_t state[ow_most_discrete] = {0}, p = 0;
        while (p < n) {
            double log_p = (double)root[tree * K + state[0]];
            for (size_t i = 0; i < n; i++) {
                log_p += log_leaf_component(&b, tree * n + i, state[i]);
                if (i > 0)
                    log_p +=
                        log_edge(&b, tree, i, state[circuit->regions.parent[tree * n + i]],
                                 state[i]);
            }
            sum = log_add(sum, log_p);
            for (p = 0; p < n && ++state[p] == K; p++) state[p] = 0;
        }
    }
    return sum;
}

double ow_brute_log_class(const ow_circuit *circuit, size_t c, const float *row)
{
    double exact[64];
    assert_true(circuit->spec.n_columns <= 64);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) exact[j] = (double)row[j];
    return ow_brute_log_class_at(circuit, c, exact);
}

double ow_brute_log_density(const ow_circuit *circuit, const float *row)
{
    double sum = -INFINITY;
    for (size_t c = 0; c < circuit->spec.n_classes; c++)
        sum = log_add(sum, ow_brute_log_class(circuit, c, row) + circuit->log_prior[c]);
    return sum;
}

/* ---- Discrete circuits ---- */

const ow_leaf *ow_discrete_leaves(void)
{
    static const ow_leaf leaves[ow_most_discrete] = {
        {.kind = OW_LEAF_CATEGORICAL, .n_levels = 2, .group = 0},
        {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 1},
        {.kind = OW_LEAF_BERNOULLI, .n_levels = 2, .group = 2},
        {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 3},
        {.kind = OW_LEAF_CATEGORICAL, .n_levels = 2, .group = 4},
        {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 5},
        {.kind = OW_LEAF_BERNOULLI, .n_levels = 2, .group = 6},
        {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 7},
    };
    return leaves;
}

void ow_first_levels(size_t n, const bool *fixed, float *row)
{
    for (size_t j = 0; j < n; j++)
        if (fixed == NULL || !fixed[j]) row[j] = 0.0f;
}

bool ow_next_levels(const ow_leaf *leaves, size_t n, const bool *fixed, float *row)
{
    for (size_t j = 0; j < n; j++) {
        if (fixed != NULL && fixed[j]) continue;
        row[j] += 1.0f;
        if (row[j] < (float)leaves[j].n_levels) return true;
        row[j] = 0.0f;
    }
    return false;
}

size_t ow_discrete_cases(ow_discrete_case *cases)
{
    static const struct {
        size_t d, deepest;
    } sizes[] = {{1, 0}, {2, 1}, {3, 1}, {5, 2}, {8, 3}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t depth = 0; depth <= sizes[i].deepest + 1; depth++)
            for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
                 structure++)
                cases[n++] =
                    (ow_discrete_case){(ow_structure)structure,
                                       depth <= sizes[i].deepest ? depth : ow_tree_depth,
                                       sizes[i].d};
    assert_true(n <= 40);
    return n;
}

ow_circuit *ow_discrete_circuit(ow_context *ctx, const ow_discrete_case *one, uint64_t seed)
{
    const bool trees = one->depth == ow_tree_depth;
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = one->structure,
                                  .depth = trees ? 0 : one->depth,
                                  .parents = trees ? ow_tree_parents(one->d) : NULL,
                                  .repetitions = 2,
                                  .sums = 2,
                                  .inputs = one->depth > 2 ? 2 : 3,
                                  .n_classes = 2,
                                  .n_columns = one->d,
                                  .leaves = ow_discrete_leaves(),
                                  .seed = seed};
    return ow_random_circuit(ctx, &spec, seed);
}
