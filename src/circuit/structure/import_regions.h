/* SPDX-License-Identifier: MIT */
/* The regions of a circuit that is written as JSON (doc/format.md, "Circuits as JSON"), by
 * their place in the tree.
 *
 * Our trees are whole: every leaf region lies at depth D.  One of a file may end before
 * that, where there was nothing left to halve. It is continued by regions of our own, each
 * over the same columns beside one without any:
 *
 *     file      sum            here     sum
 *              /   \                   /   \
 *           sum     {7}             sum     passes {7} on
 *          /   \                   /   \      /   \
 *        {2}   {4}               {2}   {4}  {7}   { } */
#ifndef OWI_IMPORT_REGIONS_H
#define OWI_IMPORT_REGIONS_H

#include "base/text/json_read.h"
#include "otherwise/circuit.h"

/* Instead of a number in the file's list: no columns, and density 1. */
#define OWI_NO_REGION SIZE_MAX

typedef struct {
    const char *file;
    const json_t *list, *partitions; /* lent */
    size_t repetitions, depth;
    bool any_early; /* a leaf region ends before depth D */
    size_t *at;     /* see owi_import_region             */
} owi_import_regions;

/* Follows the children from the roots down.  Either way owi_free(ctx, at). */
ow_status owi_import_regions_find(owi_import_regions *regions, ow_context *ctx);

/* The number in the list of region p (0 to R 2^depth - 1) at a depth from 1 to D, or at
 * depth 0 if D is 0. */
size_t owi_import_region(const owi_import_regions *regions, size_t depth, size_t p);

/* Whether the region with this number has no children. */
bool owi_import_is_leaf(const owi_import_regions *regions, size_t index);

/* A region, or a root partition, to read fields from. */
owi_json_fields owi_import_region_fields(const owi_import_regions *regions, size_t index);
owi_json_fields owi_import_partition_fields(const owi_import_regions *regions, size_t rep);

#endif
