/* SPDX-License-Identifier: MIT */
/* Trees of the strongest dependences between columns, one for each repetition of a circuit.
 *
 * The first one is that of all rows.  Each of the others counts every row as often as a
 * bootstrap sample has it (0, 1, 2, ... times, with mean 1), in bins and from a root of its
 * own, so that no mistake of a single tree is in all of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/call.h"
#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/rng.h"
#include "base/options.h"
#include "base/threads/parallel.h"
#include "circuit/dependence/mutual_information.h"
#include "circuit/learn/learn.h"
#include "circuit/structure/circuit.h"
#include "circuit/structure/leaf_features.h"

/* Rows that are looked at, at most, and values in all; rows read at a time. */
enum { most_rows = 1 << 15, most_values = 1 << 24, block_rows = 1024 };
/* Codes of a number, by tree: these in turn. */
static const size_t codes_of_number[] = {8, 5, 12, 6, 16};

typedef struct {
    const owi_call *call;
    ow_context *ctx;
    const ow_circuit_spec *spec;
    size_t n_rows;
    float *rows;     /* (rows, columns)                               */
    uint8_t *codes;  /* (columns, rows)                               */
    uint8_t *weight; /* (rows)                                        */
    bool weighted;   /* whether this tree uses them                   */
    size_t *n_codes; /* (columns)                                     */
    uint32_t *group; /* (columns): of which group each is             */
    size_t n_groups;
    double *information; /* (columns, columns)                            */
    double *between;     /* (groups, groups): the largest of their columns' */
    bool *taken;
    double *best;
} search;

/* ---- Rows ---- */

/* That every column can hold its values. */
static ow_status check_row(const search *s, size_t number, const float *row)
{
    char where[64];
    for (size_t j = 0; j < s->spec->n_columns; j++) {
        ow_leaf leaf = s->spec->leaves[j];
        if (leaf.kind == OW_LEAF_BERNOULLI) leaf.n_levels = 2;
        if (owi_leaf_takes(&leaf, row[j])) continue;
        snprintf(where, sizeof where, "row %zu, column %zu", number + 1, j);
        return owi_leaf_refuse(&leaf, where, row[j]);
    }
    return OW_OK;
}

/* A uniform sample of all rows, or all of them. */
static ow_status read_sample(search *s, const ow_row_source *source)
{
    const size_t d = s->spec->n_columns;
    const size_t room = owi_larger(1, owi_smaller(most_rows, most_values / d));
    float *block = owi_alloc_array(s->ctx, block_rows * d, sizeof *block);
    int32_t *classes = owi_alloc_array(s->ctx, block_rows, sizeof *classes);
    owi_rng rng;
    size_t n_seen = 0;
    owi_rng_init(&rng, s->call->seed, owi_rng_stream(OWI_DRAWS_RESERVOIR, 1));
    s->rows = owi_alloc_array(s->ctx, room * d, sizeof *s->rows);
    ow_status status =
        block != NULL && classes != NULL && s->rows != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = source->rewind(source->user);
    while (status == OW_OK) {
        size_t n = 0;
        status = source->next(source->user, block_rows, block, classes, &n);
        if (status == OW_OK) status = owi_call_tick(s->call);
        if (status != OW_OK || n == 0) break;
        for (size_t i = 0; i < n && status == OW_OK; i++, n_seen++) {
            status = check_row(s, n_seen, block + i * d);
            const size_t at = n_seen < room ? n_seen : owi_rng_below(&rng, n_seen + 1);
            if (at < room) memcpy(s->rows + at * d, block + i * d, d * sizeof *block);
        }
    }
    s->n_rows = owi_smaller(n_seen, room);
    owi_free(s->ctx, block);
    owi_free(s->ctx, classes);
    if (status == OW_OK && s->n_rows == 0)
        status = owi_fail(OW_ERR_ARGUMENT, "there are no rows to find trees in");
    return status;
}

/* Every value a code, in bins of this tree. */
static ow_status encode(search *s, size_t tree)
{
    const size_t d = s->spec->n_columns, n = s->n_rows;
    const size_t n_kinds = sizeof codes_of_number / sizeof *codes_of_number;
    for (size_t j = 0; j < d; j++) {
        const ow_leaf *leaf = &s->spec->leaves[j];
        const bool number =
            leaf->kind == OW_LEAF_GAUSSIAN || leaf->kind == OW_LEAF_POINT_MASSES;
        /* One code, and so no information, in what has no leaf. */
        const size_t most = leaf->kind == OW_LEAF_FOLLOWS ? 1
                            : number                      ? codes_of_number[tree % n_kinds]
                                                          : owi_most_codes;
        owi_column_codes codes;
        OWI_TRY(owi_column_codes_init(&codes, s->ctx, leaf, most, n, s->rows + j, d));
        s->n_codes[j] = codes.n_codes;
        for (size_t i = 0; i < n; i++)
            s->codes[j * n + i] = owi_column_code(&codes, s->rows[i * d + j]);
        owi_column_codes_clear(&codes, s->ctx);
    }
    return OW_OK;
}

/* How often a bootstrap sample has each row: Poisson with mean 1. */
static void draw_weights(search *s, owi_rng *rng)
{
    for (size_t i = 0; i < s->n_rows; i++) {
        double rest = owi_rng_uniform(rng), p = exp(-1.0);
        uint8_t k = 0;
        for (; rest >= p && k < 20; p /= (double)++k) rest -= p;
        s->weight[i] = k;
    }
}

/* ---- Information ---- */

static ow_status inform_columns(void *user, const owi_chunk *columns)
{
    search *s = user;
    const size_t d = s->spec->n_columns, n = s->n_rows;
    owi_code_pairs *pairs = owi_alloc(s->ctx, sizeof *pairs);
    if (pairs == NULL) return OW_ERR_MEMORY;
    for (size_t j = columns->first; j < columns->first + columns->n; j++)
        for (size_t k = j + 1; k < d; k++) {
            owi_code_pairs_begin(pairs, s->n_codes[j], s->n_codes[k]);
            owi_code_pairs_add(pairs, n, s->codes + j * n, s->codes + k * n,
                               s->weighted ? s->weight : NULL);
            s->information[j * d + k] = s->information[k * d + j] =
                owi_code_pairs_information(pairs);
        }
    owi_free(s->ctx, pairs);
    return OW_OK;
}

/* Groups inform each other by the two columns that do so most. */
static void inform_groups(search *s)
{
    const size_t d = s->spec->n_columns, G = s->n_groups;
    for (size_t i = 0; i < G * G; i++) s->between[i] = -INFINITY;
    for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < d; k++) {
            double *most = &s->between[s->group[j] * G + s->group[k]];
            if (j != k) *most = fmax(*most, s->information[j * d + k]);
        }
}

/* The node whose edges of a tree have the largest sum. */
static size_t find_hub(const search *s, const uint32_t *parents)
{
    const size_t G = s->n_groups;
    size_t hub = 0;
    memset(s->best, 0, G * sizeof *s->best);
    for (size_t g = 0; g < G; g++) {
        if (parents[g] == g) continue;
        s->best[g] += s->between[g * G + parents[g]];
        s->best[parents[g]] += s->between[g * G + parents[g]];
    }
    for (size_t g = 1; g < G; g++)
        if (s->best[g] > s->best[hub]) hub = g;
    return hub;
}

static ow_status find_tree(search *s, size_t tree, uint32_t *parents)
{
    owi_rng rng;
    owi_rng_init(&rng, s->call->seed, owi_rng_stream(OWI_DRAWS_TREES, tree));
    OWI_TRY(encode(s, tree));
    s->weighted = tree > 0;
    if (s->weighted) draw_weights(s, &rng);
    OWI_TRY(owi_parallel_rows(s->call, s->spec->n_columns, 1, inform_columns, s));
    inform_groups(s);
    const size_t root = tree > 0 ? owi_rng_below(&rng, s->n_groups) : 0;
    owi_spanning_tree(s->n_groups, s->between, root, parents, s->taken, s->best);
    if (tree == 0)
        owi_spanning_tree(s->n_groups, s->between, find_hub(s, parents), parents, s->taken,
                          s->best);
    return OW_OK;
}

/* ---- All of it ---- */

static ow_status make_room(search *s)
{
    const size_t d = s->spec->n_columns, G = s->n_groups;
    size_t n = 0;
    s->codes = owi_alloc_array(s->ctx, d * s->n_rows, sizeof *s->codes);
    s->weight = owi_alloc_array(s->ctx, s->n_rows, sizeof *s->weight);
    s->n_codes = owi_alloc_array(s->ctx, d, sizeof *s->n_codes);
    s->group = owi_alloc_array(s->ctx, d, sizeof *s->group);
    s->information = owi_alloc_array(s->ctx, d * d, sizeof *s->information);
    s->between = owi_alloc_array(s->ctx, G * G, sizeof *s->between);
    s->taken = owi_alloc_array(s->ctx, G, sizeof *s->taken);
    s->best = owi_alloc_array(s->ctx, G, sizeof *s->best);
    if (s->codes == NULL || s->weight == NULL || s->n_codes == NULL || s->group == NULL ||
        s->information == NULL || s->between == NULL || s->taken == NULL || s->best == NULL)
        return OW_ERR_MEMORY;
    for (size_t j = 0; j < d; j++) {
        n += j == 0 || s->spec->leaves[j].group != s->spec->leaves[j - 1].group;
        s->group[j] = (uint32_t)(n - 1);
    }
    return OW_OK;
}

static void clear(search *s)
{
    void *const blocks[] = {s->rows,  s->codes,       s->weight,  s->n_codes, s->group,
                            s->taken, s->information, s->between, s->best};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) owi_free(s->ctx, blocks[i]);
}

ow_status owi_circuit_find_trees(const owi_call *call, const ow_circuit_spec *spec,
                                 const ow_row_source *source, uint32_t *parents)
{
    search s = {.call = call, .ctx = call->ctx, .spec = spec};
    s.n_groups = owi_region_graph_groups(spec);
    ow_status status = read_sample(&s, source);
    if (status == OW_OK) status = make_room(&s);
    for (size_t t = 0; t < spec->repetitions && status == OW_OK; t++)
        status = find_tree(&s, t, parents + t * s.n_groups);
    clear(&s);
    return status;
}

ow_status ow_circuit_find_trees(ow_context *ctx, const ow_circuit_spec *spec,
                                const ow_row_source *source, const ow_call *call,
                                uint32_t *parents)
{
    owi_call own;
    OWI_REQUIRE(ctx != NULL && spec != NULL && source != NULL && parents != NULL);
    ow_circuit_spec asked = {.size = sizeof(ow_circuit_spec)};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_circuit_spec, spec, &asked));
    OWI_TRY(owi_circuit_check_spec(&asked));
    OWI_TRY(owi_call_begin(&own, ctx, call));
    return owi_circuit_find_trees(&own, &asked, source, parents);
}
