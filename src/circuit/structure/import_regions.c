/* SPDX-License-Identifier: MIT */
#include "circuit/structure/import_regions.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory/alloc.h"

owi_json_fields owi_import_region_fields(const owi_import_regions *regions, size_t index)
{
    owi_json_fields fields = {.file = regions->file,
                              .object = json_array_get(regions->list, index)};
    snprintf(fields.where, sizeof fields.where, "region %zu, ", index);
    return fields;
}

owi_json_fields owi_import_partition_fields(const owi_import_regions *regions, size_t rep)
{
    owi_json_fields fields = {.file = regions->file,
                              .object = json_array_get(regions->partitions, rep)};
    snprintf(fields.where, sizeof fields.where, "root partition %zu, ", rep);
    return fields;
}

bool owi_import_is_leaf(const owi_import_regions *regions, size_t index)
{
    return json_object_get(json_array_get(regions->list, index), "children") == NULL;
}

/* One array for all depths, that of depth d from R (2^d - 2) on. */
static size_t place(const owi_import_regions *regions, size_t depth, size_t p)
{
    return depth == 0 ? p : regions->repetitions * (((size_t)1 << depth) - 2) + p;
}

size_t owi_import_region(const owi_import_regions *regions, size_t depth, size_t p)
{
    return regions->at[place(regions, depth, p)];
}

static ow_status read_children(const owi_import_regions *regions,
                               const owi_json_fields *fields, size_t n, size_t *children)
{
    const json_t *array = NULL;
    OWI_TRY(owi_json_read_array(fields, "children", &array));
    if (array == NULL || json_array_size(array) != n)
        return owi_json_unexpected(fields, "children",
                                   n == 1 ? "one region" : "two regions", array);
    for (size_t i = 0; i < n; i++)
        OWI_TRY(owi_json_item_count(fields, "children", json_array_size(regions->list) - 1,
                                    json_array_get(array, i), &children[i]));
    return OW_OK;
}

/* The two regions below one of the file's, or of ours. */
static ow_status find_children(owi_import_regions *regions, size_t index, size_t *children,
                               size_t *n_found)
{
    const owi_json_fields fields = owi_import_region_fields(regions, index);
    children[0] = index;
    children[1] = OWI_NO_REGION;
    if (index == OWI_NO_REGION) return OW_OK;
    if (!owi_import_is_leaf(regions, index)) {
        *n_found += 2;
        return read_children(regions, &fields, 2, children);
    }
    regions->any_early = true;
    return OW_OK;
}

ow_status owi_import_regions_find(owi_import_regions *regions, ow_context *ctx)
{
    const size_t R = regions->repetitions, D = regions->depth;
    const size_t n = D == 0 ? R : R * (((size_t)2 << D) - 2);
    size_t n_found = D == 0 ? R : 2 * R;
    if (json_array_size(regions->list) == 0)
        return owi_fail(OW_ERR_FORMAT, "%s: no regions", regions->file);
    regions->at = owi_alloc_array(ctx, n, sizeof *regions->at);
    if (regions->at == NULL) return OW_ERR_MEMORY;
    for (size_t rep = 0; rep < R; rep++) {
        const owi_json_fields fields = owi_import_partition_fields(regions, rep);
        size_t *top = regions->at + (D == 0 ? rep : place(regions, 1, 2 * rep));
        OWI_TRY(read_children(regions, &fields, D == 0 ? 1 : 2, top));
    }
    for (size_t d = 1; d < D; d++)
        for (size_t p = 0; p < R << d; p++)
            OWI_TRY(find_children(regions, owi_import_region(regions, d, p),
                                  regions->at + place(regions, d + 1, 2 * p), &n_found));
    if (n_found != json_array_size(regions->list))
        return owi_fail(OW_ERR_FORMAT, "%s: %zu regions, of which the root reaches %zu",
                        regions->file, json_array_size(regions->list), n_found);
    return OW_OK;
}
