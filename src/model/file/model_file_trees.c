/* SPDX-License-Identifier: MIT */
/* A circuit of trees from a model's file: the parent of every leaf region, from which the
 * regions follow; those that the file lists as well must be the same. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "model/file/model_file.h"

typedef struct {
    const owi_safetensors *file;
    ow_context *ctx;
    ow_circuit_spec *spec;
    size_t n_groups;  /* of columns: leaf regions of a tree            */
    size_t n_regions; /* of all trees of all copies                    */
    size_t n_columns; /* in all of these                               */
    uint32_t *parent; /* (trees, groups): by number of the leaf region */
    uint32_t *start;  /* (regions + 1)                                 */
    uint32_t *columns;
    uint32_t *group; /* (columns of the circuit): which each is in     */
} tree_file;

static ow_status damaged(const tree_file *f)
{
    return owi_fail(OW_ERR_FORMAT, "%s: the trees of its circuit are damaged",
                    f->file->name);
}

/* The tensors are as long as trees over these groups ask for: in doubles, before anything
 * is multiplied. */
static ow_status check_counts(tree_file *f)
{
    const ow_circuit_spec *spec = f->spec;
    const double copies =
        spec->structure == OW_STRUCTURE_SHARED ? 1.0 : (double)spec->n_classes;
    const double R = (double)spec->repetitions, d = (double)spec->n_columns;
    size_t n_parents, n_start, n_columns;
    OWI_TRY(owi_safetensors_count(f->file, OWI_TENSOR_PARENTS, OWI_TENSOR_U32, &n_parents));
    OWI_TRY(owi_safetensors_count(f->file, OWI_TENSOR_START, OWI_TENSOR_U32, &n_start));
    OWI_TRY(owi_safetensors_count(f->file, OWI_TENSOR_COLUMNS, OWI_TENSOR_U32, &n_columns));
    if (spec->depth != 0 || (double)n_parents != R * (double)f->n_groups ||
        (double)n_start != copies * R * (double)f->n_groups + 1.0 ||
        (double)n_columns != copies * R * d || n_columns > UINT32_MAX)
        return damaged(f);
    f->n_regions = n_start - 1;
    f->n_columns = n_columns;
    return OW_OK;
}

static ow_status read_tensors(tree_file *f)
{
    const size_t n_parents = f->spec->repetitions * f->n_groups;
    f->parent = owi_alloc_array(f->ctx, n_parents, sizeof *f->parent);
    f->start = owi_alloc_array(f->ctx, f->n_regions + 1, sizeof *f->start);
    f->columns = owi_alloc_array(f->ctx, f->n_columns, sizeof *f->columns);
    f->group = owi_alloc_array(f->ctx, f->spec->n_columns, sizeof *f->group);
    if (f->parent == NULL || f->start == NULL || f->columns == NULL || f->group == NULL)
        return OW_ERR_MEMORY;
    OWI_TRY(owi_safetensors_read(f->file, OWI_TENSOR_PARENTS, OWI_TENSOR_U32, n_parents,
                                 f->parent));
    OWI_TRY(owi_safetensors_read(f->file, OWI_TENSOR_START, OWI_TENSOR_U32,
                                 f->n_regions + 1, f->start));
    return owi_safetensors_read(f->file, OWI_TENSOR_COLUMNS, OWI_TENSOR_U32, f->n_columns,
                                f->columns);
}

/* The group of a leaf region of the first copy; false: there is none. */
static bool group_of(const tree_file *f, size_t region, uint32_t *group)
{
    const uint32_t at = f->start[region];
    if (at >= f->n_columns || f->columns[at] >= f->spec->n_columns) return false;
    *group = f->group[f->columns[at]];
    return true;
}

/* Parents by group, as a spec has them. */
static ow_status fill_parents(const tree_file *f, uint32_t *parents)
{
    const size_t G = f->n_groups, n = f->spec->repetitions * G;
    for (size_t r = 0; r < n; r++) {
        const size_t first = r / G * G; /* of the tree */
        uint32_t own, above;
        if (f->parent[r] >= G || !group_of(f, r, &own) ||
            !group_of(f, first + f->parent[r], &above))
            return damaged(f);
        parents[first + own] = above;
    }
    return OW_OK;
}

/* A circuit with these trees; its regions must be the file's. */
static ow_status build(const tree_file *f, uint32_t *parents, ow_circuit **out)
{
    ow_circuit_spec spec = *f->spec;
    spec.parents = parents;
    OWI_TRY(owi_model_file_check_sizes(f->file, &spec));
    OWI_TRY(owi_model_file_blame(f->file, ow_circuit_new(f->ctx, &spec, out)));
    const owi_region_graph *graph = &(*out)->regions;
    if (memcmp(graph->parent, f->parent, graph->n_regions * sizeof *f->parent) == 0 &&
        memcmp(graph->start, f->start, (f->n_regions + 1) * sizeof *f->start) == 0 &&
        memcmp(graph->columns, f->columns, f->n_columns * sizeof *f->columns) == 0)
        return OW_OK;
    return damaged(f);
}

ow_status owi_model_read_trees(const owi_safetensors *file, ow_context *ctx,
                               ow_circuit_spec *spec, ow_circuit **out)
{
    tree_file f = {.file = file, .ctx = ctx, .spec = spec};
    f.n_groups = owi_region_graph_groups(spec);
    OWI_TRY(check_counts(&f));
    uint32_t *parents =
        owi_alloc_array(ctx, spec->repetitions * f.n_groups, sizeof *parents);
    ow_status status = parents != NULL ? read_tensors(&f) : OW_ERR_MEMORY;
    if (status == OW_OK) {
        uint32_t n = 0;
        for (size_t j = 0; j < spec->n_columns; j++) {
            n += j > 0 && spec->leaves[j].group != spec->leaves[j - 1].group;
            f.group[j] = n;
        }
        status = fill_parents(&f, parents);
    }
    if (status == OW_OK) status = build(&f, parents, out);
    void *const blocks[] = {f.parent, f.start, f.columns, f.group, parents};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) owi_free(ctx, blocks[i]);
    return status;
}
