/* SPDX-License-Identifier: MIT */
#include "trees/evaluate_trees.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "base/threads/parallel.h"

enum {
    most_byte_rank = 255,
    /* Fewer rows are walked: a block costs the same for one row as for 64. */
    least_block_rows = 8,
    chunk_rows = 8 * owi_block_rows
};

typedef struct {
    const owi_forest *forest;
    const owi_conditions *conditions;
    const owi_mask_kernel *kernel;
    const double *base, *rows;
    double *scores;
    owi_workspace **workspaces; /* one for each worker */
    owi_block *blocks;
} job;

/* ---- Scratch ---- */

static ow_status make_block(const job *j, owi_block *block, owi_workspace **workspace)
{
    const owi_conditions *c = j->conditions;
    const size_t n_sums = j->forest->n_groups * owi_block_rows;
    const bool is_float = j->forest->is_float;
    const owi_piece pieces[] = {
        OWI_PIECE(block->conditions, c->n_conditions),
        OWI_PIECE(block->cells, c->most_cells),
        OWI_PIECE(block->slots, 2 * owi_most_mask_leaves),
        OWI_PIECE(block->values, owi_block_rows),
        OWI_PIECE(block->bytes, owi_block_rows),
        OWI_PIECE(block->ranks, owi_block_rows),
        OWI_PIECE(block->codes, owi_block_rows * c->n_columns),
        OWI_PIECE(block->float_sums, is_float ? n_sums : 0),
        OWI_PIECE(block->double_sums, is_float ? 0 : n_sums),
    };
    return owi_pieces_new(j->forest->ctx, OWI_PIECES(pieces), workspace);
}

static ow_status make_scratch(job *j, size_t n_workers)
{
    ow_context *ctx = j->forest->ctx;
    j->workspaces = owi_alloc_array(ctx, n_workers, sizeof *j->workspaces);
    j->blocks = owi_alloc_array(ctx, n_workers, sizeof *j->blocks);
    if (j->workspaces == NULL || j->blocks == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n_workers; i++)
        OWI_TRY(make_block(j, &j->blocks[i], &j->workspaces[i]));
    return OW_OK;
}

static void free_scratch(job *j, size_t n_workers)
{
    ow_context *ctx = j->forest->ctx;
    for (size_t i = 0; i < n_workers && j->workspaces != NULL; i++)
        owi_workspace_free(j->workspaces[i]);
    owi_free(ctx, j->workspaces);
    owi_free(ctx, j->blocks);
}

/* ---- Conditions ---- */

/* A column of the block, and which of its values are missing or 0. */
typedef struct {
    size_t feature, n_words;
    owi_mask missing, zero;
    bool has_missing;
} column;

/* Up to 64 values, and bits for those that are missing or 0.  Without branches: which
 * values are 0 nobody can foresee. */
static void read_word(const job *j, const double *at, size_t n, double *values,
                      uint64_t *missing, uint64_t *zero)
{
    const size_t stride = j->forest->n_features;
    uint64_t is_missing = 0, is_zero = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = values[i] = at[i * stride];
        is_missing |= (uint64_t)(isnan(x) ? 1 : 0) << i;
    }
    /* As owi_forest_value, by products and minima. */
    for (size_t i = 0; i < n && j->forest->has_zero; i++) {
        const double x = values[i] > DBL_MAX ? DBL_MAX : values[i];
        const uint64_t is_tiny = fabs(x) <= (double)1e-35f;
        is_zero |= is_tiny << i;
        values[i] = x * (double)(int64_t)(1 - is_tiny);
    }
    for (size_t i = n; i < 64; i++) values[i] = 0.0;
    *missing = is_missing;
    *zero = is_zero;
}

static void read_column(const job *j, size_t first, size_t n, const owi_block *block,
                        column *col)
{
    const size_t stride = j->forest->n_features;
    const double *at = j->rows + first * stride + col->feature;
    uint64_t any = 0;
    col->missing = col->zero = (owi_mask){0};
    for (size_t w = 0; w < col->n_words; w++) {
        uint64_t missing, zero;
        read_word(j, at + 64 * w * stride, owi_smaller(64, n - 64 * w),
                  block->values + 64 * w, &missing, &zero);
        col->missing[w] = missing;
        col->zero[w] = zero;
        any |= missing;
    }
    col->has_missing = any != 0;
}

static size_t find_rank(const double *sorted, size_t n, double x)
{
    size_t base = 0;
    while (n > 1) {
        const size_t half = n / 2;
        base += sorted[base + half - 1] <= x ? half : 0;
        n -= half;
    }
    return base + (n > 0 && sorted[base] <= x);
}

/* How many thresholds are <= each value: in bytes where that is enough. */
static size_t rank_column(const job *j, const column *col, const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    const size_t from = c->threshold_first[col->feature];
    const size_t n = c->threshold_first[col->feature + 1] - from;
    const double *thresholds = c->thresholds + from;
    if (n <= most_byte_rank)
        j->kernel->find_bytes(64 * col->n_words, block->values, thresholds, n,
                              block->bytes);
    for (size_t i = 0; i < 64 * col->n_words && n > most_byte_rank; i++)
        block->ranks[i] = (uint32_t)find_rank(thresholds, n, block->values[i]);
    return n;
}

/* The masks of one column's comparisons, conditions [first, end). */
static void compare_column(const job *j, const column *col, size_t first, size_t end,
                           const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    const size_t n = rank_column(j, col, block);
    for (size_t k = first; k < end; k++) {
        const owi_condition *condition = &c->conditions[k];
        owi_mask *mask = &block->conditions[k];
        if (n <= most_byte_rank)
            j->kernel->compare_bytes(col->n_words, block->bytes, (uint8_t)condition->rank,
                                     mask);
        else
            j->kernel->compare_ranks(col->n_words, block->ranks, condition->rank, mask);
        if ((condition->flags & owi_split_zero_left) != 0) *mask |= col->zero;
        if ((condition->flags & owi_split_zero_right) != 0) *mask &= ~col->zero;
        if ((condition->flags & owi_split_missing_left) != 0)
            *mask |= col->missing;
        else if (col->has_missing)
            *mask &= ~col->missing;
    }
}

/* Which rows have which of the codes that sets mention. */
static void find_cells(const job *j, const column *col, const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    const size_t from = c->threshold_first[col->feature];
    const size_t n = c->threshold_first[col->feature + 1] - from;
    const double *codes = c->thresholds + from;
    memset(block->cells, 0, n * sizeof *block->cells);
    for (size_t i = 0; i < 64 * col->n_words; i++) {
        const size_t code = owi_forest_code(j->forest, block->values[i]);
        if (code == SIZE_MAX) continue; /* NaN, too */
        const size_t rank = find_rank(codes, n, (double)code);
        if (rank > 0 && codes[rank - 1] == (double)code)
            block->cells[rank - 1][i / 64] |= UINT64_C(1) << i % 64;
    }
}

/* A set is a union of cells. */
static void join_cells(const column *col, uint32_t flags, size_t n, const uint32_t *members,
                       const owi_block *block, owi_mask *mask)
{
    *mask = (owi_mask){0};
    if ((flags & owi_split_missing_left) != 0) *mask = col->missing;
    for (size_t i = 0; i < n; i++) *mask |= block->cells[members[i]];
}

static void classify_column(const job *j, const column *col, size_t first, size_t end,
                            const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    find_cells(j, col, block);
    for (size_t k = first; k < end; k++) {
        const owi_condition *condition = &c->conditions[k];
        join_cells(col, condition->flags, condition->words, c->members + condition->set,
                   block, &block->conditions[k]);
    }
}

static void test_conditions(const job *j, size_t first_row, size_t n, size_t n_words,
                            const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    size_t end;
    for (size_t k = 0; k < c->n_conditions; k = end) {
        column col = {.feature = c->conditions[k].feature, .n_words = n_words};
        for (end = k; end < c->n_conditions && c->conditions[end].feature == col.feature;
             end++)
            ;
        read_column(j, first_row, n, block, &col);
        if ((c->conditions[k].flags & owi_split_category) != 0)
            classify_column(j, &col, k, end, block);
        else
            compare_column(j, &col, k, end, block);
    }
}

/* ---- Codes ---- */

static bool has_bit(const owi_mask *mask, size_t i)
{
    return ((*mask)[i / 64] >> i % 64 & 1) != 0;
}

static void code_numbers(const job *j, const column *col, size_t k, bool in_bytes,
                         const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    const uint32_t flags = c->columns[k].flags;
    const uint16_t missing = (flags & owi_split_missing_left) != 0 ? 0 : owi_most_code;
    for (size_t i = 0; i < 64 * col->n_words; i++) {
        uint16_t code = (uint16_t)(in_bytes ? block->bytes[i] : block->ranks[i]);
        if (has_bit(&col->missing, i)) code = missing;
        if (flags > owi_split_missing_left && has_bit(&col->zero, i))
            code = (flags & owi_split_zero_left) != 0 ? 0 : owi_most_code;
        block->codes[i * c->n_columns + k] = code;
    }
}

static void code_category(const job *j, const column *col, size_t k, const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    const owi_code_column *code = &c->columns[k];
    owi_mask mask;
    join_cells(col, code->flags, code->words, c->members + code->set, block, &mask);
    for (size_t i = 0; i < 64 * col->n_words; i++)
        block->codes[i * c->n_columns + k] = has_bit(&mask, i) ? 0 : 1;
}

/* What the walked trees look at. */
static void fill_codes(const job *j, size_t first_row, size_t n, size_t n_words,
                       const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    column col = {.feature = SIZE_MAX, .n_words = n_words};
    bool in_bytes = false;
    for (size_t k = 0; k < c->n_columns; k++) {
        const bool is_category = (c->columns[k].flags & owi_split_category) != 0;
        if (c->columns[k].feature != col.feature) {
            col.feature = c->columns[k].feature;
            read_column(j, first_row, n, block, &col);
            if (is_category)
                find_cells(j, &col, block);
            else
                in_bytes = rank_column(j, &col, block) <= most_byte_rank;
        }
        if (is_category)
            code_category(j, &col, k, block);
        else
            code_numbers(j, &col, k, in_bytes, block);
    }
}

/* ---- Trees ---- */

/* Eight rows side by side, until all of them are at leaves. */
static void walk_eight(const owi_walk_node *nodes, const uint16_t *codes, size_t stride,
                       uint32_t *at)
{
    uint32_t moved;
    for (size_t i = 0; i < 8; i++) at[i] = 0;
    do {
        moved = 0;
        for (size_t i = 0; i < 8; i++) {
            const owi_walk_node node = nodes[at[i]];
            const uint32_t next =
                node.next + (codes[i * stride + node.column] > node.rank ? 1 : 0);
            moved |= next ^ at[i];
            at[i] = next;
        }
    } while (moved != 0);
}

static void walk_rows(const job *j, size_t t, size_t n, const owi_block *block)
{
    const owi_conditions *c = j->conditions;
    const owi_mask_tree *tree = &c->trees[t];
    const double *values = c->walk_values + tree->first_node;
    const size_t first = tree->group * (size_t)owi_block_rows;
    for (size_t i = 0; i < n; i += 8) {
        uint32_t at[8];
        walk_eight(c->walk_nodes + tree->first_node, block->codes + i * c->n_columns,
                   c->n_columns, at);
        for (size_t l = 0; l < 8; l++)
            if (j->forest->is_float)
                block->float_sums[first + i + l] += (float)values[at[l]];
            else
                block->double_sums[first + i + l] += values[at[l]];
    }
}

static void run_block(const job *j, size_t first_row, size_t n, const owi_block *block)
{
    const owi_forest *forest = j->forest;
    const size_t G = forest->n_groups, n_words = (n + 63) / 64;
    test_conditions(j, first_row, n, n_words, block);
    fill_codes(j, first_row, n, n_words, block);
    for (size_t g = 0; g < G; g++)
        for (size_t i = 0; i < owi_block_rows; i++) {
            const size_t at = g * owi_block_rows + i;
            if (forest->is_float)
                block->float_sums[at] = (float)j->base[g];
            else
                block->double_sums[at] = j->base[g];
        }
    for (size_t t = 0; t < forest->n_trees; t++)
        if (j->conditions->trees[t].by_masks)
            j->kernel->add_tree(j->conditions, &j->conditions->trees[t], n_words, block);
        else
            walk_rows(j, t, n, block);
    for (size_t i = 0; i < n; i++)
        for (size_t g = 0; g < G; g++) {
            const size_t at = g * owi_block_rows + i;
            j->scores[(first_row + i) * G + g] =
                forest->is_float ? (double)block->float_sums[at] : block->double_sums[at];
        }
}

static ow_status run_chunk(void *user, const owi_chunk *chunk)
{
    const job *j = user;
    for (size_t i = 0; i < chunk->n; i += owi_block_rows)
        run_block(j, chunk->first + i, owi_smaller(owi_block_rows, chunk->n - i),
                  &j->blocks[chunk->worker]);
    return OW_OK;
}

ow_status owi_forest_evaluate(const owi_call *call, const owi_forest *forest,
                              const owi_conditions *conditions,
                              const owi_mask_kernel *kernel, const double *base,
                              size_t n_rows, const double *rows, double *scores)
{
    if (kernel == NULL && n_rows < least_block_rows) {
        for (size_t i = 0; i < n_rows * forest->n_groups; i++)
            scores[i] = base[i % forest->n_groups];
        owi_forest_walk(forest, 0, forest->n_trees, n_rows, rows, scores);
        return OW_OK;
    }
    job j = {.forest = forest,
             .conditions = conditions,
             .kernel = kernel != NULL ? kernel : owi_mask_kernel_get(0),
             .base = base,
             .rows = rows,
             .scores = scores};
    const size_t n_workers = owi_parallel_workers(call, n_rows, chunk_rows);
    ow_status status = make_scratch(&j, n_workers);
    if (status == OW_OK)
        status = owi_parallel_rows(call, n_rows, chunk_rows, run_chunk, &j);
    free_scratch(&j, n_workers);
    return status;
}
