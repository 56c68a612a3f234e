/* SPDX-License-Identifier: MIT */
/* Texts numbered 0, 1, 2, ... in order of first appearance, and found again by hashing. */
#ifndef OWI_STRING_MAP_H
#define OWI_STRING_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"

typedef struct owi_string_map owi_string_map;

ow_status owi_string_map_new(ow_context *ctx, owi_string_map **out);
void owi_string_map_free(owi_string_map *map);

size_t owi_string_map_count(const owi_string_map *map);
/* NUL-terminated copy kept by the map; index < count.  length may be NULL.  Texts never
 * hold NUL bytes. */
const char *owi_string_map_text(const owi_string_map *map, size_t index, size_t *length);

/* The text's number, or SIZE_MAX. */
size_t owi_string_map_find(const owi_string_map *map, const char *text, size_t length);
/* The text's number, given to it now if it is new. */
ow_status owi_string_map_add(owi_string_map *map, const char *text, size_t length,
                             size_t *index);
/* Bytes held in all, to keep maps bounded. */
size_t owi_string_map_size(const owi_string_map *map);

#endif
