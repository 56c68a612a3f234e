/* SPDX-License-Identifier: MIT */
/* Memory of a device, taken in pieces from one block. */
#ifndef OWI_DEVICE_ROOM_H
#define OWI_DEVICE_ROOM_H

#include <stddef.h>

/* Sizing and taking by the same lines, as owi_carve: block NULL only counts. */
typedef struct {
    char *block;
    size_t size;
} owi_device_room;

/* What a thread block loads at a time begins at multiples of this. */
enum { owi_device_alignment = 256 };

static inline void *owi_device_take(owi_device_room *room, size_t count, size_t size)
{
    const size_t at = room->size, a = owi_device_alignment;
    room->size += (count * size + a - 1) / a * a;
    return room->block != NULL ? room->block + at : NULL;
}

#endif
