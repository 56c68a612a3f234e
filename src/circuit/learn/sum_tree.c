/* SPDX-License-Identifier: MIT */
#include "circuit/learn/sum_tree.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"

/* Segments that one worker adds at a time: few enough to share, and not so few that waking
 * another thread takes longer than adding. */
enum { segments_at_a_time = 4 };

/* ---- Making and unmaking ---- */

ow_status owi_sum_tree_init(owi_sum_tree *tree, const owi_call *call,
                            const ow_circuit *circuit, size_t n_segments,
                            const owi_sum_segment *segments, size_t n_figures)
{
    ow_context *ctx = circuit->ctx;
    *tree = (owi_sum_tree){.call = call,
                           .ctx = ctx,
                           .n_parts = owi_sum_n_parts(circuit),
                           .n_figures = n_figures,
                           .n_segments = n_segments,
                           .segments = segments};
    tree->within = owi_alloc_array(ctx, n_segments, sizeof *tree->within);
    tree->from = owi_alloc_array(ctx, n_segments, sizeof *tree->from);
    size_t *filled = owi_alloc_array(ctx, tree->n_parts, sizeof *filled);
    tree->is_new = owi_alloc_array(ctx, tree->n_parts, sizeof *tree->is_new);
    const bool made = tree->within != NULL && tree->from != NULL && tree->is_new != NULL &&
                      filled != NULL;
    for (size_t s = 0; made && s < n_segments; s++) {
        size_t *end = &filled[segments[s].part];
        size_t *largest = &tree->part_size[owi_sum_is_of_gaps(segments[s].part)];
        tree->within[s] = *end;
        *end += segments[s].n;
        *largest = owi_larger(*largest, *end);
    }
    owi_free(ctx, filled);
    if (made) return OW_OK;
    owi_sum_tree_clear(tree);
    return OW_ERR_MEMORY;
}

/* A buffer for a part's sums: one that was given back, or a new one. */
static ow_status take_buffer(owi_sum_tree *tree, bool of_gaps, float **out)
{
    if (tree->n_spare[of_gaps] > 0) {
        *out = tree->spare[of_gaps][--tree->n_spare[of_gaps]];
        return OW_OK;
    }
    *out =
        owi_alloc_aligned(tree->ctx, owi_larger(tree->part_size[of_gaps], 1), sizeof **out);
    return *out != NULL ? OW_OK : OW_ERR_MEMORY;
}

static void give_back(owi_sum_tree *tree, bool of_gaps, float *buffer)
{
    const ow_status status =
        owi_grow(tree->ctx, &tree->spare[of_gaps], &tree->spare_capacity[of_gaps],
                 tree->n_spare[of_gaps] + 1, sizeof *tree->spare[of_gaps]);
    if (status == OW_OK)
        tree->spare[of_gaps][tree->n_spare[of_gaps]++] = buffer;
    else
        owi_free_aligned(tree->ctx, buffer);
}

/* Takes the rightmost node away. */
static void drop_node(owi_sum_tree *tree)
{
    owi_sum_node *node = &tree->nodes[--tree->n_nodes];
    for (size_t p = 0; p < tree->n_parts; p++) {
        if (node->part[p] != NULL) give_back(tree, owi_sum_is_of_gaps(p), node->part[p]);
        node->part[p] = NULL;
    }
}

void owi_sum_tree_begin(owi_sum_tree *tree, size_t n_chunks)
{
    while (tree->n_nodes > 0) drop_node(tree);
    tree->n_chunks = n_chunks;
}

void owi_sum_tree_clear(owi_sum_tree *tree)
{
    ow_context *ctx = tree->ctx;
    if (ctx == NULL) return;
    owi_sum_tree_begin(tree, 0);
    for (size_t i = 0; i < tree->n_made; i++) {
        owi_free(ctx, tree->nodes[i].part);
        owi_free(ctx, tree->nodes[i].figures);
    }
    for (int gaps = 0; gaps < 2; gaps++) {
        for (size_t i = 0; i < tree->n_spare[gaps]; i++)
            owi_free_aligned(ctx, tree->spare[gaps][i]);
        owi_free(ctx, tree->spare[gaps]);
    }
    owi_free(ctx, tree->within);
    owi_free(ctx, tree->from);
    owi_free(ctx, tree->is_new);
    owi_free(ctx, tree->heads);
    owi_free(ctx, tree->all_heads);
    owi_free(ctx, tree->given);
    owi_free(ctx, tree->gotten);
    *tree = (owi_sum_tree){0};
}

/* ---- Places ---- */

typedef struct {
    size_t level, index;
} place;

/* A node without a right neighbour is that neighbour's parent as well. */
static place promoted(place at, size_t n_chunks)
{
    while (((size_t)1 << at.level) < n_chunks && at.index % 2 == 0 &&
           ((at.index + 1) << at.level) >= n_chunks)
        at = (place){at.level + 1, at.index / 2};
    return at;
}

static bool are_siblings(place left, place right)
{
    return left.level == right.level && left.index % 2 == 0 &&
           left.index + 1 == right.index;
}

/* How many nodes a share of the chunks becomes, and which: places has room for
 * owi_most_sum_nodes. */
static size_t find_places(size_t n_chunks, owi_share share, place *places)
{
    size_t n = 0;
    for (size_t chunk = share.first; chunk < share.end; chunk++) {
        place at = promoted((place){0, chunk}, n_chunks);
        for (; n > 0 && are_siblings(places[n - 1], at); n--)
            at = promoted((place){at.level + 1, at.index / 2}, n_chunks);
        places[n++] = at;
    }
    return n;
}

/* ---- Adding ---- */

typedef struct {
    const owi_sum_tree *tree;
    const owi_sum_node *to;
} addition;

/* Adds some segments of tree->from to a node. */
static ow_status add_segments(void *user, const owi_chunk *some)
{
    const addition *a = user;
    const owi_sum_tree *tree = a->tree;
    for (size_t s = some->first; s < some->first + some->n; s++) {
        const owi_sum_segment *segment = &tree->segments[s];
        const float *from = tree->from[s];
        if (from == NULL) continue;
        float *to = a->to->part[segment->part] + tree->within[s];
        if (tree->is_new[segment->part])
            memcpy(to, from, segment->n * sizeof *to);
        else
            for (size_t i = 0; i < segment->n; i++) to[i] += from[i];
    }
    return OW_OK;
}

/* Adds what tree->from points at, and figures, to a node. */
static ow_status add_to_node(owi_sum_tree *tree, owi_sum_node *node, const double *figures)
{
    memset(tree->is_new, 0, tree->n_parts * sizeof *tree->is_new);
    for (size_t s = 0; s < tree->n_segments; s++) {
        const size_t part = tree->segments[s].part;
        if (tree->from[s] == NULL || node->part[part] != NULL) continue;
        tree->is_new[part] = true;
        OWI_TRY(take_buffer(tree, owi_sum_is_of_gaps(part), &node->part[part]));
    }
    for (size_t i = 0; i < tree->n_figures; i++) node->figures[i] += figures[i];
    addition a = {tree, node};
    return owi_parallel_rows(tree->call, tree->n_segments, segments_at_a_time, add_segments,
                             &a);
}

/* An empty node on the right. */
static ow_status new_node(owi_sum_tree *tree, place at)
{
    OWI_REQUIRE(tree->n_nodes < owi_most_sum_nodes);
    owi_sum_node *node = &tree->nodes[tree->n_nodes];
    if (tree->n_nodes == tree->n_made) {
        node->part = owi_alloc_array(tree->ctx, tree->n_parts, sizeof *node->part);
        node->figures = owi_alloc_array(tree->ctx, tree->n_figures, sizeof *node->figures);
        if (node->part == NULL || node->figures == NULL) {
            owi_free(tree->ctx, node->part);
            owi_free(tree->ctx, node->figures);
            return OW_ERR_MEMORY;
        }
        tree->n_made++;
    }
    memset(node->figures, 0, tree->n_figures * sizeof *node->figures);
    node->level = at.level;
    node->index = at.index;
    tree->n_nodes++;
    return OW_OK;
}

static void set_place(owi_sum_node *node, place at)
{
    node->level = at.level;
    node->index = at.index;
}

static place place_of(const owi_sum_node *node)
{
    return (place){node->level, node->index};
}

static void point_at_node(owi_sum_tree *tree, const owi_sum_node *node)
{
    for (size_t s = 0; s < tree->n_segments; s++) {
        float *sums = node->part[tree->segments[s].part];
        tree->from[s] = sums != NULL ? sums + tree->within[s] : NULL;
    }
}

/* Puts what tree->from points at to the right of all nodes.  Where it is the right
 * neighbour of the last one, both become their parent, and so on upwards. */
static ow_status push(owi_sum_tree *tree, place at, const double *figures)
{
    at = promoted(at, tree->n_chunks);
    if (tree->n_nodes == 0 ||
        !are_siblings(place_of(&tree->nodes[tree->n_nodes - 1]), at)) {
        OWI_TRY(new_node(tree, at));
        return add_to_node(tree, &tree->nodes[tree->n_nodes - 1], figures);
    }
    OWI_TRY(add_to_node(tree, &tree->nodes[tree->n_nodes - 1], figures));
    for (;;) {
        owi_sum_node *last = &tree->nodes[tree->n_nodes - 1];
        at = promoted((place){at.level + 1, at.index / 2}, tree->n_chunks);
        set_place(last, at);
        if (tree->n_nodes == 1 || !are_siblings(place_of(last - 1), at)) return OW_OK;
        point_at_node(tree, last);
        OWI_TRY(add_to_node(tree, last - 1, last->figures));
        drop_node(tree);
    }
}

ow_status owi_sum_tree_add(owi_sum_tree *tree, size_t chunk, const bool *met,
                           const double *figures, const float *block)
{
    for (size_t s = 0; s < tree->n_segments; s++) {
        const owi_sum_segment *segment = &tree->segments[s];
        tree->from[s] = met[segment->part] ? block + segment->first : NULL;
    }
    return push(tree, (place){0, chunk}, figures);
}

const owi_sum_node *owi_sum_tree_root(const owi_sum_tree *tree)
{
    assert(tree->n_nodes == 1);
    return &tree->nodes[0];
}

/* ---- Other processes ---- */

/* A head: figures, then one byte for each part. */
static size_t head_size(const owi_sum_tree *tree)
{
    const size_t each = sizeof(double);
    return tree->n_figures * each + (tree->n_parts * sizeof(bool) + each - 1) / each * each;
}

static const bool *met_of(const owi_sum_tree *tree, const unsigned char *head)
{
    return (const bool *)(head + tree->n_figures * sizeof(double));
}

/* The floats behind a head. */
static size_t length_of(const owi_sum_tree *tree, const unsigned char *head)
{
    size_t n = 0;
    for (size_t s = 0; s < tree->n_segments; s++)
        if (met_of(tree, head)[tree->segments[s].part]) n += tree->segments[s].n;
    return n;
}

/* This process's nodes: heads, and sums one behind the other. */
static ow_status pack(owi_sum_tree *tree)
{
    const size_t size = head_size(tree);
    size_t n_floats = 0;
    OWI_TRY(owi_grow(tree->ctx, &tree->heads, &tree->heads_capacity,
                     tree->n_nodes * size + 1, 1));
    memset(tree->heads, 0, tree->n_nodes * size);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const owi_sum_node *node = &tree->nodes[i];
        unsigned char *head = tree->heads + i * size;
        bool *met = (bool *)(head + tree->n_figures * sizeof(double));
        memcpy(head, node->figures, tree->n_figures * sizeof *node->figures);
        for (size_t p = 0; p < tree->n_parts; p++) met[p] = node->part[p] != NULL;
        n_floats += length_of(tree, head);
    }
    OWI_TRY(owi_grow(tree->ctx, &tree->given, &tree->given_capacity, n_floats + 1,
                     sizeof *tree->given));
    float *to = tree->given;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        point_at_node(tree, &tree->nodes[i]);
        for (size_t s = 0; s < tree->n_segments; s++) {
            if (tree->from[s] == NULL) continue;
            memcpy(to, tree->from[s], tree->segments[s].n * sizeof *to);
            to += tree->segments[s].n;
        }
    }
    return OW_OK;
}

/* Puts the nodes of all processes together; places are those of all, n_all of them. */
static ow_status unpack(owi_sum_tree *tree, const place *places, size_t n_all)
{
    const size_t n_chunks = tree->n_chunks;
    const float *from = tree->gotten;
    owi_sum_tree_begin(tree, n_chunks);
    for (size_t i = 0; i < n_all; i++) {
        const unsigned char *head = tree->all_heads + i * head_size(tree);
        for (size_t s = 0; s < tree->n_segments; s++) {
            const bool met = met_of(tree, head)[tree->segments[s].part];
            tree->from[s] = met ? from : NULL;
            if (met) from += tree->segments[s].n;
        }
        OWI_TRY(push(tree, places[i], (const double *)(const void *)head));
    }
    return OW_OK;
}

static ow_status exchange(owi_sum_tree *tree, ow_status status, place *places,
                          size_t *sizes)
{
    const size_t n = owi_team_size(tree->call), head = head_size(tree);
    size_t n_all = 0, n_floats = 0;
    for (size_t rank = 0; rank < n; rank++) {
        const owi_share share = owi_team_share(tree->call, rank, tree->n_chunks);
        const size_t n_nodes = find_places(tree->n_chunks, share, places + n_all);
        sizes[rank] = n_nodes * head;
        n_all += n_nodes;
    }
    if (status == OW_OK)
        status = owi_grow(tree->ctx, &tree->all_heads, &tree->all_heads_capacity,
                          n_all * head + 1, 1);
    if (status == OW_OK) status = pack(tree);
    OWI_TRY(owi_team_collect(tree->call, status, sizes, tree->heads, tree->all_heads));
    const unsigned char *at = tree->all_heads;
    for (size_t rank = 0; rank < n; rank++) {
        size_t own = 0;
        for (size_t i = sizes[rank] / head; i > 0; i--, at += head)
            own += length_of(tree, at);
        sizes[rank] = own * sizeof *tree->gotten;
        n_floats += own;
    }
    status = owi_grow(tree->ctx, &tree->gotten, &tree->gotten_capacity, n_floats + 1,
                      sizeof *tree->gotten);
    OWI_TRY(status);
    OWI_TRY(owi_team_gather(tree->call, tree->given, sizes, tree->gotten));
    return unpack(tree, places, n_all);
}

ow_status owi_sum_tree_exchange(owi_sum_tree *tree, ow_status status)
{
    const size_t n = owi_team_size(tree->call);
    if (tree->call->team == NULL) return status;
    place *places = owi_alloc_array(tree->ctx, n * owi_most_sum_nodes, sizeof *places);
    size_t *sizes = owi_alloc_array(tree->ctx, n, sizeof *sizes);
    if (status == OW_OK && (places == NULL || sizes == NULL)) status = OW_ERR_MEMORY;
    if (places != NULL && sizes != NULL) status = exchange(tree, status, places, sizes);
    owi_free(tree->ctx, places);
    owi_free(tree->ctx, sizes);
    return status;
}
