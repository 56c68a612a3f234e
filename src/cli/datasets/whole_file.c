/* SPDX-License-Identifier: MIT */
#include "datasets/whole_file.h"

#include <stdio.h>

#include "terminal/failure.h"

ow_status whole_file_read(ow_context *ctx, const char *path, size_t most, char **bytes,
                          size_t *size)
{
    FILE *file = fopen(path, "rb");
    ow_status status = OW_OK;
    size_t room = 0;
    *bytes = NULL;
    *size = 0;
    if (file == NULL) return failure_of_file("open", path);
    /* One byte more than fits tells a file that is too large. */
    while (status == OW_OK && *size <= most && *size == room) {
        room = room == 0 ? 1 << 16 : 2 * room;
        if (room > most) room = most + 1;
        char *larger = ow_bytes_resize(ctx, *bytes, room);
        if (larger == NULL) {
            status = OW_ERR_MEMORY;
            break;
        }
        *bytes = larger;
        *size += fread(*bytes + *size, 1, room - *size, file);
        if (ferror(file) != 0) status = failure_of_file("read", path);
    }
    if (status == OW_OK && *size > most)
        status = failure(OW_ERR_FORMAT, "%s is larger than %zu bytes", path, most);
    fclose(file);
    if (status == OW_OK) return OW_OK;
    ow_bytes_free(*bytes);
    *bytes = NULL;
    *size = 0;
    return status;
}
