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

static void read_column(const job *j, size_t first, size_t n, const owi_block *block,
                        column *col)
{
    const size_t stride = j->forest->n_features;
    const double *at = j->rows + first * stride + col->feature;
    col->missing = col->zero = (owi_mask){0};
    col->has_missing = false;
    for (size_t i = 0; i < n; i++) {
        const double x = block->values[i] = owi_forest_value(j->forest, at[i * stride]);
        const uint64_t bit = UINT64_C(1) << i % 64;
        if (isnan(x)) {
            col->missing[i / 64] |= bit;
            col->has_missing = true;
        } else if (x == 0.0) {
            col->zero[i / 64] |= bit;
        }
    }
    for (size_t i = n; i < 64 * col->n_words; i++) block->values[i] = 0.0;
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

/* The masks of one column's comparisons, conditions [first, end). */
static void compare_column(const job *j, const column *col, size_t first, size_t end,
                           const owi_block *block)
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

/* Which rows have which of the codes that sets mention; then a set is a union. */
static void classify_column(const job *j, const column *col, size_t first, size_t end,
                            const owi_block *block)
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
    for (size_t k = first; k < end; k++) {
        const owi_condition *condition = &c->conditions[k];
        owi_mask mask = {0};
        if ((condition->flags & owi_split_missing_left) != 0) mask = col->missing;
        for (size_t i = 0; i < condition->words; i++)
            mask |= block->cells[c->members[condition->set + i]];
        block->conditions[k] = mask;
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

/* ---- Trees ---- */

static void walk_rows(const job *j, size_t tree, size_t first_row, size_t n,
                      const owi_block *block)
{
    const owi_forest *forest = j->forest;
    const size_t group = forest->trees[tree].group;
    for (size_t i = 0; i < n; i++) {
        const double *row = j->rows + (first_row + i) * forest->n_features;
        const double leaf = owi_forest_leaf(forest, tree, row);
        const size_t at = group * owi_block_rows + i;
        if (forest->is_float)
            block->float_sums[at] += (float)leaf;
        else
            block->double_sums[at] += leaf;
    }
}

static void run_block(const job *j, size_t first_row, size_t n, const owi_block *block)
{
    const owi_forest *forest = j->forest;
    const size_t G = forest->n_groups, n_words = (n + 63) / 64;
    test_conditions(j, first_row, n, n_words, block);
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
            walk_rows(j, t, first_row, n, block);
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
