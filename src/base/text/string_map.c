/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing, at most half full.  The texts live in blocks that
 * never move, so that what owi_string_map_text lends stays valid as the map grows. */
#include "base/text/string_map.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

typedef struct {
    const char *text;
    size_t length;
    uint64_t hash;
} entry;

/* Texts stand one behind the other in bytes[]; the newest block is the list's head. */
typedef struct block {
    struct block *next;
    size_t used, size;
    char bytes[];
} block;

enum { smallest_block = 256, largest_block = 1 << 16, smallest_table = 16 };

struct owi_string_map {
    ow_context *ctx;
    entry *entries; /* by number */
    size_t n_entries, capacity;
    size_t *slots;  /* number + 1 of the entry that hashes here; 0: free */
    size_t n_slots; /* a power of two, or 0 */
    block *blocks;
    size_t block_bytes; /* held by all blocks together */
};

ow_status owi_string_map_new(ow_context *ctx, owi_string_map **out)
{
    *out = NULL;
    owi_string_map *map = owi_alloc_zeroed(ctx, sizeof *map);
    if (map == NULL) return OW_ERR_MEMORY;
    map->ctx = ctx;
    *out = map;
    return OW_OK;
}

void owi_string_map_free(owi_string_map *map)
{
    if (map == NULL) return;
    while (map->blocks != NULL) {
        block *next = map->blocks->next;
        owi_free(map->ctx, map->blocks);
        map->blocks = next;
    }
    owi_free(map->ctx, map->slots);
    owi_free(map->ctx, map->entries);
    owi_free(map->ctx, map);
}

size_t owi_string_map_count(const owi_string_map *map)
{
    return map->n_entries;
}

const char *owi_string_map_text(const owi_string_map *map, size_t index, size_t *length)
{
    if (length != NULL) *length = map->entries[index].length;
    return map->entries[index].text;
}

size_t owi_string_map_size(const owi_string_map *map)
{
    return sizeof *map + map->block_bytes + map->capacity * sizeof *map->entries +
           map->n_slots * sizeof *map->slots;
}

/* FNV-1a over the bytes, then a final mix, since the table looks at the low bits only. */
static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    hash = (hash ^ (hash >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

/* The slot that holds the text, or the free one where it would go. */
static size_t find_slot(const owi_string_map *map, const char *text, size_t length,
                        uint64_t hash)
{
    const size_t mask = map->n_slots - 1;
    for (size_t slot = (size_t)hash & mask;; slot = (slot + 1) & mask) {
        if (map->slots[slot] == 0) return slot;
        const entry *e = &map->entries[map->slots[slot] - 1];
        if (e->hash == hash && e->length == length && memcmp(e->text, text, length) == 0)
            return slot;
    }
}

size_t owi_string_map_find(const owi_string_map *map, const char *text, size_t length)
{
    if (map->n_entries == 0) return SIZE_MAX;
    const size_t slot = find_slot(map, text, length, hash_text(text, length));
    return map->slots[slot] != 0 ? map->slots[slot] - 1 : SIZE_MAX;
}

static ow_status grow_table(owi_string_map *map)
{
    if (map->n_slots / 2 > map->n_entries) return OW_OK;
    size_t n_slots = smallest_table;
    if (map->n_slots != 0 && !owi_size_multiply(map->n_slots, 2, &n_slots))
        return owi_fail(OW_ERR_MEMORY, "out of memory: too many different texts");
    size_t *slots = owi_alloc_array(map->ctx, n_slots, sizeof *slots);
    if (slots == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < map->n_entries; i++) {
        size_t slot = (size_t)map->entries[i].hash & (n_slots - 1);
        while (slots[slot] != 0) slot = (slot + 1) & (n_slots - 1);
        slots[slot] = i + 1;
    }
    owi_free(map->ctx, map->slots);
    map->slots = slots;
    map->n_slots = n_slots;
    return OW_OK;
}

/* A block with room for size more bytes at its end: the newest one, or a new one of at
 * least twice its size. */
static ow_status make_room(owi_string_map *map, size_t size)
{
    const block *newest = map->blocks;
    if (newest != NULL && newest->size - newest->used >= size) return OW_OK;
    size_t room = newest == NULL ? smallest_block : newest->size * 2;
    if (room > largest_block) room = largest_block;
    if (room < size) room = size;
    size_t total;
    if (!owi_size_add(room, sizeof(block), &total))
        return owi_fail(OW_ERR_MEMORY, "out of memory: a text of %zu bytes", size);
    block *added = owi_alloc(map->ctx, total);
    if (added == NULL) return OW_ERR_MEMORY;
    added->next = map->blocks;
    added->used = 0;
    added->size = room;
    map->blocks = added;
    map->block_bytes += total;
    return OW_OK;
}

ow_status owi_string_map_add(owi_string_map *map, const char *text, size_t length,
                             size_t *index)
{
    const uint64_t hash = hash_text(text, length);
    if (map->n_entries > 0) {
        const size_t slot = find_slot(map, text, length, hash);
        if (map->slots[slot] != 0) {
            *index = map->slots[slot] - 1;
            return OW_OK;
        }
    }

    /* Room for everything first: a failure leaves the map as it was. */
    size_t size;
    if (!owi_size_add(length, 1, &size))
        return owi_fail(OW_ERR_MEMORY, "out of memory: a text of %zu bytes", length);
    OWI_TRY(grow_table(map));
    OWI_TRY(owi_grow(map->ctx, &map->entries, &map->capacity, map->n_entries + 1,
                     sizeof *map->entries));
    OWI_TRY(make_room(map, size));

    block *home = map->blocks;
    char *copy = home->bytes + home->used;
    if (length > 0) memcpy(copy, text, length);
    copy[length] = '\0';
    home->used += size;
    map->slots[find_slot(map, text, length, hash)] = map->n_entries + 1;
    map->entries[map->n_entries] = (entry){copy, length, hash};
    *index = map->n_entries++;
    return OW_OK;
}
